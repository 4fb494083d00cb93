import { type Noun, serviceNouns } from '../commands/nouns.ts';

/** All nouns, in the order of the help page: those about telctl itself after all others. */
export const nouns: readonly Noun[] = [
  ...serviceNouns,
  {
    name: 'commands',
    group: 'Look things up',
    summary: 'Every command, with what it does to the service',
    commands: async () => [(await import('./self/commands.ts')).commandsCommand],
  },
  {
    name: 'mcp',
    group: 'Look things up',
    summary: 'Serve assistants by the Model Context Protocol',
    commands: async () => (await import('../../extensions/assistant/commands.ts')).mcpCommands,
  },
  {
    name: 'completion',
    group: 'Look things up',
    summary: 'Script that completes telctl in your shell',
    commands: async () => (await import('./self/commands.ts')).completionCommands,
  },
  {
    name: 'help',
    group: 'Look things up',
    summary: 'Topics: environment, exit-codes, output, files, manifests',
    commands: async () => [(await import('./self/commands.ts')).helpCommand],
  },
];

/** The noun that a word means, plural or singular. */
export function nounByWord(word: string): Noun | undefined {
  return nouns.find(({ name, alias }) => name === word || alias === word);
}
