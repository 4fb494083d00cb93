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
  description: 'Prints the path of the profiles file. -o json shows all folders.',
  effect: 'local',
  examples: { 'telctl config path': 'Print the path of the profiles file' },
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

/** Lists every setting with its source, and the command that prints the profile's secret. Shows no secrets. */
async function explainConfig(_: unknown, { host, settings }: Context): Promise<ListResult> {
  const name = settings.profile.value ?? '';
  const { secretCommand } = readProfiles(host).profiles.get(name) ?? {};
  const command = { value: secretCommand?.join(' '), source: 'profile', from: `profile ${name}` } as const;
  return {
    kind: 'list',
    items: [
      ...Object.entries(settings).map(([name, setting]) => settingRow(name, setting)),
      ...(secretCommand === undefined ? [] : [settingRow('secretCommand', command)]),
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

function settingRow(
  name: string,
  { value, source, from }: Setting<Settings[keyof Settings]['value']>,
): JsonObject {
  // In seconds, like the option.
  if (name === 'timeoutMs') return { setting: 'timeout', value: Number(value) / 1000, source, from };
  return { setting: optionName(name), value: value ?? null, source, from };
}

const optionName = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

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
