import { hookFormats, hookVerbs } from '../../../contract/hook-request.ts';
import { hooks, objectModifiers } from '../../../contract/hooks.ts';
import { defineCommand } from '../../command/command.ts';

const hookIds = hooks.map(({ id }) => id);

const hookOption = {
  flag: 'hook',
  value: 'HOOK',
  repeat: true,
  suggestions: hookIds,
} as const;

export const triggerArguments = {
  hook: { name: 'HOOK', doc: `What happened: ${hookIds.join(', ')}`, suggestions: hookIds },
} as const;

const secretOptions = (stdin: string, file = 'Read that secret from a file') =>
  ({
    secretStdin: { doc: stdin, excludes: ['secret-file'] },
    secretFile: { value: 'FILE', doc: file },
  }) as const;

const deliveryOptions = {
  verb: { value: 'get|post|put', choices: hookVerbs, doc: 'Method of the request' },
  format: { value: 'form-data|json', choices: hookFormats, doc: 'Body of the request' },
} as const;

export const modifierOptions = {
  type: {
    value: 'TYPE',
    suggestions: [
      'all',
      ...objectModifiers.type,
      'voicemail_new',
      'inbound_fax',
      'outbound_fax',
      'missed_call',
    ],
    doc: 'Type of the object or notification, for the hooks object and notifications; all for any',
  },
  action: {
    value: 'ACTION',
    suggestions: ['all', ...objectModifiers.action],
    doc: 'Change, for the hook object: doc_created, doc_edited or doc_deleted; all for any',
  },
} as const;

export const triggerOptions = {
  url: { value: 'URL', doc: 'Send it to this address', excludes: ['webhook'] },
  webhook: {
    value: 'ID',
    doc: 'Send it to the target of this webhook, in its format and with its custom_data',
    completes: { resource: 'webhooks' },
  },
  ...deliveryOptions,
  ...modifierOptions,
  set: {
    value: 'PATH=TEXT',
    repeat: true,
    doc: 'Replace a value of the sample, such as duration_seconds=3',
  },
  ...secretOptions('Read a secret from standard input, and add it to the payload as "secret"'),
} as const;

export const triggerCommand = defineCommand({
  path: ['webhooks', 'trigger'],
  attended: true,
  summary: 'Send a sample of an event to a receiver',
  description:
    'Sends a realistic payload of the hook in the format of the service, without a request to the service. Redirects are not followed. The exit code is 1 unless the receiver responds with a 2xx.',
  arguments: triggerArguments,
  options: triggerOptions,
  anyOf: [['url', 'webhook']],
  effect: 'read',
  examples: {
    'telctl webhooks trigger channel_create --url http://127.0.0.1:3000/hook --format json':
      'Test a receiver during development',
    'telctl webhooks trigger object --webhook audit --type user': 'Test a subscription with its secret',
  },
  operations: ['webhooks.get'],
  load: async () => (await import('./trigger.ts')).trigger,
});

export const listenOptions = {
  hook: { ...hookOption, doc: 'Hook to listen for (default: all hooks of the service)' },
  ...modifierOptions,
  includeSubaccounts: { doc: 'Include events of the accounts below' },
  forward: { value: 'URL', doc: 'Forward each event unchanged to this address' },
  save: {
    value: 'FILE|DIR',
    doc: 'Write events to a new file, one a line, or to a folder, one a file',
    completes: 'file',
    does: ['writes-files'],
  },
  ...secretOptions(
    'Read the shared secret from standard input (default: generated)',
    'Read the shared secret from a file',
  ),
  port: {
    value: 'N',
    type: 'integer',
    minimum: 0,
    maximum: 65535,
    doc: 'Port on this machine (default: a free one)',
  },
  publicUrl: {
    value: 'URL',
    doc: 'Public URL of this machine, such as a tunnel URL',
  },
  resubscribe: { doc: 'Subscribe again if the service deletes or disables a subscription' },
  ...deliveryOptions,
} as const;

export const listenCommand = defineCommand({
  path: ['webhooks', 'listen'],
  summary: 'Show events as they happen, until Ctrl-C',
  description:
    'Opens a receiver on 127.0.0.1, subscribes it until Ctrl-C, and shows events. Each subscription has its own secret; requests without it are refused and counted. telctl checks every 20 seconds that the subscriptions exist. If one was deleted or disabled, it reports that and exits with 8. Events are stored on this machine for telctl webhooks replay. The next listener removes subscriptions that a killed one left.',
  options: listenOptions,
  does: ['listens', 'privileges'],
  effect: 'write',
  examples: {
    'telctl webhooks listen': 'Show all events of the account',
    'telctl webhooks listen --hook object --type user --forward http://127.0.0.1:3000/hook':
      'Forward changes of users to a program in development',
    'telctl webhooks listen --hook channel_destroy -o ndjson': 'Print whole events for another program',
    'telctl webhooks listen --port 4040 --public-url https://tunnel.example/events':
      'Receive events from a remote service, through a tunnel to port 4040',
  },
  operations: ['webhooks.hooks', 'webhooks.list', 'webhooks.create', 'webhooks.delete'],
  load: async () => (await import('./listen/listen.ts')).listen,
});

export const replayArguments = {
  ids: { name: 'ID', doc: 'Ids of events, as listen shows them', optional: true, rest: true },
} as const;

export const replayOptions = {
  since: {
    value: 'AGO|TIME',
    doc: 'All events since 10m or 2h ago, a time, or a date in the account’s time zone',
  },
  hook: { ...hookOption, doc: 'Only events of this hook' },
  forward: { value: 'URL', doc: 'Address to send them to (default: that of the listener)' },
  list: { doc: 'List stored events without sending them' },
  ...secretOptions('Read the shared secret that the receiver expects from standard input'),
} as const;

export const replayCommand = defineCommand({
  path: ['webhooks', 'replay'],
  summary: 'Send stored events of a listener again',
  description:
    'Sends events in their original order, with the same method and format. Secrets are not stored; --secret-stdin adds one. Exits with 8 if some events were not accepted, and with 1 if none were.',
  arguments: replayArguments,
  options: replayOptions,
  anyOf: [['ID', 'since', 'list']],
  effect: 'local',
  examples: {
    'telctl webhooks replay --list': 'List stored events',
    'telctl webhooks replay 4fd20c1b --forward http://127.0.0.1:3000/hook': 'Send one event',
    'telctl webhooks replay --since 10m': 'Send events of the last ten minutes to their original target',
  },
  load: async () => (await import('./listen/replay.ts')).replay,
});
