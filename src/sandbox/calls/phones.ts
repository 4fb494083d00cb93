import { isObject, type JsonObject, valueAt } from '../../base/json.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import { gregorianSeconds } from '../made-values.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { calledName } from '../telephony/account-records.ts';
import { phoneOf } from '../telephony/registrations.ts';
import type { HangupCause } from './ring-legs.ts';
import type { Simulation } from './simulation.ts';

/** A user or a device that is to ring. */
export interface Target {
  readonly id: string;
  readonly user?: StoredRecord;
  readonly device?: StoredRecord;
  readonly delay: number;
  /** Calls to a group ring the phones of those who forward calls. */
  readonly ignoresForward: boolean;
}

/** Something that rings for a target. */
export interface Phone {
  /** Left out: the user. */
  readonly device?: StoredRecord;
  /** The number that rings in its place. */
  readonly forward?: string;
}

/** The phones of a target; where none rings, the cause that the call then has. */
export interface Reached {
  readonly phones: readonly Phone[];
  readonly notes: readonly string[];
  readonly cause?: HangupCause;
}

const isOn = (body: JsonObject, path: string): boolean => valueAt(body, path) === true;

/** The number that calls are forwarded to, where there is one. */
function forwardNumber({ body }: StoredRecord): string | undefined {
  const number = valueAt(body, 'call_forward.number');
  return typeof number === 'string' && number !== '' ? normalisedNumber(number) : undefined;
}

/** Reads the devices of a user, by name: those that the user owns, and those that the user is signed in on. */
export async function devicesOf(store: Store, { id, scope }: StoredRecord): Promise<readonly StoredRecord[]> {
  const limit = await store.count('devices', scope);
  const all = await store.stretch({ kind: 'devices', scope, ascending: true, limit });
  const own = all.filter(({ body }) => {
    const guests = valueAt(body, 'hotdesk.users');
    return body.owner_id === id || (isObject(guests) && Object.hasOwn(guests, id));
  });
  return own.toSorted((one, other) => calledName(one).localeCompare(calledName(other)));
}

/** What of a device rings: it, or the number that it forwards calls to, or both (Conventions, Devices). */
async function reachedBy(
  call: Simulation,
  device: StoredRecord,
  { ignoresForward, isDirect }: { readonly ignoresForward: boolean; readonly isDirect: boolean },
): Promise<Reached> {
  const { body } = device;
  const name = `device ${calledName(device)}`;
  const silent = (note: string, cause?: HangupCause): Reached => ({
    ...{ phones: [], notes: [`${name} ${note}`] },
    ...(cause ? { cause } : {}),
  });
  if (body.enabled === false) return silent('is disabled', 'USER_NOT_REGISTERED');
  if (isOn(body, 'do_not_disturb.enabled')) return silent('does not want to be disturbed', 'USER_BUSY');
  const number = forwardNumber(device);
  const mayForward =
    number !== undefined && !ignoresForward && (isDirect || !isOn(body, 'call_forward.direct_calls_only'));
  const forwards = mayForward && isOn(body, 'call_forward.enabled');
  const forwarded: readonly Phone[] = forwards ? [{ device, forward: number }] : [];
  if (forwards && valueAt(body, 'call_forward.substitute') !== false) return { phones: forwarded, notes: [] };
  const now = gregorianSeconds(call.services.clock);
  const isThere =
    body.device_type === 'sip_uri' ||
    valueAt(body, 'sip.method') === 'ip' ||
    (await phoneOf(call.services.store, device, now)) !== undefined;
  if (isThere) return { phones: [{ device }, ...forwarded], notes: [] };
  if (mayForward && isOn(body, 'call_forward.failover'))
    return { phones: [{ device, forward: number }], notes: [`${name} is not registered`] };
  return { ...silent('is not registered', 'USER_NOT_REGISTERED'), phones: forwarded };
}

/** Joins what is reached: a cause counts where nothing rings, and who is busy more than who is not there. */
function joined(all: readonly Reached[]): Reached {
  const phones = all.flatMap((each) => each.phones);
  const notes = all.flatMap((each) => each.notes);
  const causes = all.flatMap(({ cause }) => cause ?? []);
  const cause = causes.find((each) => each === 'USER_BUSY') ?? causes[0];
  return { phones, notes, ...(phones.length === 0 && cause ? { cause } : {}) };
}

/**
 * Finds which phones of a target ring, or with which cause nobody is reached (Conventions, Registrations). A device
 * rings where it is registered. For a user without any device the user answers, except where services in the field
 * say that nobody does.
 */
export async function phonesOf(call: Simulation, target: Target): Promise<Reached> {
  const { user, device, ignoresForward } = target;
  const { phones } = call.services.behaviour;
  if (!user)
    return device ? reachedBy(call, device, { ignoresForward, isDirect: true }) : { phones: [{}], notes: [] };
  const name = calledName(user);
  if (user.body.enabled === false)
    return { phones: [], notes: [`${name} is disabled`], cause: 'USER_NOT_REGISTERED' };
  if (isOn(user.body, 'do_not_disturb.enabled'))
    return { phones: [], notes: [`${name} does not want to be disturbed`], cause: 'USER_BUSY' };
  if (user.id === call.caller.user?.id) return { phones: [], notes: [`${name} is the caller`] };
  const number = ignoresForward ? undefined : forwardNumber(user);
  const isForwarded = number !== undefined && isOn(user.body, 'call_forward.enabled');
  const forwarded: readonly Phone[] = isForwarded ? [{ forward: number }] : [];
  if (isForwarded && valueAt(user.body, 'call_forward.substitute') !== false)
    return { phones: forwarded, notes: [] };
  const devices = phones === 'unknown' ? [] : await devicesOf(call.services.store, user);
  if (devices.length === 0 && phones !== 'registered') return { phones: [{}, ...forwarded], notes: [] };
  const reached =
    devices.length === 0
      ? noDevice(name)
      : joined(
          await Promise.all(
            devices.map((each) => reachedBy(call, each, { ignoresForward, isDirect: false })),
          ),
        );
  const failover: readonly Phone[] =
    number !== undefined && reached.phones.length === 0 && isOn(user.body, 'call_forward.failover')
      ? [{ forward: number }]
      : [];
  return { ...reached, phones: [...reached.phones, ...(isForwarded ? forwarded : failover)] };
}

const noDevice = (name: string): Reached => ({
  ...{ phones: [], notes: [`${name} has no device`], cause: 'USER_NOT_REGISTERED' },
});
