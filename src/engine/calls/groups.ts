import { isObject, type JsonObject } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import { type Dialling, deviceEndpoint, type Endpoint } from './endpoints.ts';
import type { Route } from './outcome.ts';
import { amount, idOf, objects, said } from './records.ts';

/** A member of a ring group, once groups and users are taken apart into devices. */
interface Member {
  readonly device: JsonObject;
  readonly delay: number;
  readonly limit: number;
  readonly weight: number;
}

const usualLimit = 20;
const usualWeight = 20;

/** Returns what rings for a group as its strategy says; `undefined` where nobody can be rung. */
export function groupEndpoint(route: Route, data: JsonObject, how: Dialling): Endpoint | undefined {
  const strategy = said(data.strategy) ?? 'simultaneous';
  const all = distinct(objects(data.endpoints).flatMap((each) => membersOf(route, each, strategy, 0)));
  const seconds = amount(data.timeout, usualLimit) || usualLimit;
  const rung = (members: readonly Member[], isDelayed: boolean): readonly Endpoint[] =>
    members.flatMap((member) => {
      const delay = isDelayed ? member.delay : 0;
      // Who would ring to the end of the group's time ends with the group.
      const limit = delay + member.limit >= seconds ? 0 : member.limit;
      return deviceEndpoint(route, member.device, { ...how, delay, limit }) ?? [];
    });
  if (strategy === 'single') return filled('each', rung(all, false));
  if (strategy === 'weighted_random') return filled('each', rung(drawn(route, all), false));
  const byDelay = all.toSorted((one, other) => one.delay - other.delay);
  return filled('all', rung(byDelay, true));
}

const filled = (kind: 'all' | 'each', of: readonly Endpoint[]): Endpoint | undefined =>
  of.length === 0 ? undefined : { kind, of };

/** Members in a random order, each drawn with a chance that grows with its weight. */
function drawn({ run }: Route, all: readonly Member[]): readonly Member[] {
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

function membersOf(route: Route, member: JsonObject, strategy: string, depth: number): readonly Member[] {
  const { records, run } = route;
  const nowS = run.input.at / 1000 + run.clock.now() + gregorianOffset;
  if (amount(member.disable_until, 0) > nowS || depth > deepestGroups) return [];
  const id = said(member.id) ?? '';
  const delay = Math.max(0, amount(member.delay, 0));
  const limit = Math.max(0, amount(member.timeout, usualLimit));
  const weight = Math.max(1, amount(member.weight, usualWeight));
  const of = (device: JsonObject): Member => ({ device, delay, limit, weight });
  switch (said(member.endpoint_type) ?? 'device') {
    case 'user': {
      const user = records.get('users', id);
      return user === undefined || user.enabled === false ? [] : records.devicesOf(id).map(of);
    }
    case 'group': {
      const endpoints = records.get('groups', id)?.endpoints;
      const within = isObject(endpoints)
        ? Object.entries(endpoints).flatMap(([key, value]) =>
            isObject(value)
              ? [{ delay, timeout: limit, ...value, id: key, endpoint_type: said(value.type) ?? 'device' }]
              : [],
          )
        : [];
      const inOrder =
        strategy === 'single'
          ? // Members of one weight take each other's place.
            [
              ...new Map(
                within.filter((each) => weightOf(each) > 0).map((each) => [weightOf(each), each]),
              ).entries(),
            ]
              .toSorted(([one], [other]) => one - other)
              .map(([, each]) => each)
          : within.toReversed();
      return inOrder.flatMap((each) => membersOf(route, each, strategy, depth + 1));
    }
    default: {
      const device = records.get('devices', id);
      return device ? [of(device)] : [];
    }
  }
}

const weightOf = (member: JsonObject): number => amount(member.weight, 0);

/** Members without those that ring the same device at the same time for as long. */
function distinct(all: readonly Member[]): readonly Member[] {
  const known = new Map(
    all
      .map((member) => [`${idOf(member.device)} ${member.delay} ${member.limit}`, member] as const)
      .toReversed(),
  );
  return [...known.values()].toReversed();
}

/** Devices that a page reaches: those of all members, but the caller's own, each once. */
export function membersToPage(route: Route, data: JsonObject, how: Dialling): readonly JsonObject[] {
  const all = objects(data.endpoints).flatMap((each) => membersOf(route, each, 'simultaneous', 0));
  const devices = [...new Set(all.map(({ device }) => device))];
  return devices.filter((device) => deviceEndpoint(route, device, how) !== undefined);
}
