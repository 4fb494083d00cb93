import { array, check, constantFrom, nat, property, record, tuple } from 'fast-check';
import { formatCount } from '../../../base/wording.ts';
import { nameByKind } from '../engine/records.ts';
import type { Call, CallAccount, PhoneBehaviour } from '../engine/types.ts';
import { emergencyCalls } from './emergency-calls.ts';
import { beginOfTime, numbersToTry, type Trial, tryCall, weekdayAndTime, zoneOf } from './tried-calls.ts';

/** A call that nobody takes, as short as it could be made. */
export interface LostCall {
  readonly to: string;
  readonly at: string;
  readonly presses: readonly string[];
  /** What people do, by name; others answer. */
  readonly people: Readonly<Record<string, string>>;
  readonly cause: string;
  /** `nobody`; `loop` where the call goes round or stays to its end; `error` where a step cannot be done. */
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
/** More ways to end at nobody than this are not looked for. */
const mostFound = 50;

/** Calls that are tried before other work has its turn: about 0.1 seconds. */
const callsAtOnce = 100;

/**
 * Tries calls at random times of a year, with random keys and behaviour. Each way in which a call ends at nobody, in a
 * loop or in an error is found once, by its shortest call. The same seed tries the same calls, whatever the date. `pause`
 * lets signals and other work in, and may throw to end the search.
 */
export async function explore(
  account: CallAccount,
  { count, seed, pause }: { readonly count: number; readonly seed: number; pause(): Promise<void> },
): Promise<readonly LostCall[]> {
  const numbers = numbersToTry(account).map(({ number }) => number);
  const fromMs = beginOfTime(account);
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
  const unreached = emergencyFound(account, fromMs);
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

/** The emergency numbers whose calls reach no carrier, each from the first phone that fails. */
function emergencyFound(account: CallAccount, at: number): readonly LostCall[] {
  const failed = emergencyCalls(account, { at, numbers: undefined }).filter(
    ({ problem, ends_in: end }) => problem !== null && !end.startsWith('carrier'),
  );
  return [...Map.groupBy(failed, ({ number }) => number)].map(([number, [first, ...others]]): LostCall => {
    const { from = '', ends_in: end = 'nobody', problem } = first ?? {};
    const more = others.length === 0 ? '' : ` and ${formatCount(others.length, 'other phone')}`;
    return {
      to: number,
      at: weekdayAndTime(zoneOf(account), at),
      presses: [],
      people: {},
      cause: '',
      ends: end === 'nobody' ? 'nobody' : 'error',
      why: problem ?? '',
      sentence: `${from}${more}, ${number}: the emergency call ${problem}.`,
    };
  });
}

/** What kind of end a call has, if it is one to be found: two calls of one key end alike. */
function callKey(call: Call): string | undefined {
  const ends = endsOf(call);
  const last = lastStep(call);
  return ends && [ends, last?.callflow, last?.place.join('.')].join(' ');
}

function endsOf({ end, seconds, events }: Call): LostCall['ends'] | undefined {
  const gaps = events.flatMap((event) => (event.kind === 'gap' ? [event.what] : []));
  const goesRound = /went into other callflows/.test(end.why ?? '');
  if (goesRound || gaps.some((what) => what.includes('is not followed further'))) return 'loop';
  if (gaps.some((what) => what.startsWith('There is no module'))) return 'error';
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
  const ends = endsOf(call) ?? 'nobody';
  const why = last?.why ?? call.end.why ?? '';
  const end = call.end.why ?? why;
  const at = weekdayAndTime(zoneOf(account), trial.at);
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
  nobody: 'at nobody',
  loop: 'in a loop',
  error: 'in an error',
};
