import { isObject, type JsonObject, textAt, valueAt } from '../../../base/json.ts';
import { type Event, notification } from '../events/event.ts';
import { newEventId } from '../events/queue-events.ts';
import { displayName, pick } from '../fields.ts';
import { gregorianSeconds, newId } from '../made-values.ts';
import type { Services } from '../services.ts';
import type { Store, StoreChange, StoredRecord } from '../store/store.ts';

/** Kind of the records of registered phones, one for each device; they have the device's id. */
const kind = 'registrations';

/** Number of registrations of an account that are looked at. */
const maxRegistrations = 10_000;
/** Number of registrations that ran out which are forgotten at once. */
const removedAtOnce = 100;

/** Seconds for which a phone registers where neither it nor its device says. */
const defaultExpires = 300;

/** Programs and phones that simulated devices are, by type. */
const userAgents: Readonly<Record<string, string>> = {
  softphone: 'Sandbox softphone 1.0',
  smartphone: 'Sandbox app 1.0',
  ata: 'Sandbox adapter 1.0',
  fax: 'Sandbox fax adapter 1.0',
};

/** How a simulated phone registers. */
export interface RegistrationRequest {
  /** Seconds; those of the device where left out. */
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

const realmOf = (device: StoredRecord, account: StoredRecord): string =>
  textAt(sipOf(device), 'realm') ?? textAt(account.body, 'realm') ?? 'sandbox.example';

const recordName = (device: StoredRecord) => ({ kind, scope: device.scope, id: device.id });

/** Types of devices that calls reach without a registration, and that never have one (Conventions, Devices). */
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

/** The contact of a registered phone, as lists of registrations show it (Conventions, Registrations). */
export function contactOf(registration: StoredRecord, device: StoredRecord, account: StoredRecord) {
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

/** Keys of a contact that the notifications `register` and `deregister` have. */
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

/** Takes back the notification of the end of a registration, which is not told before it. */
const unqueueEnd = ({ hidden }: StoredRecord): readonly StoreChange[] => {
  const eventId = textAt(hidden, 'event');
  return eventId === undefined ? [] : [{ change: 'unqueue-event', eventId, dueMs: Number(hidden.due_ms) }];
};

const isExpired = ({ body }: StoredRecord, now: number): boolean =>
  body.renews !== true && Number(body.ends_at) <= now;

/** Phones that renew their registration stand after all whose time runs out. */
const endless = '99999999999';

/**
 * Registers a phone at a moment, or renews its registration. It renews it by itself from then on, unless it was told
 * for how long. Webhooks are told of the first one (`register`) and, once it runs out, of its end (`deregister`),
 * unless the device suppresses that.
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
    realm: realmOf(device, account),
    user_agent:
      userAgent ?? (before && textAt(before.body, 'user_agent')) ?? userAgents[type] ?? 'Sandbox phone 1.0',
    expires: seconds,
    ends_at: now + seconds,
    ...(expires === undefined ? { renews: true } : {}),
    ip,
    call_id: (before && textAt(before.body, 'call_id')) ?? `${newId(random)}@${ip}`,
  };
  const ends = { id: newEventId(random), atMs: clock.now() + seconds * 1000 };
  const isTold = expires !== undefined && device.body.suppress_unregister_notifications !== true;
  const record: StoredRecord = {
    ...recordName(device),
    body,
    hidden: isTold ? { event: ends.id, due_ms: ends.atMs } : {},
    createdAt: before?.createdAt ?? now,
    modifiedAt: now,
    revision: stored?.revision ?? 0,
  };
  const contact = contactOf(record, device, account);
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
        order: expires === undefined ? endless : String(now + seconds).padStart(11, '0'),
      },
    ],
    events: [
      ...(before ? [] : [registrationEvent(services, 'register', contact, { accountId })]),
      ...(isTold ? [registrationEvent(services, 'deregister', contact, { accountId, ...ends })] : []),
    ],
  };
}

/** Ends a registration before its time. `isTold`: the phone said so itself, and webhooks are told. */
export function unregister(
  services: Services,
  account: StoredRecord,
  { registration, device }: RegisteredPhone,
  isTold: boolean,
): RegistrationChanges {
  const suppresses = device.body.suppress_unregister_notifications === true;
  const contact = contactOf(registration, device, account);
  return {
    changes: [...unqueueEnd(registration), { change: 'remove', record: recordName(device), erase: true }],
    events:
      isTold && !suppresses
        ? [registrationEvent(services, 'deregister', contact, { accountId: account.id })]
        : [],
  };
}

export interface RegisteredPhone {
  readonly registration: StoredRecord;
  readonly device: StoredRecord;
}

/** The phone of a device, where it is registered at a moment (Gregorian seconds). */
export async function phoneOf(
  store: Store,
  device: StoredRecord,
  now: number,
): Promise<RegisteredPhone | undefined> {
  const registration = await store.get(recordName(device));
  return registration && !isExpired(registration, now) ? { registration, device } : undefined;
}

/** The phones of an account that are registered at a moment, by user name. */
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

/** Fields of a device whose change ends its registration (Conventions, Devices). */
const flushingFields = ['enabled', 'owner_id', 'sip.username', 'sip.password'];

/** Ends the registration of a device that is removed, or whose credentials, owner or switch change. */
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

/** Reads the devices of a user, by name: those that the user owns, and those that the user is signed in on. */
export async function devicesOf(store: Store, { id, scope }: StoredRecord): Promise<readonly StoredRecord[]> {
  const all = await store.list({ kind: 'devices', scope });
  const own = all.filter(({ body }) => {
    const guests = valueAt(body, 'hotdesk.users');
    return body.owner_id === id || (isObject(guests) && Object.hasOwn(guests, id));
  });
  return own.toSorted((one, other) => displayName(one).localeCompare(displayName(other)));
}
