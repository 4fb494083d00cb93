import { defineCommand } from '../../../command/command.ts';
import { webhookArguments } from '../webhook-arguments.ts';

/** Arguments of `webhooks enable`. */
export const enableArguments = {
  id: { ...webhookArguments.id, doc: `${webhookArguments.id.doc}; left out with --all`, optional: true },
} as const;

/** Options of `webhooks enable`. */
export const enableOptions = {
  probe: { flag: 'probe', doc: 'Only when its target takes a test event: any 2xx', excludes: ['all'] },
  all: {
    flag: 'all',
    doc: 'Every webhook that the service disabled; what was turned off by hand stays off',
    excludes: ['ID'],
  },
  below: { flag: 'below', doc: 'Those of the accounts below, too', needs: ['all'] },
} as const;

/** `telctl webhooks enable`. */
export const enableCommand = defineCommand({
  path: ['webhooks', 'enable'],
  summary: 'Deliver events again, also after the service disabled the webhook',
  arguments: enableArguments,
  options: enableOptions,
  effect: 'write',
  examples: [
    { line: 'telctl webhooks enable crm --probe', doc: 'After its target was repaired' },
    { line: 'telctl webhooks enable crm', doc: 'Without asking the target' },
    { line: 'telctl webhooks enable --all --below', doc: 'After a network outage, everywhere' },
  ],
  operations: [
    'webhooks.get',
    'webhooks.patch',
    'webhooks.list',
    'webhooks.re-enable',
    'webhooks.re-enable-descendants',
    'accounts.descendants',
  ],
  load: async () => (await import('./enable.ts')).enableWebhooks,
});
