import { defineCommand } from '../../../command/command.ts';

/** Options of `webhooks health`. */
export const healthOptions = {
  below: { flag: 'below', doc: 'The accounts below, too', excludes: ['accounts'] },
  accounts: {
    flag: 'accounts',
    value: 'FILE',
    doc: 'Instead of the account: those of a list, one a line by id, name or realm; - for standard input',
    completes: 'file',
  },
} as const;

/** `telctl webhooks health`. */
export const healthCommand = defineCommand({
  path: ['webhooks', 'health'],
  summary: 'Show which webhooks work, fail or are disabled, and why',
  description:
    'A webhook is failing while its last attempt failed not long ago, and disabled when the service or somebody turned it off. Exits 8 where some are failing or disabled.',
  arguments: {},
  options: healthOptions,
  effect: 'read',
  examples: [
    { line: 'telctl webhooks health', doc: 'Those of the account' },
    {
      line: 'telctl webhooks health --below -o json',
      doc: 'Those of all accounts below, too, for monitoring',
    },
  ],
  operations: ['webhooks.list', 'webhooks.attempts', 'accounts.descendants'],
  load: async () => (await import('./health.ts')).showHealth,
});
