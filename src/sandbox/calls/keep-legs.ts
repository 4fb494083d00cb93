import type { JsonObject } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import { textAt } from '../fields.ts';
import { newId } from '../made-values.ts';
import { putOf } from '../placement.ts';
import type { Services } from '../services.ts';
import type { Change, StoredRecord } from '../store/store.ts';
import { minuteOf } from '../telephony/legs.ts';
import { type CallFacts, realmOf } from './call-ending.ts';
import { codeOf, type Leg } from './ring-legs.ts';
import type { Recorded, Simulation } from './simulation.ts';
import type { Life } from './timeline.ts';

/** Name of the server in records. */
const mediaServer = 'sandbox';

/** Month of a call (`202611`), under which its records are kept however long it lasts. */
export const monthOf = (gregorian: number): string =>
  new Date((gregorian - gregorianOffset) * 1000).toISOString().slice(0, 7).replace('-', '');

/** Id of a new call: its start and a random part. */
export const newInteraction = (services: Pick<Services, 'random'>, startedAt: number): string =>
  `${startedAt}-${newId(services.random).slice(0, 8)}`;

const startOf = (interaction: string): number => Number(interaction.split('-')[0]);

/** What the service knows of a leg beside its addresses. */
function variablesOf(leg: Leg, { account, firstId, inception, callflow }: CallFacts): JsonObject {
  const { ownerId, authorizing, callId } = leg;
  const reseller = textAt(account.hidden, 'reseller_id');
  const isCarrier = authorizing?.type === 'resource';
  return {
    account_id: account.id,
    bridge_id: firstId,
    realm: realmOf(account),
    ...(reseller === undefined ? {} : { reseller_id: reseller }),
    ...(ownerId === undefined ? {} : { owner_id: ownerId }),
    ...(isCarrier ? { resource_id: authorizing.id, account_billing: 'flat_rate' } : {}),
    ...(authorizing && !isCarrier
      ? { authorizing_id: authorizing.id, authorizing_type: authorizing.type }
      : {}),
    ...(callflow?.callId === callId ? { callflow_id: callflow.id } : {}),
    ...(inception === undefined ? {} : { inception }),
  };
}

/** The other leg, as a call record tells of it. */
const otherOf = (other: Leg | undefined): JsonObject =>
  other
    ? {
        other_leg_call_id: other.callId,
        other_leg_caller_id_name: other.caller.name,
        other_leg_caller_id_number: other.caller.number,
        other_leg_destination_number: other.destination,
        other_leg_direction: other.direction,
      }
    : {};

function keptLeg(
  leg: Leg,
  life: Readonly<Life>,
  facts: CallFacts,
  recordings: readonly string[],
): StoredRecord {
  const { account, startedAt, interaction } = facts;
  const started = startedAt + life.createdAt;
  const endsAt = startedAt + (life.end?.at ?? life.createdAt);
  const answered = life.answeredAt === undefined ? undefined : startedAt + life.answeredAt;
  const cause = life.end?.cause ?? 'NORMAL_CLEARING';
  const realm = realmOf(account);
  const from = `${leg.caller.number}@${realm}`;
  const to = `${leg.callee.number}@${realm}`;
  const seen = life.bridgedAt === undefined ? undefined : life.other;
  return {
    kind: 'cdrs',
    scope: account.id,
    id: `${monthOf(startOf(interaction))}-${leg.callId}`,
    body: {
      call_id: leg.callId,
      call_direction: leg.direction,
      caller_id_name: leg.caller.name,
      caller_id_number: leg.caller.number,
      callee_id_name: leg.callee.name,
      callee_id_number: leg.callee.number,
      duration_seconds: endsAt - started,
      ringing_seconds: (answered ?? endsAt) - started,
      billing_seconds: answered === undefined ? 0 : endsAt - answered,
      timestamp: endsAt,
      channel_created_time: (started - gregorianOffset) * 1_000_000,
      hangup_cause: cause,
      hangup_code: codeOf(cause),
      ...otherOf(seen),
      interaction_id: interaction,
      interaction_time: startOf(interaction),
      interaction_key: interaction.split('-')[1] ?? '',
      from,
      from_uri: from,
      to,
      to_uri: to,
      request: `${leg.destination}@${realm}`,
      media_server: mediaServer,
      custom_channel_vars: {
        ...variablesOf(leg, facts),
        ...(recordings.length > 0 ? { media_recordings: recordings } : {}),
      },
      custom_application_vars: life.variables,
    },
    hidden: {
      started,
      ...(answered === undefined ? {} : { answered }),
      ...(life.bridgedAt === undefined ? {} : { bridged: startedAt + life.bridgedAt }),
      call: leg.callId,
      interaction,
      ...(leg.ownerId === undefined ? {} : { owner: leg.ownerId }),
      ...(leg.authorizing ? { endpoint: leg.authorizing.id } : {}),
    },
    createdAt: endsAt,
    modifiedAt: endsAt,
    revision: 0,
  };
}

