import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { nearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import { localTime, timesOf } from '../../../base/zoned-time.ts';
import type { CallCase, Expectations } from '../../../engine/call-tests/case-file.ts';
import { coverageOf } from '../../../engine/call-tests/coverage.ts';
import { explore } from '../../../engine/call-tests/explore.ts';
import {
  type MadeCase,
  type PivotReplies,
  ratedNumbers,
  runCase,
} from '../../../engine/call-tests/run-case.ts';
import { zoneOf } from '../../../engine/call-tests/try-call.ts';
import type { CallAccount } from '../../../engine/calls/types.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { markdownCode } from '../labels.ts';
import { readCallAccount, readCaseFiles, readPivotReplies, readRates } from '../read-calls.ts';
import type { testArguments, testOptions } from './commands.ts';
import { reportOf } from './test-report.ts';

type TestInput = InputOf<typeof testOptions, typeof testArguments>;

/** Handler of `telctl test`. */
export async function testCalls(input: TestInput, context: Context): Promise<Result> {
  const least = shareOf(input.minCoverage);
  if (input.explore !== undefined) return exploreCalls(input, context, input.explore);
  const { cases, problems } = await readCaseFiles(context, input.cases);
  if (problems.length > 0) throw problemsFailure(problems);
  const chosen = chosenOf(cases, input.only);
  const account = await readCallAccount(context, input);
  if (account.assumesCarrier)
    context.notices.say('No carrier is in reach, so that one is assumed which takes every call.');
  const replies = await readPivotReplies(context, chosen);
  const unrated = runCases(chosen, account, replies);
  const rates = input.file.length === 0 ? await ratesFor(context, unrated) : [];
  const made = rates.length === 0 ? unrated : runCases(chosen, account, replies, rates);
  const coverage = coverageOf(
    account,
    made.map(({ call }) => call),
  );
  return reportOf(made, coverage, {
    least,
    nowMs: context.host.clock.now(),
    isAsked: input.coverage === true || least !== undefined,
  });
}

/** The rates of the calls of which a case says what they cost: no others are asked for. */
async function ratesFor(
  context: Context,
  made: readonly (MadeCase & { readonly asked: CallCase })[],
): Promise<readonly JsonObject[]> {
  const asked = made.filter(({ asked: { expect } }) => asksForCost(expect));
  return asked.length === 0 ? [] : readRates(context, ratedNumbers(asked));
}

const asksForCost = ({ cost, cdrs, not }: Expectations): boolean =>
  cost !== undefined ||
  (Array.isArray(cdrs) && cdrs.some((fields) => fields.has('cost'))) ||
  (not !== undefined && !('length' in not) && asksForCost(not));

/** Makes the calls of all cases. Throws `Failure` of kind `invalid` where a case names whom there is not. */
function runCases(
  cases: readonly CallCase[],
  account: CallAccount,
  replies: PivotReplies,
  rates: readonly JsonObject[] = [],
): readonly (MadeCase & { readonly asked: CallCase })[] {
  const made: (MadeCase & { readonly asked: CallCase })[] = [];
  const problems: Problem[] = [];
  for (const one of cases) {
    const ran = runCase(one, account, replies, rates);
    if ('problems' in ran) problems.push(...ran.problems);
    else made.push({ ...ran, asked: one });
  }
  const places = new Set<string>();
  const once = problems.filter(({ place }) => !places.has(place) && places.add(place));
  if (once.length > 0) throw problemsFailure(once);
  return made;
}

function chosenOf(cases: readonly CallCase[], only: readonly string[]): readonly CallCase[] {
  if (only.length === 0) return cases;
  const names = cases.map(({ name }) => name);
  const unknown = only.find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw new Failure(
      'usage',
      `--only: there is no case ${JSON.stringify(unknown)}.${didYouMean(nearest(unknown, names))}`,
    );
  return cases.filter(({ name }) => only.includes(name));
}

function shareOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const [, digits] = /^(\d{1,3})%?$/.exec(text) ?? [];
  if (digits !== undefined && Number(digits) <= 100) return Number(digits);
  throw new Failure('usage', `--min-coverage takes a share such as 80%, not ${JSON.stringify(text)}.`);
}

/** Tries random calls, and reports those that nobody takes. */
async function exploreCalls(input: TestInput, context: Context, count: number): Promise<Result> {
  const account = await readCallAccount(context, input);
  const { seed = 1 } = input;
  const found = explore(account, {
    count,
    seed,
    fromMs: beginOfDay(zoneOf(account), context.host.clock.now()),
  });
  const { length } = found;
  const ends = length === 1 ? '1 ends' : `${length} ways to end`;
  const head = `${count.toLocaleString('en')} calls tried. ${length === 0 ? 'None ends' : ends} at nobody or in a loop${length === 0 ? '.' : ':'}`;
  return {
    kind: 'report',
    lines: [[{ text: head }], ...found.map(({ sentence }) => [{ text: `  ${sentence}` }])],
    value: { tried: count, seed, found: found.map((each) => ({ ...each })) },
    rows: found.map((each) => ({ ...each })),
    columns: [
      { header: 'NUMBER', paths: ['to'] },
      { header: 'AT', paths: ['at'] },
      { header: 'ENDS', paths: ['ends'] },
      { header: 'WHY', paths: ['sentence'] },
    ],
    names: found.map(({ sentence }) => sentence),
    markdown: `### ${head}\n${found.map(({ sentence }) => `\n- ${markdownCode(sentence)}`).join('')}\n`,
    ...(length > 0 ? { exit: 'differences' } : {}),
  };
}

/** The first moment of the day that the clocks of a zone show, in Unix milliseconds. */
function beginOfDay(zone: string, ms: number): number {
  const { day, second } = localTime(zone, Math.floor(ms / 1000));
  const [first] = timesOf(zone, { day, second: 0 });
  return (first ?? Math.floor(ms / 1000) - second) * 1000;
}
