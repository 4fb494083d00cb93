import { type JsonObject, textAt, textOrUndefined } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { outcomeOfCall } from '../../calls/engine/call-outcome.ts';
import { codeOf } from '../../calls/engine/outcome.ts';
import type { CallEvent, CallLeg } from '../../calls/engine/types.ts';
import { pick } from '../fields.ts';
import { newId } from '../ids-and-secrets.ts';
import { buildPut } from '../placement.ts';
import { newRecord, type StoreChange, type StoredRecord } from '../store/store.ts';
import { minuteKey } from '../telephony/legs.ts';
import { outsideFlow } from './call-account.ts';
import {
  accountRealm,
  gregorianSecondOf,
  type MadeCall,
  mediaServer,
  monthOf,
  type RecordedLeg,
  recordedLegs,
} from './made-call.ts';

const startOf = (interaction: string): number => Number(interaction.split('-')[0]);

/** Facts of a leg that are stored in its record (call record, custom variables). */
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

function channelVariables(made: MadeCall, kept: CallLeg, leg: RecordedLeg): JsonObject {
  const { account, ids } = made;
  const reseller = textAt(account.hidden, 'reseller_id');
  const isCarrier = leg.authorizing.type === 'resource';
  const { callflow_id: flow } = kept.facts;
  const inception = textOrUndefined(made.call.legs[0]?.facts.inception);
  return {
    account_id: account.id,
    bridge_id: ids.get('a1') ?? '',
    realm: accountRealm(account),
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

const otherLegFields = (other: RecordedLeg | undefined): JsonObject =>
  other
    ? {
        other_leg_call_id: other.callId,
        other_leg_caller_id_name: other.caller.name,
        other_leg_caller_id_number: other.caller.number,
        other_leg_destination_number: other.destination,
        other_leg_direction: other.direction,
      }
    : {};

const callerIdsOf = ({ caller, callee }: RecordedLeg) => ({
  caller_id_name: caller.name,
  caller_id_number: caller.number,
  callee_id_name: callee.name,
  callee_id_number: callee.number,
});

function addressesOf({ caller, callee, destination }: RecordedLeg, account: MadeCall['account']) {
  const realm = accountRealm(account);
  return {
    from: `${caller.number}@${realm}`,
    to: `${callee.number}@${realm}`,
    request: `${destination}@${realm}`,
  };
}

/** Returns the record of a leg, including its planned end. */
function recordOfLeg(made: MadeCall, kept: CallLeg, recordings: readonly string[]): StoredRecord {
  const { account, interaction, call } = made;
  const legs = recordedLegs(made);
  const leg = legs.get(kept.id);
  if (!leg) throw new Error(`The leg ${kept.id} was never made.`);
  const started = gregorianSecondOf(made, kept.began);
  const endsAt = gregorianSecondOf(made, kept.ended);
  const answered = kept.answered === undefined ? undefined : gregorianSecondOf(made, kept.answered);
  const bridge = call.events.find(
    (event) => event.kind === 'bridge' && (event.leg === kept.id || event.other === kept.id),
  );
  const { from, to, request } = addressesOf(leg, account);
  const { custom_application_vars: variables = {} } = kept.facts;
  return {
    kind: 'cdrs',
    scope: account.id,
    id: `${monthOf(startOf(interaction))}-${leg.callId}`,
    body: {
      call_id: leg.callId,
      call_direction: leg.direction,
      ...callerIdsOf(leg),
      duration_seconds: endsAt - started,
      ringing_seconds: (answered ?? endsAt) - started,
      billing_seconds: answered === undefined ? 0 : endsAt - answered,
      timestamp: endsAt,
      channel_created_time: (started - gregorianOffset) * 1_000_000,
      hangup_cause: kept.cause,
      hangup_code: codeOf(kept.cause),
      ...otherLegFields(bridge && kept.other !== undefined ? legs.get(kept.other) : undefined),
      interaction_id: interaction,
      interaction_time: startOf(interaction),
      interaction_key: interaction.split('-')[1] ?? '',
      from,
      from_uri: from,
      to,
      to_uri: to,
      request,
      media_server: mediaServer,
      custom_channel_vars: {
        ...channelVariables(made, kept, leg),
        ...(recordings.length > 0 ? { media_recordings: recordings } : {}),
      },
      custom_application_vars: variables,
    },
    hidden: {
      started,
      ...(answered === undefined ? {} : { answered }),
      ...(bridge ? { bridged: gregorianSecondOf(made, bridge.at) } : {}),
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
  const leg = recordedLegs(made).get(textOrUndefined(facts.leg) ?? '');
  if (!leg) return undefined;
  const month = monthOf(startOf(interaction));
  const format = facts.format === 'wav' ? 'wav' : 'mp3';
  const name = `call_recording_${leg.callId}.${format}`;
  const endsAt = gregorianSecondOf(made, at);
  const start = gregorianSecondOf(made, at - seconds);
  return newRecord(
    { kind: 'recordings', scope: account.id, id: `${month}-${newId(services.random)}` },
    {
      name,
      description: `recording ${name}`,
      start,
      duration: endsAt - start,
      duration_ms: (endsAt - start) * 1000,
      direction: leg.direction,
      ...callerIdsOf(leg),
      ...addressesOf(leg, account),
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

/** Returns the records of legs and recordings, except for those that ended earlier. */
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

/** Marks the first leg of the call and of its user. Lists show only these legs. */
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
