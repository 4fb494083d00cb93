import { type Command, defineCommand } from '../../command/command.ts';

/** `telctl orphans`. */
export const orphansCommands: readonly Command[] = [
  defineCommand({
    path: ['orphans'],
    summary: 'Numbers without a callflow, callflows without a number, references to nothing',
    description:
      'Looks through the whole account for what nothing leads to, and for what leads to nothing. Finding something is no error: the exit is 0.',
    arguments: {},
    options: {},
    effect: 'read',
    examples: [
      { line: 'telctl orphans', doc: 'After something was deleted' },
      { line: 'telctl orphans -o json', doc: 'For a script' },
    ],
    operations: ['numbers.list', 'callflows.list', 'callflows.get', 'users.list', 'users.get'],
    load: async () => (await import('./orphans.ts')).orphans,
  }),
];
