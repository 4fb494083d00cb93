import { defineCommand, type InputOf } from '../../command/command.ts';

const helpArguments = {
  words: {
    name: 'TOPIC',
    doc: 'environment, exit-codes, output, files or manifests, or the words of a command',
    rest: true,
    optional: true,
    completes: 'help',
  },
} as const;

export type HelpInput = InputOf<Record<never, never>, typeof helpArguments>;

/** `telctl help`. */
export const helpCommand = defineCommand({
  path: ['help'],
  summary: 'Show help on a topic or a command',
  arguments: helpArguments,
  options: {},
  effect: 'local',
  examples: [
    { line: 'telctl help exit-codes', doc: 'What each exit code means' },
    { line: 'telctl help users list', doc: 'The same as: telctl users list --help' },
  ],
  load: async () => (await import('./show-help.ts')).showHelp,
});
