import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { missingName } from '../../../base/wording.ts';
import { cdrs } from '../../../contract/resources/cdrs.ts';
import { users } from '../../../contract/resources/users.ts';
import type { Column } from '../../../contract/types.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult } from '../../command/result.ts';
import { operationFor } from '../generic/find-named.ts';
import { flattened } from '../generic/list.ts';
import { nameOf } from '../labels.ts';
import type { summaryOptions } from './commands.ts';
import { boundsOf, cdrsOf, windowsOf } from './list.ts';

interface Sum {
  legs: number;
  answered: number;
  seconds: number;
  billed: number;
}

const secondsIn = (record: JsonObject, key: string): number => Number(record[key] ?? 0) || 0;

const wordOf: Readonly<Record<'user' | 'direction' | 'cause' | 'day', (record: JsonObject) => string>> = {
  user: ({ owner_id: owner }) => String(owner ?? ''),
  direction: ({ direction }) => String(direction ?? ''),
  cause: ({ hangup_cause: cause }) => String(cause ?? ''),
  day: ({ datetime, iso_8601: date }) => String(date || String(datetime ?? '').slice(0, 10)),
};

const columnsOf = (heading: string): readonly Column[] => [
  { header: heading, paths: ['name'] },
  { header: 'LEGS', paths: ['legs'] },
  { header: 'ANSWERED', paths: ['answered'] },
  { header: 'SECONDS', paths: ['seconds'] },
  { header: 'BILLED', paths: ['billed'] },
];

/** Counts call records by what they have in common; only the sums are kept, however many records there are. */
export async function summariseCdrs(
  input: InputOf<typeof summaryOptions>,
  context: Context,
): Promise<ListResult> {
  const { by = 'user' } = input;
  if (by === 'carrier') return summaryOfService(input, context);
  const sums = new Map<string, Sum>();
  for await (const record of cdrsOf(context, input)) {
    const word = wordOf[by](record);
    const sum = sums.get(word) ?? { legs: 0, answered: 0, seconds: 0, billed: 0 };
    const billed = secondsIn(record, 'billing_seconds');
    sum.legs += 1;
    sum.answered += billed > 0 ? 1 : 0;
    sum.seconds += secondsIn(record, 'duration_seconds');
    sum.billed += billed;
    sums.set(word, sum);
  }
  const names = by === 'user' ? await usernames(context) : undefined;
  const nameless = (word: string): string => (word === '' ? '(nobody)' : names ? missingName(word) : word);
  const rows = [...sums].map(
    ([word, sum]): JsonObject => ({ [by]: word, name: names?.get(word) ?? nameless(word), ...sum }),
  );
  const items =
    by === 'day'
      ? rows.toSorted((one, other) => String(one.day).localeCompare(String(other.day)))
      : rows.toSorted((one, other) => Number(other.billed) - Number(one.billed));
  return { kind: 'list', items, columns: columnsOf(by.toUpperCase()), noun: 'rows' };
}

/** Names of users by their ids. */
export async function usernames(context: Context): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const api = await context.api();
  for await (const user of flattened(api.pages({ operation: operationFor(users, 'list') })))
    if (isObject(user) && typeof user.id === 'string') names.set(user.id, nameOf(users, user) ?? user.id);
  return names;
}

/** What the service sums up of calls from and to carriers: seconds by address and kind of number. */
async function summaryOfService(
  input: InputOf<typeof summaryOptions>,
  context: Context,
): Promise<ListResult> {
  if (input.user ?? input.direction ?? input.cause)
    throw new Failure(
      'usage',
      'The summary by carrier is the service’s own: it takes a range of time alone.',
    );
  const api = await context.api();
  const sums = new Map<string, JsonObject & { seconds: number }>();
  for (const query of windowsOf(await boundsOf(context, input))) {
    const { data } = await api.call({ operation: operationFor(cdrs, 'summary'), query });
    for (const direction of ['inbound', 'outbound'] as const)
      for (const [address, kinds] of entriesOf(isObject(data) ? data[direction] : undefined))
        for (const [kind, totals] of entriesOf(kinds)) {
          const key = JSON.stringify([direction, address, kind]);
          const sum = sums.get(key) ?? { direction, address, kind, seconds: 0 };
          sum.seconds += isObject(totals) ? secondsIn(totals, 'total') : 0;
          sums.set(key, sum);
        }
  }
  const columns: readonly Column[] = ['direction', 'address', 'kind', 'seconds'].map((path) => ({
    header: path.toUpperCase(),
    paths: [path],
  }));
  return { kind: 'list', items: [...sums.values()], columns, noun: 'rows' };
}

const entriesOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  typeof value === 'object' && value !== null ? Object.entries(value) : [];
