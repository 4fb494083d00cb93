import { Failure } from '../../../base/failure.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { type Report, reportCounts } from '../../../manifest/apply/report.ts';
import type { RunParts } from '../../../manifest/apply/run-plan.ts';
import { compareSaved } from '../../../manifest/plan/saved-plan.ts';
import { recoverLedger } from '../../../state/recover-ledger.ts';
import type { Run } from '../../../state/runs.ts';
import type { Account } from '../../../state/state.ts';
import { runsOf } from '../../open-state.ts';
import { applyAccounts, refuseUnsafe, sendsAnything } from '../accounts/apply-accounts.ts';
import { planReport } from '../plan/plan-report.ts';
import { type Opening, type Planning, type PlanningInput, planAccounts } from '../plan/planning.ts';
import { openSavedPlan, optionsOf } from '../plan/save-plan.ts';
import { showPlans } from '../plan/show-plans.ts';
import { type AccountLocks, accountLocks } from './account-locks.ts';
import type { applyArguments, applyOptions } from './apply-commands.ts';
import { applyResult, reportJson } from './apply-report.ts';
import { followUpCommand } from './follow-up-command.ts';
import { isAgreed, refuseOtherInputs, resumed } from './resume.ts';
import { agreeToTakeOver, changedOf, refuseInUse } from './unasked.ts';

/** Input of `apply`. */
export type ApplyInput = InputOf<typeof applyOptions, typeof applyArguments>;

/** Makes accounts as a manifest says: shows the plan, asks once, and carries it out. */
export async function applyManifest(typed: ApplyInput, context: Context): Promise<Result> {
  if (typed.accounts !== undefined)
    return (await import('../accounts/apply-many.ts')).applyMany(context, typed, typed.accounts);
  const owner = await ownerOf(context);
  const taken = typed.resume ? await resumed(context, owner, typed) : undefined;
  const input = taken?.input ?? typed;
  const locks = accountLocks(context);
  try {
    const planned = await plansOf(context, input, openingFor(context, input, locks));
    const { planning } = planned;
    if (taken) refuseOtherInputs(taken.run, planning.desired.inputs);
    if (context.options.dryRun) return planReport(context, planning);
    refuseUnsafe(planning.accounts, planned.planInput, input.overwrite ?? false);
    const isIdle = !planning.accounts.some(sendsAnything);
    // Where nobody can be asked, a plan that was kept is what the user said.
    const isSaidBefore = planned.isSaved && !context.ask.available;
    const isTakenUp = taken !== undefined && isAgreed(taken.run, planning);
    const isAsked = context.ask.available && !context.options.yes;
    if (!isTakenUp && !isAsked && !planned.planInput.force) refuseInUse(planning.accounts);
    if (!isIdle && !isSaidBefore && !isTakenUp) await askFor(context, planning);
    await agreeToTakeOver(context, changedOf(planning.accounts), planned.planInput.takeOver ?? false);
    const reports = await carryOutAll(context, { input, planned, owner, locks, resumes: taken?.run });
    return isIdle
      ? nothingToDo(reports)
      : applyResult(reports, followUpCommand(context, 'telctl apply --resume'));
  } finally {
    await locks.release();
  }
}

/** The account that a run of this context is begun as: the one acted on. */
export async function ownerOf(context: Context): Promise<Account> {
  const { profile } = await context.session();
  return { origin: profile.baseUrl, accountId: await context.accountId() };
}

/** Locks each account before it is looked at, and makes its ledger good after a run that was killed. */
export function openingFor(context: Context, { ledger: file }: PlanningInput, locks: AccountLocks): Opening {
  if (context.options.dryRun) return {};
  return {
    async opened(account) {
      await locks.hold(account);
      const { id: accountId, origin } = account;
      const store = (await context.state()).ledger({ origin, accountId }, file);
      await recoverLedger(await runsOf(context), store);
    },
  };
}

/** Plans, and what they were made of. */
export interface Planned {
  readonly planning: Planning;
  /** Input that the plans were made with; that of the file if the plan was kept in one. */
  readonly planInput: PlanningInput;
  /** They were kept in a file. */
  readonly isSaved: boolean;
}

async function plansOf(context: Context, input: ApplyInput, opening: Opening): Promise<Planned> {
  if (input.plan === undefined)
    return { planning: await planAccounts(context, input, opening), planInput: input, isSaved: false };
  if (input.file.length > 0) throw new Failure('usage', 'Give a saved plan, or manifests with -f, not both.');
  refusePlanned(input);
  const { saved, input: planInput } = await openSavedPlan(context, input.plan, input);
  const planning = await planAccounts(context, planInput, opening);
  const moved = compareSaved(saved, planning);
  if (moved.length === 0) return { planning, planInput, isSaved: true };
  throw new Failure(
    'conflict',
    [`${input.plan} is no longer what would be done. Nothing was sent.`, ...moved.map((each) => `  ${each}`)],
    { hint: 'Make the plan again: telctl plan -f FILE --out PLAN', details: { moved } },
  );
}

