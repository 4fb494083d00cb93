import { hooks } from '../../../contract/hooks.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import { type Command, defineCommand, wholeOptions } from '../../command/command.ts';
import { argumentFor, genericCommands, switchCommands } from '../generic/commands.ts';
import { inputOptions } from '../generic/input-options.ts';
import { listenCommand, modifierOptions, replayCommand, triggerCommand } from './event-commands.ts';

const webhookArguments = {
  id: argumentFor(webhooks),
} as const;

export const samplesArguments = {
  name: {
    name: 'NAME',
    doc: 'A hook, or a sample by the name that the service gives it; all names by default',
    optional: true,
    suggestions: hooks.map(({ id }) => id),
  },
} as const;

export const customDataOptions = {
  ...modifierOptions,
  custom: {
    value: 'KEY=TEXT',
    repeat: true,
    doc: 'A property that goes into every payload; not for secrets, which others could see in the list of processes',
  },
  secret: {
    does: ['sign-in', 'shows-secrets'],
    value: 'generate',
    choices: ['generate'],
    doc: 'Make a long secret, put it into every payload as "secret", and print it once',
    excludes: ['secret-stdin', 'secret-file'],
  },
  secretIn: {
    value: 'custom_data|uri',
    choices: ['custom_data', 'uri'],
    doc: 'Where the secret goes: into every payload, or into the address as ?secret=',
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

/** `telctl webhooks create`: that of every resource, and what makes `custom_data` without a file. */
const createCommand = (generic: Command): Command => ({
  path: generic.path,
  summary: generic.summary,
  arguments: generic.arguments,
  effect: generic.effect,
  operations: ['webhooks.create', 'webhooks.hooks'],
  description:
    'No signature proves that an event comes from the service; a long secret in every payload, or in the address, is what there is instead (Events, delivery rule 6).',
  get options() {
    return { ...inputOptions(webhooks), ...wholeOptions(customDataOptions) };
  },
  examples: [
    {
      line: 'telctl webhooks create --name crm --uri https://crm.example/hook --hook channel_destroy --format json --secret generate',
      doc: 'Its secret is printed once, on stdout',
    },
    {
      line: 'telctl webhooks create --name audit --uri https://audit.example/in --hook object --type user --action all --secret generate --secret-out audit.secret',
      doc: 'Changes of users; the secret goes to a file',
    },
    ...generic.examples,
  ],
  load: async () => (await import('./create.ts')).createWebhook,
});

export const healthOptions = {
  below: { doc: 'The accounts below, too', excludes: ['accounts'] },
  accounts: {
    value: 'FILE',
    doc: 'Instead of the account: those of a list, one a line by id, name or realm; - for standard input',
  },
} as const;

export const attemptsArguments = {
  id: {
    ...webhookArguments.id,
    doc: `${webhookArguments.id.doc}; left out: all of the account`,
    optional: true,
  },
} as const;

export const attemptsOptions = {
  failed: { doc: 'Only those that failed' },
  follow: { doc: 'Go on with new ones as they come, until Ctrl-C', attended: true },
  since: {
    value: 'AGO|TIME',
    doc: 'Start of the range: 10m, 2h, 7d, a time, or a date in the account’s time zone (default: a month)',
  },
  until: { value: 'AGO|TIME', doc: 'End of the range; a date ends it when that day begins' },
  limit: { value: 'N', type: 'integer', minimum: 1, doc: 'No more than the newest N' },
} as const;

export const enableArguments = {
  id: { ...webhookArguments.id, doc: `${webhookArguments.id.doc}; left out with --all`, optional: true },
} as const;

export const enableOptions = {
  probe: { doc: 'Only when its target accepts a test event: any 2xx', excludes: ['all'] },
  all: {
    doc: 'Every webhook that the service disabled; what was turned off by hand stays off',
    excludes: ['ID'],
  },
  below: { doc: 'Those of the accounts below, too', needs: ['all'] },
} as const;

export const webhooksCommands: readonly Command[] = [
  ...genericCommands(webhooks, ['webhooks']).map((each) =>
    each.path.at(-1) === 'create' ? createCommand(each) : each,
  ),
  defineCommand({
    path: ['webhooks', 'hooks'],
    summary: 'List what can be subscribed to',
    effect: 'read',
    examples: { 'telctl webhooks hooks': 'The hooks of this service' },
    operations: ['webhooks.hooks'],
    load: async () => (await import('./hooks.ts')).listHooks,
  }),
  defineCommand({
    path: ['webhooks', 'samples'],
    summary: 'Show what the events of a hook look like',
    description:
      'Compatible services keep payloads as they would send them, one or more for each hook. Nothing is sent to a receiver: telctl webhooks trigger does that.',
    arguments: samplesArguments,
    effect: 'read',
    examples: {
      'telctl webhooks samples': 'Of which hooks the service has samples',
      'telctl webhooks samples channel_destroy': 'What a receiver will get',
    },
    operations: ['webhooks.samples', 'webhooks.sample'],
    load: async () => (await import('./hooks.ts')).showSamples,
  }),
  defineCommand({
    path: ['webhooks', 'enable'],
    summary: 'Deliver events again, also after the service disabled the webhook',
    arguments: enableArguments,
    options: enableOptions,
    effect: 'write',
    examples: {
      'telctl webhooks enable crm --probe': 'After its target was repaired',
      'telctl webhooks enable crm': 'Without asking the target',
      'telctl webhooks enable --all --below': 'After a network outage, everywhere',
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
      'Services keep what failed, and what succeeded where they are set up to. How long ago is reckoned by the clock of the service. Secrets in addresses, headers and payloads are masked.',
    arguments: attemptsArguments,
    options: attemptsOptions,
    effect: 'read',
    examples: {
      'telctl webhooks attempts crm': 'What was delivered, and what failed',
      'telctl webhooks attempts crm --failed --since 24h': 'Why it was disabled',
      'telctl webhooks attempts --failed --since 1h': 'What failed anywhere in the account',
      'telctl webhooks attempts crm --follow': 'While its target is being repaired',
    },
    operations: ['webhooks.attempts', 'webhooks.attempts-all', 'webhooks.list'],
    load: async () => (await import('./health/attempts.ts')).listAttempts,
  }),
  defineCommand({
    path: ['webhooks', 'health'],
    summary: 'Show which webhooks work, fail or are disabled, and why',
    description:
      'A webhook is failing while its last attempt failed not long ago, and disabled when the service or somebody turned it off. Exits 8 where some are failing or disabled.',
    options: healthOptions,
    effect: 'read',
    examples: {
      'telctl webhooks health': 'Those of the account',
      'telctl webhooks health --below -o json': 'Those of all accounts below, too, for monitoring',
    },
    operations: ['webhooks.list', 'webhooks.attempts', 'accounts.descendants'],
    load: async () => (await import('./health/health.ts')).showHealth,
  }),
  listenCommand,
  replayCommand,
  triggerCommand,
];
