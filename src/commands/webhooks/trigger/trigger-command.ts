import { defineCommand } from '../../../command/command.ts';
import { hookFormats, hookVerbs } from '../../../contract/hook-request.ts';
import { hooks, objectModifiers } from '../../../contract/hooks.ts';

const hookIds = hooks.map(({ id }) => id);

/** A hook to listen for, or of which events are meant. */
export const hookOption = {
  flag: 'hook',
  value: 'HOOK',
  repeat: true,
  suggestions: hookIds,
} as const;

/** Arguments of `webhooks trigger`. */
export const triggerArguments = {
  hook: { name: 'HOOK', doc: `What happened: ${hookIds.join(', ')}`, suggestions: hookIds },
} as const;

/** Options for the delivery; a subscription's own values if left out. */
export const deliveryOptions = {
  verb: { flag: 'verb', value: 'get|post|put', choices: hookVerbs, doc: 'Method of the request' },
  format: { flag: 'format', value: 'form-data|json', choices: hookFormats, doc: 'Body of the request' },
} as const;

/** Options for what is chosen within a hook. */
export const modifierOptions = {
  type: {
    flag: 'type',
    value: 'TYPE',
    suggestions: [
      'all',
      ...objectModifiers.type,
      'voicemail_new',
      'inbound_fax',
      'outbound_fax',
      'missed_call',
    ],
    doc: 'Of object and notifications: which type; all for any',
  },
  action: {
    flag: 'action',
    value: 'ACTION',
    suggestions: ['all', ...objectModifiers.action],
    doc: 'Of object: doc_created, doc_edited or doc_deleted; all for any',
  },
} as const;

/** Options of `webhooks trigger`. */
export const triggerOptions = {
  url: { flag: 'url', value: 'URL', doc: 'Send it to this address', excludes: ['webhook'] },
  webhook: {
    flag: 'webhook',
    value: 'ID',
    doc: 'Send it where this webhook sends its events, in its way and with its custom_data',
    completes: { resource: 'webhooks' },
  },
  ...deliveryOptions,
  ...modifierOptions,
  set: {
    flag: 'set',
    value: 'PATH=TEXT',
    repeat: true,
    doc: 'Something else than the sample has: --set duration_seconds=3',
  },
  secretStdin: {
    flag: 'secret-stdin',
    doc: 'Read a secret from standard input; it goes into the payload as "secret"',
    excludes: ['secret-file'],
  },
  secretFile: { flag: 'secret-file', value: 'FILE', doc: 'Read that secret from a file', completes: 'file' },
} as const;

/** `telctl webhooks trigger`. */
export const triggerCommand = defineCommand({
  path: ['webhooks', 'trigger'],
  summary: 'Send a sample of an event to a receiver',
  description:
    'The service takes no part in it: telctl sends a realistic payload of the hook itself, as the service would, follows no redirect, and exits 1 where the receiver answers with anything but a 2xx.',
  arguments: triggerArguments,
  options: triggerOptions,
  effect: 'read',
  examples: [
    {
      line: 'telctl webhooks trigger channel_create --url http://127.0.0.1:3000/hook --format json',
      doc: 'Try a receiver that is being written',
    },
    {
      line: 'telctl webhooks trigger object --webhook audit --type user',
      doc: 'Try a subscription, its secret and all',
    },
  ],
  operations: ['webhooks.get'],
  load: async () => (await import('./trigger.ts')).trigger,
});
