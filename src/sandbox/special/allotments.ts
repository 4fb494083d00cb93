import { isObject, type JsonObject } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import { rangeOf } from '../collections/lists.ts';
import { checked } from '../collections/records.ts';
import { textAt, textsAt } from '../fields.ts';
import { gregorianSeconds } from '../made-values.ts';
import { putOf } from '../placement.ts';
import { Refusal } from '../refusal.ts';
import { accountOf, type Call, type Handler, type Handlers, nowOf } from '../requests/call.ts';
import { isAbove } from '../telephony/charges.ts';
import { carrierLeg, legsBetween } from './cdrs.ts';

const recordName = (call: Call) => ({ kind: 'allotments', scope: accountOf(call).id, id: 'allotments' });
const read = (call: Call) => call.services.store.get(recordName(call));

const refused = (message: string): Refusal => new Refusal(400, 'validation_error', message, { message });

const get: Handler = async (call) => {
  const record = await read(call);
  if (record) return { data: record.body, record };
  throw refused('allotments are not configured for this account yet');
};

/** Replaces the buckets. Refuses (400) whoever is not above the account. */
const update: Handler = async (call) => {
  if (!(await isAbove(call))) throw refused('Only the reseller of the account may change its allotments.');
  const body = checked(call, 'allotments', call.data);
  const before = await read(call);
  const now = nowOf(call);
  const record = {
    ...recordName(call),
    body,
    hidden: {},
    createdAt: before?.createdAt ?? now,
    modifiedAt: now,
    revision: before?.revision ?? 0,
  };
  call.changes.push(putOf(record, 'allotments'));
  return { data: body, record };
};

const day = 86_400;
const seconds = new Map([
  ['minutely', 60],
  ['hourly', 3600],
  ['daily', day],
]);

/** The cycle around a moment, from and to in Gregorian seconds; in UTC, weeks begin on Monday. */
function cycleAround(cycle: string, moment: number): { readonly from: number; readonly to: number } {
  const length = seconds.get(cycle);
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

/** What was used of each bucket, in its cycle or in the range that was asked for. */
const consumed: Handler = async (call) => {
  const { query, services } = call;
  const [from, to] = [query.get('created_from'), query.get('created_to')];
  const range = rangeOf(call);
  const isManual = from !== null && to !== null;
  const moment = from !== null ? range.from : to !== null ? range.to : gregorianSeconds(services.clock);
  const buckets = Object.entries((await read(call))?.body ?? {});
  const used: Record<string, JsonObject> = {};
  for (const [name, bucket] of buckets) {
    if (!isObject(bucket)) continue;
    const cycle = textAt(bucket, 'cycle') ?? 'monthly';
    const span = isManual ? range : cycleAround(cycle, moment);
    let sum = 0;
    for await (const { body } of legsBetween(call, accountOf(call).id, span)) {
      const leg = carrierLeg(body);
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

/** Free seconds of calls (Conventions, Ledgers). */
export const allotmentHandlers: Handlers = {
  'allotments.get': get,
  'allotments.update': update,
  'allotments.consumed': consumed,
};
