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

/** `telctl commands`. */
export const commandsCommand = defineCommand({
  path: ['commands'],
  summary: 'List every command, with what it does to the service',
  description:
    'With -o json: the whole tree, with arguments, options, examples, and whether a command reads, writes, destroys or may cost.',
  arguments: {},
  options: {},
  effect: 'local',
  examples: [
    { line: 'telctl commands', doc: 'All commands in one table' },
    { line: 'telctl commands -o json', doc: 'The whole tree, for programs' },
  ],
  load: async () => (await import('./list-commands.ts')).listCommands,
});
