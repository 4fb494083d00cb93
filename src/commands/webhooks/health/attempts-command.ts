import { defineCommand } from '../../../command/command.ts';
import { webhookArguments } from '../webhook-arguments.ts';

/** Arguments of `webhooks attempts`. */
export const attemptsArguments = {
  id: {
    ...webhookArguments.id,
    doc: `${webhookArguments.id.doc}; left out: all of the account`,
    optional: true,
  },
} as const;

/** Options of `webhooks attempts`. */
export const attemptsOptions = {
  failed: { flag: 'failed', doc: 'Only those that failed' },
  follow: { flag: 'follow', doc: 'Go on with new ones as they come, until Ctrl-C' },
  since: {
    flag: 'since',
    value: 'AGO|TIME',
    doc: 'From then on: 10m, 2h, 7d, or a time; a month is shown where left out',
  },
  until: { flag: 'until', value: 'AGO|TIME', doc: 'Up to then' },
  limit: { flag: 'limit', value: 'N', type: 'integer', minimum: 1, doc: 'No more than the newest N' },
} as const;

/** `telctl webhooks attempts`. */
export const attemptsCommand = defineCommand({
  path: ['webhooks', 'attempts'],
  summary: 'List the deliveries of a webhook, or of all in the account, newest first',
  description:
    'Services keep what failed, and what succeeded where they are set up to. How long ago is reckoned by the clock of the service. Secrets in addresses, headers and payloads are masked.',
  arguments: attemptsArguments,
  options: attemptsOptions,
  effect: 'read',
  examples: [
    { line: 'telctl webhooks attempts crm', doc: 'What was delivered, and what failed' },
    { line: 'telctl webhooks attempts crm --failed --since 24h', doc: 'Why it was disabled' },
    { line: 'telctl webhooks attempts --failed --since 1h', doc: 'What failed anywhere in the account' },
    { line: 'telctl webhooks attempts crm --follow', doc: 'While its target is being repaired' },
  ],
  operations: ['webhooks.attempts', 'webhooks.attempts-all', 'webhooks.list'],
  load: async () => (await import('./attempts.ts')).listAttempts,
});
