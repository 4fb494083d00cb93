import { hookFormats, hookVerbs } from '../../../contract/hook-request.ts';
import { hooks, objectModifiers } from '../../../contract/hooks.ts';
import { defineCommand } from '../../command/command.ts';

const hookIds = hooks.map(({ id }) => id);

/** A hook to listen for, or of which events are meant. */
const hookOption = {
  flag: 'hook',
  value: 'HOOK',
  repeat: true,
  suggestions: hookIds,
} as const;

export const triggerArguments = {
  hook: { name: 'HOOK', doc: `What happened: ${hookIds.join(', ')}`, suggestions: hookIds },
} as const;

/** The two ways to give a secret. */
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
    doc: 'For the hooks object and notifications: the type; all for any',
  },
  action: {
    value: 'ACTION',
    suggestions: ['all', ...objectModifiers.action],
    doc: 'For the hook object: doc_created, doc_edited or doc_deleted; all for any',
  },
} as const;

export const triggerOptions = {
  url: { value: 'URL', doc: 'Send it to this address', excludes: ['webhook'] },
  webhook: {
    value: 'ID',
    doc: 'Send it where this webhook sends its events, in its way and with its custom_data',
    completes: { resource: 'webhooks' },
  },
  ...deliveryOptions,
  ...modifierOptions,
  set: {
    value: 'PATH=TEXT',
    repeat: true,
    doc: 'Something else than the sample has: --set duration_seconds=3',
  },
  ...secretOptions('Read a secret from standard input; it goes into the payload as "secret"'),
} as const;

export const triggerCommand = defineCommand({
  path: ['webhooks', 'trigger'],
  attended: true,
  summary: 'Send a sample of an event to a receiver',
  description:
    'The service takes no part in it: telctl sends a realistic payload of the hook itself, as the service would, follows no redirect, and exits 1 where the receiver answers with anything but a 2xx.',
  arguments: triggerArguments,
  options: triggerOptions,
  anyOf: [['url', 'webhook']],
  effect: 'read',
  examples: {
    'telctl webhooks trigger channel_create --url http://127.0.0.1:3000/hook --format json':
      'Try a receiver that is being written',
    'telctl webhooks trigger object --webhook audit --type user': 'Try a subscription, its secret and all',
  },
  operations: ['webhooks.get'],
  load: async () => (await import('./trigger.ts')).trigger,
});

export const listenOptions = {
  hook: { ...hookOption, doc: 'Events to listen for; all that the service has by default' },
  ...modifierOptions,
  includeSubaccounts: { doc: 'Events of the accounts below, too' },
  forward: { value: 'URL', doc: 'Send each event on to this address, as it came' },
  save: {
    value: 'FILE|DIR',
    doc: 'Write the events to a new file, one a line, or into a folder, a file each',
    completes: 'file',
    does: ['writes-files'],
  },
  ...secretOptions(
    'Read the shared secret from standard input; one is made by default',
    'Read the shared secret from a file',
  ),
  port: {
    value: 'N',
    type: 'integer',
    minimum: 0,
    maximum: 65535,
    doc: 'Port on this machine; a free one by default',
  },
  publicUrl: {
    value: 'URL',
    doc: 'Address that leads to this machine from the service, such as that of a tunnel',
  },
  resubscribe: { doc: 'Subscribe again if the service deletes or disables a subscription' },
  ...deliveryOptions,
} as const;

export const listenCommand = defineCommand({
  path: ['webhooks', 'listen'],
  summary: 'Show events as they happen, until Ctrl-C',
  description:
    'Opens a receiver on 127.0.0.1, subscribes it for as long as it runs, and shows what comes in. Each subscription carries a secret of its own; what comes without it is refused and counted. telctl checks every 20 seconds that the subscriptions exist; if one was deleted or disabled, it says so and exits with code 8. Events are kept on this machine for: telctl webhooks replay. What a killed listener left at the service is removed when the next one starts.',
  options: listenOptions,
  does: ['listens', 'privileges'],
  effect: 'write',
  examples: {
    'telctl webhooks listen': 'Everything that happens in the account',
    'telctl webhooks listen --hook object --type user --forward http://127.0.0.1:3000/hook':
      'Changes of users, sent on to what is being written',
    'telctl webhooks listen --hook channel_destroy -o ndjson': 'Whole events for another program',
    'telctl webhooks listen --port 4040 --public-url https://tunnel.example/events':
      'From a service elsewhere, through a tunnel to port 4040',
  },
  operations: ['webhooks.hooks', 'webhooks.list', 'webhooks.create', 'webhooks.delete'],
  load: async () => (await import('./listen/listen.ts')).listen,
});

export const replayArguments = {
  ids: { name: 'ID', doc: 'Events by the ids that listen shows', optional: true, rest: true },
} as const;

export const replayOptions = {
  since: {
    value: 'AGO|TIME',
    doc: 'All events since then: 10m, 2h, a time, or a date in the account’s time zone',
  },
  hook: { ...hookOption, doc: 'Only events of this hook' },
  forward: { value: 'URL', doc: 'Where to send them; by default where the listener sent them on' },
  list: { doc: 'Show the kept events and send none' },
  ...secretOptions('Read the shared secret that the receiver expects from standard input'),
} as const;

export const replayCommand = defineCommand({
  path: ['webhooks', 'replay'],
  summary: 'Send events that a listener has kept once more',
  description:
    'In the order and the way in which they came: same method, same format. Secrets are not kept; --secret-stdin puts one in. Exits 8 where some were not taken, 1 where none was.',
  arguments: replayArguments,
  options: replayOptions,
  anyOf: [['ID', 'since', 'list']],
  effect: 'local',
  examples: {
    'telctl webhooks replay --list': 'What there is',
    'telctl webhooks replay 4fd20c1b --forward http://127.0.0.1:3000/hook': 'One event',
    'telctl webhooks replay --since 10m': 'All of the last ten minutes, to where they went before',
  },
  load: async () => (await import('./listen/replay.ts')).replay,
});
