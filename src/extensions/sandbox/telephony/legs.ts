import { isObject, type JsonObject, textAt, valueAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import type { CallOutcome } from '../../../contract/call-outcomes.ts';
import { pick, withoutKeys } from '../fields.ts';
import type { ShownCalls } from '../reader.ts';
import type { Key, Store, StoredRecord } from '../store/store.ts';

/**
 * A leg of a call is stored as a call detail record. `createdAt` contains its expected end, and until then it is a
 * live channel.
 */

const maxLegs = 10_000;

export interface LegTimes {
  readonly started: number;
  readonly answered: number | undefined;
  readonly bridged: number | undefined;
}

const numberAt = (object: JsonObject, key: string): number | undefined => {
  const value = object[key];
  return typeof value === 'number' ? value : undefined;
};

const legTimes = ({ hidden, createdAt }: StoredRecord): LegTimes => ({
  started: numberAt(hidden, 'started') ?? createdAt,
  answered: numberAt(hidden, 'answered'),
  bridged: numberAt(hidden, 'bridged'),
});

/** Lists legs that end after a time, including future legs. */
const unfinishedLegs = (
  store: Store,
  scope: string,
  now: number,
  key?: Key,
): Promise<readonly StoredRecord[]> =>
  store.list({ kind: 'cdrs', scope, key, from: { order: String(now + 1) }, limit: maxLegs });

/** Orders legs by start. The first leg of a call comes before its other legs. */
const byStart = (one: StoredRecord, other: StoredRecord): number =>
  legTimes(one).started - legTimes(other).started ||
  Number(other.hidden.first === true) - Number(one.hidden.first === true);

/** Lists the live legs of an account at a time in Gregorian seconds, in order of their start. */
export async function liveLegs(
  store: Store,
  accountId: string,
  now: number,
  key?: Key,
): Promise<readonly StoredRecord[]> {
  const legs = await unfinishedLegs(store, accountId, now, key);
  return legs.filter((leg) => legTimes(leg).started <= now).toSorted(byStart);
}

export const liveLeg = async (
  store: Store,
  accountId: string,
  now: number,
  callId: string,
): Promise<StoredRecord | undefined> =>
  (await liveLegs(store, accountId, now, { field: 'call', value: callId }))[0];

/** Lists the legs of a call that have not ended. `interaction` is the call's interaction id. */
export const unfinishedLegsOfCall = (
  store: Store,
  accountId: string,
  now: number,
  interaction: string,
): Promise<readonly StoredRecord[]> =>
  unfinishedLegs(store, accountId, now, { field: 'interaction', value: interaction });

export async function endedLegs(
  store: Store,
  scope: string,
  now: number,
  interaction: string,
): Promise<readonly StoredRecord[]> {
  const key = { field: 'interaction', value: interaction };
  const legs = await store.list({ kind: 'cdrs', scope, key, limit: maxLegs });
  return legs.filter(({ createdAt }) => createdAt <= now).toSorted(byStart);
}

const customVariables = ({ body }: StoredRecord): JsonObject =>
  isObject(body.custom_channel_vars) ? body.custom_channel_vars : {};

/** Returns the fields that lists and single channels have in common. */
function commonFacts(leg: StoredRecord, now: number): JsonObject {
  const { body } = leg;
  const { started, answered } = legTimes(leg);
  const variables = customVariables(leg);
  return {
    answered: answered !== undefined && answered <= now,
    timestamp: started,
    destination: userPart(textAt(body, 'request') ?? ''),
    ...pick(variables, ['authorizing_id', 'authorizing_type', 'owner_id', 'username', 'callflow_id']),
    ...pick(body, ['presence_id', 'interaction_id', 'custom_application_vars']),
    custom_channel_vars: variables,
  };
}

const bridgedLegId = (leg: StoredRecord, now: number): string | undefined => {
  const { bridged } = legTimes(leg);
  return bridged !== undefined && bridged <= now ? textAt(leg.body, 'other_leg_call_id') : undefined;
};

/** Returns the list item of a live leg (Conventions, live calls). */
export function listedChannel(leg: StoredRecord, now: number): JsonObject {
  const other = bridgedLegId(leg, now);
  return {
    uuid: textAt(leg.body, 'call_id') ?? '',
    direction: leg.body.call_direction,
    elapsed_s: now - legTimes(leg).started,
    ...commonFacts(leg, now),
    ...(other === undefined ? {} : { other_leg: other }),
    ...pick(customVariables(leg), ['resource_id', 'reseller_id', 'account_billing']),
    is_onhold: false,
    is_loopback: false,
  };
}

const singleLegFields = [
  'call_id',
  'call_direction',
  'caller_id_name',
  'caller_id_number',
  'callee_id_name',
  'callee_id_number',
  'from',
  'to',
];

/** Returns a live leg. Its fields differ from those in lists (Conventions, live calls). */
export function singleChannel(leg: StoredRecord, now: number): JsonObject {
  const other = bridgedLegId(leg, now);
  return {
    ...pick(leg.body, singleLegFields),
    elapsed_seconds: now - legTimes(leg).started,
    ...commonFacts(leg, now),
    ...(other === undefined ? {} : { other_leg_call_id: other }),
    is_on_hold: false,
  };
}

const userPart = (address: string): string => address.replace(/^sips?:/, '').replace(/@.*$/, '');

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];

