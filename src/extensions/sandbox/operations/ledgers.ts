import { isObject, type Json, type JsonObject, textAt, valueAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import {
  answerList,
  answerSums,
  createdInRange,
  namedRecord,
  queryRange,
} from '../collections/collection.ts';
import { validateRecord, writeUnchecked } from '../collections/records.ts';
import { displayName, textsAt } from '../fields.ts';
import { gregorianSeconds, monthId } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import { invalid, missingField, Refusal, unknownId } from '../refusal.ts';
import {
  accountOf,
  nowOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  recordIn,
  recordsIn,
  type ServiceRequest,
  storedDescendants,
} from '../requests/service-request.ts';
import { newRecord, type StoredRecord } from '../store/store.ts';
import { administersServices } from '../telephony/charges.ts';
import { carrierLeg, legsBetween } from './cdrs.ts';

/** Sources that always exist. */
const sources = ['adjustments', 'payments', 'per-minute-voip', 'rollovers'];

type LedgerResource = 'ledgers' | 'transactions';

function addEntry(call: ServiceRequest, resource: LedgerResource, body: JsonObject): StoredRecord {
  const { clock, random } = call.services;
  const name = { kind: resource, scope: accountOf(call).id, id: monthId(clock, random) };
  const record = newRecord(name, body, gregorianSeconds(clock));
  call.changes.push(buildPut(record, resource));
  return record;
}

const amountOf = ({ body }: StoredRecord): number => {
  const amount = typeof body.amount === 'number' ? body.amount : 0;
  return body.type === 'debit' ? -amount : amount;
};
const sourceService = ({ body }: StoredRecord): string => String(valueAt(body, 'source.service'));
const sumAmounts = (entries: readonly StoredRecord[]): number =>
  Math.round(entries.reduce((sum, entry) => sum + amountOf(entry), 0) * 10_000) / 10_000;

async function sourceOf(call: ServiceRequest): Promise<string> {
  const source = pathParameter(call, 'source_service');
  if (
    sources.includes(source) ||
    (await recordsIn(call, 'ledgers')).some((entry) => sourceService(entry) === source)
  )
    return source;
  throw unknownId(source);
}

const bookEntry =
  (type: 'credit' | 'debit'): RequestHandler =>
  async (call) => {
    const account = accountOf(call);
    const { amount } = call.data;
    if (typeof amount !== 'number') throw invalid([missingField('amount', { value: 'amount' })]);
    const start = valueAt(call.data, 'period.start') ?? nowOf(call);
    const id = (body: JsonObject): string =>
      JSON.stringify([
        valueAt(body, 'source.service'),
        valueAt(body, 'source.id'),
        valueAt(body, 'period.start'),
      ]);
    const body = {
      ...call.data,
      period: { ...(isObject(call.data.period) ? call.data.period : {}), start },
      type,
      account: { id: account.id, name: displayName(account) },
    };
    if ((await recordsIn(call, 'ledgers')).some((entry) => id(entry.body) === id(body)))
      throw new Refusal(409, 'datastore_conflict', 'An entry of this source and period already exists.');
    const record = addEntry(call, 'ledgers', body);
    return { data: { id: record.id, ...body }, created: record.id };
  };

export const balanceOf = async (call: ServiceRequest): Promise<number> =>
  sumAmounts(await recordsIn(call, 'ledgers'));

const sumQuantities = (entries: readonly StoredRecord[]): number =>
  entries.reduce((sum, { body }) => sum + Number(valueAt(body, 'usage.quantity') ?? 0), 0);

const sumsOf = (entries: readonly StoredRecord[]): JsonObject =>
  Object.fromEntries([
    ['rollovers', { amount: 0, usage: { quantity: 0 } }],
    ...[...Map.groupBy(entries, sourceService)].map(([source, of]): readonly [string, Json] => [
      source,
      { amount: sumAmounts(of), usage: { quantity: sumQuantities(of) } },
    ]),
  ]);

/** Sums a month, for the account and each descendant with entries. */
const summary: RequestHandler = async (call) => {
  const month = pathParameter(call, 'month');
  if (!/^\d{4}(?:0[1-9]|1[0-2])$/.test(month)) throw unknownId(month);
  const account = accountOf(call);
  const booked: StoredRecord[] = [];
  const breakdown: Json[] = [];
  for (const each of [account, ...(await storedDescendants(call))]) {
    const entries = (await recordsIn({ ...call, account: each }, 'ledgers')).filter(({ id }) =>
      id.startsWith(`${month}-`),
    );
    if (entries.length === 0 && each.id !== account.id) continue;
    booked.push(...entries);
    const named = { id: each.id, name: displayName(each) };
    breakdown.push({ account: named, ledgers: sumsOf(entries), total: sumAmounts(entries) });
  }
  return { data: { summary: sumsOf(booked), breakdown } };
};

/** Books a payment or a refund. Refuses (400) an invalid amount. */
const pay =
  (sign: 1 | -1): RequestHandler =>
  async (call) => {
    const { amount } = call.data;
    if (typeof amount !== 'number') throw invalid([missingField('amount', { value: 'amount' })]);
    if (amount <= 0)
      throw invalid([{ path: 'amount', rule: 'minimum', message: 'must be above 0', target: 0 }]);
    const body = {
      ...call.data,
      amount: sign * amount,
      status: 'completed',
      executor: { trigger: 'api', module: 'transactions' },
      bookkeeper: { status: 'completed', reason: 'sandbox', message: 'The sandbox moves no money.' },
      created: nowOf(call),
    };
    const record = addEntry(call, 'transactions', body);
    const description = textAt(call.data, 'description');
    addEntry(call, 'ledgers', {
      amount,
      type: sign > 0 ? 'credit' : 'debit',
      source: { service: 'payments', id: record.id },
      usage: { quantity: 1, type: 'payment', unit: 'payment' },
      period: { start: body.created },
      ...(description === undefined ? {} : { description }),
    });
    return { data: { id: record.id, ...body }, created: record.id };
  };

const topUp: RequestHandler = async (call) => {
  await pay(1)(call);
  const entry = call.changes.findLast(
    (change) => change.change === 'put' && change.record.kind === 'ledgers',
  );
  const { id = '', body = {} } = entry?.change === 'put' ? entry.record : {};
  return { data: { ledger: { id, ...body } } };
};

const readAllotments = (call: ServiceRequest) => recordIn(call, 'allotments', 'allotments');

const invalidAllotments = (message: string): Refusal =>
  new Refusal(400, 'validation_error', message, { message });

const getAllotments: RequestHandler = async (call) => {
  const record = await readAllotments(call);
  if (record) return { data: record.body, record };
  throw invalidAllotments('allotments are not configured for this account yet');
};

/** Replaces the allotments. Refuses (400) callers that do not administer the account's services. */
const updateAllotments: RequestHandler = async (call) => {
  if (!(await administersServices(call)))
    throw invalidAllotments('Only the reseller of the account may change its allotments.');
  const body = validateRecord(call, 'allotments', call.data);
  const record = await writeUnchecked(call, 'allotments', body);
  return { data: body, record };
};

const day = 86_400;
const cycleSeconds = new Map([
  ['minutely', 60],
  ['hourly', 3600],
  ['daily', day],
]);

/** Returns the cycle that contains a time, in Gregorian seconds. Weeks start on Monday, in UTC. */
function cycleAround(cycle: string, moment: number): { readonly from: number; readonly to: number } {
  const length = cycleSeconds.get(cycle);
  if (length !== undefined) {
    const from = moment - (moment % length);
    return { from, to: from + length };
  }
  const date = new Date((moment - gregorianOffset) * 1000);
  const midnight = moment - (moment % day);
  if (cycle === 'weekly') {
    const from = midnight - ((date.getUTCDay() + 6) % 7) * day;
    return { from, to: from + 7 * day };
  }
  const start = (month: number): number => Date.UTC(date.getUTCFullYear(), month, 1) / 1000 + gregorianOffset;
  return { from: start(date.getUTCMonth()), to: start(date.getUTCMonth() + 1) };
}

function countedSeconds(bucket: JsonObject, billed: number): number {
  const { increment = 1, minimum = 0, no_consume_time: free = 0 } = bucket;
  if (billed <= Number(free)) return 0;
  return Math.ceil(Math.max(billed, Number(minimum)) / Number(increment)) * Number(increment);
}

/** Returns the consumption of each allotment, in its cycle or in the range of the query. */
const listConsumed: RequestHandler = async (call) => {
  const { query, services } = call;
  const [from, to] = [query.get('created_from'), query.get('created_to')];
  const range = queryRange(call);
  const isManual = from !== null && to !== null;
  const moment = from !== null ? range.from : to !== null ? range.to : gregorianSeconds(services.clock);
  const buckets = Object.entries((await readAllotments(call))?.body ?? {});
  const used: Record<string, JsonObject> = {};
  for (const [name, bucket] of buckets) {
    if (!isObject(bucket)) continue;
    const cycle = textAt(bucket, 'cycle') ?? 'monthly';
    const span = isManual ? range : cycleAround(cycle, moment);
    let sum = 0;
    for await (const { body } of legsBetween(call, accountOf(call).id, span)) {
      const leg = carrierLeg(body, call.services.behaviour);
      const counts =
        leg && [name, ...textsAt(bucket, 'group_consume')].includes(`${leg.direction}_${leg.kind}`);
      if (counts) sum += countedSeconds(bucket, Number(body.billing_seconds));
    }
    if (sum > 0)
      used[name] = {
        cycle: isManual ? 'manual' : cycle,
        consumed: sum,
        consumed_from: span.from,
        consumed_to: span.to,
      };
  }
  return { data: used };
};

export const ledgerHandlers: RequestHandlers = {
  // Conventions, Ledgers.
  'ledgers.sums': async (call) => {
    const isIn = createdInRange(call);
    return answerSums(call, sumsOf((await recordsIn(call, 'ledgers')).filter(isIn)));
  },
  'ledgers.available': async () => ({
    data: sources.map((name) => ({ name, friendly_name: name.replaceAll('-', ' '), markup_type: [] })),
  }),
  'ledgers.total': async (call) => ({ data: { amount: await balanceOf(call) } }),
  'ledgers.summary': summary,
  'ledgers.list': async (call) => {
    const source = await sourceOf(call);
    const isIn = createdInRange(call);
    return answerList(call, 'ledgers', { has: (entry) => sourceService(entry) === source && isIn(entry) });
  },
  'ledgers.get': async (call) => {
    const source = await sourceOf(call);
    const entry = await namedRecord(call, 'ledgers');
    if (sourceService(entry) !== source) throw unknownId(entry.id);
    return { data: { id: entry.id, ...entry.body }, record: entry };
  },
  'ledgers.credit': bookEntry('credit'),
  'ledgers.debit': bookEntry('debit'),
  // Payments are booked and not charged (Conventions, Ledgers).
  'services.topup': topUp,
  'transactions.list': async (call) => answerList(call, 'transactions', { has: createdInRange(call) }),
  'transactions.sale': pay(1),
  'transactions.refund': pay(-1),
  // Allotments of free call time (Conventions, Ledgers).
  'allotments.get': getAllotments,
  'allotments.update': updateAllotments,
  'allotments.consumed': listConsumed,
};
