import { isObject, type JsonObject, textAt, valueAt } from '../../../base/json.ts';
import { type Event, notification } from '../events/event.ts';
import { newEventId } from '../events/queue-events.ts';
import { displayName, pick } from '../fields.ts';
import { gregorianSeconds, newId } from '../ids-and-secrets.ts';
import type { Services } from '../services.ts';
import type { Store, StoreChange, StoredRecord } from '../store/store.ts';

/** The kind of registrations. They have the id of their device. */
const kind = 'registrations';

const maxRegistrations = 10_000;
const removedAtOnce = 100;

/** Default lifetime in seconds. */
const defaultExpires = 300;

const userAgents: Readonly<Record<string, string>> = {
  softphone: 'Sandbox softphone 1.0',
  smartphone: 'Sandbox app 1.0',
  ata: 'Sandbox adapter 1.0',
  fax: 'Sandbox fax adapter 1.0',
};

export interface RegistrationRequest {
  /** Lifetime in seconds (default: that of the device). */
  readonly expires?: number | undefined;
  readonly userAgent?: string | undefined;
}

interface RegistrationChanges {
  readonly changes: readonly StoreChange[];
  readonly events: readonly Event[];
}

const sipOf = ({ body }: StoredRecord): JsonObject => (isObject(body.sip) ? body.sip : {});

export const sipUsername = (device: StoredRecord): string | undefined =>
  textAt(sipOf(device), 'username') || undefined;

const sipRealm = (device: StoredRecord, account: StoredRecord): string =>
  textAt(sipOf(device), 'realm') ?? textAt(account.body, 'realm') ?? 'sandbox.example';

const recordName = (device: StoredRecord) => ({ kind, scope: device.scope, id: device.id });

/** Types of devices that receive calls without a registration (Conventions, Devices). */
const neverRegister = new Set(['cellphone', 'landline', 'sip_uri']);

export function refusalToRegister(device: StoredRecord, account: StoredRecord): string | undefined {
  const type = textAt(device.body, 'device_type') ?? 'sip_device';
  if (account.body.enabled === false) return 'its account is disabled';
  if (device.body.enabled === false) return 'it is disabled';
  if (neverRegister.has(type)) return `a device of type ${type} never registers`;
  const { method } = sipOf(device);
  if (method === 'ip') return 'it is known by its address, without registering';
  const hasCredentials = sipUsername(device) !== undefined && textAt(sipOf(device), 'password') !== undefined;
  return hasCredentials ? undefined : 'it has no SIP user name and password';
}

/** Returns the list item of a registration (Conventions, Registrations). */
export function registrationItem(registration: StoredRecord, device: StoredRecord, account: StoredRecord) {
  const { body } = registration;
  const username = textAt(body, 'username') ?? '';
  const realm = textAt(body, 'realm') ?? '';
  const ip = textAt(body, 'ip') ?? '';
  const contact = `sip:${username}@${ip}:5060;transport=udp`;
  return {
    username,
    realm,
    account_name: textAt(account.body, 'name') ?? '',
    account_realm: textAt(account.body, 'realm') ?? '',
    authorizing_id: device.id,
    authorizing_type: 'device',
    ...pick(device.body, ['owner_id', 'presence_id']),
    contact,
    original_contact: contact,
    contact_ip: ip,
    contact_port: 5060,
    network_ip: ip,
    network_port: '5060',
    source_ip: ip,
    source_port: '5060',
    user_agent: textAt(body, 'user_agent') ?? '',
    call_id: textAt(body, 'call_id') ?? '',
    from_user: username,
    from_host: realm,
    to_user: username,
    to_host: realm,
    expires: Number(body.expires),
    event_timestamp: registration.modifiedAt,
    last_registration: registration.modifiedAt,
    initial_registration: registration.createdAt,
    first_registration: registration.createdAt === registration.modifiedAt,
    suppress_unregister_notify: device.body.suppress_unregister_notifications === true,
    register_overwrite_notify: device.body.register_overwrite_notify === true,
    registrar_node: 'sandbox@localhost',
    registrar_hostname: 'sandbox',
  };
}

/** Contact fields in `register` and `deregister` notifications. */
const contactKeys = [
  'authorizing_id',
  'call_id',
  'contact',
  'event_timestamp',
  'expires',
  'from_host',
  'from_user',
  'network_ip',
  'network_port',
  'realm',
  'suppress_unregister_notify',
  'to_host',
  'to_user',
  'user_agent',
  'username',
];

function registrationEvent(
  services: Pick<Services, 'random'>,
  type: 'register' | 'deregister',
  contact: JsonObject,
  more: { readonly accountId: string; readonly id?: string; readonly atMs?: number },
): Event {
  const { id, ...rest } = more;
  const own: JsonObject =
    type === 'register' ? pick(contact, ['authorizing_type', 'owner_id']) : { status: 'Unregistered' };
  const keys = { ...pick(contact, contactKeys), ...own };
  return { ...notification(services, type, { ...rest, keys }), ...(id === undefined ? {} : { id }) };
}

/** Cancels the queued `deregister` notification of a registration. */
const unqueueEnd = ({ hidden }: StoredRecord): readonly StoreChange[] => {
  const eventId = textAt(hidden, 'event');
  return eventId === undefined ? [] : [{ change: 'unqueue-event', eventId, dueMs: Number(hidden.due_ms) }];
};

const isExpired = ({ body }: StoredRecord, now: number): boolean =>
  body.renews !== true && Number(body.ends_at) <= now;

/** Sorts registrations without an end after all others. */
const endlessOrder = '99999999999';

/**
 * Registers a phone or renews its registration. Without `expires`, it renews itself forever. Publishes `register` for
 * a new registration, and queues `deregister` for its end unless the device suppresses it.
 */
