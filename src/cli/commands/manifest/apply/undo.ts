import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import { firstLines, formatCount, shownAtMost } from '../../../../base/wording.ts';
import { entryAfterUndo } from '../../../../engine/manifest/ledger-entries.ts';
import type { ApplyReport } from '../../../../engine/manifest/plan.ts';
import type { NotUndone } from '../../../../engine/manifest/undo-plan.ts';
import {
  findRun,
  isDone,
  isDoubtful,
  isRunEmpty,
  newestRuns,
  type Run,
  type Runs,
  readRun,
} from '../../../../engine/state/runs.ts';
import type { Account } from '../../../../engine/state/state.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { confirmChange } from '../../change.ts';
import { quotedAccount } from '../../labels.ts';
import { runAuthor } from '../../log/run-text.ts';
import { withNeeds } from '../../manifest-options.ts';
import { openRuns } from '../../state/open-state.ts';
import { planReport, showPlans } from '../plan/plan-report.ts';
import { type AccountLocks, accountLocks } from './account-locks.ts';
import { currentAccount, refuseInUse } from './apply-plans.ts';
import { applyResult } from './apply-report.ts';
import { carryOut } from './carry-out.ts';
import { runUser } from './record-writes.ts';
import { stillRunning } from './resume.ts';
import {
  type AccountReversal,
  namesForReversals,
  planAccountReversal,
  type UndoRunInput,
} from './undone-account.ts';

/** Replaces ids by names for display. */
const shownReversal = async (undone: readonly AccountReversal[]) => ({
  accounts: undone.map(({ plan, inUse }) => ({ plan, inUse, refusal: undefined, createdBy: undefined })),
  looking: { undoes: true, names: await namesForReversals(undone) },
});

export async function reversalReport(context: Context, undone: readonly AccountReversal[]): Promise<Result> {
  const { accounts, looking } = await shownReversal(undone);
  return planReport(context, { accounts }, undefined, looking);
}

/** Reverses a run. Skips changes whose old values are unknown or that others changed since. */
export async function undo(input: UndoRunInput, context: Context): Promise<Result> {
  const owner = await currentAccount(context);
  const run = await runToUndo(context, owner, input.run);
  if (run.damaged > 0)
    context.notices.warn(
      `run ${run.run} is damaged in the log: ${formatCount(run.damaged, 'line')} of it cannot be read, and its changes are not reversed`,
    );
  const others = await otherAuthor(context, run);
  if (others !== undefined) {
    if (context.options.yes && !context.options.dryRun && input.run === undefined)
      throw new Failure('usage', `The last run, ${run.run}, is not yours: ${others} made it.`, {
        hint: createHint`To reverse it anyway, name it: ${nextStep`undo ${run.run} ${withNeeds(context)}`}`,
      });
    context.notices.warn(`run ${run.run} is not yours: ${others} made it`);
  }
  const named = { ...input, run: run.run };
  const locks = accountLocks(context);
  try {
    const accounts = (await planReversal(context, named, locks)) ?? [];
    const left = accounts.flatMap((account) => account.left);
    if (context.options.dryRun) {
      reportNotReversed(context, left);
      return reversalReport(context, accounts);
    }
    if (accounts.every(({ plan }) => plan.steps.length === 0)) return nothingToUndo(run, left);
    const isAsked = context.ask.available && !context.options.yes;
    if (!isAsked && !input.force) refuseInUse(accounts);
    if (!context.options.yes) {
      const shown = await shownReversal(accounts);
      await showPlans(context, shown.accounts, shown.looking);
    }
    reportNotReversed(context, left);
    const names = accounts.map(({ plan }) => plan.account.name).join(', ');
    const line = run.command === undefined ? '' : ` (${run.command})`;
    const whose = others === undefined ? '' : ` by ${others}`;
    const question = `Undo run ${run.run}${line}${whose} in ${names}?`;
    await confirmChange(context, question);
    const reports = await carryOutUndo(context, named, accounts);
    const result = applyResult(reports, nextStep`undo ${run.run} ${withNeeds(context)}`);
    return left.length > 0 && !result.failure ? { ...result, exit: 'partial' } : result;
  } finally {
    await locks.release();
  }
}

type LoggedRunInput = UndoRunInput & { readonly run: string };

/**
 * Plans the reversal of a run, starting with its last account. Locks each account that may be changed. Returns
 * `undefined` if the log no longer has the run.
 */
export async function planReversal(
  context: Context,
  input: LoggedRunInput,
  locks = accountLocks(context),
): Promise<readonly AccountReversal[] | undefined> {
  const runs = await openRuns(context);
  const run = await readRun(runs, input.run);
  if (run === undefined) return (await isRunEmpty(runs, input.run)) ? [] : undefined;
  const accounts: AccountReversal[] = [];
  for (const part of run.parts.toReversed()) {
    const account = await planAccountReversal(context, run, part, input, locks);
    if (account) accounts.push(account);
  }
  return accounts;
}

/**
 * Reverses a run of an account without asking. Locks the account before it reads the run, so that a running process
 * finishes first. Returns `undefined` if the log no longer has the run. Throws `Failure` of kind `refused` if it would
 * delete objects that are in use.
 */
