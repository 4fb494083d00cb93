import { nameOf } from '../calls/records.ts';
import { seededNumbers } from '../calls/seeded-numbers.ts';
import type { Behaviour, Call, CallAccount } from '../calls/types.ts';
import { numbersOf, type Trial, tryCall, weekdayAndTime, zoneOf } from './try-call.ts';

/** A call that nobody takes, as short as it could be made. */
export interface Found {
  readonly to: string;
  readonly at: string;
  readonly presses: readonly string[];
  /** What people do, by name; others answer. */
  readonly people: Readonly<Record<string, string>>;
  readonly cause: string;
  /** `nobody`, or `loop` where the call goes round or stays to its end. */
  readonly ends: 'nobody' | 'loop';
  readonly why: string;
  readonly place?: string;
  readonly sentence: string;
}

const days = 371;
const keys = ['', '', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '*', '#'];
const behaviours: readonly Behaviour[] = [
  { does: 'answers', after: 6 },
  { does: 'does not answer' },
  { does: 'busy' },
  { does: 'declines' },
  { does: 'not registered' },
];
const answers: Behaviour = { does: 'answers', after: 6 };
const longest = 14_400;

/**
 * Tries calls at random times, with random keys and behaviour, from a time on. Finds each way in which a call
 * ends with nobody or in a loop once, by its shortest call. The same seed tries the same calls.
 */
export function explore(
  account: CallAccount,
  { count, seed, fromMs }: { readonly count: number; readonly seed: number; readonly fromMs: number },
): readonly Found[] {
  const random = seededNumbers(seed);
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const numbers = numbersOf(account).map(({ number }) => number);
  const people = account.of('users').map(({ id }) => String(id));
  const found = new Map<string, { readonly trial: Trial; readonly call: Call }>();
  for (let made = 0; made < count; made += 1) {
    const to = pick(numbers);
    if (to === undefined) break;
    const minutes = Math.floor(random() * days * 96) * 15;
    const trial: Trial = {
      ...{ to, at: fromMs + minutes * 60_000, others: answers },
      presses: Array.from({ length: Math.floor(random() * 5) }, () => pick(keys) ?? ''),
      people: new Map(people.map((id) => [id, pick(behaviours) ?? answers])),
    };
    const call = tryCall(account, trial);
    const key = keyOf(call);
    if (key === undefined) continue;
    const before = found.get(key);
    if (before && sizeOf(before.trial) <= sizeOf(trial)) continue;
    found.set(key, { trial, call });
  }
  return [...found].map(([key, { trial }]) => describe(account, shrunk(account, trial, key)));
}

/** Key of a call's end, if it is one that is looked for; calls with the same key end alike. */
function keyOf(call: Call): string | undefined {
  const { end, seconds, events } = call;
  const isLoop = seconds >= longest || /went into other callflows/.test(end.why ?? '');
  if (!isLoop && end.in !== 'nobody') return undefined;
  if (events.some(({ kind }) => kind === 'gap')) return undefined;
  const last = lastStep(call);
  return [isLoop ? 'loop' : 'nobody', last?.callflow, last?.place.join('.')].join(' ');
}

const lastStep = ({ events }: Call) =>
  events.flatMap((event) => (event.kind === 'step' ? [event.step] : [])).at(-1);

const sizeOf = ({ presses, people }: Trial): number =>
  presses.length + [...people.values()].filter(({ does }) => does !== 'answers').length;

/** Makes a call shorter as long as it ends in the same way. */
function shrunk(account: CallAccount, trial: Trial, key: string): Trial {
  let best = trial;
  for (;;) {
    const shorter = smaller(best).find((each) => keyOf(tryCall(account, each)) === key);
    if (!shorter) return best;
    best = shorter;
  }
}

/** Calls that say a little less. */
function smaller(trial: Trial): readonly Trial[] {
  const { presses, people } = trial;
  const withoutPress = presses.map((_, index) => ({
    ...trial,
    presses: presses.filter((__, other) => other !== index),
  }));
  const withoutPerson = [...people.keys()].map((id) => ({
    ...trial,
    people: new Map([...people].filter(([other]) => other !== id)),
  }));
  const simpler = [...people].flatMap(([id, { does }]) =>
    does === 'answers' || does === 'does not answer'
      ? []
      : [{ ...trial, people: new Map<string, Behaviour>([...people, [id, { does: 'does not answer' }]]) }],
  );
  return [...withoutPress, ...withoutPerson, ...simpler];
}

function describe(account: CallAccount, trial: Trial): Found {
  const call = tryCall(account, trial);
  const last = lastStep(call);
  const place = last && account.placeOf?.('callflows', last.callflow, last.place);
  const named = Object.fromEntries(
    [...trial.people].map(([id, { does }]) => [nameOf('users', account.get('users', id) ?? { id }), does]),
  );
  const who = Object.entries(named).map(([name, does]) => `${name} ${does === 'busy' ? 'is busy' : does}`);
  const pressed = trial.presses.map((keysPressed) => keysPressed || 'nothing');
  const ends = keyOf(call)?.startsWith('loop') ? 'loop' : 'nobody';
  const why = last?.why ?? call.end.why ?? '';
  const end = call.end.why ?? why;
  const at = weekdayAndTime(zoneOf(account), trial.at);
  const parts = [
    `${at}, ${trial.to}`,
    ...(pressed.length === 0 ? [] : [`presses ${pressed.join(', ')}`]),
    ...who,
  ];
  const where = [last?.label, place === undefined ? undefined : `(${place})`].flatMap((each) => each ?? []);
  const sentence = `${parts.join(', ')}: ends ${ends === 'loop' ? 'in a loop' : 'at nobody'} after ${where.join(' ') || 'no callflow'}. ${end}`;
  return {
    ...{ to: trial.to, at, presses: trial.presses, people: named, cause: call.end.cause, ends, why },
    ...(place === undefined ? {} : { place }),
    sentence: sentence.trim(),
  };
}
