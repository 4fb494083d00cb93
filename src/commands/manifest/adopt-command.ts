import { type Command, defineCommand } from '../../command/command.ts';
import { manifestOptions, planOptions } from '../manifest-options.ts';

/** Options of `telctl adopt`. */
export const adoptOptions = {
  ...manifestOptions,
  ledger: planOptions.ledger,
  takeOver: planOptions.takeOver,
} as const;

/** `telctl adopt`. */
export const adoptCommands: readonly Command[] = [
  defineCommand({
    path: ['adopt'],
    summary: 'Take existing objects of a manifest under management',
    description: [
      'Finds the objects of the manifest that exist in the account, and notes their ids in the ledger. Nothing is sent',
      'to the service. From then on telctl tells what others change in them, and apply --prune may delete them once the',
      'manifest no longer names them. Objects that do not exist are left for apply to create.',
    ].join('\n'),
    arguments: {},
    options: adoptOptions,
    account: true,
    effect: 'read',
    examples: [
      { line: 'telctl adopt -f office.yaml', doc: 'What the manifest names and the account has' },
      { line: 'telctl adopt -f office.yaml --dry-run', doc: 'See what would be adopted' },
      {
        line: 'telctl adopt -f office.yaml --ledger office.ledger.json',
        doc: 'Keep the ledger in a repository',
      },
    ],
    load: async () => (await import('./adopt.ts')).adopt,
  }),
];
