import { isObject, type JsonObject, textAt } from '../../../base/json.ts';
import { classOfNumber } from '../../../contract/number-classes.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { silence } from '../attached-files.ts';
import type { Behaviour } from '../behaviour.ts';
import {
  answerList,
  answerSums,
  type Listing,
  namedRecord,
  queryRange,
  removeRecord,
} from '../collections/collection.ts';
import { shownRecord } from '../collections/records.ts';
import { Refusal, unknownId, unknownName } from '../refusal.ts';
import {
  accountOf,
  nowOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  recordIn,
  type ServiceRequest,
} from '../requests/service-request.ts';
import { iterateRecords, type StoredRecord } from '../store/store.ts';
import { endedLegs, listedCdr } from '../telephony/legs.ts';

/** Returns a 404 whose message is also its code. */
const notFound = (message: string): Refusal => new Refusal(404, message, message, {});

/** Returns the range of a query up to now, because legs in the future are still live. */
function endedRange(call: ServiceRequest): { readonly from: number; readonly to: number } {
  const { from, to } = queryRange(call);
  return { from, to: Math.min(to, nowOf(call)) };
}

function offsetOf({ query }: ServiceRequest): number {
  const text = query.get('utc_offset');
  if (text === null) return 0;
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  throw notFound('utc_offset must be a number');
}

const listRecords =
  (more: (call: ServiceRequest) => Promise<Partial<Listing>>): RequestHandler =>
  async (call) => {
    const offset = offsetOf(call);
    return answerList(call, 'cdrs', {
      made: endedRange(call),
      item: async (record) => listedCdr(record, offset),
      ...(await more(call)),
    });
  };

/** Selects records of the user in the path. Refuses (404) an unknown user. */
const ownedByUser = async (call: ServiceRequest): Promise<Partial<Listing>> => ({
  key: { field: 'owner', value: (await namedRecord(call, 'users')).id },
});

const monthIdPattern = /^\d{6}-./;
const interactionIdPattern = /^\d{11}-[0-9a-f]+$/;

async function endedRecord(call: ServiceRequest, id: string): Promise<StoredRecord | undefined> {
  const record = await recordIn(call, 'cdrs', id);
  return record && record.createdAt <= nowOf(call) ? record : undefined;
}

const get: RequestHandler = async (call) => {
  const id = pathParameter(call, 'cdr_id');
  if (!monthIdPattern.test(id)) throw notFound('could not find cdr with supplied id');
  const record = await endedRecord(call, id);
  if (!record) throw unknownId(id);
  return { data: { id, ...record.body }, record };
};

const listLegs: RequestHandler = async (call) => {
  const id = pathParameter(call, 'interaction_id');
  const { store, behaviour } = call.services;
  const record = monthIdPattern.test(id) ? await endedRecord(call, id) : undefined;
  if (!record && monthIdPattern.test(id)) throw notFound('could not find legs for supplied id');
  if (!record && !interactionIdPattern.test(id)) throw unknownName(id, behaviour);
  const interaction = record ? (textAt(record.hidden, 'interaction') ?? '') : id;
  const all = await endedLegs(store, accountOf(call).id, nowOf(call), interaction);
  return { data: all.map((leg) => ({ id: leg.id, ...leg.body })) };
};

/** Yields the ended legs of an account in a range, oldest first. */
export async function* legsBetween(
  { services: { store } }: ServiceRequest,
  scope: string,
  { from, to }: { readonly from: number; readonly to: number },
): AsyncGenerator<StoredRecord> {
  for await (const record of iterateRecords(store, { kind: 'cdrs', scope, from: { order: String(from) } })) {
    if (record.createdAt > to) return;
    yield record;
  }
}

/** Seconds by domain and class of number. */
type Sums = Map<string, Map<string, number>>;

const sumsToJson = (sums: Sums): JsonObject =>
  Object.fromEntries(
    [...sums].map(([domain, kinds]) => [
      domain,
      Object.fromEntries([...kinds].map(([kind, total]) => [kind, { total }])),
    ]),
  );