export async function register(
  services: Services,
  account: StoredRecord,
  device: StoredRecord,
  { expires, userAgent }: RegistrationRequest,
): Promise<RegistrationChanges & { readonly registration: StoredRecord }> {
  const { store, random, clock } = services;
  const now = gregorianSeconds(clock);
  const stored = await store.get(recordName(device));
  const before = stored && !isExpired(stored, now) ? stored : undefined;
  const seconds = expires ?? (Number(sipOf(device).expire_seconds) || defaultExpires);
  const ip = before ? textAt(before.body, 'ip') : `192.0.2.${1 + Math.floor(random.fraction() * 254)}`;
  const type = textAt(device.body, 'device_type') ?? 'sip_device';
  const body: JsonObject = {
    username: sipUsername(device) ?? '',
    realm: sipRealm(device, account),
    user_agent:
      userAgent ?? (before && textAt(before.body, 'user_agent')) ?? userAgents[type] ?? 'Sandbox phone 1.0',
    expires: seconds,
    ends_at: now + seconds,
    ...(expires === undefined ? { renews: true } : {}),
    ip,
    call_id: (before && textAt(before.body, 'call_id')) ?? `${newId(random)}@${ip}`,
  };
  const ends = { id: newEventId(random), atMs: clock.now() + seconds * 1000 };
  const notifiesEnd = expires !== undefined && device.body.suppress_unregister_notifications !== true;
  const record: StoredRecord = {
    ...recordName(device),
    body,
    hidden: notifiesEnd ? { event: ends.id, due_ms: ends.atMs } : {},
    createdAt: before?.createdAt ?? now,
    modifiedAt: now,
    revision: stored?.revision ?? 0,
  };
  const contact = registrationItem(record, device, account);
  const accountId = account.id;
  const oldest = await store.list({ kind, scope: accountId, limit: removedAtOnce });
  return {
    registration: record,
    changes: [
      ...(stored ? unqueueEnd(stored) : []),
      ...oldest
        .filter((each) => isExpired(each, now) && each.id !== device.id)
        .map((each): StoreChange => ({ change: 'remove', record: each, erase: true })),
      {
        change: 'put',
        record,
        keys: [],
        claims: [],
        order: expires === undefined ? endlessOrder : String(now + seconds).padStart(11, '0'),
      },
    ],
    events: [
      ...(before ? [] : [registrationEvent(services, 'register', contact, { accountId })]),
      ...(notifiesEnd ? [registrationEvent(services, 'deregister', contact, { accountId, ...ends })] : []),
    ],
  };
}

/** Ends a registration. Publishes `deregister` if `notifies` is set. */
export function unregister(
  services: Services,
  account: StoredRecord,
  { registration, device }: RegisteredPhone,
  notifies: boolean,
): RegistrationChanges {
  const suppresses = device.body.suppress_unregister_notifications === true;
  const contact = registrationItem(registration, device, account);
  return {
    changes: [...unqueueEnd(registration), { change: 'remove', record: recordName(device), erase: true }],
    events:
      notifies && !suppresses
        ? [registrationEvent(services, 'deregister', contact, { accountId: account.id })]
        : [],
  };
}

export interface RegisteredPhone {
  readonly registration: StoredRecord;
  readonly device: StoredRecord;
}

/** Returns the phone of a device if it is registered at a time in Gregorian seconds. */
export async function phoneOf(
  store: Store,
  device: StoredRecord,
  now: number,
): Promise<RegisteredPhone | undefined> {
  const registration = await store.get(recordName(device));
  return registration && !isExpired(registration, now) ? { registration, device } : undefined;
}

/** Lists the registered phones of an account at a time in Gregorian seconds, by user name. */
export async function phonesIn(
  store: Store,
  account: StoredRecord,
  now: number,
): Promise<readonly RegisteredPhone[]> {
  if (account.body.enabled === false) return [];
  const from = { order: String(now + 1).padStart(11, '0') };
  const all = await store.list({ kind, scope: account.id, from, limit: maxRegistrations });
  const phones = await Promise.all(
    all.map(async (registration): Promise<readonly RegisteredPhone[]> => {
      const device = await store.get({ kind: 'devices', scope: account.id, id: registration.id });
      return device ? [{ registration, device }] : [];
    }),
  );
  const usernameOf = ({ registration }: RegisteredPhone): string =>
    textAt(registration.body, 'username') ?? '';
  return phones.flat().toSorted((one, other) => usernameOf(one).localeCompare(usernameOf(other)));
}

/** Changes of these fields end a registration (Conventions, Devices). */
const flushingFields = ['enabled', 'owner_id', 'sip.username', 'sip.password'];

/** Ends the registration of a device that is removed or has changed credentials, owner or state. */
export async function flushRegistration(
  { store }: Pick<Services, 'store'>,
  before: StoredRecord,
  after: StoredRecord | undefined,
): Promise<readonly StoreChange[]> {
  const isSame =
    after !== undefined &&
    flushingFields.every((path) => (valueAt(before.body, path) ?? '') === (valueAt(after.body, path) ?? ''));
  const registration = isSame ? undefined : await store.get(recordName(before));
  if (!registration) return [];
  return [...unqueueEnd(registration), { change: 'remove', record: recordName(before), erase: true }];
}

/** Lists the devices that a user owns or is signed in on, by name. */
export async function devicesOf(store: Store, { id, scope }: StoredRecord): Promise<readonly StoredRecord[]> {
  const all = await store.list({ kind: 'devices', scope });
  const own = all.filter(({ body }) => {
    const guests = valueAt(body, 'hotdesk.users');
    return body.owner_id === id || (isObject(guests) && Object.hasOwn(guests, id));
  });
  return own.toSorted((one, other) => displayName(one).localeCompare(displayName(other)));
}
