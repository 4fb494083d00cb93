import type { JsonObject } from '../../../base/json.ts';
import type { Problem } from '../../../engine/input/document.ts';
import { escapeXml } from '../../../engine/input/notations.ts';
import { seededNumbers } from '../engine/clock.ts';
import { makeCall } from '../engine/make-call.ts';
import { nameByKind } from '../engine/records.ts';
import type { Call, CallAccount, Caller, CallMoney, PhoneBehaviour } from '../engine/types.ts';
import { type CallFacts, caseNames, makeFacts, type PathWord } from './call-facts.ts';
import type { CallCase } from './case-file.ts';
import { type CheckResult, checkExpectations, endText } from './check-expectations.ts';

export interface CaseResult {
  readonly name: string;
  readonly file: string;
  readonly line: number | null;
  readonly result: 'pass' | 'fail' | 'inconclusive';
  readonly expected: string;
  readonly got: string;
  readonly why: string;
}

export interface MadeCase {
  readonly result: CaseResult;
  readonly call: Call;
}

export type PivotReplies = ReadonlyMap<string, JsonObject>;

/**
 * Returns limits and rates for the authorization of calls. The account has enough credit and no other calls, so
 * authorization never decides where a call goes.
 */
function caseMoney(account: CallAccount, rates: readonly JsonObject[]): CallMoney | undefined {
  const [limits] = account.of('limits');
  if (!limits && rates.length === 0) return undefined;
  const inUse = { inbound: 0, outbound: 0, calls: 0 };
  return { limits: limits ?? {}, inUse, balance: Number.POSITIVE_INFINITY, rates };
}

/** Returns the called numbers that are charged by the minute. */
export const ratedNumbers = (made: readonly MadeCase[]): readonly string[] => [
  ...new Set(
    made.flatMap(({ call }) =>
      call.legs.flatMap(({ facts, to }) => (facts.account_billing === 'per_minute' ? [to] : [])),
    ),
  ),
];

/** Simulates the call of a case. Returns problems if the case names people that the account does not have. */
export function runCase(
  one: CallCase,
  account: CallAccount,
  replies: PivotReplies = new Map(),
  rates: readonly JsonObject[] = [],
): MadeCase | { readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const people = new Map<string, PhoneBehaviour>();
  const names = caseNames(account);
  for (const { person, behaviour, problem } of one.people) {
    const found = names.find(person, ['users', 'devices']);
    if (found) people.set(found.id, behaviour);
    else if (isNumber(person)) people.set(person, behaviour);
    else problems.push(problem(names.missing(person, ['users', 'devices'])));
  }
  const from = findCaller(one, account, problems);
  if (problems.length > 0 || !from) return { problems };
  const call = makeCall({
    account,
    at: one.at,
    from,
    to: one.to,
    people,
    presses: one.presses,
    acts: one.acts,
    others: { does: 'answers', after: 6 },
    pivots: new Map(
      [...one.pivots].flatMap(([url, file]) => {
        const reply = replies.get(file);
        return reply ? [[url, reply] as const] : [];
      }),
    ),
    random: seededNumbers(1),
    money: caseMoney(account, rates),
    hangsUpAfter: one.hangsUpAfter,
    leaves: one.leaves,
  });
  return { call, result: judgeCase(one, account, call) };
}

const isNumber = (text: string): boolean => /^\+?\d+$/.test(text);

function findCaller(one: CallCase, account: CallAccount, problems: Problem[]): Caller | undefined {
  const { from } = one;
  if (isNumber(from) || from === 'anonymous') return { number: from };
  const names = caseNames(account);
  const found = names.find(from, ['users', 'devices']);
  if (found) return found.kind === 'users' ? { user: found.id } : { device: found.id };
  problems.push(one.problem('call.from', names.missing(from, ['users', 'devices'])));
  return undefined;
}

function judgeCase(one: CallCase, account: CallAccount, call: Call): CaseResult {
  const { name, file, line } = one;
  const facts = makeFacts(account, call);
  const head = { name, file, line: line ?? null };
  const results = checkExpectations(one.expect, facts);
  const wrong = results.find(({ fits }) => !fits);
  const gap = one.allowsGaps ? undefined : call.events.find(({ kind }) => kind === 'gap');
  const expected = (wrong ? [wrong] : results).map((each) => each.expected).join(', ');
  if (gap?.kind === 'gap') {
    const place = gap.callflow && account.placeOf?.('callflows', gap.callflow, gap.place);
    const where = place === undefined ? '' : ` (${place})`;
    const why = `Not simulated: ${gap.what}${where}`;
    return { ...head, result: 'inconclusive', expected, got: describeResult(facts), why };
  }
  if (wrong)
    return { ...head, result: 'fail', expected, got: wrong.got, why: explainFailure(facts, wrong, one) };
  return { ...head, result: 'pass', expected, got: describeResult(facts), why: '' };
}

