import { type Command, defineCommand } from '../../command/command.ts';
import { webhooks } from '../../contract/resources/webhooks.ts';
import { genericCommands } from '../generic/commands.ts';
import { switchCommands } from '../generic/switch-commands.ts';
import { createCommand } from './create-command.ts';
import { enableCommand } from './enable/enable-command.ts';
import { attemptsCommand } from './health/attempts-command.ts';
import { healthCommand } from './health/health-command.ts';
import { listenCommand, replayCommand } from './listen/listen-command.ts';
import { samplesCommand } from './samples-command.ts';
import { triggerCommand } from './trigger/trigger-command.ts';

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

/** Everything under `telctl webhooks`. */
export const webhooksCommands: readonly Command[] = [
  ...genericCommands(webhooks, ['webhooks']).map((each) =>
    each.path.at(-1) === 'create' ? createCommand(each) : each,
  ),
  hooks,
  samplesCommand,
  enableCommand,
  ...switchCommands(webhooks, 'crm', {
    disable: 'Stop delivering events, without deleting the webhook',
  }),
  attemptsCommand,
  healthCommand,
  listenCommand,
  replayCommand,
  triggerCommand,
];
