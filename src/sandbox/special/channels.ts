import { isObject, type Json } from '../../base/json.ts';
import type { Doing } from '../calls/steer.ts';
import { namedRecord } from '../collections/collection.ts';
import { textAt } from '../fields.ts';
import { invalid, Refusal, unknownId } from '../refusal.ts';
import { accountOf, type Call, type Handler, type Handlers, nowOf, parameter } from '../requests/call.ts';
import type { Key, StoredRecord } from '../store/store.ts';
import { listedChannel, liveLeg, liveLegs, singleChannel } from '../telephony/legs.ts';

/** Lists live legs; `keyOf` says whose. */
const legList =
  (keyOf: (call: Call) => Promise<Key | undefined>): Handler =>
  async (call) => {
    const now = nowOf(call);
    const key = await keyOf(call);
    const legs = await liveLegs(call.services.store, accountOf(call).id, now, key);
    return { data: legs.map((leg) => listedChannel(leg, now)) };
  };

/** The legs of the users and devices of a group. */
const ofGroup: Handler = async (call) => {
  const now = nowOf(call);
  const scope = accountOf(call).id;
  const group = await namedRecord(call, 'groups');
  const members = new Set(isObject(group.body.endpoints) ? Object.keys(group.body.endpoints) : []);
  const isMembers = ({ hidden }: StoredRecord): boolean =>
    members.has(textAt(hidden, 'owner') ?? '') || members.has(textAt(hidden, 'endpoint') ?? '');
  const legs = await liveLegs(call.services.store, scope, now);
  return { data: legs.filter(isMembers).map((leg) => listedChannel(leg, now)) };
};

/** The live leg in the path. Refuses (404) one that has ended or was never there. */
async function named(call: Call): Promise<StoredRecord> {
  const id = parameter(call, 'channel_id');
  const leg = await liveLeg(call.services.store, accountOf(call).id, nowOf(call), id);
  if (!leg) throw unknownId(id);
  return leg;
}

const needed = (path: string): Refusal => invalid([{ path, rule: 'required', message: 'is required' }]);

/** A word of the action, from the data or beside it. */
const word = ({ data, envelope }: Call, key: string): string | undefined =>
  textAt(data, key) ?? textAt(envelope, key);

/** Refuses (400) a leg that is connected with no other. */
async function requirePartner(call: Call, leg: StoredRecord): Promise<void> {
  const now = nowOf(call);
  const other = singleChannel(leg, now).other_leg_call_id;
  const scope = accountOf(call).id;
  if (typeof other !== 'string' || !(await liveLeg(call.services.store, scope, now, other)))
    throw needed('other_leg_call_id');
}

export async function steer(call: Call, leg: StoredRecord, doing: Doing): Promise<void> {
  const calls = await import('../calls/steer.ts');
  const { changes, events } = await calls.steer(call.services, leg, doing);
  call.changes.push(...changes);
  call.events.push(...events);
}

type Act = (call: Call, leg: StoredRecord) => Promise<void>;

const actions: Readonly<Record<string, Act>> = {
  hangup: (call, leg) => steer(call, leg, (id) => ({ does: 'hangs up', leg: id })),
  transfer: async (call, leg) => {
    await requirePartner(call, leg);
    const target = word(call, 'target');
    if (!target) throw needed('target');
    await steer(call, leg, (id) => ({ does: 'transfer', leg: id, argument: target }));
  },
  callflow: async (call, leg) => {
    const id = word(call, 'id') ?? '';
    const scope = accountOf(call).id;
    const callflow = await call.services.store.get({ kind: 'callflows', scope, id });
    // The service passes the action on, and finds nothing to run.
    if (callflow) await steer(call, leg, (own) => ({ does: 'runs', leg: own, argument: id }));
  },
  break: async () => undefined,
  intercept: async (call) => {
    for (const key of ['target_type', 'target_id']) if (!word(call, key)) throw needed(key);
  },
};

const act: Handler = async (call) => {
  const leg = await named(call);
  const action = word(call, 'action') ?? '';
  const perform = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!perform) throw wrongAction(singleChannel(leg, nowOf(call)));
  await perform(call, leg);
  return { data: `${action} initiated` };
};

const wrongAction = (data: Json): Refusal =>
  new Refusal(400, 'invalid_request', 'There is no such action.', data);

const metaflow: Handler = async (call) => {
  const leg = await named(call);
  const action = textAt(call.envelope, 'action');
  if (action !== undefined && action !== 'metaflow') throw wrongAction(singleChannel(leg, nowOf(call)));
  return { data: 'metaflow sent' };
};

/** Live calls: legs that are up now (Conventions, live calls). */
export const channelHandlers: Handlers = {
  'channels.list': legList(async () => undefined),
  'channels.of-user': legList(async (call) => ({
    field: 'owner',
    value: (await namedRecord(call, 'users')).id,
  })),
  'channels.of-device': legList(async (call) => ({
    field: 'endpoint',
    value: (await namedRecord(call, 'devices')).id,
  })),
  'channels.of-group': ofGroup,
  'channels.get': async (call) => ({ data: singleChannel(await named(call), nowOf(call)) }),
  'channels.act': act,
  'channels.metaflow': metaflow,
};
