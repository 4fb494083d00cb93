import { defineCommand } from '../../command/command.ts';

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
