import { isObject, type Json, textOrUndefined } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { localTime, secondsOfDay, timesOfLocal } from '../../../base/zoned-time.ts';
import { seededNumbers } from '../engine/clock.ts';
import { makeCall } from '../engine/make-call.ts';
import { filledTexts, nameByKind } from '../engine/records.ts';
import type { Call, CallAccount, PhoneBehaviour } from '../engine/types.ts';
import { makeFacts } from './call-facts.ts';

export interface Trial {
  readonly to: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly presses: readonly string[];
  readonly people: ReadonlyMap<string, PhoneBehaviour>;
  readonly others: PhoneBehaviour;
}

const outsideNumber = '+13125550100';

export const tryCall = (account: CallAccount, { to, at, presses, people, others }: Trial): Call =>
  makeCall({
    account,
    at,
    to,
    presses,
    people,
    others,
    acts: [],
    pivots: new Map(),
    from: { number: outsideNumber },
    random: seededNumbers(1),
  });

export const numbersToTry = (account: CallAccount) =>
  account.of('callflows').flatMap((flow) =>
    filledTexts(flow.numbers)
      .filter((number) => number !== 'no_match')
      .map((number) => ({ number, name: nameByKind('callflows', flow) })),
  );

export const accountTimeZone = ({ record }: CallAccount): string => textOrUndefined(record.timezone) ?? 'UTC';

const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Formats a local time as `Monday 12:30`. */
export function weekdayAndTime(zone: string, ms: number): string {
  const { day, second } = localTime(zone, Math.floor(ms / 1000));
  const shown = new Date((day * secondsOfDay + second) * 1000);
  return `${weekdays[shown.getUTCDay()]} ${shown.toISOString().slice(11, 16)}`;
}

/** Formats a local time as `2026-11-23 12:30`. */
export function dateAndTime(zone: string, ms: number): string {
  const { day, second } = localTime(zone, Math.floor(ms / 1000));
  return new Date((day * secondsOfDay + second) * 1000).toISOString().slice(0, 16).replace('T', ' ');
}

/**
 * Returns the start of the year of the latest start date of a temporal rule. The result does not depend on the current
 * date.
 */
export function startOfRuleYear(account: CallAccount): number {
  const starts = account.of('temporal_rules').map(({ start_date: at }) => (typeof at === 'number' ? at : 0));
  const latest = new Date((Math.max(0, ...starts) - gregorianOffset) * 1000);
  const year = Math.max(firstYear, latest.getUTCFullYear());
  const [begin = Date.UTC(year, 0, 1) / 1000] = timesOfLocal(accountTimeZone(account), {
    day: Date.UTC(year, 0, 1) / 1000 / secondsOfDay,
    second: 0,
  });
  return begin * 1000;
}

const firstYear = 2026;

const answers: PhoneBehaviour = { does: 'answers', after: 6 };
const silent: PhoneBehaviour = { does: 'does not answer' };

const hours = [10, 7, 13, 20, 2];
const weekDays = [0, 5, 6];
const holidays: readonly (readonly [month: number, day: number])[] = [
  [0, 1],
  [6, 4],
  [11, 25],
  [11, 26],
];

interface FirstCase {
  readonly name: string;
  readonly at: string;
  readonly trial: Trial;
  readonly call: Call;
  readonly isNobodyThere: boolean;
}

/**
 * Writes cases for an account: each number, each branch of rules and menus, outside hours, on holidays, and with
 * nobody available. They expect the current behavior, so they pass.
 */
export function writeCases(account: CallAccount, nowMs: number): string {
  const zone = accountTimeZone(account);
  const times = timesToTry(zone, nowMs);
  const [usual = nowMs] = times;
  const cases = numbersToTry(account).flatMap(({ number, name }) => casesOf(account, number, name, times));
  const taken = new Set<string>();
  const lines = cases.flatMap((one) => {
    let { name } = one;
    for (let count = 2; taken.has(name); count += 1) name = `${one.name} (${count})`;
    taken.add(name);
    return formatCase(account, { ...one, name });
  });
  return [
    '# Current behavior of calls. Change what should be different, and run: telctl test',
    '# For editors: telctl schema cases > cases.schema.json',
    `at: ${dateAndTime(zone, usual)} ${zone}`,
    ...(lines.length === 0 ? ['cases: []'] : ['cases:', ...lines]),
    '',
  ].join('\n');
}