/**
 * Returns direction and class of number if a leg connects to a carrier: inbound without a device, or outbound with a
 * carrier.
 */
export function carrierLeg(body: JsonObject, { phoneNumbers }: Pick<Behaviour, 'phoneNumbers'>) {
  const direction = body.call_direction === 'inbound' ? 'inbound' : 'outbound';
  const variables = isObject(body.custom_channel_vars) ? body.custom_channel_vars : {};
  const isOurs = direction === 'inbound' ? !variables.authorizing_id : variables.resource_id !== undefined;
  if (!isOurs) return undefined;
  const address = textAt(body, direction === 'inbound' ? 'from' : 'to') ?? '';
  const [number = '', domain = ''] = address.split('@');
  return {
    direction,
    domain,
    kind: classOfNumber(normalisedNumber(number), phoneNumbers.classes)?.name ?? 'unknown',
  } as const;
}

/** Sums the legs to and from carriers (Conventions). */
const summary: RequestHandler = async (call) => {
  const sums: Readonly<Record<'inbound' | 'outbound', Sums>> = { inbound: new Map(), outbound: new Map() };
  for await (const { body } of legsBetween(call, accountOf(call).id, endedRange(call))) {
    const leg = carrierLeg(body, call.services.behaviour);
    if (!leg) continue;
    const { direction, domain, kind } = leg;
    const kinds = sums[direction].get(domain) ?? new Map<string, number>();
    kinds.set(kind, (kinds.get(kind) ?? 0) + Number(body.billing_seconds));
    sums[direction].set(domain, kinds);
  }
  return answerSums(call, { inbound: sumsToJson(sums.inbound), outbound: sumsToJson(sums.outbound) });
};

const listRecordings =
  (more: (call: ServiceRequest) => Promise<Partial<Listing>>): RequestHandler =>
  async (call) =>
    answerList(call, 'recordings', {
      made: endedRange(call),
      item: (record) => shownRecord(call, 'recordings', record),
      ...(await more(call)),
    });

/** Returns the recording in the path. Refuses (404) a recording that has not ended. */
async function namedRecording(call: ServiceRequest): Promise<StoredRecord> {
  const id = pathParameter(call, 'recording_id');
  if (!monthIdPattern.test(id)) throw unknownName(id, call.services.behaviour);
  const record = await namedRecord(call, 'recordings');
  if (record.createdAt > nowOf(call)) throw unknownId(id);
  return record;
}

/** Returns the record, or silence of the recorded length if the caller accepts its content type. */
const getRecording: RequestHandler = async (call) => {
  const record = await namedRecording(call);
  const data = await shownRecord(call, 'recordings', record);
  const type = textAt(record.body, 'content_type') ?? '';
  const isWanted = call.accept.split(',').some((each) => each.trim().split(';')[0] === type);
  if (!isWanted) return { data, record };
  const fileName = textAt(record.body, 'name') ?? record.id;
  return { data, record, text: { type, body: silence(type, Number(record.body.duration)), fileName } };
};

export const cdrHandlers: RequestHandlers = {
  // Call records (Conventions, call records).
  'cdrs.list': listRecords(async () => ({})),
  'cdrs.of-user': listRecords(ownedByUser),
  'cdrs.interactions': listRecords(async () => ({ has: ({ hidden }) => hidden.first === true })),
  'cdrs.interactions-of-user': listRecords(async (call) => ({
    ...(await ownedByUser(call)),
    has: ({ hidden }) => hidden.firstOfOwner === true,
  })),
  'cdrs.get': get,
  'cdrs.legs': listLegs,
  'cdrs.summary': summary,
  // Recordings (Conventions, recordings).
  'recordings.list': listRecordings(async () => ({})),
  'recordings.of-user': listRecordings(ownedByUser),
  'recordings.get': getRecording,
  'recordings.delete': async (call) => removeRecord(call, 'recordings', await namedRecording(call)),
};
