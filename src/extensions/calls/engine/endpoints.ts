import { isObject, type JsonObject, valueAt } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import type { CallRoute } from './outcome.ts';
import { isDoNotDisturb, isOff, type LegOwner, partyOfDevice } from './parties.ts';
import {
  booleanOr,
  mapAt,
  nameByKind,
  nonEmptyText,
  numberOr,
  objects,
  ownersOf,
  recordId,
} from './records.ts';
import type { CallRun } from './run.ts';
import type { PhoneBehaviour } from './types.ts';

/** A target that can ring. Times are in seconds. */
export type Endpoint =
  | {
      readonly kind: 'phone';
      readonly device: JsonObject;
      readonly party: LegOwner;
      readonly delay: number;
      /** Seconds after which this endpoint stops ringing. 0 means no separate limit. */
      readonly limit: number;
    }
  | {
      readonly kind: 'forward';
      readonly settings: JsonObject;
      readonly party: LegOwner;
      readonly delay: number;
      readonly limit: number;
    }
  /** A number of another account of the service. */
  | { readonly kind: 'account'; readonly number: string }
  | { readonly kind: 'all'; readonly of: readonly Endpoint[] }
  | { readonly kind: 'each'; readonly of: readonly Endpoint[] }
  /** Rings the second endpoint if the first does not answer. */
  | {
      readonly kind: 'failover';
      readonly first: Endpoint;
      readonly second: Endpoint;
      readonly limit: number;
    };

export interface Dialling {
  readonly delay: number;
  readonly limit: number;
  readonly canCallSelf: boolean;
  /** False if the call comes from a ring group, a queue or a forward. */
  readonly isDirect: boolean;
  /** True if the device rings for its user. Do-not-disturb of the device does not apply then. */
  readonly isMember?: boolean;
}

export function ringingOptions(route: CallRoute, data: JsonObject): Dialling {
  return {
    delay: Math.max(0, numberOr(data.delay, 0)),
    limit: 0,
    canCallSelf: booleanOr(data.can_call_self, false),
    isDirect: isDirect(route),
  };
}

/** Returns true if forwards that are limited to direct calls apply. */
const isDirect = (route: CallRoute): boolean =>
  !route.isForwarded && route.module !== 'ring_group' && route.module !== 'acdc_member';

/** Returns the endpoint of a device. Returns `undefined` if the device must not ring. */
export function deviceEndpoint(route: CallRoute, device: JsonObject, how: Dialling): Endpoint | undefined {
  const party = partyOfDevice(route.records, device);
  if (isOff(party) || (!how.isMember && isDoNotDisturb(party))) return undefined;
  const isOwn = recordId(device) === route.leg.device;
  const owner = route.owner;
  const isOwners = owner !== undefined && ownersOf(device).includes(owner);
  if (!how.canCallSelf && (isOwn || (!how.isMember && isOwners))) return undefined;
  if (booleanOr(device.exclude_from_queues, false) && route.module === 'acdc_member') return undefined;
  const { delay, limit } = how;
  return withForward({ kind: 'phone', device, party, delay, limit }, device, party, how);
}

/** Returns the endpoint of a user: all phones at the same time, with call forwarding. */
export function userEndpoint(route: CallRoute, user: JsonObject, how: Dialling): Endpoint | undefined {
  const party: LegOwner = { account: route.records.account.record, user };
  if (isOff(party) || isDoNotDisturb(party)) return undefined;
  if (!how.canCallSelf && route.owner === recordId(user)) return undefined;
  if (booleanOr(user.exclude_from_queues, false) && route.module === 'acdc_member') return undefined;
  const phones = route.records
    .devicesOf(recordId(user))
    .flatMap((device) => deviceEndpoint(route, device, { ...how, isMember: true }) ?? []);
  return withForward({ kind: 'all', of: phones }, user, party, how);
}