/** Throws `Failure` of kind `usage` for options that a plan is made with: nobody would hear them beside a kept one. */
function refusePlanned(input: ApplyInput): void {
  const given: readonly (readonly [string, unknown])[] = [
    ['--set-name', input.setName],
    ['--allow-unknown-fields', input.allowUnknownFields],
    ['--strict-input', input.strictInput],
    ['--ledger', input.ledger],
    ['--prune', input.prune],
    ['--send-unreadable', input.sendUnreadable],
    ['--max-deletes', input.maxDeletes],
    ['--max-deletes-total', input.maxDeletesTotal],
    ['--max-change-percent', input.maxChangePercent],
    ['--force', input.force],
    ['--take-over', input.takeOver],
  ];
  const [option] = given.find(([, value]) => value !== undefined) ?? [];
  if (option !== undefined)
    throw new Failure('usage', `${option} is part of a saved plan: give it to telctl plan.`);
}

/** Shows the plan and asks. Throws `Failure` of kind `interrupted` where the answer is no. */
async function askFor(context: Context, { accounts }: Planning): Promise<void> {
  if (!context.options.yes) await showPlans(context, accounts);
  const names = accounts.map(({ plan }) => plan.account.name).join(', ');
  if (!(await context.ask.confirm(`Apply these changes to ${names}?`, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
}

/** Plans that were agreed to, and what carries them out. */
export interface Agreed {
  readonly input: Pick<ApplyInput, 'onError' | 'overwrite'>;
  readonly planned: Omit<Planned, 'isSaved'>;
  readonly owner: Account;
  readonly locks: AccountLocks;
  /** The run that is taken up again. */
  readonly resumes?: Run | undefined;
  /** Told of each result as it comes; what an apply tells where left out. */
  readonly told?: RunParts['told'] | undefined;
}

/** Functions that look at plans before they are carried out, and hear the result of each step. */
export interface Watching {
  /** Throws `Failure` where the plans are not to be carried out. */
  agree(planning: Planning): Promise<void>;
  readonly told?: RunParts['told'] | undefined;
}

/** Plans the accounts of a manifest while they are locked, and carries the plans out once they are agreed to. */
export async function applyPlans(
  context: Context,
  input: PlanningInput & Agreed['input'],
  { agree, told }: Watching,
): Promise<readonly Report[]> {
  const locks = accountLocks(context);
  try {
    const planning = await planAccounts(context, input, openingFor(context, input, locks));
    refuseUnsafe(planning.accounts, input, input.overwrite ?? false);
    await agree(planning);
    await agreeToTakeOver(context, changedOf(planning.accounts), input.takeOver ?? false);
    const owner = await ownerOf(context);
    return await carryOutAll(context, { input, planned: { planning, planInput: input }, owner, locks, told });
  } finally {
    await locks.release();
  }
}

/** Carries plans out as a run of the log, unless there is nothing to do. */
export async function carryOutAll(
  context: Context,
  { input, planned, owner, locks, resumes, told }: Agreed,
): Promise<readonly Report[]> {
  const { planning, planInput } = planned;
  const { onError = 'stop', overwrite = false } = input;
  const { host } = context;
  const isWritten = resumes !== undefined || planning.accounts.some(sendsAnything);
  const run = isWritten ? await (await context.state()).log.begin() : undefined;
  const options = { ...optionsOf(planning, planInput), onError, overwrite, cwd: host.cwd };
  try {
    return await applyAccounts(context, {
      planning,
      input: planInput,
      locks,
      run,
      owner,
      options,
      onError,
      overwrite,
      told,
    });
  } finally {
    await run?.close();
  }
}

function nothingToDo(reports: readonly Report[]): Result {
  const names = reports.map(({ plan }) => plan.account.name);
  const are = names.length === 1 ? 'is' : 'are';
  const unverifiable = reports.reduce((sum, report) => sum + reportCounts(report).unverifiable, 0);
  const unknown =
    unverifiable === 0
      ? ''
      : `, as far as can be read; ${unverifiable} ${unverifiable === 1 ? 'object is' : 'objects are'} unverifiable`;
  return {
    kind: 'done',
    message: `Nothing to do: ${names.join(', ')} ${are} as the manifest says${unknown}.`,
    value: reportJson(reports),
  };
}
