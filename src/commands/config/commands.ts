import { type Command, defineCommand } from '../../command/command.ts';

const explain = defineCommand({
  path: ['config', 'explain'],
  summary: 'Show each setting, its value and where it came from',
  arguments: {},
  options: {},
  account: true,
  effect: 'local',
  examples: [{ line: 'telctl config explain', doc: 'Options, variables, .telctl.yaml, profile, defaults' }],
  load: async () => (await import('./config.ts')).explainConfig,
});

const path = defineCommand({
  path: ['config', 'path'],
  summary: 'Show where telctl keeps its files',
  description: 'Prints the file of the profiles; -o json has every folder.',
  arguments: {},
  options: {},
  effect: 'local',
  examples: [{ line: 'telctl config path', doc: 'The file of the profiles' }],
  load: async () => (await import('./config.ts')).showPath,
});

/** Everything under `telctl config`. */
export const configCommands: readonly Command[] = [explain, path];
