import { isObject, type Json, type JsonObject, textAt, valueAt } from '../../../base/json.ts';
import { namedRecord, wholeList } from '../collections/collection.ts';
import { displayName } from '../fields.ts';
import { invalid } from '../refusal.ts';
import {
  accountOf,
  nowOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  recordIn,
  recordsIn,
  type ServiceRequest,
} from '../requests/service-request.ts';
import type { StoredRecord } from '../store/store.ts';
import { parkedCalls } from '../telephony/ongoing-calls.ts';
import { phonesIn, type RegisteredPhone } from '../telephony/registrations.ts';

const listParked: RequestHandler = async (call) => {
  const slots = await parkedCalls(call.services.store, accountOf(call).id, nowOf(call));
  const isNone = Object.keys(slots).length === 0;
  return isNone && call.services.behaviour.live.emptyResponse === 'bare'
    ? wholeList([])
    : { data: { slots } };
};

const usersOn = (device: StoredRecord): readonly JsonObject[] => {
  const users = valueAt(device.body, 'hotdesk.users');
  return Object.keys(isObject(users) ? users : {}).map((user_id) => ({
    device_id: device.id,
    device_name: displayName(device),
    user_id,
  }));
};

const listHotdesks =
  (of: (call: ServiceRequest) => Promise<(item: JsonObject) => boolean>): RequestHandler =>
  async (call) => {
    const isWanted = await of(call);
    const data = (await recordsIn(call, 'devices')).flatMap(usersOn).filter(isWanted);
    return wholeList(data);
  };

interface Watch {
  readonly extension: string;
  readonly event: string;
  readonly phone: RegisteredPhone;
}

/** Returns the extension that a key of a phone watches. The value of the key is the id of a user, or an extension. */
async function watchedExtension(call: ServiceRequest, value: Json | undefined): Promise<string | undefined> {
  const id = isObject(value) ? value.value : value;
  if (typeof id !== 'string' || id === '') return undefined;
  const user = await recordIn(call, 'users', id);
  return user ? (textAt(user.body, 'presence_id') ?? displayName(user)) : id;
}

/** Lists subscriptions of registered phones: for presence keys, and for mailboxes without unsolicited updates. */
async function listWatches(call: ServiceRequest): Promise<readonly Watch[]> {
  const phones = await phonesIn(call.services.store, accountOf(call), nowOf(call));
  const all: Watch[] = [];
  for (const phone of phones) {
    const { body } = phone.device;
    const keys = valueAt(body, 'provision.combo_keys');
    for (const key of Object.values(isObject(keys) ? keys : {})) {
      const isLamp = isObject(key) && key.type === 'presence';
      const extension = isLamp ? await watchedExtension(call, key.value) : undefined;
      if (extension !== undefined) all.push({ extension, event: 'dialog', phone });
    }
    const own = textAt(body, 'presence_id') ?? textAt(phone.registration.body, 'username');
    if (body.mwi_unsolicited_updates === false && own !== undefined)
      all.push({ extension: own, event: 'message-summary', phone });
  }
  return all;
}

const subscription = ({ phone: { registration } }: Watch): JsonObject => ({
  expires: Number(registration.body.expires),
  from: `sip:${textAt(registration.body, 'username')}@${textAt(registration.body, 'realm')}`,
  notify: 1,
  stalker: 'sandbox',
  timestamp: registration.createdAt,
  version: 1,
});

const groupValues = <T>(all: readonly T[], word: (one: T) => string, of: (some: readonly T[]) => Json) =>
  Object.fromEntries([...Map.groupBy(all, word)].map(([key, some]) => [key, of(some)]));

const groupByEvent = (of: (some: readonly Watch[]) => Json) => (all: readonly Watch[]) =>
  groupValues(all, ({ event }) => event, of);

const summary: RequestHandler = async (call) => {
  const event = call.query.get('event');
  const all = (await listWatches(call)).filter((each) => event === null || each.event === event);
  if (all.length === 0 && call.services.behaviour.live.emptyResponse === 'bare')
    return { data: { timeout: true } };
  return {
    data: {
      subscriptions: groupValues(
        all,
        (each) => each.extension,
        groupByEvent((some) => some.length),
      ),
    },
  };
};

const get: RequestHandler = async (call) => {
  const extension = pathParameter(call, 'extension');
  const all = (await listWatches(call)).filter((each) => each.extension === extension);
  const byCall = groupByEvent((some) =>
    Object.fromEntries(
      some.map((each) => [textAt(each.phone.registration.body, 'call_id') ?? '', subscription(each)]),
    ),
  );
  return { data: { subscriptions: all.length === 0 ? {} : { [extension]: byCall(all) } } };
};

const lampStates = ['confirmed', 'early', 'terminated'];

/** Refuses (400) unknown actions and states. The sandbox has no lamps to set. */
const setPresence =
  (
    devicesFor: (call: ServiceRequest) => Promise<{ readonly count: number; readonly record?: StoredRecord }>,
  ): RequestHandler =>
  async (call) => {
    const invalidField = (path: string) =>
      invalid([{ path, rule: 'invalid', message: 'is not a known value' }]);
    const action = textAt(call.data, 'action') ?? (call.data.reset === true ? 'reset' : undefined);
    if (action !== 'reset' && action !== 'set') throw invalidField('action');
    if (action === 'set' && !lampStates.includes(textAt(call.data, 'state') ?? ''))
      throw invalidField('state');
    const { count, record } = await devicesFor(call);
    const data = count > 0 ? 'command sent' : 'nothing to send command to';
    return record ? { data, record } : { data };
  };

/** Parked calls, hot desks and presence (Conventions). */
export const presenceHandlers: RequestHandlers = {
  'parked_calls.list': listParked,
  'hotdesks.list': listHotdesks(async () => () => true),
  'hotdesks.of-user': listHotdesks(async (call) => {
    const user = await namedRecord(call, 'users');
    return ({ user_id }) => user_id === user.id;
  }),
  'hotdesks.of-device': listHotdesks(async (call) => {
    const device = await namedRecord(call, 'devices');
    return ({ device_id }) => device_id === device.id;
  }),
  'presence.summary': summary,
  'presence.get': get,
  'presence.reset': async (call) => ({
    data: `reset command sent for extension ${pathParameter(call, 'extension')}`,
  }),
  'presence.set-of-user': setPresence(async (call) => {
    const record = await namedRecord(call, 'users');
    const own = (await recordsIn(call, 'devices')).filter(({ body }) => body.owner_id === record.id);
    return { count: own.length, record };
  }),
  'presence.set-of-device': setPresence(async (call) => {
    const record = await namedRecord(call, 'devices');
    return { count: 1, record };
  }),
};