export async function reverseRun(
  context: Context,
  account: Parameters<AccountLocks['hold']>[0],
  input: LoggedRunInput,
  begun: (run: string) => Promise<void>,
): Promise<{ readonly reports: readonly ApplyReport[]; readonly left: readonly NotUndone[] } | undefined> {
  const locks = accountLocks(context);
  try {
    await locks.hold(account);
    const accounts = await planReversal(context, input, locks);
    if (accounts === undefined) return undefined;
    const left = accounts.flatMap((account) => account.left);
    if (accounts.every(({ plan }) => plan.steps.length === 0)) return { reports: [], left };
    if (!input.force) refuseInUse(accounts);
    return { reports: await carryOutUndo(context, input, accounts, begun), left };
  } finally {
    await locks.release();
  }
}

/** Names the author of a run, if it is not the current user or pipeline. Prefers the database user. */
async function otherAuthor(context: Context, run: Run): Promise<string | undefined> {
  const [{ user, userId }, { ci, machine }, writer] = await Promise.all([
    runUser(context, { asks: true }),
    context.facts(),
    (await context.state()).user(),
  ]);
  if (run.writer !== writer) return runAuthor(run);
  // Users with only an API key have no name, so their machine identifies them.
  const authorId = (each: Pick<Run, 'user' | 'userId' | 'machine'>): string | undefined =>
    each.userId ?? (each.machine === undefined ? undefined : `${each.user}@${each.machine}`);
  const [then, now] = [authorId(run), authorId({ user, userId, machine })];
  const isSame = then === undefined || now === undefined || then === now;
  return isSame && (run.ci === undefined) === (ci === undefined) ? undefined : runAuthor(run);
}

/** Returns the named run or the last one. Throws if the last run is an undo. */
async function runToUndo(context: Context, owner: Account, word: string | undefined): Promise<Run> {
  const run =
    word === undefined ? await lastRun(context, owner) : await findRun(await openRuns(context), owner, word);
  if (run.state !== 'running') return run;
  throw stillRunning(run);
}

async function lastRun(context: Context, owner: Account): Promise<Run> {
  const runs = await openRuns(context);
  const unreadable: string[] = [];
  const last = await lastChangingRun(runs, owner, unreadable);
  const unread = unreadable.at(-1);
  if (unread !== undefined)
    throw new Failure('failed', `Run ${unread} of the log cannot be read, so its changes are unknown.`, {
      hint: createHint`Name the run to reverse: ${nextStep`log ${withNeeds(context)}`} lists them.`,
    });
  if (last && last.what !== 'undo') return last;
  const account = await quotedAccount(context);
  if (!last)
    throw new Failure('usage', `The log has no changes on ${account}.`, {
      hint: createHint`${nextStep`log ${withNeeds(context)}`} lists the runs.`,
    });
  throw new Failure(
    'usage',
    `The last run on ${account}, ${last.run}, reversed ${last.undoes ?? 'another'} already. Name the run to reverse.`,
    {
      hint: createHint`To restore those changes: ${nextStep`undo ${last.run} ${withNeeds(context)}`}. All runs: ${nextStep`log ${withNeeds(context)}`}`,
    },
  );
}

/** Returns the last run with changes or possible changes. Adds later, unreadable runs to `unreadable`. */
async function lastChangingRun(runs: Runs, owner: Account, unreadable: string[]): Promise<Run | undefined> {
  for await (const run of newestRuns(runs, { account: owner }, (id) => unreadable.push(id)))
    if (run.parts.some(({ steps }) => steps.some((step) => isDone(step) || isDoubtful(step)))) return run;
  return undefined;
}

/** Carries out a reversal as a run of the log. Calls `begun` before the first request. */
async function carryOutUndo(
  context: Context,
  input: LoggedRunInput,
  accounts: readonly AccountReversal[],
  begun?: (run: string) => Promise<void>,
): Promise<readonly ApplyReport[]> {
  const { accountId: owner } = await currentAccount(context);
  const writer = await (await context.state()).log.begin();
  const reports: ApplyReport[] = [];
  try {
    await begun?.(writer.id);
    for (const [index, { part, plan, accountId, observed, store }] of accounts.entries()) {
      const report = await carryOut(context, {
        plan,
        accountId,
        observed,
        store,
        run: writer,
        onError: input.onError ?? 'stop',
        confidential: () => [],
        entryAfter: (step, performed, ledger) =>
          entryAfterUndo(part, step, performed, ledger, context.host.clock.now()),
        start: {
          what: 'undo',
          owner,
          undoes: input.run,
          part: index + 1,
          parts: accounts.length,
          inputs: [],
          options: { ledger: input.ledger },
        },
      });
      reports.push(report);
      if (report.interrupted || report.trouble) break;
    }
    return reports;
  } finally {
    await writer.close();
  }
}

function reportNotReversed({ notices }: Context, left: readonly NotUndone[]): void {
  if (left.length === 0) return;
  notices.say('Not reversed:');
  for (const line of firstLines(left.map(({ label, why }) => `${label}: ${why}`))) notices.say(`  ${line}`);
}

function nothingToUndo({ run }: Run, left: readonly NotUndone[]): Result {
  if (left.length === 0)
    return { kind: 'done', message: `Nothing to do: the changes of run ${run} no longer exist.` };
  throw new Failure(
    'conflict',
    [
      `None of the changes of run ${run} can be reversed.`,
      ...left.slice(0, shownAtMost).map(({ label, why }) => `  ${label}: ${why}`),
    ],
    {
      ...(left.some(({ overwritable }) => overwritable)
        ? { hint: 'To reverse changes that others made since, pass --overwrite.' }
        : {}),
      details: { not_undone: left.map((each) => ({ ...each })) },
    },
  );
}
