import { type Command, defineCommand } from '../../command/command.ts';
import type { CommandNames } from './report.ts';

/** Options of `conformance`. */
export const conformanceOptions = {
  write: {
    flag: 'write',
    doc: 'Try operations that write, too, in an account below that is made for it and removed',
  },
  all: { flag: 'all', doc: 'Show every operation, not those alone that differ' },
} as const;

/** `telctl conformance`. `names` gives the commands that stand for operations. */
export const conformanceCommands = (names: () => Promise<CommandNames>): readonly Command[] => [
  defineCommand({
    path: ['conformance'],
    summary: 'Ask a service which operations it offers, and in which shapes',
    description:
      'Sends one GET for each operation that reads, with ids that its lists show, and changes nothing. What is found is kept with the profile until the next sign-in, so that other commands do not ask for what is missing. --write asks first, then makes an account of its own below the one acted on, writes one sample of each record there, and removes the account, also at Ctrl-C. It accepts no charges, and resets nothing outside that account. A report ends with 0, whatever is in it.',
    arguments: {},
    options: conformanceOptions,
    effect: 'read',
    worst: 'destructive',
    neverPays: true,
    markdown: true,
    examples: [
      { line: 'telctl conformance', doc: 'What differs from the documentation' },
      { line: 'telctl conformance --all', doc: 'Every operation' },
      { line: 'telctl conformance --write', doc: 'Writes, too: in a new account, which is removed' },
      { line: 'telctl conformance -o json', doc: 'For programs; docs/conformance.md has the fields' },
    ],
    operations: ['accounts.get', 'accounts.create', 'accounts.delete'],
    load: async () => (await import('./conformance.ts')).conformance(await names()),
  }),
];
