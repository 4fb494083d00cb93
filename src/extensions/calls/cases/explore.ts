import { array, check, constantFrom, nat, property, record, tuple } from 'fast-check';
import { formatCount } from '../../../base/wording.ts';
import { nameByKind } from '../engine/records.ts';
import type { Call, CallAccount, PhoneBehaviour } from '../engine/types.ts';
import { emergencyCalls } from './emergency-calls.ts';
import {
  accountTimeZone,
  numbersToTry,
  startOfRuleYear,
  type Trial,
  tryCall,
  weekdayAndTime,
} from './write-cases.ts';

/** A call that reaches no one, shortened as far as possible. */
export interface LostCall {
  readonly to: string;
  readonly at: string;
  readonly presses: readonly string[];
  /** Behavior by name of the person. Everyone else answers. */
  readonly people: Readonly<Record<string, string>>;
  readonly cause: string;
  /** `nobody`, `loop` for an endless call, or `error` for a step that cannot run. */
  readonly ends: 'nobody' | 'loop' | 'error';
  readonly why: string;
  readonly place?: string | undefined;
  readonly sentence: string;
}

const days = 371;
const quarterHours = days * 96;
const keys = ['', '', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'];
const behaviours: readonly PhoneBehaviour['does'][] = [
  ...(['answers', 'does not answer', 'busy', 'declines', 'not registered'] as const),
];
const answers: PhoneBehaviour = { does: 'answers', after: 6 };
const longest = 14_400;
const mostFound = 50;

/** Number of calls before the event loop can run other work, about 0.1 seconds. */
const callsAtOnce = 100;

/**
 * Tries calls at random times of a year with random keys and behavior. Returns each failure once (no one reached, an
 * endless loop, a step that cannot run), with its shortest call. A seed always tries the same calls, on any date.
 * `pause` runs between batches. It can throw to end the search.
 */
export async function explore(
  account: CallAccount,
  { count, seed, pause }: { readonly count: number; readonly seed: number; pause(): Promise<void> },
): Promise<readonly LostCall[]> {
  const numbers = numbersToTry(account).map(({ number }) => number);
  const fromMs = startOfRuleYear(account);
  const people = account.of('users').map(({ id }) => String(id));
  const trials = record({
    to: constantFrom(...numbers),
    quarter: nat(quarterHours),
    presses: array(constantFrom(...keys), { maxLength: 4 }),
    people: tuple(...people.map(() => constantFrom(...behaviours))),
  }).map(({ to, quarter, presses, people: does }): Trial => {
    const entries = people.flatMap((id, index): readonly [string, PhoneBehaviour][] => {
      const word = does[index];
      return word === undefined || word === 'answers' ? [] : [[id, { does: word }]];
    });
    const at = fromMs + quarter * 900_000;
    return { to, at, others: answers, presses, people: new Map(entries) };
  });
  const unreached = failingEmergencyCalls(account, fromMs);
  if (numbers.length === 0) return unreached;
  const found = new Map<string, Trial>();
  const isKnown = (trial: Trial): boolean => {
    const key = callKey(tryCall(account, trial));
    return key === undefined || found.has(key);
  };
  for (let tried = 0; tried < count && found.size < mostFound; tried += callsAtOnce) {
    const part = { numRuns: Math.min(callsAtOnce, count - tried), seed: seed + tried, verbose: 0 } as const;
    for (;;) {
      await pause();
      const { counterexample } = check(property(trials, isKnown), part);
      const [trial] = counterexample ?? [];
      if (!trial || found.size >= mostFound) break;
      found.set(callKey(tryCall(account, trial)) ?? '', trial);
    }
  }
  return [...unreached, ...[...found.values()].map((trial) => describe(account, trial))];
}

/** Finds emergency numbers whose calls reach no carrier. Each is listed once, with the first phone that fails. */
function failingEmergencyCalls(account: CallAccount, at: number): readonly LostCall[] {
  const failed = emergencyCalls(account, { at, numbers: undefined }).filter(
    ({ problem, ends_in: end }) => problem !== null && !end.startsWith('carrier'),
  );
  return [...Map.groupBy(failed, ({ number }) => number)].map(([number, [first, ...others]]): LostCall => {
    const { from = '', ends_in: end = 'nobody', problem } = first ?? {};
    const more = others.length === 0 ? '' : ` and ${formatCount(others.length, 'other phone')}`;
    return {
      to: number,
      at: weekdayAndTime(accountTimeZone(account), at),
      presses: [],
      people: {},
      cause: '',
      ends: end === 'nobody' ? 'nobody' : 'error',
      why: problem ?? '',
      sentence: `${from}${more}, ${number}: the emergency call ${problem}.`,
    };
  });
}

/** Returns a key shared by all calls with the same end. Returns `undefined` if the call is fine. */
function callKey(call: Call): string | undefined {
  const ends = findLostEnd(call);
  const last = lastStep(call);
  return ends && [ends, last?.callflow, last?.place.join('.')].join(' ');
}

function findLostEnd({ end, seconds, events }: Call): LostCall['ends'] | undefined {
  const gaps = events.flatMap((event) => (event.kind === 'gap' ? [event.what] : []));
  const goesRound = /^The simulation stopped/.test(end.why ?? '');
  if (goesRound || gaps.some((what) => what.startsWith('The simulation stopped'))) return 'loop';
  if (gaps.some((what) => /^Module .* does not exist/.test(what))) return 'error';
  if (gaps.length > 0) return undefined;
  return seconds >= longest ? 'loop' : end.in === 'nobody' ? 'nobody' : undefined;
}

const lastStep = ({ events }: Call) =>
  events.flatMap((event) => (event.kind === 'step' ? [event.step] : [])).at(-1);

function describe(account: CallAccount, trial: Trial): LostCall {
  const call = tryCall(account, trial);
  const last = lastStep(call);
  const place = last && account.placeOf?.('callflows', last.callflow, last.place);
  const named = Object.fromEntries(
    [...trial.people].map(([id, { does }]) => [
      nameByKind('users', account.get('users', id) ?? { id }),
      does,
    ]),
  );
  const who = Object.entries(named).map(([name, does]) => `${name} ${does === 'busy' ? 'is busy' : does}`);
  const pressed = trial.presses.map((keysPressed) => keysPressed || 'nothing');
  const ends = findLostEnd(call) ?? 'nobody';
  const why = last?.why ?? call.end.why ?? '';
  const end = call.end.why ?? why;
  const at = weekdayAndTime(accountTimeZone(account), trial.at);
  const parts = [
    `${at}, ${trial.to}`,
    ...(pressed.length === 0 ? [] : [`presses ${pressed.join(', ')}`]),
    ...who,
  ];
  const where = [last?.label, place === undefined ? undefined : `(${place})`].flatMap((each) => each ?? []);
  const sentence = `${parts.join(', ')}: ends ${endWords[ends]} after ${where.join(' ') || 'no callflow'}. ${end}`;
  return {
    to: trial.to,
    at,
    presses: trial.presses,
    people: named,
    cause: call.end.cause,
    ends,
    why,
    place,
    sentence: sentence.trim(),
  };
}

const endWords: Readonly<Record<LostCall['ends'], string>> = {
  nobody: 'without an answer',
  loop: 'in a loop',
  error: 'in an error',
};
