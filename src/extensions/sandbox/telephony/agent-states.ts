import type { JsonObject } from '../../../base/json.ts';
import { textsAt } from '../fields.ts';
import {
  newRecord,
  type Put,
  plainPut,
  replacementFor,
  type Store,
  type StoredRecord,
} from '../store/store.ts';

const stateKind = 'agent_states';
const callKind = 'queue_calls';
const maxCalls = 10_000;
/** Retention of statistics in seconds. */
const retentionSeconds = 86_400;

/** Lists the users of an account with queues, optionally of one queue. */
export async function agentsIn(
  store: Store,
  accountId: string,
  queueId: string | undefined = undefined,
): Promise<readonly StoredRecord[]> {
  const users = await store.list({ kind: 'users', scope: accountId });
  return users.filter(({ body }) =>
    queueId === undefined ? Array.isArray(body.queues) : textsAt(body, 'queues').includes(queueId),
  );
}

const put = (record: StoredRecord): Put => plainPut(record, String(record.createdAt).padStart(11, '0'));

/** Returns the state of an agent at a time in Gregorian seconds. Pauses end after their timeout. */
export async function agentState(
  store: Store,
  { scope, id }: StoredRecord,
  now: number,
): Promise<JsonObject> {
  const kept = await store.get({ kind: stateKind, scope, id });
  const { until, ...state } = kept?.body ?? { agent_id: id, status: 'logged_out', timestamp: 0 };
  if (typeof until !== 'number' || until > now) return state;
  return { agent_id: id, status: 'ready', timestamp: until };
}

export async function agentStatePut(
  store: Store,
  { scope, id }: StoredRecord,
  state: JsonObject,
  now: number,
): Promise<Put> {
  const name = { kind: stateKind, scope, id };
  const after = newRecord(name, { agent_id: id, timestamp: now, ...state }, now);
  return put(replacementFor(await store.get(name), after));
}

export const queueCallPut = (accountId: string, call: JsonObject, now: number): Put =>
  put(newRecord({ kind: callKind, scope: accountId, id: String(call.id) }, call, now));

export async function queueCalls(
  store: Store,
  accountId: string,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<readonly JsonObject[]> {
  const calls = await store.list({ kind: callKind, scope: accountId, limit: maxCalls });
  return calls
    .filter(({ createdAt }) => createdAt >= Math.max(from, to - retentionSeconds) && createdAt <= to)
    .map(({ body }) => body);
}
