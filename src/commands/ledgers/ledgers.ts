import type { Api } from '../../api/api.ts';
import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Handler, InputOf, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { ListResult, Result } from '../../command/result.ts';
import { ledgers } from '../../contract/resources/ledgers.ts';
import type { Resource } from '../../contract/types.ts';
import { act } from '../act.ts';
import { asRecord, operationFor } from '../generic/find-named.ts';
import { readBody } from '../generic/input.ts';
import { flattened } from '../generic/list.ts';
import { type rangeOptions, rangeQuery } from '../generic/time-range.ts';
import { accountName } from '../labels.ts';
import type { entryArguments, sourceArguments } from './commands.ts';

const month = ['created_from', 'created_to'] as const;

/** Shows the sums of an account by source. */
export async function showSums(input: InputOf<typeof rangeOptions>, context: Context): Promise<ListResult> {
  const query = rangeQuery(input, context, month);
  const { data } = await (await context.api()).call({ operation: operationFor(ledgers, 'sums'), query });
  const items = Object.entries(isObject(data) ? data : {}).map(
    ([source, sum]): JsonObject => ({ source, ...(isObject(sum) ? sum : {}) }),
  );
  return {
    kind: 'list',
    items,
    noun: 'sources',
    columns: [
      { header: 'SOURCE', paths: ['source'] },
      { header: 'AMOUNT', paths: ['amount'] },
      { header: 'USED', paths: ['usage.quantity', 'usage.unit'] },
    ],
  };
}

/** Lists the sources that entries can have. */
export async function listSources(_: ParsedInput, context: Context): Promise<ListResult> {
  const { data } = await (await context.api()).call({ operation: operationFor(ledgers, 'available') });
  const found: readonly Json[] = Array.isArray(data) ? data : [];
  return {
    kind: 'list',
    items: found.filter(isObject),
    noun: 'sources',
    columns: [
      { header: 'NAME', paths: ['name'] },
      { header: 'CALLED', paths: ['friendly_name'] },
    ],
  };
}

/** Shows the balance of an account. */
export async function showTotal(_: ParsedInput, context: Context): Promise<Result> {
  const { data } = await (await context.api()).call({ operation: operationFor(ledgers, 'total') });
  return { kind: 'item', value: isObject(data) ? data : {} };
}

/** Lists the entries of one source. */
export async function listEntries(
  { source, ...range }: InputOf<typeof rangeOptions, typeof sourceArguments>,
  context: Context,
): Promise<ListResult> {
  const query = rangeQuery(range, context, month);
  const path = { source_service: source };
  const pages = (await context.api()).pages({ operation: operationFor(ledgers, 'list'), path, query });
  return { kind: 'list', items: flattened(pages), resource: 'ledgers', noun: 'entries' };
}

/** Shows one entry. */
export async function getEntry(
  { source, entry }: InputOf<Record<never, never>, typeof entryArguments>,
  context: Context,
): Promise<Result> {
  const path = { source_service: source, entry_id: entry };
  const { data } = await (await context.api()).call({ operation: operationFor(ledgers, 'get'), path });
  return { kind: 'item', value: asRecord(ledgers, data), resource: 'ledgers' };
}

const words = {
  credit: ['Credit', 'Credited', 'to'],
  debit: ['Debit', 'Debited', 'from'],
  sale: ['Take a payment of', 'Took', 'from'],
  refund: ['Give back', 'Gave back', 'to'],
} as const;

/** The entries or payments among which a new one would stand; none where the service has none of their source. */
async function bookedBeside(
  api: Api,
  resource: Resource,
  { source }: JsonObject,
): Promise<readonly JsonObject[]> {
  const operation = operationFor(resource, 'list');
  const path = isObject(source) ? { source_service: String(source.service) } : {};
  const found: JsonObject[] = [];
  try {
    for await (const page of api.pages({ operation, path })) found.push(...page);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'not_found') throw error;
  }
  return found;
}

/** Makes the handler that moves money of an account, once it was asked about. */
export const book =
  (resource: Resource, verb: keyof typeof words): Handler<ParsedInput> =>
  async (input, context) => {
    const operation = operationFor(resource, verb);
    const data = await readBody(context, resource, operation, input);
    const { amount } = data;
    if (typeof amount !== 'number')
      throw new Failure('usage', 'Say the amount: --amount 25, or amount in the file.');
    const [ask, done, way] = words[verb];
    const name = await accountName(context);
    if (!context.options.dryRun) {
      const yes = await context.ask.confirm(`${ask} ${amount} ${way} ${name}?`, { option: '--yes' });
      if (!yes) throw new Failure('interrupted', 'Nothing was booked.');
    }
    // Two bookings may be alike: only one that was not there before is this one.
    const before = context.options.dryRun ? [] : await bookedBeside(await context.api(), resource, data);
    const known = new Set(before.map(({ id }) => id));
    const lookUp = async (api: Api): Promise<Json | undefined> =>
      (await bookedBeside(api, resource, data)).find(
        (each) => !known.has(each.id) && Math.abs(Number(each.amount)) === amount,
      );
    return act(context, {
      call: { operation, data },
      lookUp,
      message: () => `${done} ${amount} ${way} ${name}.`,
      resource: resource.name,
    });
  };
