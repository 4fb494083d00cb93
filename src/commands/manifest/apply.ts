import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import type { JsonObject } from '../../contract/json.ts';
import { beginJournal } from '../../manifest/apply/journal-file.ts';
import type { Report } from '../../manifest/apply/report.ts';
import { compareSaved } from '../../manifest/plan/saved-plan.ts';
import type { Result } from '../../terminal/result.ts';
import { type AccountLocks, accountLocks } from './account-locks.ts';
import { agreementOf } from './agreement.ts';
import { applyAccounts, refuseUnsafe, sendsAnything } from './apply-accounts.ts';
import type { applyArguments, applyOptions } from './apply-commands.ts';
import { applyResult } from './apply-report.ts';
import { planLines } from './plan-lines.ts';
import { planReport } from './plan-report.ts';
import { type Planning, type PlanningInput, planAccounts } from './planning.ts';
import { openSavedPlan, optionsOf } from './save-plan.ts';

type ApplyInput = InputOf<typeof applyOptions, typeof applyArguments>;

/** Makes accounts as a manifest says: shows the plan, asks once, and carries it out. */
export async function applyManifest(input: ApplyInput, context: Context): Promise<Result> {
  const agree = agreementOf(context, input);
  const locks = accountLocks(context);
  try {
    const { planning, planInput, settled } = await planned(context, input, locks);
    if (context.options.dryRun) return planReport(context, planning);
    refuseUnsafe(planning.accounts, input.overwrite ?? false);
    if (planning.accounts.some(sendsAnything) && !settled) await askFor(context, planning);
    const reports = await run(context, input, { planning, input: planInput, locks, agree });
    return planning.accounts.some(sendsAnything)
      ? applyResult(reports, 'telctl apply --resume')
      : nothingToDo(reports);
  } finally {
    await locks.release();
  }
}

interface ToApply {
  readonly planning: Planning;
  readonly planInput: PlanningInput;
  /** The question was answered before. */
  readonly settled: boolean;
}

/** The plans, made while their accounts are locked. */
async function planned(context: Context, input: ApplyInput, locks: AccountLocks): Promise<ToApply> {
  const opening = context.options.dryRun ? {} : { opened: locks.hold };
  if (input.plan === undefined)
    return { planning: await planAccounts(context, input, opening), planInput: input, settled: false };
  if (input.file.length > 0)
    throw new Failure('usage', 'Give a plan that was kept, or manifests with -f, not both.');
  const { saved, input: planInput } = openSavedPlan(context, input.plan, input.var);
  const planning = await planAccounts(context, planInput, opening);
  const moved = compareSaved(saved, planning);
  if (moved.length > 0)
    throw new Failure(
      'conflict',
      [
        `${input.plan} is no longer what would be done. Nothing was sent.`,
        ...moved.map((each) => `  ${each}`),
      ].join('\n'),
      { hint: 'Make the plan again: telctl plan -f FILE --out PLAN', details: { moved } },
    );
  return { planning, planInput, settled: true };
}

/** Shows the plan and asks. Throws `Failure` of kind `interrupted` where the answer is no. */
async function askFor(context: Context, { accounts }: Planning): Promise<void> {
  const names = accounts.map(({ plan }) => plan.account.name).join(', ');
  if (!context.options.yes) {
    const { columns } = context.host.stderr;
    for (const line of planLines(accounts, { columns, verbose: context.options.verbosity === 'verbose' }))
      context.notices.say(line.map(({ text }) => text).join(''));
  }
  if (!(await context.ask.confirm(`Apply these changes to ${names}?`, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
}

async function run(
  context: Context,
  input: ApplyInput,
  {
    planning,
    ...applying
  }: Pick<Parameters<typeof applyAccounts>[1], 'planning' | 'input' | 'locks' | 'agree'>,
): Promise<readonly Report[]> {
  const [first] = planning.accounts;
  const { accountId, origin } = {
    accountId: await context.accountId(),
    origin: first?.plan.account.origin ?? '',
  };
  const journal = planning.accounts.some(sendsAnything)
    ? beginJournal(context.host, { origin, accountId })
    : undefined;
  try {
    return await applyAccounts(context, {
      ...applying,
      planning,
      journal,
      options: runOptions(context, planning, applying.input, input),
      onError: input.onError ?? 'stop',
      overwrite: input.overwrite ?? false,
    });
  } finally {
    journal?.close();
  }
}

/** What `--resume` needs to do the same again. */
const runOptions = (
  { host }: Context,
  planning: Planning,
  planInput: PlanningInput,
  { onError, overwrite }: ApplyInput,
): JsonObject => ({ ...optionsOf(planning, planInput), onError, overwrite, cwd: host.cwd });

function nothingToDo(reports: readonly Report[]): Result {
  const names = reports.map(({ plan }) => plan.account.name).join(', ');
  const { value } = applyResultValue(reports);
  return { kind: 'done', message: `Nothing to do: ${names} is as the manifest says.`, value };
}

const applyResultValue = (reports: readonly Report[]) => {
  const result = applyResult(reports, '');
  return { value: result.kind === 'done' ? (result.value ?? null) : null };
};