/** Describes the result of a call in a few words, such as `alice after 5 s`. */
function describeResult({ call, answered, rings }: CallFacts): string {
  const [caller] = call.legs;
  const formatSeconds = (seconds: number): string => `${Math.round(seconds * 10) / 10} s`;
  const last = answered.at(-1);
  if (call.end.in === 'person' && last)
    return `${last.name} after ${formatSeconds((last.leg.answered ?? 0) - (caller?.began ?? 0))}`;
  if (call.end.in === 'carrier') {
    const shown = rings.at(-1)?.leg.callerId.number;
    return `carrier${shown === undefined ? '' : `, ${shown}`}`;
  }
  if (call.end.in === 'nobody') return `${call.end.cause} after ${formatSeconds(caller?.ended ?? 0)}`;
  return endText(call.end);
}

/** Explains where a call left the expected path, with the place in a file. */
function explainFailure(facts: CallFacts, wrong: CheckResult, { expect }: CallCase): string {
  if (wrong.note !== undefined) return wrong.note;
  const step = decidingStep(facts, wrong.what === 'path' ? (expect.path ?? []) : []);
  const { why: atEnd } = facts.call.end;
  if (!step?.why) return atEnd ?? '';
  const place = placeOfRule(facts, step);
  return place === undefined || step.why.includes(place)
    ? step.why
    : step.why.replace(/\.?$/, ` (${place}).`);
}

/**
 * Returns the step at which a call left the expected path: the step whose result differs from the next expected word
 * (`Office hours: closed`), or else the last step with a reason after the matching words.
 */
function decidingStep({ path }: CallFacts, wanted: readonly string[]): PathWord | undefined {
  let next = 0;
  let from = 0;
  for (const [index, { word }] of path.entries())
    if (word === wanted[next]) {
      next += 1;
      from = index;
    }
  const [subject = ''] = (wanted[next] ?? '').split(': ');
  const rest = path.slice(from);
  const same = rest.find(
    ({ word, why }) => why !== undefined && subject !== '' && word.split(': ')[0] === subject,
  );
  const deciding = rest.filter(({ why, place }) => why !== undefined && place.length > 0);
  return same ?? (wanted.length > 0 ? deciding[0] : undefined) ?? deciding.at(-1);
}

/** Returns the place of the rule that a step tested, or else of the step. */
function placeOfRule(
  { account }: CallFacts,
  { word, callflow, place, why = '' }: PathWord,
): string | undefined {
  const [subject] = word.split(': ');
  const rule = account.of('temporal_rules').find((each) => nameByKind('temporal_rules', each) === subject);
  if (rule) {
    const [, field] = /: (?:.*[ ;])?(wdays|time_window_start|enabled|cycle)\b/.exec(why) ?? [];
    return account.placeOf?.('temporal_rules', String(rule.id), field === undefined ? [] : [field]);
  }
  return account.placeOf?.('callflows', callflow, place);
}

const formatFailure = ({ expected, got, why }: CaseResult): readonly string[] => [
  `expected  ${expected}`,
  `got       ${got}`,
  ...(why === '' ? [] : [why]),
];

/** Formats results as JUnit XML with one suite per file. */
export function formatCasesAsJunit(results: readonly CaseResult[]): string {
  const suites = [...Map.groupBy(results, ({ file }) => file)].map(([file, cases]) => {
    const failed = cases.filter(({ result }) => result === 'fail').length;
    const inconclusive = cases.filter(({ result }) => result === 'inconclusive').length;
    const head = `name="${escapeXml(file)}" tests="${cases.length}" failures="${failed}" errors="${inconclusive}" skipped="0"`;
    return [`  <testsuite ${head}>`, ...cases.map(testcase), '  </testsuite>'].join('\n');
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<testsuites name="telctl test">',
    ...suites,
    '</testsuites>',
    '',
  ].join('\n');
}

function testcase(one: CaseResult): string {
  const line = one.line === null ? '' : ` line="${one.line}"`;
  const head = `    <testcase classname="${escapeXml(one.file)}" name="${escapeXml(one.name)}" file="${escapeXml(one.file)}"${line}`;
  if (one.result === 'pass') return `${head}/>`;
  const tag = one.result === 'fail' ? 'failure' : 'error';
  return `${head}>\n      <${tag} message="${escapeXml(one.why || one.got)}">${escapeXml(formatFailure(one).join('\n'))}</${tag}>\n    </testcase>`;
}

const escapeTapText = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ').replaceAll('#', '\\#');

/** Formats results in version 13 of the Test Anything Protocol. */
export function formatCasesAsTap(results: readonly CaseResult[]): string {
  const lines = results.flatMap((one, index) => {
    const head = `${one.result === 'pass' ? 'ok' : 'not ok'} ${index + 1} - ${escapeTapText(one.name)}`;
    if (one.result === 'pass') return [head];
    const { expected, got, why, file, line, result } = one;
    const facts = { result, expected, got, why, at: `${file}:${line ?? ''}` };
    const block = Object.entries(facts).map(([key, value]) => `  ${key}: ${JSON.stringify(value)}`);
    return [head, '  ---', ...block, '  ...'];
  });
  return ['TAP version 13', `1..${results.length}`, ...lines, ''].join('\n');
}
