import { Failure } from '../../../base/failure.ts';
import { type JsonObject, objectsIn, textAt } from '../../../base/json.ts';
import { callOutcomes } from '../../../contract/call-outcomes.ts';
import { outcomeOfCall } from '../../calls/engine/call-outcome.ts';
import { seededNumbers } from '../../calls/engine/clock.ts';
import type { PhoneBehaviour } from '../../calls/engine/types.ts';
import type { ControlInput } from '../control-operations.ts';
import { textsAt } from '../fields.ts';
import { Refusal } from '../refusal.ts';
import type { Services } from '../services.ts';
import { type AccountRecords, userExtension } from './call-account.ts';
import { type CallRequest, calledAccount } from './call-request.ts';
import { receiveFax } from './receive-fax.ts';
import { simulateAndStore } from './simulate-call.ts';

/** Maximum number of users and callflows in simulated traffic. */
const mostParties = 500;

interface Parties {
  readonly numbers: readonly string[];
  readonly users: readonly string[];
}

async function readParties({ store }: Services, { account }: AccountRecords): Promise<Parties> {
  const listed = { scope: account.id, limit: mostParties };
  const [flows, users] = await Promise.all([
    store.list({ kind: 'callflows', ...listed }),
    store.list({ kind: 'users', ...listed }),
  ]);
  return {
    numbers: flows.flatMap(({ body }) => textsAt(body, 'numbers').filter((each) => /^\+?\d+$/.test(each))),
    users: users.filter(({ body }) => body.enabled !== false).map(({ body }) => userExtension(body)),
  };
}

type Happening = Pick<CallRequest, 'from' | 'to' | 'durationS' | 'others'> & { readonly isFax: boolean };

const outsideNumber = (chance: () => number): string =>
  `+1415555${String(Math.floor(chance() * 10_000)).padStart(4, '0')}`;

const pickRandom = (texts: readonly string[], chance: () => number): string | undefined =>
  texts[Math.floor(chance() * texts.length)];

/**
 * Chooses the next call: 55 % incoming, 15 % internal, 5 % faxes, otherwise outgoing. Kinds without parties are
 * skipped.
 */
function chooseNextCall({ numbers, users }: Parties, chance: () => number): Happening {
  const sort = chance();
  const outcome = chance();
  // Between 10 seconds and 10 minutes. Most calls are short.
  const durationS = Math.round(10 * 60 ** (chance() ** 1.5));
  const does = outcome < 0.9 ? 'does not answer' : 'busy';
  const others: PhoneBehaviour = outcome < 0.65 ? { does: 'answers', after: 6 } : { does };
  const outside = outsideNumber(chance);
  const number = pickRandom(numbers, chance);
  const user = pickRandom(users, chance);
  const call = { durationS, others, isFax: false } as const;
  if (number !== undefined && sort < 0.6)
    return { ...call, from: outside, to: number, isFax: sort >= 0.55 && number.startsWith('+') };
  if (number !== undefined && user !== undefined && sort < 0.75) return { ...call, from: user, to: number };
  return user === undefined
    ? { ...call, from: outside, to: number ?? outside }
    : { ...call, from: user, to: outside };
}

const callsUntil = (second: number, callsAMinute: number): number => Math.floor((second * callsAMinute) / 60);

type Counts = Map<string, number>;

const count = (counts: Counts, word: string, more = 1): void => {
  counts.set(word, (counts.get(word) ?? 0) + more);
};

function countEvents(hooks: Counts, { events }: JsonObject): void {
  for (const event of objectsIn(events)) count(hooks, textAt(event, 'hook') ?? '');
}

async function runCallEvent(
  services: Services,
  own: AccountRecords,
  each: Happening,
  {
    realTime,
    counts,
    hooks,
  }: { readonly realTime: boolean; readonly counts: Counts; readonly hooks: Counts },
): Promise<void> {
  const { from, to, durationS, others, isFax } = each;
  try {
    if (isFax) {
      countEvents(hooks, await receiveFax(services, own, { from, to, pages: 1 }));
      return count(counts, 'faxes');
    }
    const request = { from, fromName: undefined, to, durationS, others, presses: [], realTime };
    const simulated = await simulateAndStore(services, own, { ...request, dryRun: false });
    if ('met' in simulated) {
      countEvents(hooks, simulated.met);
      return count(counts, 'joined');
    }
    const { made, kept } = simulated;
    count(counts, outcomeOfCall(made.call));
    for (const { hook } of kept.events) count(hooks, hook);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    count(counts, 'refused');
  }
}

export interface Turned {
  advance(ms: number): Promise<void>;
}

/**
 * Simulates some seconds of traffic. The same seed gives the same calls. Advances the clock, unless it runs in real
 * time.
 */
export async function simulateStoredTraffic(
  services: Services,
  clock: Turned,
  input: ControlInput<'traffic'>,
): Promise<JsonObject> {
  const {
    seed = 1,
    calls_per_minute: callsAMinute = 60,
    from = 0,
    seconds = 1,
    real_time: realTime = false,
  } = input;
  const own = await calledAccount(services.store, input);
  const parties = await readParties(services, own);
  if (parties.numbers.length + parties.users.length === 0)
    throw new Refusal(404, 'not_found', 'The account has no callflows or users to call.');
  const counts: Counts = new Map(Object.keys(callOutcomes).map((outcome) => [outcome, 0]));
  const hooks: Counts = new Map();
  for (let second = from; second < from + seconds; second += 1) {
    const chance = seededNumbers(seed * 1_000_003 + second);
    const calls = callsUntil(second + 1, callsAMinute) - callsUntil(second, callsAMinute);
    for (let call = 0; call < calls; call += 1) {
      await runCallEvent(services, own, chooseNextCall(parties, chance), { realTime, counts, hooks });
      // Lets requests and deliveries run in between.
      await new Promise<void>((resolve) => services.timers.soon(resolve));
    }
    count(counts, 'calls', calls);
    if (!realTime) await clock.advance(1000);
  }
  return {
    ...Object.fromEntries(counts),
    events: Object.fromEntries(hooks),
    account_name: textAt(own.account.body, 'name') ?? own.account.id,
    now: new Date(services.clock.now()).toISOString(),
  };
}
