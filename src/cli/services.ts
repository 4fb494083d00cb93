import type { Host } from '../host/host.ts';
import type { Settings } from '../session/settings.ts';
import { noticesOn } from '../terminal/notices.ts';
import { prompterOn } from '../terminal/prompts.ts';
import { isColoured, type Style } from '../terminal/style.ts';
import type { Context, RunOptions } from './context.ts';

/** The context of one run, and the end of what it opened. */
export interface Services extends Context {
  close(): Promise<void>;
}

export interface ServiceFacts {
  readonly host: Host;
  readonly settings: Settings;
  readonly options: RunOptions;
  /** Style of stderr. */
  readonly style: Style;
}

/** Makes what handlers work with; nothing is opened before it is asked for. */
export function createServices({ host, settings, options, style }: ServiceFacts): Services {
  const notices = noticesOn(host, { quiet: options.verbosity === 'quiet', style });
  const ask = prompterOn(host, {
    available: !settings.noInput.value,
    yes: options.yes,
    coloured: isColoured(settings.color.value, host.env, host.stderr.isTTY === true),
  });
  const missing = async (): Promise<never> => {
    throw new Error('no session yet');
  };
  return {
    host,
    settings,
    options,
    ask,
    notices,
    session: missing,
    api: missing,
    accountId: missing,
    async close() {
      notices.clear();
    },
  };
}
