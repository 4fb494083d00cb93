import type { Notices } from '../cli/context.ts';
import type { Host } from '../host/host.ts';
import { neutraliseLines } from './neutralise.ts';
import type { Style } from './style.ts';

/** How much is said on stderr. */
export interface NoticeRules {
  readonly quiet: boolean;
  readonly style: Style;
}

const barWidth = 24;
/** Less than this between two pictures of progress is not seen. */
const frameMs = 80;

/** Lines for people on stderr; a line of progress at a terminal gives way to them. */
export function noticesOn(host: Host, { quiet, style }: NoticeRules): Notices & { clear(): void } {
  const { stderr } = host;
  // Nobody may be reading stderr; that is no reason to fail.
  stderr.on('error', () => undefined);
  let drawnAtMs: number | undefined;

  function clear(): void {
    if (drawnAtMs === undefined) return;
    stderr.write('\r\u001b[K');
    drawnAtMs = undefined;
  }

  function line(text: string): void {
    clear();
    stderr.write(`${text}\n`);
  }

  return {
    say(text) {
      if (!quiet) line(neutraliseLines(text));
    },
    warn(text) {
      line(`${style.careful('warning:')} ${neutraliseLines(text)}`);
    },
    async report(lines) {
      const { reportText } = await import('./report-lines.ts');
      const text = await reportText(lines, { columns: stderr.isTTY ? stderr.columns : undefined, style });
      clear();
      stderr.write(text);
    },
    progress(done, total, what) {
      if (quiet || stderr.isTTY !== true || host.env.TERM === 'dumb') return;
      if (done >= total) return clear();
      const now = host.clock.now();
      if (drawnAtMs !== undefined && now - drawnAtMs < frameMs) return;
      const filled = total === 0 ? 0 : Math.floor((done / total) * barWidth);
      const bar = '█'.repeat(filled) + '░'.repeat(barWidth - filled);
      const text = `[${bar}] ${done}/${total}  ${neutraliseLines(what)}`;
      stderr.write(`\r\u001b[K${text.slice(0, (stderr.columns ?? 80) - 1)}`);
      drawnAtMs = now;
    },
    clear,
  };
}