/** Adds call forwarding. It replaces the phones, rings with them, or rings after them. */
function withForward(phones: Endpoint, record: JsonObject, party: LegOwner, how: Dialling): Endpoint {
  const settings = record.call_forward;
  if (!isObject(settings) || nonEmptyText(settings.number) === undefined) return phones;
  const fails = booleanOr(settings.failover, false);
  if (!fails && !booleanOr(settings.enabled, false)) return phones;
  if (!how.isDirect && booleanOr(settings.direct_calls_only, false)) return phones;
  const { delay, limit } = how;
  const forward: Endpoint = { kind: 'forward', settings, party, delay, limit };
  if (fails) return { kind: 'failover', first: phones, second: { ...forward, delay: 0 }, limit };
  return booleanOr(settings.substitute, true) ? forward : { kind: 'all', of: [phones, forward] };
}

export function whyNotRung(
  route: CallRoute,
  kind: 'users' | 'devices',
  record: JsonObject | undefined,
): string {
  if (!record) return kind === 'users' ? 'The user does not exist.' : 'The device does not exist.';
  const name = shownName(kind, record);
  if (!booleanOr(record.enabled, true)) return `${name} is disabled.`;
  const party: LegOwner =
    kind === 'users'
      ? { account: route.records.account.record, user: record }
      : partyOfDevice(route.records, record);
  if (isDoNotDisturb(party)) return `${name} is set to do not disturb.`;
  if (isOff(party)) return `${name} belongs to a disabled user.`;
  return `${name} is the caller.`;
}

/** Explains why the phones of a user or device did not ring: the user has none, or none is registered. */
export function absenceReason(
  { records, run }: CallRoute,
  kind: 'users' | 'devices',
  record: JsonObject,
): string {
  const devices = kind === 'users' ? records.devicesOf(recordId(record)) : [record];
  if (devices.length === 0) return `${shownName(kind, record)} has no device.`;
  return `${devices
    .map((device) => {
      const name = shownName('devices', device);
      if (!booleanOr(device.enabled, true)) return `${name} is disabled`;
      const isAway = behaviourAt(run, device).does === 'not registered';
      return isAway ? `${name} is not registered` : `${name} does not ring`;
    })
    .join('; ')}.`;
}

const shownName = (kind: 'users' | 'devices', record: JsonObject): string =>
  kind === 'users' ? nameByKind(kind, record) : `device ${nameByKind(kind, record)}`;

export function behaviourAt({ input }: CallRun, device: JsonObject): PhoneBehaviour {
  const id = recordId(device);
  const own = [id, ...ownersOf(device)]
    .map((each) => input.people.get(each))
    .find((each) => each !== undefined);
  if (own) return own;
  return input.registered && !input.registered.has(id) ? { does: 'not registered' } : input.others;
}

export const hasCallWaiting = ({ account, user, device }: LegOwner): boolean =>
  booleanOr(
    [user, device, account]
      .map((record) => valueAt(record, 'call_waiting.enabled'))
      .find((value) => typeof value === 'boolean'),
    true,
  );

/** A device of a ring group, after groups and users are expanded. */
interface Member {
  readonly device: JsonObject;
  readonly delay: number;
  readonly limit: number;
  readonly weight: number;
}

const usualLimit = 20;
const usualWeight = 20;

/** Returns the endpoint of a group with its strategy. Returns `undefined` if no device can ring. */
export function groupEndpoint(route: CallRoute, data: JsonObject, how: Dialling): Endpoint | undefined {
  const strategy = nonEmptyText(data.strategy) ?? 'simultaneous';
  const all = withoutDuplicates(
    objects(data.endpoints).flatMap((each) => expandMember(route, each, strategy, 0)),
  );
  const seconds = numberOr(data.timeout, usualLimit) || usualLimit;
  const ringableMembers = (members: readonly Member[], isDelayed: boolean): readonly Endpoint[] =>
    members.flatMap((member) => {
      const delay = isDelayed ? member.delay : 0;
      // When the group stops ringing, its members stop too.
      const limit = delay + member.limit >= seconds ? 0 : member.limit;
      return deviceEndpoint(route, member.device, { ...how, delay, limit }) ?? [];
    });
  if (strategy === 'single') return memberIds('each', ringableMembers(all, false));
  if (strategy === 'weighted_random')
    return memberIds('each', ringableMembers(shuffleByWeight(route, all), false));
  const byDelay = all.toSorted((one, other) => one.delay - other.delay);
  return memberIds('all', ringableMembers(byDelay, true));
}

