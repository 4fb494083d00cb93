import type { ResourceName } from './types.ts';

/** Events that can be subscribed to, as the specification advertises them (Events). */
export const hooks = [
  { id: 'channel_create', name: 'Call leg started', description: 'A call leg starts' },
  { id: 'channel_answer', name: 'Call leg answered', description: 'A call leg answers' },
  { id: 'channel_destroy', name: 'Call leg ended', description: 'A call leg ends' },
  { id: 'channel_bridge', name: 'Call legs bridged', description: 'Two legs bridge' },
  { id: 'sms', name: 'SMS', description: 'An SMS is created (announced as coming soon)' },
  { id: 'notifications', name: 'Notification', description: 'A notification event is published' },
  { id: 'fax', name: 'Fax', description: 'A fax status or object changes' },
  { id: 'object', name: 'Object', description: 'An object document changes' },
] as const;

/** Objects of the service whose changes the hook `object` tells of, and the type that it calls each by. */
export const objectTypes: ReadonlyMap<string, ObjectType> = new Map<ResourceName, ObjectType>([
  ['accounts', 'account'],
  ['callflows', 'callflow'],
  ['users', 'user'],
  ['vmboxes', 'vmbox'],
  ['faxes', 'fax'],
  ['messages', 'mailbox_message'],
]);

export type ObjectType = (typeof objectModifiers.type)[number];

/** Modifiers of the hook `object`; a subscription names them in `custom_data`, `all` standing for any. */
export const objectModifiers = {
  action: ['doc_created', 'doc_edited', 'doc_deleted'],
  type: [
    'account',
    'callflow',
    'device',
    'faxbox',
    'media',
    'user',
    'vmbox',
    'fax',
    'mailbox_message',
    'call_recording',
  ],
} as const;
