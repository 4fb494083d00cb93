import { normalisedNumber } from '../../../contract/phone-number.ts';
import type { ResourceName } from '../../../contract/types.ts';
import type { CallEnd } from '../engine/types.ts';
import { isSimulated } from '../engine/walk.ts';
import { type CallFacts, caseNames, type RungLeg } from './call-facts.ts';
import type { Expectations, WantedEnd } from './case-file.ts';

export interface CheckResult {
  readonly what: keyof Expectations;
  readonly fits: boolean;
  readonly expected: string;
  readonly got: string;
  /** Why no call can meet the expectation, if the case itself is wrong. */
  readonly note?: string;
}

export function checkExpectations(expect: Expectations, facts: CallFacts): readonly CheckResult[] {
  return [
    ...checkIfExpected(expect.path, (path) => checkPath(path, facts)),
    ...checkIfExpected(expect.rings, (rings) => checkRings(rings, facts)),
    ...checkIfExpected(expect.answeredBy, (who) => checkAnswer(who, facts)),
    ...checkIfExpected(expect.endsIn, (end) => checkEnd(end, facts)),
    ...checkIfExpected(expect.cause, (cause) => compareTexts('cause', cause, facts.call.end.cause)),
    ...checkIfExpected(expect.within, (seconds) => checkWithin(seconds, expect.answeredBy, facts)),
    ...checkIfExpected(expect.callerId, (id) => checkCallerId(id, facts)),
    ...checkIfExpected(expect.emergency, (flag) => {
      const is = facts.call.legs.some((leg) => leg.facts.emergency_resource === true);
      return compareTexts('emergency', emergencyWord(flag), emergencyWord(is));
    }),
    ...checkIfExpected(expect.hears, (hears) => checkOrder('hears', hears, facts.hears)),
    ...checkIfExpected(expect.voicemail, (box) => checkMessage(box, facts)),
    ...checkIfExpected(expect.cdrs, (cdrs) => checkRecords(cdrs, facts)),
    ...checkIfExpected(expect.events, (events) => checkOrder('events', events, facts.events)),
    ...checkIfExpected(expect.cost, (cost) => ({
      what: 'cost',
      fits: Math.abs(cost - facts.cost) < 0.000_05,
      expected: `costs ${cost}`,
      got: `costs ${facts.cost}`,
    })),
    ...checkIfExpected(expect.not, (not) => checkNot(not, facts)),
  ];
}

const emergencyWord = (is: boolean): string => (is ? 'an emergency call' : 'no emergency call');

const checkIfExpected = <T>(
  wanted: T | undefined,
  check: (wanted: T) => CheckResult,
): readonly CheckResult[] => (wanted === undefined ? [] : [check(wanted)]);

const compareTexts = (what: CheckResult['what'], expected: string, got: string): CheckResult => ({
  what,
  expected,
  got,
  fits: expected === got,
});

function containsInOrder(wanted: readonly string[], there: readonly string[]): boolean {
  let next = 0;
  for (const each of there) if (each === wanted[next]) next += 1;
  return next === wanted.length;
}

const checkOrder = (
  what: 'hears' | 'events',
  wanted: readonly string[],
  there: readonly string[],
): CheckResult => ({
  what,
  fits: containsInOrder(wanted, there),
  expected: `${what} ${wanted.join(', ')}`,
  got: `${what} ${there.join(', ') || 'nothing'}`,
});

/** Returns the words of a path, without consecutive duplicates. */
function pathWords({ path }: CallFacts): readonly string[] {
  const words = path.map(({ word }) => word);
  return words.filter((word, index) => word !== words[index - 1]);
}

const onPaths: readonly ResourceName[] = [
  ...(['callflows', 'menus', 'temporal_rules', 'users', 'devices', 'groups', 'vmboxes', 'queues'] as const),
  ...(['conferences', 'directories', 'faxboxes', 'media', 'lists', 'temporal_rules_sets'] as const),
];

function checkPath(path: readonly string[], facts: CallFacts): CheckResult {
  const there = pathWords(facts);
  const fits = containsInOrder(path, there);
  const names = fits ? [] : path.map((word) => word.split(': ')[0] ?? word);
  const unknown = names.find(
    (name) => !isSimulated(name) && noteUnknownName(facts, name, onPaths).note !== undefined,
  );
  const text = unknown === undefined ? '' : caseNames(facts.account).missing(unknown, ['callflows']);
  const near = / Did you mean .*$/.exec(text)?.[0] ?? '';
  return {
    what: 'path',
    fits,
    expected: path.join(' → '),
    got: there.join(' → ') || 'no callflow',
    ...(unknown === undefined ? {} : { note: `${JSON.stringify(unknown)} not found in the account.${near}` }),
  };
}

const people: readonly ResourceName[] = ['users', 'devices'];

function isSameName(facts: CallFacts, name: string, { names }: RungLeg): boolean {
  const found = caseNames(facts.account).find(name, people);
  return (found !== undefined && names.has(found.id)) || names.has(name) || names.has(normalisedNumber(name));
}

