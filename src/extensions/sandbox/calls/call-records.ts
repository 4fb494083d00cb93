import { type JsonObject, textAt, textOf } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { outcomeOfCall } from '../../calls/engine/call-outcome.ts';
import { codeOf } from '../../calls/engine/outcome.ts';
import type { CallEvent, CallLeg } from '../../calls/engine/types.ts';
import { pick } from '../fields.ts';
import { newId } from '../made-values.ts';
import { buildPut } from '../placement.ts';
import { newRecord, type StoreChange, type StoredRecord } from '../store/store.ts';
import { minuteKey } from '../telephony/legs.ts';
import { outsideFlow } from './call-account.ts';
import {
  legsOf,
  type MadeCall,
  mediaServer,
  monthOf,
  type RecordedLeg,
  realmOf,
  secondOf,
} from './made-call.ts';

const startOf = (interaction: string): number => Number(interaction.split('-')[0]);

/** Facts of a leg that stand in its record beside its addresses (call record, custom variables). */
const keptFacts = [
  'account_billing',
  'rate_name',
  'cost',
  'emergency_resource',
  'global_resource',
  'is_conference',
  'call_forward',
  'e164_destination',
  'original_number',
  'queue_id',
  'agent_id',
  'fax_success',
];

/** What the service knows of a leg beside its addresses. */
function variablesOf(made: MadeCall, kept: CallLeg, leg: RecordedLeg): JsonObject {
  const { account, ids } = made;
  const reseller = textAt(account.hidden, 'reseller_id');
  const isCarrier = leg.authorizing.type === 'resource';
  const { callflow_id: flow } = kept.facts;
  const inception = textOf(made.call.legs[0]?.facts.inception);
  return {
    account_id: account.id,
    bridge_id: ids.get('a1') ?? '',
    realm: realmOf(account),
    ...(reseller === undefined ? {} : { reseller_id: reseller }),
    ...(leg.ownerId === undefined ? {} : { owner_id: leg.ownerId }),
    ...(isCarrier
      ? { resource_id: leg.authorizing.id, authorizing_id: leg.authorizing.id, authorizing_type: 'resource' }
      : { authorizing_id: leg.authorizing.id, authorizing_type: leg.authorizing.type }),
    ...(typeof flow === 'string' && flow !== outsideFlow ? { callflow_id: flow } : {}),
    ...(inception === undefined ? {} : { inception }),
    ...pick(kept.facts, keptFacts),
  };
}

const otherOf = (other: RecordedLeg | undefined): JsonObject =>
  other
    ? {
        other_leg_call_id: other.callId,
        other_leg_caller_id_name: other.caller.name,
        other_leg_caller_id_number: other.caller.number,
        other_leg_destination_number: other.destination,
        other_leg_direction: other.direction,
      }
    : {};

/** The record of a leg, with the end that it is going to have. */
function recordOfLeg(made: MadeCall, kept: CallLeg, recordings: readonly string[]): StoredRecord {
  const { account, interaction, call } = made;
  const legs = legsOf(made);
  const leg = legs.get(kept.id);
  if (!leg) throw new Error(`The leg ${kept.id} was never made.`);
  const started = secondOf(made, kept.began);
  const endsAt = secondOf(made, kept.ended);
  const answered = kept.answered === undefined ? undefined : secondOf(made, kept.answered);
  const bridge = call.events.find(
    (event) => event.kind === 'bridge' && (event.leg === kept.id || event.other === kept.id),
  );
  const realm = realmOf(account);
  const from = `${leg.caller.number}@${realm}`;
  const to = `${leg.callee.number}@${realm}`;
  const { custom_application_vars: variables = {} } = kept.facts;
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
      hangup_cause: kept.cause,
      hangup_code: codeOf(kept.cause),
      ...otherOf(bridge && kept.other !== undefined ? legs.get(kept.other) : undefined),
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
        ...variablesOf(made, kept, leg),
        ...(recordings.length > 0 ? { media_recordings: recordings } : {}),
      },
      custom_application_vars: variables,
    },
    hidden: {
      started,
      ...(answered === undefined ? {} : { answered }),
      ...(bridge ? { bridged: secondOf(made, bridge.at) } : {}),
      call: leg.callId,
      interaction,
      ...(leg.ownerId === undefined ? {} : { owner: leg.ownerId }),
      endpoint: leg.authorizing.id,
    },
    createdAt: endsAt,
    modifiedAt: endsAt,
    revision: 0,
  };
}

const formats = { mp3: 'audio/mpeg', wav: 'audio/x-wav' } as const;

type Left = Extract<CallEvent, { kind: 'left' }>;

function recordingOf(made: MadeCall, { at, seconds, facts }: Left): StoredRecord | undefined {
  const { services, account, interaction } = made;
  const leg = legsOf(made).get(textOf(facts.leg) ?? '');
  if (!leg) return undefined;
  const month = monthOf(startOf(interaction));
  const format = facts.format === 'wav' ? 'wav' : 'mp3';
  const name = `call_recording_${leg.callId}.${format}`;
  const realm = realmOf(account);
  const endsAt = secondOf(made, at);
  const start = secondOf(made, at - seconds);
  return newRecord(
    { kind: 'recordings', scope: account.id, id: `${month}-${newId(services.random)}` },
    {
      name,
      description: `recording ${name}`,
      start,
      duration: endsAt - start,
      duration_ms: (endsAt - start) * 1000,
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
      origin: textAt(facts, 'origin') ?? '',
      content_type: formats[format],
      media_type: `.${format}`,
      media_source: 'recorded',
      source_type: 'sandbox',
      ...pick(facts, ['url']),
    },
    endsAt,
    { call: leg.callId, interaction, ...(leg.ownerId === undefined ? {} : { owner: leg.ownerId }) },
  );
}

/** The records of legs and recordings that are kept of a call, those that were over before left out. */
function recordsOfCall(made: MadeCall): readonly StoredRecord[] {
  const { call, after } = made;
  const recordings = call.events.flatMap((event) => {
    if (event.kind !== 'left' || event.what !== 'recording' || event.at <= after) return [];
    const record = recordingOf(made, event);
    return record ? [record] : [];
  });
  const recordedOf = (kept: CallLeg): readonly string[] => {
    const ids = [kept.id, kept.other].map((id) => (id === undefined ? undefined : made.ids.get(id)));
    return recordings.flatMap(({ id, hidden }) => (ids.includes(textAt(hidden, 'call')) ? [id] : []));
  };
  const legs = call.legs.flatMap((kept, index) =>
    kept.ended <= after ? [] : [{ record: recordOfLeg(made, kept, recordedOf(kept)), index }],
  );
  return [...legs.map((leg) => withMarks(made, leg)), ...recordings];
}

/** A leg with the mark of the first of the call, and of the first of its user: lists of calls show those. */
function withMarks(
  { call, ids }: MadeCall,
  { record, index }: { readonly record: StoredRecord; readonly index: number },
): StoredRecord {
  const { owner } = record.hidden;
  const firstOfOwner = call.legs.find(({ user }) => user !== undefined && user === owner);
  const marks = {
    ...(index === 0 ? { first: true, minute: minuteKey(outcomeOfCall(call), record.createdAt) } : {}),
    ...(firstOfOwner && ids.get(firstOfOwner.id) === record.hidden.call ? { firstOfOwner: true } : {}),
  };
  return { ...record, hidden: { ...record.hidden, ...marks } };
}

export const keptRecords = (made: MadeCall): readonly StoreChange[] =>
  recordsOfCall(made).map((record) => buildPut(record, record.kind === 'cdrs' ? 'cdrs' : 'recordings'));
