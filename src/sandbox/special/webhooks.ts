import { hooks, objectModifiers } from '../../contract/hooks.ts';
import type { Handler } from '../call.ts';
import { namedRecord } from '../collection.ts';

const modifiersOf = (id: string) => {
  if (id !== 'object') return {};
  const items = (key: keyof typeof objectModifiers) => ({
    type: 'array',
    description: `Only this ${key}`,
    items: ['all', ...objectModifiers[key]],
  });
  return { modifiers: { action: items('action'), type: items('type') } };
};

/** What can be subscribed to, and deliveries, of which there are none while the sandbox delivers nothing. */
export const webhookHandlers = new Map<string, Handler>([
  [
    'webhooks.hooks',
    async () => ({
      data: hooks.map((hook) => ({ ...hook, ...modifiersOf(hook.id) })),
      envelope: { page_size: hooks.length },
    }),
  ],
  [
    'webhooks.attempts',
    async (call) => {
      await namedRecord(call, 'webhooks');
      return { data: [], envelope: { page_size: 0 } };
    },
  ],
]);