/** Returns a note if the account has no record with the expected name. */
function noteUnknownName(
  { account }: CallFacts,
  name: string,
  kinds: readonly ResourceName[] = people,
): { readonly note?: string } {
  if ((kinds === people && /^\+?[\d*#]+$/.test(name)) || caseNames(account).find(name, kinds)) return {};
  const text = caseNames(account).missing(name, kinds);
  return { note: text.charAt(0).toUpperCase() + text.slice(1) };
}

function checkRings(wanted: readonly string[], facts: CallFacts): CheckResult {
  const groups: { readonly name: string; readonly at: number }[] = [];
  for (const rung of facts.rings) {
    const name = wanted.find((each) => isSameName(facts, each, rung)) ?? rung.name;
    if (!groups.some((group) => group.name === name)) groups.push({ name, at: rung.leg.began });
  }
  const times = wanted.map((name) => groups.find((group) => group.name === name)?.at);
  const fits =
    times.length === groups.length &&
    times.every((time, index) => time !== undefined && time >= (times[index - 1] ?? 0));
  const unknown = wanted.map((name) => noteUnknownName(facts, name)).find(({ note }) => note !== undefined);
  return {
    what: 'rings',
    fits,
    expected: `rings ${wanted.join(', ') || 'nobody'}`,
    got: `rings ${groups.map(({ name }) => name).join(', ') || 'nobody'}`,
    ...unknown,
  };
}

const checkAnswer = (who: string, facts: CallFacts): CheckResult => ({
  what: 'answeredBy',
  fits: facts.answered.some((rung) => isSameName(facts, who, rung)),
  expected: who,
  got: facts.answered.map(({ name }) => name).join(', ') || endText(facts.call.end),
  ...noteUnknownName(facts, who),
});

export const endText = (end: CallEnd): string =>
  end.in === 'person'
    ? (end.name ?? 'a person')
    : `${end.in}${end.name === undefined || end.in === 'nobody' ? '' : ` ${end.name}`}`;

const endKinds: Readonly<Record<string, ResourceName>> = {
  voicemail: 'vmboxes',
  conference: 'conferences',
  queue: 'queues',
  fax: 'faxboxes',
};

function isWantedEnd({ word, name }: WantedEnd, { account, call: { end } }: CallFacts): boolean {
  if (end.in !== word) return false;
  const kind = endKinds[word];
  if (name === undefined || kind === undefined) return true;
  const names = caseNames(account);
  const there = end.name === undefined ? undefined : names.find(end.name, [kind]);
  return name === end.name || (there !== undefined && names.find(name, [kind])?.id === there.id);
}

const wantedText = ({ word, name }: WantedEnd): string => (name === undefined ? word : `${word} ${name}`);

const checkEnd = (wanted: WantedEnd, facts: CallFacts): CheckResult => ({
  what: 'endsIn',
  fits: isWantedEnd(wanted, facts),
  expected: wantedText(wanted),
  got: endText(facts.call.end),
  ...noteOfEnd(wanted, facts),
});

function noteOfEnd({ word, name }: WantedEnd, facts: CallFacts): { readonly note?: string } {
  const kind = endKinds[word];
  return name === undefined || kind === undefined || name === facts.call.end.name
    ? {}
    : noteUnknownName(facts, name, [kind]);
}

function checkWithin(seconds: number, who: string | undefined, facts: CallFacts): CheckResult {
  const leg = facts.answered.find((rung) => who === undefined || isSameName(facts, who, rung))?.leg;
  const answered = who === undefined ? facts.call.legs[0]?.answered : leg?.answered;
  return {
    what: 'within',
    fits: answered !== undefined && answered <= seconds,
    expected: `answered within ${seconds} s`,
    got: answered === undefined ? 'not answered' : `answered after ${Math.round(answered * 10) / 10} s`,
  };
}

function checkCallerId(wanted: string, facts: CallFacts): CheckResult {
  const last = facts.rings.at(-1)?.leg;
  const shown = [last?.callerId.number, last?.callerId.name].flatMap((each) => each ?? []);
  return {
    what: 'callerId',
    expected: `shows ${wanted}`,
    got: `shows ${shown.join(' ') || 'nothing'}`,
    fits: shown.some((each) => each === wanted || normalisedNumber(each) === normalisedNumber(wanted)),
  };
}

function checkMessage(box: string, facts: CallFacts): CheckResult {
  const { account, boxes } = facts;
  const name = caseNames(account).find(box, ['vmboxes'])?.name ?? box;
  return {
    ...noteUnknownName(facts, box, ['vmboxes']),
    what: 'voicemail',
    fits: boxes.includes(name),
    expected: `a message in ${box}`,
    got: boxes.length === 0 ? 'no message' : `a message in ${boxes.join(', ')}`,
  };
}

function checkRecords(wanted: NonNullable<Expectations['cdrs']>, { records }: CallFacts): CheckResult {
  const count = `${records.length} call records`;
  if (typeof wanted === 'number') return compareTexts('cdrs', `${wanted} call records`, count);
  const unlike = wanted.flatMap((fields, index) =>
    [...fields].flatMap(([field, value]) => {
      const there = records[index]?.[field];
      const text = there === undefined ? 'nothing' : String(there);
      const leg = `leg ${index + 1}: ${field}`;
      return text === value ? [] : compareTexts('cdrs', `${leg} ${value}`, `${leg} ${text}`);
    }),
  );
  return unlike[0] ?? compareTexts('cdrs', `${wanted.length} call records`, count);
}

function checkNot(not: NonNullable<Expectations['not']>, facts: CallFacts): CheckResult {
  if (Array.isArray(not)) {
    const ends: readonly WantedEnd[] = not;
    const wrong = ends.find((end) => isWantedEnd(end, facts));
    return {
      what: 'not',
      fits: wrong === undefined,
      expected: `not ${ends.map(wantedText).join(', ')}`,
      got: endText(facts.call.end),
    };
  }
  const expectations: Expectations = 'length' in not ? {} : not;
  const met = checkExpectations(expectations, facts);
  const wrong = met.find(({ fits }) => fits);
  return {
    what: 'not',
    fits: wrong === undefined,
    expected: `not ${(wrong ? [wrong] : met).map(({ expected }) => expected).join(', ')}`,
    got: wrong?.got ?? endText(facts.call.end),
  };
}
