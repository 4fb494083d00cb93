import { join } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { configPath, readProfiles } from '../../session/profile-store.ts';
import type { Setting, Settings } from '../../session/settings.ts';

/**
 * Lists every setting with the place that gave it, and the command that prints the profile's secret. Secrets are no
 * settings and stand nowhere here.
 */
export async function explainConfig(_: unknown, { host, settings }: Context): Promise<ListResult> {
  const name = settings.profile.value ?? '';
  const { secretCommand } = readProfiles(host).profiles.get(name) ?? {};
  const command = { value: secretCommand?.join(' '), source: 'profile', from: `profile ${name}` } as const;
  return {
    kind: 'list',
    items: [
      ...Object.entries(settings).map(([name, setting]) => row(name, setting)),
      ...(secretCommand === undefined ? [] : [row('secretCommand', command)]),
    ],
    columns: [
      { header: 'SETTING', paths: ['setting'] },
      { header: 'VALUE', paths: ['value'] },
      { header: 'SOURCE', paths: ['source'] },
      { header: 'FROM', paths: ['from'] },
    ],
    noun: 'settings',
  };
}

function row(name: string, { value, source, from }: Setting<Settings[keyof Settings]['value']>): JsonObject {
  // As the option takes it: in seconds.
  if (name === 'timeoutMs') return { setting: 'timeout', value: Number(value) / 1000, source, from };
  return { setting: wordsOf(name), value: value ?? null, source, from };
}

/** `baseUrl` as the option is called: `base-url`. */
const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Shows where telctl keeps profiles, keys, tokens and what a run leaves for the next. */
export async function showPath(_: unknown, { host }: Context): Promise<Result> {
  const { config, cache, state } = host.folders;
  const path = configPath(host);
  return {
    kind: 'text',
    text: path,
    value: {
      config: path,
      credentials: join(config, 'credentials'),
      tokens: join(config, 'tokens'),
      cache,
      state,
    },
  };
}
