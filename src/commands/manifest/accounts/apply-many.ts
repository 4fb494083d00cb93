import { Failure } from '../../../base/failure.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { limitsOf, runSafety } from '../../../manifest/plan-safety.ts';
import { type Report, reportCounts } from '../../../manifest/report.ts';
import { shownPlan } from '../../../manifest/shown-plan.ts';
import { applyPlans, refuseInUse } from '../../apply-plans.ts';
import { applyResult } from '../../apply-report.ts';
import type { ChosenAccount } from '../../choose-accounts.ts';
import { type AccountEnd, overAccounts } from '../../over-accounts.ts';
import { type Planning, planAccounts } from '../../planning.ts';
import type { ApplyInput } from '../apply/apply.ts';
import { hasDifferences } from '../plan/plan-report.ts';
import { type AccountLine, accountsFailure, accountsReport, lineWithout } from './accounts-report.ts';
import {
  inputFor,
  openAccounts,
  planColumns,
  planEach,
  planMany,
  plannedLine,
  plansIn,
} from './many-accounts.ts';

const appliedColumns = ['created', 'updated', 'deleted', 'unchanged', 'failed', 'skipped'] as const;

/** Options for applying one account among many. */
interface EachAccount {
  readonly input: ApplyInput;
  /** Plans that somebody agreed to, by the account's id, as text; none where nobody was asked. */
  readonly agreed: ReadonlyMap<string, string>;
}

/**
 * `apply` of one manifest to many accounts: a table of what would change, one question, the canary, and then the
 * others. What is done already is left as it is, so that the same line again takes up what was not done.
 */
export async function applyMany(context: Context, input: ApplyInput, file: string): Promise<Result> {
  refuseCombinations(input);
  if (context.options.dryRun) return planMany(context, input, file);
  const accounts = await openAccounts(context, input, file);
  const planned = await plannedFirst(context, accounts, input);
  const agreed = context.options.yes ? new Map<string, string>() : await askFor(context, planned, input);
  const each: EachAccount = { input, agreed };
  const canary = accounts.slice(0, input.canary ?? accounts.length);
  const rest = accounts.slice(canary.length);
  const first = await applyEach(context, canary, each);
  const goesOn = rest.length === 0 || (await isPassed(context, first, rest.length));
  const then: readonly AccountEnd<Report>[] = goesOn
    ? await applyEach(context, rest, each)
    : rest.map((account) => ({ account, state: 'left' }));
  const lines = [...first, ...then].map(appliedLine);
  const failure = accountsFailure(
    lines,
    'Repeat the same command: accounts that are done are left as they are. telctl apply history --account NAME shows a run.',
  );
  return { ...accountsReport(lines, appliedColumns), ...(failure ? { failure } : {}) };
}

function refuseCombinations({ plan, resume, generatePasswords }: ApplyInput): void {
  if (generatePasswords !== undefined)
    throw new Failure('usage', '--generate-passwords is for one account; leave out --accounts.', {
      hint: 'Give passwords by a variable of each account, a column of the list of accounts.',
    });
  if (plan !== undefined)
    throw new Failure('usage', 'A saved plan is for one account; give manifests with -f beside --accounts.');
  if (resume)
    throw new Failure('usage', '--resume continues the run of one account.', {
      hint: 'With --accounts repeat the same command: accounts that are done are left as they are.',
    });
}

/**
 * Plans every account before anything is sent, where that is needed: somebody is asked, or so much could change that the
 * whole run is refused. Throws `Failure` of kind `refused` for that.
 */
async function plannedFirst(
  context: Context,
  accounts: readonly ChosenAccount[],
  input: ApplyInput,
): Promise<readonly AccountEnd<Planning>[]> {
  const limits = limitsOf(input);
  if (context.options.yes && !input.prune && limits.maxChangePercent === 100) return [];
  const ends = await planEach(context, accounts, input);
  const tooMuch = runSafety(plansIn(ends), limits);
  if (tooMuch) throw tooMuch;
  return ends;
}

/** Shows what would change in each account and asks once. Throws `Failure` of kind `interrupted` for a no. */
async function askFor(
  context: Context,
  ends: readonly AccountEnd<Planning>[],
  input: ApplyInput,
): Promise<ReadonlyMap<string, string>> {
  const planned = ends.flatMap((end) => (end.state === 'done' ? [end] : []));
  const changing = planned.filter(({ result }) => hasDifferences(result));
  const lines = ends.map(plannedLine);
  const failed = lines.filter(({ failure }) => failure !== undefined).length;
  if (changing.length > 0) {
    await context.notices.report(accountsReport(lines, planColumns).lines);
    const canary = input.canary === undefined ? '' : `, the first ${input.canary} first`;
    const without = failed === 0 ? '' : ` (${failed} cannot be planned)`;
    const question = `Apply these changes to ${changing.length} of ${ends.length} accounts${canary}${without}?`;
    if (!(await context.ask.confirm(question, { option: '--yes' })))
      throw new Failure('interrupted', 'Nothing was changed.');
  }
  return new Map(
    planned.map(({ account, result }) => [
      account.id,
      JSON.stringify(result.accounts.map(({ plan }) => shownPlan(plan))),
    ]),
  );
}

const applyEach = (
  context: Context,
  accounts: readonly ChosenAccount[],
  each: EachAccount,
): Promise<readonly AccountEnd<Report>[]> =>
  overAccounts(context, accounts, {
    what: 'accounts',
    stopOnFailure: each.input.onError === 'stop',
    stopsAfter: (report) =>
      report.interrupted ||
      report.trouble !== undefined ||
      (each.input.onError === 'stop' && applyResult([report], '').failure !== undefined),
    work: (account, own) => applyTo(own, account, each),
  });

/** Plans and applies one account while it is locked. */
async function applyTo(
  own: Context,
  account: ChosenAccount,
  { input, agreed }: EachAccount,
): Promise<Report> {
  const before = agreed.get(account.id);
  const planInput = inputFor(input, account);
  const [report] = await applyPlans(own, planInput, {
    plans: async (opening) => ({ planning: await planAccounts(own, planInput, opening), planInput }),
    async agree({ planning: { accounts } }) {
      if (before !== undefined && before !== JSON.stringify(accounts.map(({ plan }) => shownPlan(plan))))
        throw new Failure(
          'conflict',
          'The account changed since its plan was shown; nothing was sent to it.',
        );
      if (!input.force) refuseInUse(accounts);
    },
  });
  if (!report) throw new Error('An account was applied and there is no report of it.');
  return report;
}

/** Tells whether the accounts after the canary are to be done, too: all of it went well, and nobody says no. */
async function isPassed(
  context: Context,
  ends: readonly AccountEnd<Report>[],
  left: number,
): Promise<boolean> {
  const good = ends.every((end) => ['done', 'unchanged'].includes(appliedLine(end).state));
  if (!good) return false;
  const are = ends.length === 1 ? 'account is' : `${ends.length} accounts are`;
  return context.ask.confirm(`The first ${are} done. Go on with the other ${left}?`, { option: '--yes' });
}

function appliedLine(end: AccountEnd<Report>): AccountLine {
  if (end.state !== 'done') return lineWithout(end);
  const { account, result } = end;
  const { failure } = applyResult([result], `telctl apply --resume --account ${account.id}`);
  const counts = { ...reportCounts(result) };
  const changed = counts.created + counts.updated + counts.deleted > 0;
  return {
    account,
    name: result.plan.account.name,
    state: failure ? 'failed' : changed ? 'done' : 'unchanged',
    counts,
    failure,
    run: result.run,
  };
}
