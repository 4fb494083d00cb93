import { isObject, type Json } from '../base/json.ts';
import type { Context } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import { devices } from '../contract/resources/devices.ts';
import type { Resource } from '../contract/types.ts';
import { act } from './act.ts';
import { findNamed, operationFor, pathTo } from './generic/find-named.ts';

export const quickcallOptions = {
  noWait: { flag: 'no-wait', doc: 'Answer at once, without waiting for the phone' },
  seconds: {
    flag: 'seconds',
    value: 'N',
    type: 'integer',
    minimum: 4,
    doc: 'Seconds to wait until somebody takes the phone (default: 30)',
  },
  cidName: { flag: 'cid-name', value: 'NAME', doc: 'Name that the called person sees' },
  cidNumber: { flag: 'cid-number', value: 'NUMBER', doc: 'Number that the called person sees' },
} as const;

export interface QuickcallInput {
  readonly number: string;
  readonly noWait?: boolean | undefined;
  readonly seconds?: number | undefined;
  readonly cidName?: string | undefined;
  readonly cidNumber?: string | undefined;
}

/** Rings the phones of a device or a user, and then calls a number in their name. Throws `Failure`. */
export async function quickcall(
  context: Context,
  whose: Resource,
  word: string,
  input: QuickcallInput,
): Promise<Result> {
  const { id } = await findNamed(context, whose, word);
  const verb = `${input.noWait ? 'start-' : ''}quickcall${whose.name === 'users' ? '-of-user' : ''}`;
  const query = {
    ...(input.seconds === undefined ? {} : { timeout: String(input.seconds) }),
    ...(input.cidName === undefined ? {} : { 'cid-name': input.cidName }),
    ...(input.cidNumber === undefined ? {} : { 'cid-number': input.cidNumber }),
  };
  const path = { ...pathTo(whose, id), number: input.number };
  const called = (data: Json): string =>
    isObject(data) && typeof data.call_id === 'string' ? `, as call ${data.call_id}` : '';
  return act(context, {
    call: { operation: operationFor(devices, verb), path, query },
    message: (data) => `Rings ${whose.singular} ${word}, and then calls ${input.number}${called(data)}.`,
  });
}
