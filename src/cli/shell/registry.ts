import { type Noun, nounsWith } from '../commands/nouns.ts';

/** Nouns about telctl itself. */
const ownNouns: readonly Noun[] = [
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
    commands: async () => (await import('./self/commands.ts')).completionCommands,
  },
  {
    name: 'help',
    group: 'Look things up',
    summary: 'Topics: environment, exit-codes, output, files, manifests',
    commands: async () => [(await import('./self/commands.ts')).helpCommand],
  },
];

let made: readonly Noun[] | undefined;

/** All nouns of the core and the extensions, in the order of the help page: those about telctl itself are last. */
export function allNouns(): readonly Noun[] {
  made ??= nounsWith(ownNouns);
  return made;
}

/** The noun that a word means, plural or singular. */
export function nounByWord(word: string): Noun | undefined {
  return allNouns().find(({ name, alias }) => name === word || alias === word);
}