/** Returns the list item of a call record. It is flat, and unknown values are empty strings (Conventions). */
export function listedCdr({ id, body, ...record }: StoredRecord, utcOffset: number): JsonObject {
  const { started } = legTimes({ id, body, ...record });
  const unix = started - gregorianOffset;
  const iso = new Date(unix * 1000).toISOString();
  const weekday = weekdays[new Date(unix * 1000).getUTCDay()] ?? '';
  const [year = '', month = '', day = ''] = iso.slice(0, 10).split('-');
  const textOf = (key: string): string => textAt(body, key) ?? '';
  const variable = (key: string): string => {
    const value = valueAt(body, `custom_channel_vars.${key}`);
    return typeof value === 'string' ? value : '';
  };
  const isInbound = body.call_direction === 'inbound';
  const authorizing = variable('authorizing_id');
  return {
    id,
    call_id: textOf('call_id'),
    caller_id_number: textOf('caller_id_number'),
    caller_id_name: textOf('caller_id_name'),
    callee_id_number: textOf('callee_id_number'),
    callee_id_name: textOf('callee_id_name'),
    duration_seconds: body.duration_seconds ?? 0,
    billing_seconds: body.billing_seconds ?? 0,
    timestamp: String(started),
    hangup_cause: textOf('hangup_cause'),
    other_leg_call_id: textOf('other_leg_call_id'),
    owner_id: variable('owner_id'),
    to: textOf('to'),
    from: textOf('from'),
    direction: textOf('call_direction'),
    request: textOf('request'),
    authorizing_id: authorizing === record.scope ? '' : authorizing,
    cost: String(valueAt(body, 'custom_channel_vars.cost') ?? 0),
    dialed_number: userPart(isInbound ? textOf('request') : textOf('to')),
    calling_from: isInbound ? textOf('caller_id_number') : userPart(textOf('from_uri')),
    datetime: new Date((unix + utcOffset) * 1000).toISOString().slice(0, 19).replace('T', ' '),
    unix_timestamp: String(unix),
    unix_timestamp_micro: String(unix * 1_000_000),
    rfc_1036: `${weekday}, ${day} ${monthNames[Number(month) - 1] ?? ''} ${year} ${iso.slice(11, 19)} GMT`,
    iso_8601: iso.slice(0, 10),
    iso_8601_combined: `${iso.slice(0, 19)}Z`,
    call_type: variable('account_billing'),
    rate: variable('rate'),
    rate_name: variable('rate_name'),
    bridge_id: variable('bridge_id'),
    recording_url: textOf('recording_url'),
    media_recordings: valueAt(body, 'custom_channel_vars.media_recordings') ?? [],
    media_server: textOf('media_server'),
    call_priority: variable('call_priority'),
    interaction_id: textOf('interaction_id'),
  };
}

const monthNames = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Returns the key that counts calls by outcome and the minute of their end. */
export const minuteKey = (outcome: CallOutcome, endsAt: number): string =>
  `${outcome} ${Math.floor(endsAt / 60)}`;

/** Returns hidden fields with the minute key of the new end. */
const hiddenAtEnd = (leg: StoredRecord, now: number, outcome: CallOutcome, hidden: JsonObject): JsonObject =>
  leg.hidden.minute === undefined ? hidden : { ...hidden, minute: minuteKey(outcome, now) };

const chartMinutes = 60;

/** Counts calls by outcome in each minute of the last hour, oldest first. */
export function callsInLastHour(store: Store, scope: string, now: number): Promise<ShownCalls['minutes']> {
  const countCalls = (outcome: CallOutcome, at: number): Promise<number> =>
    store.count('cdrs', scope, { field: 'minute', value: minuteKey(outcome, at) });
  return Promise.all(
    Array.from({ length: chartMinutes }, async (_, index) => {
      const at = now - (chartMinutes - 1 - index) * 60;
      return {
        answered: await countCalls('answered', at),
        messages: await countCalls('messages', at),
        reached_service: await countCalls('reached_service', at),
        missed: await countCalls('missed', at),
      };
    }),
  );
}

/** Ends a leg earlier than expected. Returns `undefined` if it has not started. */
export function endLegAt(leg: StoredRecord, now: number, end: JsonObject): StoredRecord | undefined {
  const { started, answered, bridged } = legTimes(leg);
  if (started > now) return undefined;
  const isAnswered = answered !== undefined && answered <= now;
  const isBridged = bridged !== undefined && bridged <= now;
  const isOtherLegKey = (key: string): boolean => !isBridged && key.startsWith('other_leg_');
  const outcome = !isAnswered ? 'missed' : isBridged ? 'answered' : 'reached_service';
  return {
    ...leg,
    body: {
      ...withoutKeys(leg.body, isOtherLegKey),
      ...end,
      timestamp: now,
      duration_seconds: now - started,
      ringing_seconds: (isAnswered ? answered : now) - started,
      billing_seconds: isAnswered ? now - answered : 0,
    },
    hidden: hiddenAtEnd(
      leg,
      now,
      outcome,
      withoutKeys(
        leg.hidden,
        (key) => (key === 'answered' && !isAnswered) || (key === 'bridged' && !isBridged),
      ),
    ),
    createdAt: now,
    modifiedAt: now,
    revision: 0,
  };
}
