import { join } from 'node:path';
import type { JsonObject } from '../../../base/json.ts';
import { configPath, readProfiles } from '../../../client/session/profile-store.ts';
import type { Setting, Settings } from '../../../client/session/settings.ts';
import { type Command, defineCommand } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';

const path = defineCommand({
  path: ['config', 'path'],
  summary: 'Show where telctl keeps its files',
  description: 'Prints the file of the profiles; -o json has every folder.',
  effect: 'local',
  examples: { 'telctl config path': 'The file of the profiles' },
  load: async () => showPath,
});

export const configCommands: readonly Command[] = [
  defineCommand({
    path: ['config', 'explain'],
    summary: 'Show each setting, its value and where it came from',
    account: true,
    effect: 'local',
    attended: false,
    examples: { 'telctl config explain': 'Options, variables, .telctl.yaml, profile, defaults' },
    load: async () => explainConfig,
  }),
  path,
];

/**
 * Lists every setting with the place that gave it, and the command that prints the profile's secret. Secrets are no
 * settings and stand nowhere here.
 */
async function explainConfig(_: unknown, { host, settings }: Context): Promise<ListResult> {
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
async function showPath(_: unknown, { host }: Context): Promise<Result> {
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
