import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure } from '../../../base/failure.ts';
import { isObject, textAt } from '../../../base/json.ts';
import { messages, vmboxes } from '../../../contract/resources/vmboxes.ts';
import type { Context } from '../../command/context.ts';
import { flattenPages } from '../generic/list.ts';
import { operationFor, pathTo } from '../records/find-named.ts';
import type { MessageLookup } from './calls-of-legs.ts';

async function callsWithMessages(context: Context): Promise<ReadonlySet<string>> {
  const api = await context.api();
  const boxes: string[] = [];
  for await (const box of flattenPages(api.pages({ operation: operationFor(vmboxes, 'list') })))
    if (isObject(box) && typeof box.id === 'string' && box.messages !== 0) boxes.push(box.id);
  const left = new Set<string>();
  await mapWithConcurrency(boxes, context.settings.concurrency.value, async (id) => {
    const call = { operation: operationFor(messages, 'list'), path: pathTo(vmboxes, id) };
    for await (const message of flattenPages(api.pages(call)))
      if (isObject(message)) left.add(textAt(message, 'call_id') ?? '');
  });
  left.delete('');
  return left;
}

/**
 * Finds the calls on which a message was left. Call records do not show this (Conventions, call records), but
 * messages contain the ids of their calls. Reads the mailboxes when first needed. If they cannot be read, sets
 * `isUnknown` and warns.
 */
export function messageLookup(context: Context): {
  readonly hasMessage: MessageLookup;
  readonly isUnknown: () => boolean;
} {
  let isUnknown = false;
  let read: Promise<ReadonlySet<string>> | undefined;
  const readMessagesOnce = async (): Promise<ReadonlySet<string>> => {
    try {
      return await callsWithMessages(context);
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
      isUnknown = true;
      context.notices.warn(
        `Could not read the mailboxes; the number of messages is unknown: ${error.message}`,
      );
      return new Set();
    }
  };
  return {
    async hasMessage(legId) {
      read ??= readMessagesOnce();
      return (await read).has(legId);
    },
    isUnknown: () => isUnknown,
  };
}
