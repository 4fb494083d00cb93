import { hooks } from '../../../contract/hooks.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import { type Command, completeOptions, defineCommand } from '../../command/command.ts';
import { argumentFor, genericCommands, switchCommands } from '../generic/commands.ts';
import { inputOptions } from '../generic/input-options.ts';
import { listenCommand, modifierOptions, replayCommand, triggerCommand } from './event-commands.ts';

const webhookArguments = {
  id: argumentFor(webhooks),
} as const;

export const samplesArguments = {
  name: {
    name: 'NAME',
    doc: 'Hook, or name of a sample of the service (default: list all names)',
    optional: true,
    suggestions: hooks.map(({ id }) => id),
  },
} as const;

export const customDataOptions = {
  ...modifierOptions,
  custom: {
    value: 'KEY=TEXT',
    repeat: true,
    doc: 'Property to add to every payload; not for secrets, which the list of processes would show',
  },
  secret: {
    does: ['sign-in', 'shows-secrets'],
    value: 'generate',
    choices: ['generate'],
    doc: 'Generate a long secret, add it to every payload as "secret", and print it once',
    excludes: ['secret-stdin', 'secret-file'],
  },
  secretIn: {
    value: 'custom_data|uri',
    choices: ['custom_data', 'uri'],
    doc: 'Add the secret to every payload, or to the address as ?secret=',
    needs: ['secret', 'secret-stdin', 'secret-file'],
  },
  secretStdin: { doc: 'Read the secret from standard input', excludes: ['secret-file'] },
  secretFile: { value: 'FILE', doc: 'Read the secret from a file' },
  secretOut: {
    value: 'FILE',
    doc: 'Write the generated secret to this new file (0600) instead of printing it',
    needs: ['secret'],
    does: ['writes-files', 'shows-secrets'],
  },
} as const;

/** Adds options for `custom_data` to the generic command. */
const createCommand = (generic: Command): Command => ({
  path: generic.path,
  summary: generic.summary,
  arguments: generic.arguments,
  effect: generic.effect,
  operations: ['webhooks.create', 'webhooks.hooks'],
  description:
    'Events are not signed. To verify that an event comes from the service, put a long secret into every payload or into the address (Events, delivery rule 6).',
  get options() {
    return { ...inputOptions(webhooks), ...completeOptions(customDataOptions) };
  },
  examples: [
    {
      line: 'telctl webhooks create --name crm --uri https://crm.example/hook --hook channel_destroy --format json --secret generate',
      doc: 'Print its secret once, on stdout',
    },
    {
      line: 'telctl webhooks create --name audit --uri https://audit.example/in --hook object --type user --action all --secret generate --secret-out audit.secret',
      doc: 'Subscribe to changes of users, and write the secret to a file',
    },
    ...generic.examples,
  ],
  load: async () => (await import('./create.ts')).createWebhook,
});

export const healthOptions = {
  below: { doc: 'Include the accounts below', excludes: ['accounts'] },
  accounts: {
    value: 'FILE',
    doc: 'Read accounts from a file, one id, name or realm a line, or - for standard input',
  },
} as const;

export const attemptsArguments = {
  id: {
    ...webhookArguments.id,
    doc: `${webhookArguments.id.doc} (default: all of the account)`,
    optional: true,
  },
} as const;

export const attemptsOptions = {
  failed: { doc: 'Show only failed attempts' },
  follow: { doc: 'Print new attempts until Ctrl-C', attended: true },
  since: {
    value: 'AGO|TIME',
    doc: 'Start of the range: 10m, 2h, 7d, a time, or a date in the account’s time zone (default: a month)',
  },
  until: { value: 'AGO|TIME', doc: 'End of the range; for a date, the start of that day' },
  limit: { value: 'N', type: 'integer', minimum: 1, doc: 'Show only the newest N' },
} as const;

export const enableArguments = {
  id: { ...webhookArguments.id, doc: `${webhookArguments.id.doc}; left out with --all`, optional: true },
} as const;

