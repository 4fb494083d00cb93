import type { Command } from './command.ts';

/** Where a noun stands on the help page. */
export const groups = ['Start here', 'Administer', 'Configuration as code', 'Look things up'] as const;
export type Group = (typeof groups)[number];

/** The first word of a command line. What it commands is loaded when it is asked for. */
export interface Noun {
  readonly name: string;
  /** Another word for it: the singular. */
  readonly alias?: string;
  readonly group: Group;
  readonly summary: string;
  commands(): Promise<readonly Command[]>;
}

/** All nouns, in the order of the help page. */
export const nouns: readonly Noun[] = [
  {
    name: 'commands',
    group: 'Look things up',
    summary: 'Every command, with what it does to the service',
    commands: async () => [(await import('./self/commands.ts')).commandsCommand],
  },
  {
    name: 'completion',
    group: 'Look things up',
    summary: 'Script that completes telctl in your shell',
    commands: async () => [(await import('./self/completion.ts')).completionCommand],
  },
  {
    name: 'help',
    group: 'Look things up',
    summary: 'Topics: environment, exit-codes, output',
    commands: async () => [(await import('./self/help.ts')).helpCommand],
  },
];

/** The noun that a word means, plural or singular. */
export function nounByWord(word: string): Noun | undefined {
  return nouns.find(({ name, alias }) => name === word || alias === word);
}
