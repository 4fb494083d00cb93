import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { didYouMean } from '../../base/wording.ts';
import type { CallCase, Expectations } from '../../engine/call-tests/case-file.ts';
import { type MadeCase, type PivotReplies, ratedNumbers, runCase } from '../../engine/call-tests/run-case.ts';
import type { CallAccount } from '../../engine/calls/types.ts';
import { type Problem, problemsFailure } from '../../engine/input/document.ts';
import type { InputOf } from '../command/command.ts';
import type { Context } from '../command/context.ts';
import type { manifestOptions } from './manifest-options.ts';
import { readCallAccount, readCaseFiles, readPivotReplies, readRates } from './read-calls.ts';

/** Case files, the names of the cases that are meant, and manifests. */
type CasesInput = InputOf<typeof manifestOptions> & {
  readonly cases: readonly string[];
  readonly only: readonly string[];
};

/** Makes the calls of case files. Throws `Failure` of kind `invalid` where a case or a manifest cannot be read. */
export async function makeCalls(
  input: CasesInput,
  context: Context,
): Promise<{ readonly account: CallAccount; readonly made: readonly MadeCase[] }> {
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
  return { account, made };
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
