import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { countsOf } from '../../../manifest/plan/make-plan.ts';
import { limitsOf, runSafety } from '../../../manifest/plan/plan-safety.ts';
import type { Plan } from '../../../manifest/plan.ts';
import type { ChosenAccount } from '../../many-accounts/choose-accounts.ts';
import { type AccountEnd, overAccounts } from '../../many-accounts/over-accounts.ts';
import { hasDifferences, planReport } from '../plan/plan-report.ts';
import { type Planning, type PlanningInput, planAccounts } from '../plan/planning.ts';
import { type AccountLine, accountsFailure, accountsReport, lineWithout } from './accounts-report.ts';
import { inputFor, openAccounts } from './many-accounts.ts';

/** Looks at many accounts without changing any, and plans each. */
export const planEach = (
  context: Context,
  accounts: readonly ChosenAccount[],
  input: PlanningInput,
): Promise<readonly AccountEnd<Planning>[]> =>
  overAccounts(context, accounts, {
    what: 'accounts',
    work: (account, own) => planAccounts(own, inputFor(input, account)),
  });

/** The plans of the accounts that could be planned. */
export const plansIn = (ends: readonly AccountEnd<Planning>[]): readonly Plan[] =>
  ends.flatMap((end) => (end.state === 'done' ? end.result.accounts.map(({ plan }) => plan) : []));

/**
 * `diff` and `plan` of many accounts: the plan of each, and a table of those that could not be planned. Sends no
 * writes.
 */
export async function planMany(
  context: Context,
  input: PlanningInput & { readonly exitCode?: boolean | undefined },
  file: string,
): Promise<Result> {
  const ends = await planEach(context, await openAccounts(context, input, file), input);
  const plannings = ends.flatMap((end) => (end.state === 'done' ? [end.result] : []));
  const lines = ends.map(plannedLine);
  const failure = accountsFailure(
    lines,
    'Nothing was sent. Look at one of them by itself: telctl diff --account NAME',
  );
  const [first] = plannings;
  const planning = first && { ...first, accounts: plannings.flatMap(({ accounts }) => accounts) };
  const tooMuch = runSafety(plansIn(ends), limitsOf(input));
  const report = planning ? planReport(context, planning, tooMuch) : accountsReport(lines, []);
  const differs = planning !== undefined && hasDifferences(planning);
  if (failure) return { ...report, failure };
  return input.exitCode && differs ? { ...report, exit: 'differences' } : report;
}

/** Counts of a plan, by the words of its last line. */
export const planColumns = ['create', 'update', 'delete', 'unchanged', 'unverifiable'] as const;

/** The line of an account that was planned, or could not be. */
export function plannedLine(end: AccountEnd<Planning>): AccountLine {
  if (end.state !== 'done') return lineWithout(end);
  const { account, result } = end;
  const [planned] = result.accounts;
  if (!planned) return { account, state: 'unchanged', counts: {} };
  const { plan } = planned;
  const state = hasDifferences(result) ? 'to change' : 'unchanged';
  return { account, name: plan.account.name, state, counts: { ...countsOf(plan) } };
}
