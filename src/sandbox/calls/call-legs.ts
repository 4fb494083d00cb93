import { textOf, valueAt } from '../../base/json.ts';
import type { CallAccount, CallLeg } from '../../engine/calls/types.ts';
import { textAt } from '../fields.ts';
import { ownerOfMadePhone } from './call-account.ts';
import { extensionIn, personIn } from './who-calls.ts';

/** The party at one end of a leg, as it shows itself. */
export interface Party {
  readonly name: string;
  readonly number: string;
}

/** A leg of a call as records and events tell of it: from a phone or the public network to the service, or from it. */
export interface Leg {
  readonly callId: string;
  /** Seen from the service. */
  readonly direction: 'inbound' | 'outbound';
  readonly caller: Party;
  readonly callee: Party;
  /** Destination that the leg was made for: a number, or a user's phone. */
  readonly destination: string;
  readonly ownerId: string | undefined;
  /** By whose right it is there. */
  readonly authorizing: { readonly id: string; readonly type: 'user' | 'device' | 'resource' };
  readonly isForwarded: boolean;
}

/** The carrier that takes every call where the service has none. */
const assumedCarrier = 'sandbox-carrier';

export interface LegFacts {
  readonly account: CallAccount;
  /** Call ids by the ids of legs. */
  readonly ids: ReadonlyMap<string, string>;
  /** Name and number of who calls, where they are not those of the leg itself. */
  readonly caller: Party;
  /** User who made the call, if one did. */
  readonly owner: string | undefined;
  /** Name of the callflow that the number led to. */
  readonly flow: string | undefined;
}

export function describeLeg(leg: CallLeg, { account, ids, caller, flow, owner }: LegFacts): Leg {
  const callId = ids.get(leg.id) ?? leg.id;
  const shown: Party = {
    number: leg.callerId.number ?? caller.number,
    name: leg.callerId.name ?? leg.callerId.number ?? caller.name,
  };
  const device = leg.device === undefined ? undefined : account.get('devices', leg.device);
  const user = leg.user === undefined ? undefined : account.get('users', leg.user);
  const isMade = leg.device !== undefined && ownerOfMadePhone(leg.device) !== undefined;
  const authorizing: Leg['authorizing'] =
    leg.device !== undefined && !isMade
      ? { id: leg.device, type: 'device' }
      : leg.user === undefined
        ? { id: carrierOf(leg), type: 'resource' }
        : { id: leg.user, type: 'user' };
  const facts = {
    callId,
    ownerId: leg.user ?? textAt(leg.facts, 'owner_id') ?? (leg.carrier === undefined ? undefined : owner),
    authorizing,
    isForwarded: leg.facts.call_forward === true,
  };
  if (leg.side === 'A') {
    const callee = { name: flow ?? leg.to, number: leg.to };
    return { ...facts, direction: 'inbound', caller: shown, callee, destination: leg.to };
  }
  const username = textOf(valueAt(device, 'sip.username'));
  const number = leg.carrier === undefined ? (user ? extensionIn(user) : (username ?? leg.to)) : leg.to;
  const name =
    leg.carrier === undefined ? (user ? personIn(user) : (textAt(device ?? {}, 'name') ?? number)) : number;
  return { ...facts, direction: 'outbound', caller: shown, callee: { name, number }, destination: number };
}

const carrierOf = ({ facts }: CallLeg): string => {
  const id = textAt(facts, 'resource_id');
  return id === undefined || facts.assumed === true ? assumedCarrier : id;
};
