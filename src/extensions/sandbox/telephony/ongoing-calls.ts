import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import { displayName } from '../fields.ts';
import { newRecord, plainPut, type Store, type StoreChange, type StoredRecord } from '../store/store.ts';

/** The kind of ongoing calls. They publish no events, and are deleted after their end. */
const kind = 'calls';

const maxCalls = 10_000;
const removedAtOnce = 100;

export interface OngoingCall {
  readonly callId: string;
  /** Gregorian seconds. */
  readonly startedAt: number;
  /** Gregorian seconds. */
  readonly endsAt: number;
  /** The parties, and facts about trunks and conferences. */
  readonly body: JsonObject;
}

// Padded to eleven digits, so that strings sort by time.
const endOrder = (endsAt: number): string => String(endsAt).padStart(11, '0');

/** Builds the write of an ongoing call. `revision` is 0 for a new call. */
export function callPut(accountId: string, call: OngoingCall, revision = 0): StoreChange {
  const { callId, startedAt, endsAt, body } = call;
  const { conference_id: conference } = body;
  const record = newRecord({ kind, scope: accountId, id: callId }, { ...body, ends_at: endsAt }, startedAt);
  return {
    ...plainPut({ ...record, revision }, endOrder(endsAt)),
    keys: typeof conference === 'string' ? [{ field: 'conference', value: conference }] : [],
  };
}

/** Lists the ongoing calls of an account at a time in Gregorian seconds, in order of their end. */
export const ongoingCalls = (
  store: Store,
  accountId: string,
  now: number,
  conferenceId?: string,
): Promise<readonly StoredRecord[]> =>
  store.list({
    kind,
    scope: accountId,
    key: conferenceId === undefined ? undefined : { field: 'conference', value: conferenceId },
    from: { order: endOrder(now + 1) },
    limit: maxCalls,
  });

export async function removeEndedCalls(
  store: Store,
  accountId: string,
  now: number,
): Promise<readonly StoreChange[]> {
  const oldest = await store.list({ kind, scope: accountId, limit: removedAtOnce });
  return oldest
    .filter(({ body }) => Number(body.ends_at) <= now)
    .map((record) => ({ change: 'remove', record, erase: true }));
}

export interface Participant {
  readonly number: number;
  readonly call: StoredRecord;
}

/** Lists the participants of a conference at a time in Gregorian seconds, in order of arrival. */
export async function participantsIn(
  store: Store,
  conference: StoredRecord,
  now: number,
): Promise<readonly Participant[]> {
  const calls = await ongoingCalls(store, conference.scope, now, conference.id);
  return calls
    .map((call) => ({ number: Number(valueAt(call.body, 'participant.participant_id')), call }))
    .toSorted((one, other) => one.number - other.number);
}

/** Returns a participant as callers see it (Conventions, Conferences). */
export function shownParticipant(
  { number, call }: Participant,
  conference: StoredRecord,
  now: number,
): JsonObject {
  const { participant } = call.body;
  const kept = isObject(participant) ? participant : {};
  const joined = Number(kept.join_time);
  return {
    id: String(number),
    ...kept,
    call_id: call.id,
    conference_name: displayName(conference),
    conference_uuid: conference.id,
    duration: Math.max(now - joined, 0),
    energy_level: 0,
    current_energy: 0,
    floor: number === 1,
    mute_detect: false,
    talking: false,
    video: false,
    switch_hostname: 'sandbox',
  };
}

/** Returns the fields of a call that joins a conference. An existing participant is unchanged. */
export async function joinConference(
  store: Store,
  conference: StoredRecord,
  { callId, isModerator }: { readonly callId: string; readonly isModerator: boolean },
  times: { readonly now: number; readonly at: number },
): Promise<JsonObject> {
  const others = await participantsIn(store, conference, times.now);
  const own = others.find(({ call }) => call.id === callId)?.call.body.participant;
  if (own !== undefined) return { conference_id: conference.id, participant: own };
  const role = isModerator ? 'moderator' : 'member';
  const joins = (key: string, usual: boolean): boolean => {
    const value = valueAt(conference.body, `${role}.${key}`);
    return typeof value === 'boolean' ? value : usual;
  };
  return {
    conference_id: conference.id,
    participant: {
      participant_id: Math.max(0, ...others.map(({ number }) => number)) + 1,
      join_time: times.at,
      is_moderator: isModerator,
      hear: !joins('join_deaf', false),
      speak: !joins('join_muted', !isModerator),
    },
  };
}

/** Fields of a participant that an action sets. */
const actionEffects: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['mute', { speak: false }],
  ['unmute', { speak: true }],
  ['deaf', { hear: false }],
  ['undeaf', { hear: true }],
]);

/** Returns the body of a participant's call after an action. Returns `undefined` if the action does not change it. */
export function applyAction({ call }: Participant, action: string): JsonObject | undefined {
  const effect = actionEffects.get(action);
  const { participant } = call.body;
  if (!effect || !isObject(participant)) return undefined;
  return { ...call.body, participant: { ...participant, ...effect } };
}

/** Returns the parked calls of an account by slot, at a time in Gregorian seconds. */
export async function parkedCalls(
  store: Store,
  accountId: string,
  now: number,
): Promise<Readonly<Record<string, JsonObject>>> {
  const calls = await ongoingCalls(store, accountId, now);
  return Object.fromEntries(
    calls.flatMap(({ body: { parked } }) => {
      if (!isObject(parked)) return [];
      const { slot, since, until, ...facts } = parked;
      return Number(since) <= now && now < Number(until) ? [[String(slot), facts]] : [];
    }),
  );
}
