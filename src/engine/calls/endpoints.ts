import { isObject, type JsonObject, valueAt } from '../../base/json.ts';
import type { Route } from './outcome.ts';
import { isOff, isUndisturbed, type Party, partyOfDevice } from './parties.ts';
import { amount, calledName, flagOf, idOf, ownersOf, said } from './records.ts';
import type { Run } from './run.ts';
import type { Behaviour } from './types.ts';

/** Something that can be rung. Times in seconds. */
export type Endpoint =
  | {
      readonly kind: 'phone';
      readonly device: JsonObject;
      readonly party: Party;
      readonly delay: number;
      /** Seconds after which this one stops ringing; 0: none but those of all. */
      readonly limit: number;
    }
  | {
      readonly kind: 'forward';
      readonly settings: JsonObject;
      readonly party: Party;
      readonly delay: number;
      readonly limit: number;
    }
  /** A number of another account of the service. */
  | { readonly kind: 'account'; readonly number: string }
  /** All at once, each after its delay. */
  | { readonly kind: 'all'; readonly of: readonly Endpoint[] }
  /** One after another. */
  | { readonly kind: 'each'; readonly of: readonly Endpoint[] }
  /** The second where the first is not answered. */
  | {
      readonly kind: 'failover';
      readonly first: Endpoint;
      readonly second: Endpoint;
      readonly limit: number;
    };

/** How an endpoint is to be rung. */
export interface Dialling {
  readonly delay: number;
  readonly limit: number;
  readonly canCallSelf: boolean;
  /** The call does not come from a ring group or queue, nor from a forward. */
  readonly isDirect: boolean;
  /** Settings of the device for who is called as one of a user's, where its own quiet does not count. */
  readonly isMember?: boolean;
}

/** How a step rings what it names. */
export function dialling(route: Route, data: JsonObject): Dialling {
  return {
    delay: Math.max(0, amount(data.delay, 0)),
    limit: 0,
    canCallSelf: flagOf(data.can_call_self, false),
    isDirect: isDirect(route),
  };
}

/** Tells whether forwards that are for direct calls alone count. */
const isDirect = (route: Route): boolean =>
  !route.isForwarded && route.module !== 'ring_group' && route.module !== 'acdc_member';

/** Returns what rings for a device; `undefined` where it may not be rung. */
export function deviceEndpoint(route: Route, device: JsonObject, how: Dialling): Endpoint | undefined {
  const party = partyOfDevice(route.records, device);
  if (isOff(party) || (!how.isMember && isUndisturbed(party))) return undefined;
  const isOwn = idOf(device) === route.leg.device;
  const owner = route.owner;
  const isOwners = owner !== undefined && ownersOf(device).includes(owner);
  if (!how.canCallSelf && (isOwn || (!how.isMember && isOwners))) return undefined;
  if (flagOf(device.exclude_from_queues, false) && route.module === 'acdc_member') return undefined;
  const { delay, limit } = how;
  return withForward({ kind: 'phone', device, party, delay, limit }, device, party, how);
}

/** Returns what rings for a user: all phones at once, and where calls are forwarded to. */
export function userEndpoint(route: Route, user: JsonObject, how: Dialling): Endpoint | undefined {
  const party: Party = { account: route.records.account.record, user };
  if (isOff(party) || isUndisturbed(party)) return undefined;
  if (!how.canCallSelf && route.owner === idOf(user)) return undefined;
  if (flagOf(user.exclude_from_queues, false) && route.module === 'acdc_member') return undefined;
  const phones = route.records
    .devicesOf(idOf(user))
    .flatMap((device) => deviceEndpoint(route, device, { ...how, isMember: true }) ?? []);
  return withForward({ kind: 'all', of: phones }, user, party, how);
}

/** Adds a forward as its settings say: instead of the phones, beside them, or after them. */
function withForward(phones: Endpoint, record: JsonObject, party: Party, how: Dialling): Endpoint {
  const settings = record.call_forward;
  if (!isObject(settings) || said(settings.number) === undefined) return phones;
  const fails = flagOf(settings.failover, false);
  if (!fails && !flagOf(settings.enabled, false)) return phones;
  if (!how.isDirect && flagOf(settings.direct_calls_only, false)) return phones;
  const { delay, limit } = how;
  const forward: Endpoint = { kind: 'forward', settings, party, delay, limit };
  if (fails) return { kind: 'failover', first: phones, second: { ...forward, delay: 0 }, limit };
  return flagOf(settings.substitute, true) ? forward : { kind: 'all', of: [phones, forward] };
}

export function whyNotRung(route: Route, kind: 'users' | 'devices', record: JsonObject | undefined): string {
  if (!record) return kind === 'users' ? 'There is no such user.' : 'There is no such device.';
  const name = shownName(kind, record);
  if (!flagOf(record.enabled, true)) return `${name} is disabled.`;
  const party: Party =
    kind === 'users'
      ? { account: route.records.account.record, user: record }
      : partyOfDevice(route.records, record);
  if (isUndisturbed(party)) return `${name} does not want to be disturbed.`;
  if (isOff(party)) return `${name} belongs to somebody who is disabled.`;
  return `${name} is the caller.`;
}

/** Why the phones of a user or device did not ring, in a sentence: nobody has one, or none is registered. */
export function whyAbsent({ records, run }: Route, kind: 'users' | 'devices', record: JsonObject): string {
  const devices = kind === 'users' ? records.devicesOf(idOf(record)) : [record];
  if (devices.length === 0) return `${shownName(kind, record)} has no device.`;
  return `${devices
    .map((device) => {
      const name = shownName('devices', device);
      if (!flagOf(device.enabled, true)) return `${name} is disabled`;
      const isAway = behaviourAt(run, device).does === 'not registered';
      return isAway ? `${name} is not registered` : `${name} is not rung`;
    })
    .join('; ')}.`;
}

const shownName = (kind: 'users' | 'devices', record: JsonObject): string =>
  kind === 'users' ? calledName(kind, record) : `device ${calledName(kind, record)}`;

export function behaviourAt({ input }: Run, device: JsonObject): Behaviour {
  const id = idOf(device);
  const own = [id, ...ownersOf(device)]
    .map((each) => input.people.get(each))
    .find((each) => each !== undefined);
  if (own) return own;
  return input.registered && !input.registered.has(id) ? { does: 'not registered' } : input.others;
}

/** What a phone's setting of call waiting says. */
export const hasCallWaiting = ({ account, user, device }: Party): boolean =>
  flagOf(
    [user, device, account]
      .map((record) => valueAt(record, 'call_waiting.enabled'))
      .find((value) => typeof value === 'boolean'),
    true,
  );