function timesToTry(zone: string, nowMs: number): readonly number[] {
  const today = Math.floor(nowMs / 1000 / secondsOfDay);
  // 1 January 1970 was a Thursday.
  const monday = today + ((11 - (today % 7)) % 7);
  const year = new Date(nowMs).getUTCFullYear() + 1;
  const special = holidays.map(([month, day]) => Date.UTC(year, month, day) / 1000 / secondsOfDay);
  const ordinary = hours.flatMap((hour) =>
    weekDays.map((day) => ({ day: monday + day, second: hour * 3600 })),
  );
  const first = { day: monday, second: 36_000 };
  return [first, ...ordinary, ...special.map((day) => ({ day, second: 36_000 }))].flatMap((moment) => {
    const [at] = timesOfLocal(zone, moment);
    return at === undefined ? [] : [at * 1000];
  });
}

function casesOf(
  account: CallAccount,
  to: string,
  name: string,
  times: readonly number[],
): readonly FirstCase[] {
  const zone = accountTimeZone(account);
  const found = new Map<string, FirstCase>();
  const add = (at: number, presses: readonly string[], others: PhoneBehaviour): Call => {
    const trial: Trial = { to, at, presses, people: new Map(), others };
    const call = tryCall(account, trial);
    const key = `${pathOfCall(call).join(' ')} ${call.end.in} ${call.end.name ?? ''}`;
    const keys = presses.length === 0 ? '' : `, ${presses.join(', ')} pressed`;
    const isNobodyThere = others === silent;
    const title = `${name} (${to}), ${weekdayAndTime(zone, at)}${keys}${isNobodyThere ? ', nobody there' : ''}`;
    if (!found.has(key))
      found.set(key, { name: title, at: dateAndTime(zone, at), trial, call, isNobodyThere });
    if (!isNobodyThere && call.end.in === 'person') add(at, presses, silent);
    return call;
  };
  for (const at of times) {
    if (at !== times[0] && account.of('temporal_rules').length === 0) break;
    const call = add(at, [], answers);
    for (const first of keysBeforeSilence(account, call))
      for (const second of keysBeforeSilence(account, add(at, [first], answers)))
        add(at, [first, second], answers);
  }
  return [...found.values()];
}

const pathOfCall = (call: Call): readonly string[] =>
  call.events.flatMap((event) =>
    event.kind === 'step'
      ? [`${event.step.callflow}.${event.step.place.join('.')}.${event.step.left ?? ''}`]
      : [],
  );

/** Returns the keys of the last menu at which the caller pressed no key. */
function keysBeforeSilence(account: CallAccount, call: Call): readonly string[] {
  const menu = call.events
    .flatMap((event) => (event.kind === 'step' && event.step.module === 'menu' ? [event.step] : []))
    .at(-1);
  if (!menu || /^\d+$/.test(menu.left ?? '')) return [];
  let node: Json | undefined = account.get('callflows', menu.callflow);
  for (const word of menu.place) node = isObject(node) ? node[word] : undefined;
  const children = isObject(node) && isObject(node.children) ? Object.keys(node.children) : [];
  return children.filter((key) => /^[\d*#]+$/.test(key));
}

function formatCase(account: CallAccount, one: FirstCase): readonly string[] {
  const { call, trial } = one;
  const facts = makeFacts(account, call);
  const { end } = call;
  const path = [...new Set(facts.path.filter(({ place }) => place.length > 0).map(({ word }) => word))];
  const where =
    end.name === undefined || end.in === 'carrier' || end.in === 'nobody' ? end.in : `${end.in} ${end.name}`;
  const answeredBy = facts.answered[0]?.name;
  const presses = trial.presses.length === 0 ? '' : `, presses: ${quotedScalar(trial.presses.join(','))}`;
  const silentPeople = [...new Set(facts.rings.map(({ name }) => name))].filter(
    (name) => !/^\+?\d+$/.test(name),
  );
  return [
    `  - name: ${quotedScalar(one.name)}`,
    `    at: ${one.at}`,
    ...(one.isNobodyThere && silentPeople.length > 0
      ? [`    people: { ${silentPeople.map((name) => `${quotedScalar(name)}: does not answer`).join(', ')} }`]
      : []),
    `    call: { from: ${outsideNumber}, to: ${quotedScalar(trial.to)}${presses} }`,
    '    expect:',
    ...(path.length === 0 ? [] : [`      path: [${path.map(quotedScalar).join(', ')}]`]),
    end.in === 'person' && answeredBy !== undefined
      ? `      answered_by: ${quotedScalar(answeredBy)}`
      : `      ends_in: ${quotedScalar(end.in === 'person' ? 'nobody' : where)}`,
    ...(call.events.some(({ kind }) => kind === 'gap') ? ['    gaps: allowed'] : []),
  ];
}

const quotedScalar = (text: string): string =>
  /^\+?[A-Za-z0-9][\w.@ -]*$/.test(text) && text.trim() === text && !/ #/.test(text)
    ? text
    : JSON.stringify(text);
