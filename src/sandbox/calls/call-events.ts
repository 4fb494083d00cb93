import type { JsonObject } from '../../base/json.ts';
import type { Event } from '../events/event.ts';
import { textAt, without } from '../fields.ts';
import type { StoredRecord } from '../store/store.ts';
import type { Moment } from './leg.ts';

/** What all events of a call have in common. */
export interface CallFacts {
  readonly account: StoredRecord;
  /** When the call came, in Gregorian seconds. */
  readonly startedAt: number;
  /** Number that somebody outside dialled; left out for calls from inside. */
  readonly inception: string | undefined;
}

/** What a webhook is told of a moment of a call (Conventions, payloads). What is not known is left out. */
function payloadOf({ hook, at, leg, other, variables, more }: Moment, facts: CallFacts): JsonObject {
  const { account, startedAt, inception } = facts;
  const realm = textAt(account.body, 'realm') ?? 'sandbox.example';
  const whole: JsonObject = {
    hook_event: hook,
    account_id: account.id,
    reseller_id: textAt(account.hidden, 'reseller_id'),
    owner_id: leg.ownerId,
    authorizing_id: leg.authorizing?.id,
    authorizing_type: leg.authorizing?.type,
    call_id: leg.callId,
    other_leg_call_id: other?.callId,
    call_direction: leg.direction,
    call_forwarded: leg.isForwarded ?? false,
    caller_id_name: leg.caller.name,
    caller_id_number: leg.caller.number,
    callee_id_name: leg.callee.name,
    callee_id_number: leg.callee.number,
    from: `${leg.caller.number}@${realm}`,
    to: `${leg.callee.number}@${realm}`,
    request: `${leg.destination}@${realm}`,
    inception,
    is_internal_leg: leg.isInternal ?? false,
    local_resource_used: false,
    emergency_resource_used: false,
    timestamp: String(startedAt + at),
    custom_channel_vars: {
      account_id: account.id,
      ...(leg.ownerId === undefined ? {} : { owner_id: leg.ownerId }),
    },
    custom_application_vars: variables,
    ...more,
  };
  return without(whole, (key) => whole[key] === undefined);
}

/** The event of a moment. `atMs` is when it goes out; at once where left out. */
export const eventOf = (moment: Moment, id: string, facts: CallFacts, atMs: number | undefined): Event => ({
  id,
  hook: moment.hook,
  accountId: facts.account.id,
  payload: payloadOf(moment, facts),
  ...(moment.leg.isInternal ? { isInternalLeg: true } : {}),
  ...(atMs === undefined ? {} : { atMs }),
});