const secondsIn = (data: JsonObject, key: string): number | undefined => {
  const value = data[key];
  return typeof value === 'number' ? value : undefined;
};

const formats = { mp3: 'audio/mpeg', wav: 'audio/x-wav' } as const;

/** A recording of the first leg; `undefined` where it is too short to be kept. */
function recordingOf(
  { services, leg, timeline }: Simulation,
  { from, until, data, origin }: Recorded,
  facts: CallFacts,
): StoredRecord | undefined {
  const life = timeline.lives.find(([each]) => each === leg)?.[1];
  const waits = data.record_on_bridge === true ? life?.bridgedAt : life?.answeredAt;
  const isAwaited = data.record_on_answer === true || data.record_on_bridge === true;
  if (isAwaited && waits === undefined) return undefined;
  const begins = Math.max(from, isAwaited ? (waits ?? from) : from);
  const longest = secondsIn(data, 'time_limit') ?? 3600;
  const seconds = Math.min((until ?? life?.end?.at ?? begins) - begins, longest);
  if (seconds <= 0 || seconds < (secondsIn(data, 'record_min_sec') ?? 0)) return undefined;
  const { account, startedAt, interaction } = facts;
  const month = monthOf(startOf(interaction));
  const format = data.format === 'wav' ? 'wav' : 'mp3';
  const name = textAt(data, 'media_name') ?? `call_recording_${leg.callId}.${format}`;
  const { url } = data;
  const realm = realmOf(account);
  const endsAt = startedAt + begins + seconds;
  return {
    kind: 'recordings',
    scope: account.id,
    id: `${month}-${newId(services.random)}`,
    body: {
      name,
      description: `recording ${name}`,
      start: startedAt + begins,
      duration: seconds,
      duration_ms: seconds * 1000,
      direction: leg.direction,
      caller_id_name: leg.caller.name,
      caller_id_number: leg.caller.number,
      callee_id_name: leg.callee.name,
      callee_id_number: leg.callee.number,
      from: `${leg.caller.number}@${realm}`,
      to: `${leg.callee.number}@${realm}`,
      request: `${leg.destination}@${realm}`,
      call_id: leg.callId,
      cdr_id: `${month}-${leg.callId}`,
      interaction_id: interaction,
      ...(leg.ownerId === undefined ? {} : { owner_id: leg.ownerId }),
      origin,
      content_type: formats[format],
      media_type: `.${format}`,
      media_source: 'recorded',
      source_type: 'sandbox',
      ...(typeof url === 'string' ? { url } : {}),
    },
    hidden: { call: leg.callId, interaction, ...(leg.ownerId === undefined ? {} : { owner: leg.ownerId }) },
    createdAt: endsAt,
    modifiedAt: endsAt,
    revision: 0,
  };
}

/** Puts the legs of a call that was simulated to its end into the store, and its recordings. Loop-back legs leave nothing. */
export function keepLegs(call: Simulation, facts: CallFacts): readonly Change[] {
  const recordings = call.recorded.flatMap((each) => recordingOf(call, each, facts) ?? []);
  const ids = recordings.map(({ id }) => id);
  const recorded = new Set([call.leg, call.timeline.lives.find(([leg]) => leg === call.leg)?.[1].other]);
  const legs = call.timeline.lives.flatMap(([leg, life]) =>
    leg.isInternal ? [] : [keptLeg(leg, life, facts, recorded.has(leg) ? ids : [])],
  );
  return [
    ...withFirsts(legs).map((leg) => putOf(leg, 'cdrs')),
    ...recordings.map((recording) => putOf(recording, 'recordings')),
  ];
}

/** Legs with the mark on the first of the call, and on the first of each user: lists of calls show those. */
function withFirsts(legs: readonly StoredRecord[]): readonly StoredRecord[] {
  const owners = new Set<unknown>();
  return legs.map((leg, index) => {
    const { owner } = leg.hidden;
    const isOwners = owner !== undefined && !owners.has(owner);
    owners.add(owner);
    const marks = {
      ...(index === 0 ? { first: true, minute: minuteOf(leg) } : {}),
      ...(isOwners ? { firstOfOwner: true } : {}),
    };
    return { ...leg, hidden: { ...leg.hidden, ...marks } };
  });
}
