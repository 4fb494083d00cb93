import { isObject, type JsonObject, valueAt } from '../../base/json.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { calledName } from './account-records.ts';
import { ongoingCalls } from './ongoing-calls.ts';

/** Somebody in a conference, by the call that brought them. */
export interface Participant {
  readonly number: number;
  readonly call: StoredRecord;
}

/** Lists the participants of a conference at a moment (Gregorian seconds), in the order in which they came. */
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

/** A participant as callers of the service see one (Conventions, Conferences). */
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
    conference_name: calledName(conference),
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

/**
 * Returns the facts kept of a call that goes into a conference: the next number, and whether it is heard and hears.
 */
export async function joined(
  store: Store,
  conference: StoredRecord,
  isModerator: boolean,
  times: { readonly now: number; readonly at: number },
): Promise<JsonObject> {
  const others = await participantsIn(store, conference, times.now);
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

/** Fields that an action sets on a participant; `undefined` where it changes nothing. */
const effects: ReadonlyMap<string, JsonObject> = new Map<string, JsonObject>([
  ['mute', { speak: false }],
  ['unmute', { speak: true }],
  ['deaf', { hear: false }],
  ['undeaf', { hear: true }],
]);

/** The call of a participant after an action; kicked out, it is over. */
export function actedOn(
  { call }: Participant,
  action: string,
  now: number,
): { readonly body: JsonObject; readonly endsAt: number } | undefined {
  const endsAt = Number(call.body.ends_at);
  if (action === 'kick') return { body: call.body, endsAt: now };
  const effect = effects.get(action);
  const { participant } = call.body;
  if (!effect || !isObject(participant)) return undefined;
  return { body: { ...call.body, participant: { ...participant, ...effect } }, endsAt };
}
