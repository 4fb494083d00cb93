import { type Command, defineCommand } from '../../cli/command.ts';
import { webhooks } from '../../contract/resources/webhooks.ts';
import { alternatives, genericCommands } from '../generic/commands.ts';
import { switchCommands } from '../generic/switch-commands.ts';

/** Arguments of commands about one webhook. */
export const webhookArguments = {
  id: { name: 'ID', doc: alternatives(webhooks.naturalKeys), completes: { resource: 'webhooks' } },
} as const;

const hooks = defineCommand({
  path: ['webhooks', 'hooks'],
  summary: 'List what can be subscribed to',
  arguments: {},
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl webhooks hooks', doc: 'The hooks of this service' }],
  operations: ['webhooks.hooks'],
  load: async () => (await import('./hooks.ts')).listHooks,
});

const attempts = defineCommand({
  path: ['webhooks', 'attempts'],
  summary: 'List the deliveries of a webhook, newest first',
  arguments: webhookArguments,
  options: {},
  effect: 'read',
  examples: [{ line: 'telctl webhooks attempts crm', doc: 'What was delivered, and what failed' }],
  operations: ['webhooks.attempts'],
  load: async () => (await import('./attempts.ts')).listAttempts,
});

/** Everything under `telctl webhooks`. */
export const webhooksCommands: readonly Command[] = [
  ...genericCommands(webhooks, ['webhooks']),
  hooks,
  ...switchCommands(webhooks, 'crm', {
    enable: 'Deliver events again, also after the service disabled the webhook',
    disable: 'Stop delivering events, without deleting the webhook',
  }),
  attempts,
];