const memberIds = (kind: 'all' | 'each', of: readonly Endpoint[]): Endpoint | undefined =>
  of.length === 0 ? undefined : { kind, of };

/** Shuffles members. A higher weight makes an earlier place more likely. */
function shuffleByWeight({ run }: CallRoute, all: readonly Member[]): readonly Member[] {
  const left = [...all];
  const order: Member[] = [];
  while (left.length > 0) {
    const sum = left.reduce((total, { weight }) => total + weight, 0);
    let rest = run.input.random() * sum;
    const index = left.findIndex(({ weight }) => {
      rest -= weight;
      return rest < 0;
    });
    order.push(...left.splice(Math.max(0, index), 1));
  }
  return order;
}

const deepestGroups = 5;

function expandMember(
  route: CallRoute,
  member: JsonObject,
  strategy: string,
  depth: number,
): readonly Member[] {
  const { records, run } = route;
  const nowS = run.input.at / 1000 + run.clock.now() + gregorianOffset;
  if (numberOr(member.disable_until, 0) > nowS || depth > deepestGroups) return [];
  const id = nonEmptyText(member.id) ?? '';
  const delay = Math.max(0, numberOr(member.delay, 0));
  const limit = Math.max(0, numberOr(member.timeout, usualLimit));
  const weight = Math.max(1, numberOr(member.weight, usualWeight));
  const createMember = (device: JsonObject): Member => ({ device, delay, limit, weight });
  switch (nonEmptyText(member.endpoint_type) ?? 'device') {
    case 'user': {
      const user = records.get('users', id);
      return user === undefined || user.enabled === false ? [] : records.devicesOf(id).map(createMember);
    }
    case 'group': {
      const within = Object.entries(mapAt(records.get('groups', id), 'endpoints')).flatMap(([key, value]) =>
        isObject(value)
          ? [
              {
                delay,
                timeout: limit,
                ...value,
                id: key,
                endpoint_type: nonEmptyText(value.type) ?? 'device',
              },
            ]
          : [],
      );
      // If members ring one after another, only one member of each weight rings.
      const byWeight = new Map(within.map((each: JsonObject) => [numberOr(each.weight, 0), each]));
      const inTurn = [...byWeight].filter(([own]) => own > 0).toSorted(([one], [other]) => one - other);
      const inOrder = strategy === 'single' ? inTurn.map(([, each]) => each) : within.toReversed();
      return inOrder.flatMap((each) => expandMember(route, each, strategy, depth + 1));
    }
    default: {
      const device = records.get('devices', id);
      return device ? [createMember(device)] : [];
    }
  }
}

/** Removes members that ring the same device at the same delay and for the same time. */
function withoutDuplicates(all: readonly Member[]): readonly Member[] {
  const known = new Map(
    all
      .toReversed()
      .map((member) => [`${recordId(member.device)} ${member.delay} ${member.limit}`, member] as const),
  );
  return [...known.values()].toReversed();
}

/** Returns the devices of a page group without duplicates and without the caller's own device. */
export function membersToPage(route: CallRoute, data: JsonObject, how: Dialling): readonly JsonObject[] {
  const all = objects(data.endpoints).flatMap((each) => expandMember(route, each, 'simultaneous', 0));
  const devices = [...new Set(all.map(({ device }) => device))];
  return devices.filter((device) => deviceEndpoint(route, device, how) !== undefined);
}