export const enableOptions = {
  probe: { doc: 'Enable only if the target accepts a test event with a 2xx', excludes: ['all'] },
  all: {
    doc: 'Enable every webhook that the service disabled, but not those turned off by hand',
    excludes: ['ID'],
  },
  below: { doc: 'Include webhooks of the accounts below', needs: ['all'] },
} as const;

export const webhooksCommands: readonly Command[] = [
  ...genericCommands(webhooks, ['webhooks']).map((each) =>
    each.path.at(-1) === 'create' ? createCommand(each) : each,
  ),
  defineCommand({
    path: ['webhooks', 'hooks'],
    summary: 'List the available hooks',
    effect: 'read',
    examples: { 'telctl webhooks hooks': 'List the hooks of this service' },
    operations: ['webhooks.hooks'],
    load: async () => (await import('./hooks.ts')).listHooks,
  }),
  defineCommand({
    path: ['webhooks', 'samples'],
    summary: 'Show sample events of a hook',
    description:
      'Compatible services have one or more sample payloads for each hook. Sends no events. To send one to a receiver, use telctl webhooks trigger.',
    arguments: samplesArguments,
    effect: 'read',
    examples: {
      'telctl webhooks samples': 'List hooks with samples',
      'telctl webhooks samples channel_destroy': 'Show what a receiver will get',
    },
    operations: ['webhooks.samples', 'webhooks.sample'],
    load: async () => (await import('./hooks.ts')).showSamples,
  }),
  defineCommand({
    path: ['webhooks', 'enable'],
    summary: 'Enable a webhook, even after the service disabled it',
    arguments: enableArguments,
    options: enableOptions,
    effect: 'write',
    examples: {
      'telctl webhooks enable crm --probe': 'Enable it after the target was repaired',
      'telctl webhooks enable crm': 'Enable it without a test event',
      'telctl webhooks enable --all --below': 'Enable all webhooks after a network outage',
    },
    operations: [
      'webhooks.get',
      'webhooks.patch',
      'webhooks.list',
      'webhooks.re-enable',
      'webhooks.re-enable-descendants',
      'accounts.descendants',
    ],
    load: async () => (await import('./enable.ts')).enableWebhooks,
  }),
  ...switchCommands(webhooks, 'crm', { disable: 'Stop delivering events, without deleting the webhook' }),
  defineCommand({
    path: ['webhooks', 'attempts'],
    summary: 'List the deliveries of a webhook, or of all in the account, newest first',
    description:
      'Services log failed deliveries and, if configured, successful ones. Ages are by the clock of the service. Secrets in addresses, headers and payloads are masked.',
    arguments: attemptsArguments,
    options: attemptsOptions,
    effect: 'read',
    examples: {
      'telctl webhooks attempts crm': 'List all deliveries',
      'telctl webhooks attempts crm --failed --since 24h': 'Show why it was disabled',
      'telctl webhooks attempts --failed --since 1h': 'List failures of all webhooks of the account',
      'telctl webhooks attempts crm --follow': 'Follow deliveries while you repair the target',
    },
    operations: ['webhooks.attempts', 'webhooks.attempts-all', 'webhooks.list'],
    load: async () => (await import('./health/attempts.ts')).listAttempts,
  }),
  defineCommand({
    path: ['webhooks', 'health'],
    summary: 'Show which webhooks work, fail or are disabled, and why',
    description:
      'A webhook is failing if its last attempt failed recently, and disabled if the service or a user turned it off. Exits with 8 if any webhook is failing or disabled.',
    options: healthOptions,
    effect: 'read',
    examples: {
      'telctl webhooks health': 'Check the webhooks of the account',
      'telctl webhooks health --below -o json': 'Check all accounts below, for monitoring',
    },
    operations: ['webhooks.list', 'webhooks.attempts', 'accounts.descendants'],
    load: async () => (await import('./health/health.ts')).showHealth,
  }),
  listenCommand,
  replayCommand,
  triggerCommand,
];
