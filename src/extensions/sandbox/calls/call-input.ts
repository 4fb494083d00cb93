import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { caseNames } from '../../calls/cases/call-facts.ts';
import { seededNumbers } from '../../calls/engine/clock.ts';
import type { CallAccount, Caller, CallInput, CallMoney, PhoneBehaviour } from '../../calls/engine/types.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';
import type { Services } from '../services.ts';
import { type Store, type StoredRecord, scopeBelow } from '../store/store.ts';
import { agentState, agentsIn, queueCalls } from '../telephony/agent-states.ts';
import { liveLegs } from '../telephony/legs.ts';
import { ongoingCalls } from '../telephony/ongoing-calls.ts';
import { phonesIn } from '../telephony/registrations.ts';
import { ownerOfMadePhone } from './call-account.ts';
import type { CallRequest } from './call-request.ts';

const needsNoRegistration = (device: JsonObject): boolean =>
  device.device_type === 'sip_uri' ||
  valueAt(device, 'sip.method') === 'ip' ||
  ownerOfMadePhone(String(device.id)) !== undefined;

/** Returns the devices that can be reached at a time (Gregorian seconds). */
async function reachableDevices(store: Store, account: StoredRecord, calls: CallAccount, now: number) {
  const phones = await phonesIn(store, account, now);
  const others = calls.of('devices').filter(needsNoRegistration);
  return new Set([...phones.map(({ device }) => device.id), ...others.map(({ id }) => String(id))]);
}

const countAt = (body: JsonObject, key: string): number => Number(valueAt(body, `in_use.${key}`) ?? 0);

/** Returns the credit for calls. An account without bookings has unlimited credit. */
async function readMoney(
  store: Store,
  account: StoredRecord,
  ongoing: readonly StoredRecord[],
): Promise<CallMoney> {
  const limits = (await store.get({ kind: 'limits', scope: account.id, id: 'limits' }))?.body ?? {};
  const scope = account.id;
  const entries = await store.list({ kind: 'ledgers', scope });
  const sum = (of: (body: JsonObject) => number): number =>
    entries.reduce((all, { body }) => all + of(body), 0);
  return {
    limits,
    inUse: {
      inbound: ongoing.reduce((all, { body }) => all + countAt(body, 'inbound'), 0),
      outbound: ongoing.reduce((all, { body }) => all + countAt(body, 'outbound'), 0),
      calls: ongoing.length,
    },
    balance:
      entries.length === 0
        ? Number.POSITIVE_INFINITY
        : sum(({ amount, type }) => (type === 'debit' ? -1 : 1) * Number(amount ?? 0)),
    rates: (await store.allOfKind('rates')).map(({ id, body }) => ({ ...body, id })),
  };
}

/** Returns the time of the agent's last call offer, in Gregorian seconds. */
function lastAsked(agent: string, calls: readonly JsonObject[]): number {
  const times = calls.flatMap(({ agent_id, handled_timestamp, misses }) => {
    const missed: readonly Json[] = Array.isArray(misses) ? misses : [];
    return [
      ...(agent_id === agent ? [Number(handled_timestamp)] : []),
      ...missed.flatMap((miss) =>
        isObject(miss) && miss.agent_id === agent ? [Number(miss.miss_timestamp)] : [],
      ),
    ];
  });
  return Math.max(0, ...times);
}

/** Returns the states of agents, ordered by their last call offer, oldest first. */
async function agentsAt(
  store: Store,
  account: StoredRecord,
  now: number,
): Promise<ReadonlyMap<string, string>> {
  const agents = await agentsIn(store, account.id);
  if (agents.length === 0) return new Map();
  const calls = await queueCalls(store, account.id, { from: 0, to: now });
  const states = await Promise.all(
    agents.map(async (agent) => {
      const { status } = await agentState(store, agent, now);
      const state = status === 'ready' || status === 'logged_out' ? status : 'paused';
      return { id: agent.id, state, asked: lastAsked(agent.id, calls) };
    }),
  );
  return new Map(
    states.toSorted((one, other) => one.asked - other.asked).map(({ id, state }) => [id, state]),
  );
}

/** Returns full voicemail boxes, and participants of conferences in live calls. */
async function readOccupancy(
  store: Store,
  account: StoredRecord,
  calls: CallAccount,
  ongoing: readonly StoredRecord[],
) {
  const messages = new Map<string, number>();
  for (const { id } of calls.of('vmboxes'))
    messages.set(String(id), await store.count('messages', scopeBelow(account.id, String(id))));
  const rooms = ongoing.flatMap(({ body }) =>
    typeof body.conference_id === 'string' ? [body.conference_id] : [],
  );
  const participants = new Map([...Map.groupBy(rooms, (id) => id)].map(([id, all]) => [id, all.length]));
  return { messages, participants };
}

/** Returns behaviors by user or device id. Throws `Failure` (`not_found`) with a suggestion. */
function behavioursOf(
  calls: CallAccount,
  people: CallRequest['people'] = [],
): ReadonlyMap<string, PhoneBehaviour> {
  const names = caseNames(calls);
  return new Map(
    people.map(([person, behaviour]) => {
      const found = names.find(person, ['users', 'devices']);
      if (!found && !/^\+?\d+$/.test(person)) {
        const missing = names.missing(person, ['users', 'devices']);
        throw new Failure('not_found', missing.charAt(0).toUpperCase() + missing.slice(1));
      }
      return [found?.id ?? person, behaviour] as const;
    }),
  );
}

/** Reads the input of the call engine for a call that starts at `atMs`. */
export async function callInput(
  services: Services,
  { account, calls, caller, to }: Called,
  request: CallRequest,
  { atMs, seed }: { readonly atMs: number; readonly seed: number },
): Promise<CallInput> {
  const { store } = services;
  const now = gregorianSeconds(services.clock);
  const ongoing = await ongoingCalls(store, account.id, now);
  const live = ongoing.length === 0 ? [] : await liveLegs(store, account.id, now);
  const { hangsUpAfter, acts = [], others, presses, people } = request;
  return {
    account: calls,
    at: atMs,
    from: caller,
    to,
    people: behavioursOf(calls, people),
    others,
    presses,
    acts,
    ...(hangsUpAfter === undefined ? { lasts: request.durationS } : { hangsUpAfter }),
    registered: await reachableDevices(store, account, calls, now),
    inCalls: new Set(
      live.flatMap(({ hidden }) => (typeof hidden.endpoint === 'string' ? [hidden.endpoint] : [])),
    ),
    agents: await agentsAt(store, account, now),
    ...(await readOccupancy(store, account, calls, ongoing)),
    money: await readMoney(store, account, ongoing),
    pivots: new Map(),
    random: seededNumbers(seed),
  };
}

export interface Called {
  readonly account: StoredRecord;
  readonly calls: CallAccount;
  readonly caller: Caller;
  readonly to: string;
}
