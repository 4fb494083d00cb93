import { type Noun, nounsWith } from '../commands/nouns.ts';

const ownNouns: readonly Noun[] = [
  {
    name: 'commands',
    group: 'Look things up',
    summary: 'Every command and its effect on the service',
    commands: async () => [(await import('./self/commands.ts')).commandsCommand],
  },
  {
    name: 'completion',
    group: 'Look things up',
    summary: 'Completion script for your shell',
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

/** All nouns of the core and the extensions, in the order of the help page. */
export function allNouns(): readonly Noun[] {
  made ??= nounsWith(ownNouns);
  return made;
}

/** Finds a noun by its plural or singular. */
export function nounByWord(word: string): Noun | undefined {
  return allNouns().find(({ name, alias }) => name === word || alias === word);
}
