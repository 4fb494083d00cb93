import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { ResourceName } from '../../contract/types.ts';
import { textAt } from '../fields.ts';
import { newId } from '../made-values.ts';
import { calledName } from '../telephony/account-records.ts';
import { sipUsername } from '../telephony/registrations.ts';
import { type Phone, phonesOf, type Target } from './phones.ts';
import type { Leg } from './ring-legs.ts';
import { legOut, type Ringer, ringLegs } from './ring-legs.ts';
import { extensionOf, personName } from './routing.ts';
import type { Simulation } from './simulation.ts';

/** Settings for the ringing of targets. */
export interface Ringing {
  readonly timeout: number;
  /** One after the other rather than all at once. */
  readonly single: boolean;
  readonly repeats: number;
}

/** Result of ringing: who answered, and the notes on those who did not. */
export interface Rung {
  readonly leg?: Leg;
  readonly by?: string;
  readonly notes: readonly string[];
}

const usualTimeout = 20;

/** A leg that the service makes to a phone of a target. */
function legTo(call: Simulation, { user, id }: Target, { device }: Phone, more: Partial<Leg> = {}): Leg {
  const number = user ? extensionOf(user) : device ? (sipUsername(device) ?? id) : id;
  const name = user ? personName(user) : device ? calledName(device) : id;
  return {
    callId: newId(call.services.random),
    direction: 'outbound',
    caller: { name: call.caller.name, number: call.caller.number },
    callee: { name, number },
    destination: number,
    ownerId: user?.id ?? (device && textAt(device.body, 'owner_id')),
    authorizing: { id: device?.id ?? id, type: user && !device ? 'user' : 'device' },
    ...more,
  };
}

/** The name of what rings: `alice`, `alice on device Desk`, `device Desk`. */
function phoneName({ user, id }: Target, { device }: Phone): string {
  if (!device) return user ? calledName(user) : `device ${id}`;
  return `${user ? `${calledName(user)} on ` : ''}device ${calledName(device)}`;
}

/** The phones of a target that ring, each with its leg and its name. */
interface Ready {
  readonly target: Target;
  readonly phones: readonly Phone[];
}

/** Rings targets: all at once or one after the other, until somebody answers. */
export async function ring(
  call: Simulation,
  targets: readonly Target[],
  { timeout: given, single, repeats }: Ringing,
): Promise<Rung> {
  const timeout = given > 0 ? given : usualTimeout;
  const names = new Map<Leg, string>();
  const reached = await Promise.all(targets.map((target) => phonesOf(call, target)));
  const notes = reached.flatMap((each) => each.notes);
  const ready = targets.map((target, index): Ready => ({ target, phones: reached[index]?.phones ?? [] }));
  const legsTo = ({ target, phones }: Ready): readonly Ringer[] =>
    phones.flatMap((phone) => ringer(target, phone));
  const ringer = (target: Target, phone: Phone): readonly Ringer[] => {
    const { user, delay } = target;
    const { forward } = phone;
    const name = phoneName(target, phone);
    if (forward === undefined) {
      const leg = legTo(call, target, phone);
      names.set(leg, name);
      return [{ leg, delay }];
    }
    const refused = call.limits.take('outbound');
    notes.push(
      `${name} forwards calls to ${forward}${refused === undefined ? '' : `, which the limits refuse: ${refused}`}`,
    );
    if (refused !== undefined) return [];
    const leg = legOut(call, forward, { isForwarded: true, ownerId: user?.id });
    names.set(leg, forward);
    return [{ leg, delay, through: legTo(call, target, phone, { isInternal: true }) }];
  };
  if (ready.every(({ phones }) => phones.length === 0)) {
    const causes = reached.flatMap(({ cause }) => cause ?? []);
    call.cause = causes.find((each) => each === 'USER_BUSY') ?? causes[0] ?? call.cause;
    return { notes };
  }
  const groups = single ? ready.map((each) => [each]) : [ready];
  for (let round = 0; round < repeats; round += 1) {
    for (const group of groups) {
      const leg = ringLegs(call, group.flatMap(legsTo), timeout);
      if (leg) return { leg, by: names.get(leg) ?? '', notes };
    }
  }
  return { notes };
}

const numberAt = (data: JsonObject, key: string): number | undefined => {
  const value = data[key];
  return typeof value === 'number' && value >= 0 ? value : undefined;
};

/** Reads from a step's data how its targets ring. */
export const ringingOf = (data: JsonObject): Ringing => ({
  timeout: numberAt(data, 'timeout') ?? usualTimeout,
  single: data.strategy === 'single' || data.strategy === 'weighted_random',
  repeats: Math.min(Math.max(numberAt(data, 'repeats') ?? 1, 1), 10),
});

/** Resources of the endpoints of groups and steps, by their type. */
const kindsOfEndpoints: Readonly<Partial<Record<string, ResourceName>>> = {
  device: 'devices',
  group: 'groups',
};

/** Deepest that groups are in groups. */
const deepestGroup = 5;

/** Whom an endpoint stands for: a user, a device, or those in a group. What is not there is said in `missing`. */
export async function targetsOf(
  call: Simulation,
  endpoint: { readonly id: string; readonly type: string; readonly delay: number },
  ignoresForward: boolean,
  missing: string[],
  depth = 0,
): Promise<readonly Target[]> {
  const { id, type, delay } = endpoint;
  if (type === 'device' && call.services.behaviour.phones === 'unknown')
    return [{ id, delay, ignoresForward }];
  const record = await call.records.get(kindsOfEndpoints[type] ?? 'users', id);
  if (!record || depth > deepestGroup) {
    missing.push(`there is no ${type} ${id}`);
    return [];
  }
  if (type === 'device') return [{ id, device: record, delay, ignoresForward }];
  if (type !== 'group') return [{ id, user: record, delay, ignoresForward }];
  const members = isObject(record.body.endpoints) ? Object.entries(record.body.endpoints) : [];
  const typeOf = (member: Json | undefined): string =>
    (isObject(member) ? textAt(member, 'type') : undefined) ?? 'user';
  const found: Target[] = [];
  for (const [member, facts] of members)
    found.push(
      ...(await targetsOf(
        call,
        { id: member, type: typeOf(facts), delay },
        ignoresForward,
        missing,
        depth + 1,
      )),
    );
  return found;
}
