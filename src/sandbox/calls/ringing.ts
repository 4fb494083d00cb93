import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import { textAt } from '../fields.ts';
import { newId } from '../identifiers.ts';
import type { StoredRecord } from '../store/store.ts';
import { calledName } from '../telephony/account-records.ts';
import type { Leg } from './ring-legs.ts';
import { legOut, type Ringer, ringLegs } from './ring-legs.ts';
import { extensionOf, personName } from './routing.ts';
import type { Simulation } from './simulation.ts';

/** A user or a device that is to ring. */
export interface Target {
  readonly id: string;
  /** Left out: a device, of which the sandbox keeps nothing. */
  readonly user?: StoredRecord;
  readonly delay: number;
  /** Calls to a group ring the phones of a user who forwards calls. */
  readonly ignoresForward: boolean;
}

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

const isOn = (body: JsonObject, path: string): boolean => valueAt(body, path) === true;

/** Returns the reason why a target does not ring at all. */
function silenceOf({ user }: Target, { caller }: Simulation): string | undefined {
  if (!user) return undefined;
  if (user.body.enabled === false) return `${calledName(user)} is disabled`;
  if (isOn(user.body, 'do_not_disturb.enabled')) return `${calledName(user)} does not want to be disturbed`;
  return user.id === caller.user?.id ? `${calledName(user)} is the caller` : undefined;
}

/** The number that a user's calls go to instead of the user's phones. */
function forwardOf({ user, ignoresForward }: Target): string | undefined {
  if (!user || ignoresForward || !isOn(user.body, 'call_forward.enabled')) return undefined;
  if (isOn(user.body, 'call_forward.failover') || valueAt(user.body, 'call_forward.substitute') === false)
    return undefined;
  const number = valueAt(user.body, 'call_forward.number');
  return typeof number === 'string' && number !== '' ? normalisedNumber(number) : undefined;
}

/** A leg that the service makes to a target. */
function legTo(call: Simulation, target: Target, more: Partial<Leg> = {}): Leg {
  const { user, id } = target;
  const number = user ? extensionOf(user) : id;
  return {
    callId: newId(call.services.random),
    direction: 'outbound',
    caller: { name: call.caller.name, number: call.caller.number },
    callee: { name: user ? personName(user) : id, number },
    destination: number,
    ownerId: user?.id,
    authorizing: { id, type: user ? 'user' : 'device' },
    ...more,
  };
}

/** Rings targets: all at once or one after the other, until somebody answers. */
export async function ring(
  call: Simulation,
  targets: readonly Target[],
  { timeout: given, single, repeats }: Ringing,
): Promise<Rung> {
  const timeout = given > 0 ? given : usualTimeout;
  const notes: string[] = [];
  const names = new Map<Leg, string>();
  const ready = targets.flatMap((target) => {
    const silence = silenceOf(target, call);
    if (silence === undefined) return [target];
    notes.push(silence);
    return [];
  });
  const legsTo = (target: Target): readonly Ringer[] => {
    const { user, delay } = target;
    const forward = forwardOf(target);
    const name = user ? calledName(user) : `device ${target.id}`;
    if (forward === undefined) {
      const leg = legTo(call, target);
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
    return [{ leg, delay, through: legTo(call, target, { isInternal: true }) }];
  };
  const groups = single ? ready.map((target) => [target]) : [ready];
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
  if (type === 'device') return [{ id, delay, ignoresForward }];
  const record = await call.records.get(type === 'group' ? 'groups' : 'users', id);
  if (!record || depth > deepestGroup) {
    missing.push(`there is no ${type} ${id}`);
    return [];
  }
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
