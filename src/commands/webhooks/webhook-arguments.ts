import { webhooks } from '../../contract/resources/webhooks.ts';
import { alternatives } from '../generic/commands.ts';

/** Arguments of commands about one webhook. */
export const webhookArguments = {
  id: { name: 'ID', doc: alternatives(webhooks.naturalKeys), completes: { resource: 'webhooks' } },
} as const;
