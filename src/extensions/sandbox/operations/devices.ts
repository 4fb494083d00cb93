import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, textAt, valueAt } from '../../../base/json.ts';
import { compilePattern } from '../../../contract/call-patterns.ts';
import { dialledDigits } from '../../../contract/phone-number.ts';
import { storedRecords } from '../calls/call-account.ts';
import { answerList, collectionHandlers, namedRecord } from '../collections/collection.ts';
import { pick } from '../fields.ts';
import { isSuper } from '../identity/principal.ts';
import { newId } from '../ids-and-secrets.ts';
import { forbidden, Refusal, unknownName } from '../refusal.ts';
import {
  accountOf,
  nowOf,
  pathParameter,
  principalOf,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';
import { devicesOf, phoneOf, phonesIn, registrationItem, unregister } from '../telephony/registrations.ts';

const registeredPhones = (call: ServiceRequest, account: StoredRecord = accountOf(call)) =>
  phonesIn(call.services.store, account, nowOf(call));

/** Lists the status of devices, except for those with a separate realm (Conventions, Devices). */
const status: RequestHandler = async (call) => ({
  data: (await registeredPhones(call))
    .filter(({ device }) => valueAt(device.body, 'sip.realm') === undefined)
    .map(({ device }) => ({ device_id: device.id, registered: true })),
});

/** Responds that a message was sent to a device. */
const sendMessage =
  (text: string): RequestHandler =>
  async (call) => {
    const record = await namedRecord(call, 'devices');
    // Services in the field send a `Location` header for every PUT.
    return { data: text, record, ...(call.operation.method === 'PUT' ? { created: record.id } : {}) };
  };

const listOfUser: RequestHandler = async (call) => {
  const user = await namedRecord(call, 'users');
  const own = new Set((await devicesOf(call.services.store, user)).map(({ id }) => id));
  const { data, ...answer } = await answerList(call, 'devices', { has: ({ id }) => own.has(id) });
  const fields = ['id', 'name', 'mac_address', 'owner_id', 'enabled', 'device_type', 'call_recording'];
  const items: readonly Json[] = Array.isArray(data) ? data : [];
  const shown = items
    .filter(isObject)
    .map((item) => ({ ...pick(item, fields), hotdesked: item.owner_id !== user.id }));
  return { ...answer, data: shown };
};

/** Returns the number to call: only digits, unchanged, or the first group of a pattern (`number_filter`). */
function dialedNumber(call: ServiceRequest): string {
  const number = pathParameter(call, 'number');
  const filter = call.query.get('number_filter') ?? 'true';
  if (filter === 'false') return number;
  return filter === 'true' ? dialledDigits(number) : (compilePattern(filter)?.groups(number)?.[0] ?? number);
}

/** Returns the request that sets up a quickcall (as recorded). */
function quickcallRequest(
  call: ServiceRequest,
  devices: readonly StoredRecord[],
  id: string,
  type: string,
): JsonObject {
  const account = accountOf(call);
  const number = dialedNumber(call);
  const { query, services } = call;
  const timeout = Number(query.get('timeout'));
  const realm = textAt(account.body, 'realm') ?? '';
  return {
    application_name: 'transfer',
    application_data: { route: number },
    continue_on_fail: false,
    custom_application_vars: {},
    custom_channel_vars: {
      account_id: account.id,
      authorizing_id: id,
      authorizing_type: type,
      inherit_codec: 'false',
      retain_cid: 'false',
    },
    dial_endpoint_method: 'simultaneous',
    endpoints: devices.map((device) => ({
      account_id: account.id,
      custom_channel_vars: { auto_answer: devices.length === 1 && query.get('auto_answer') !== 'false' },
      endpoint_actions: {},
      endpoint_id: device.id,
      endpoint_uri: `${device.id}@${account.id}`,
      flags: { dynamic: [], static: [] },
      invite_format: 'endpoint',
      metaflows: {},
      outbound_call_id: `${newId(services.random)}-quickcall`,
      presence_id: `${textAt(device.body, 'presence_id') ?? textAt(device.body, 'name') ?? device.id}@${realm}`,
      privacy_method: 'kazoo',
    })),
    export_custom_channel_vars: [
      'Account-ID',
      'Authorizing-ID',
      'Authorizing-Type',
      'Outbound-Callee-ID-Name',
      'Outbound-Callee-ID-Number',
      'Retain-CID',
    ],
    ignore_early_media: query.get('ignore-early-media') !== 'false',
    media: query.get('media') === 'bypass' ? 'bypass' : 'process',
    outbound_callee_id_name: 'unknown',
    outbound_callee_id_number: 'anonymous',
    outbound_caller_id_name: query.get('cid-name') ?? 'Device QuickCall',
    outbound_caller_id_number: query.get('cid-number') ?? number,
    timeout: Number.isInteger(timeout) && timeout > 3 ? timeout : 30,
  };
}

/** Calls the number from the owner of the first registered phone. Returns the call id, or the cause of a failure. */
async function placeCall(
  call: ServiceRequest,
  devices: readonly StoredRecord[],
): Promise<{ readonly id: string } | { readonly cause: string }> {
  const { services } = call;
  const account = accountOf(call);
  const there = await Promise.all(devices.map((device) => phoneOf(services.store, device, nowOf(call))));
  const [phone] = there.flatMap((each) => each ?? []);
  if (!phone) return { cause: 'USER_NOT_REGISTERED' };
  const scope = account.id;
  const owner = textAt(phone.device.body, 'owner_id') ?? '';
  const user = await services.store.get({ kind: 'users', scope, id: owner });
  const id = newId(services.random);
  // A phone without an owner cannot make a simulated call.
  if (!user) return { id };
  try {
    const { simulateStoredCall } = await import('../calls/simulate-call.ts');
    const made = await simulateStoredCall(services, storedRecords(services.store, account), {
      from: user.id,
      fromName: call.query.get('cid-name') ?? undefined,
      to: dialedNumber(call),
      durationS: 30,
      others: { does: 'answers', after: 6 },
      presses: [],
      realTime: true,
      dryRun: false,
    });
    return { id: textAt(made, 'call_id') ?? id };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { cause: error.kind === 'not_found' ? 'NO_ROUTE_DESTINATION' : 'CALL_REJECTED' };
  }
}

async function ringingDevices(
  call: ServiceRequest,
  type: 'device' | 'user',
): Promise<readonly StoredRecord[]> {
  if (type === 'device') return [await namedRecord(call, 'devices')];
  return devicesOf(call.services.store, await namedRecord(call, 'users'));
}

/** Rings a phone and then calls a number. With `waits`, the response contains the result of the call. */
const quickcall =
  (type: 'device' | 'user', waits: boolean): RequestHandler =>
  async (call) => {
    const devices = await ringingDevices(call, type);
    const { failedQuickcall, phonelessQuickcall } = call.services.behaviour.live;
    if (devices.length === 0) {
      const message = 'The user has no phone to ring.';
      throw new Refusal(failedQuickcall, phonelessQuickcall, message, { message });
    }
    const request = quickcallRequest(call, devices, pathParameter(call, `${type}_id`), type);
    const outcome = await placeCall(call, devices);
    const [first] = devices;
    if (!waits) return { data: request, ...(type === 'device' && first ? { record: first } : {}) };
    if ('cause' in outcome) {
      const message = `The call was not set up: ${outcome.cause}.`;
      const data = { error_message: outcome.cause, request };
      throw new Refusal(failedQuickcall, 'quickcall initiation failed', message, data);
    }
    return { data: { ...request, call_id: outcome.id } };
  };

const contactsOf = async (call: ServiceRequest, account: StoredRecord) =>
  (await registeredPhones(call, account)).map(({ registration, device }) =>
    registrationItem(registration, device, account),
  );

async function allContacts(call: ServiceRequest): Promise<readonly JsonObject[]> {
  if (!isSuper(principalOf(call))) throw forbidden('Only the super administrator may see all registrations.');
  const accounts = await call.services.store.allOfKind('accounts');
  return (await Promise.all(accounts.map((account) => contactsOf(call, account)))).flat();
}

/**
 * Ends registrations of the SIP user name in the path, or all registrations. Publishes no events (Conventions,
 * Registrations).
 */
const endRegistrations =
  (isOne: boolean): RequestHandler =>
  async (call) => {
    const account = accountOf(call);
    const { store, behaviour } = call.services;
    const name = isOne ? pathParameter(call, 'username').toLowerCase() : undefined;
    const claim = { kind: 'devices', scope: account.id, field: 'sip.username', value: name ?? '' };
    if (name !== undefined && !(await store.findHolder(claim)))
      throw unknownName(pathParameter(call, 'username'), behaviour);
    for (const phone of await registeredPhones(call)) {
      const username = (textAt(phone.registration.body, 'username') ?? '').toLowerCase();
      if (name === undefined || name === username)
        call.changes.push(...unregister(call.services, account, phone, false).changes);
    }
    return { data: 'ok' };
  };

/** Refuses (404) an unknown user in the path. The body still determines the owner of the new device. */
const createBelowUser: RequestHandler = async (call) => {
  await namedRecord(call, 'users');
  return collectionHandlers('devices').create(call);
};

export const deviceHandlers: RequestHandlers = {
  'devices.status': status,
  'devices.sync': sendMessage('sync request sent'),
  'devices.notify': sendMessage('NOTIFY sent'),
  'devices.quickcall': quickcall('device', true),
  'devices.start-quickcall': quickcall('device', false),
  'devices.quickcall-of-user': quickcall('user', true),
  'devices.start-quickcall-of-user': quickcall('user', false),
  'devices.list-of-user': listOfUser,
  'devices.create-below-user': createBelowUser,
  'registrations.list': async (call) => ({ data: await contactsOf(call, accountOf(call)) }),
  'registrations.count': async (call) => ({ data: { count: (await registeredPhones(call)).length } }),
  'registrations.end': endRegistrations(true),
  'registrations.end-all': endRegistrations(false),
  'registrations.list-everywhere': async (call) => ({ data: await allContacts(call) }),
  'registrations.count-everywhere': async (call) => ({ data: { count: (await allContacts(call)).length } }),
};
