import { Failure } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import type { Rollout, RolloutAccount } from '../../../engine/state/rollouts.ts';
import { isEmpty, readRun } from '../../../engine/state/runs.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { ownerOf } from '../apply-plans.ts';
import { holderName } from '../manifest/apply/account-locks.ts';
import { planReversal } from '../manifest/apply/undo.ts';
import type { PlannedAccount } from '../manifest/plan/plan-lines.ts';
import { planReport } from '../manifest/plan/plan-report.ts';
import { runsOf } from '../open-state.ts';
import { contextOf } from '../over-accounts.ts';
import { chargesOf } from './begin.ts';
import { carriedOut } from './carried-out.ts';
import { carryOn } from './carry-on.ts';
import type { rolloutArguments, undoRolloutOptions } from './commands.ts';
import { ownRollout, prepared } from './prepare.ts';
import { rolloutOf } from './report.ts';
import { failuresOf } from './waves.ts';

/** Reverses what a rollout did in all its accounts, as a rollout of its own. */
export async function undoRollout(
  input: InputOf<typeof undoRolloutOptions, typeof rolloutArguments>,
  context: Context,
): Promise<Result> {
  const rollout = await ownRollout(context, input.id);
  const { id, state, set } = rollout;
  if (state === 'running')
    throw new Failure('conflict', `Rollout ${id} is still running.`, {
      hint: `Cancel it first: telctl rollout cancel ${id}`,
    });
  const accounts = await changedIn(context, id);
  if (accounts.length === 0)
    return { kind: 'done', message: `Nothing to do: rollout ${id} changed nothing in any account.` };
  if (context.options.dryRun) return plansOf(context, rollout, accounts, input);
  const question = `Reverse rollout ${id} (${set}) in ${counted(accounts.length, 'account')}?`;
  if (!(await context.ask.confirm(question, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
  const undo = await beginUndo(context, rollout, accounts, input);
  const ready = await prepared(context, await rolloutOf(context, undo), { var: [], allowFiles: [] });
  return carriedOut(context, undo, ready);
}

/** The accounts that a rollout, or one wave of it, changed, as those of an undo. */
async function changedIn(context: Context, id: string, wave?: number): Promise<readonly RolloutAccount[]> {
  const accounts: RolloutAccount[] = [];
  const { rollouts } = await context.state();
  for await (const { accountId, word, runs } of rollouts.accounts(id, wave === undefined ? {} : { wave }))
    if (runs.length > 0)
      accounts.push({
        ...{ position: accounts.length + 1, wave: 1, accountId, word, state: 'waiting' },
        ...{ tries: 0, runs: [], reverses: runs },
      });
  return accounts;
}

/** Keeps the record of an undo, and gives its number. */
async function beginUndo(
  context: Context,
  { id, set, options }: Rollout,
  accounts: readonly RolloutAccount[],
  input: InputOf<typeof undoRolloutOptions>,
): Promise<string> {
  const { rollouts } = await context.state();
  const owner = await ownerOf(context);
  const { command } = await context.facts();
  const undo = await rollouts.begin(
    {
      ...{ version: 1, what: 'undo', undoes: id, state: 'running', set, inputs: [] },
      ...{ atMs: context.host.clock.now(), who: await holderName(context) },
      ...(command === undefined ? {} : { command }),
      ...{ origin: owner.origin, ownerId: owner.accountId, waves: [accounts.length], pauseMs: 0 },
      options: {
        ledger: options.ledger ?? null,
        force: input.force ?? false,
        overwrite: input.overwrite ?? false,
      },
      maxFailures: input.maxFailures === undefined ? { percent: 100 } : failuresOf(input.maxFailures),
      maxDeletesTotal: Number.MAX_SAFE_INTEGER,
      charges: chargesOf(context.options.consent),
    },
    accounts,
  );
  context.notices.say(`rollout ${undo}: reverses rollout ${id} in ${counted(accounts.length, 'account')}`);
  return undo;
}

/**
 * Reverses what a wave did, as a rollout of its own. Accounts in which that was done wait again, so that whoever goes on
 * does them anew.
 */
export async function takeBackWave(context: Context, rollout: Rollout, wave: number): Promise<void> {
  const { id, why } = rollout;
  const { rollouts } = await context.state();
  const accounts = await changedIn(context, id, wave);
  if (accounts.length === 0) return;
  const begun = await beginUndo(context, rollout, accounts, {
    ...{ force: undefined, overwrite: undefined, maxFailures: undefined },
  });
  const undo = await rolloutOf(context, begun);
  const ready = await prepared(context, undo, { var: [], allowFiles: [] });
  await carryOn(context, undo.id, ready, undefined);
  const reversed = new Set<string>();
  for await (const { accountId } of rollouts.accounts(undo.id, { states: ['done', 'unchanged'] }))
    reversed.add(accountId);
  for await (const { counts: _, deletes: __, ...account } of rollouts.accounts(id, { wave }))
    if (reversed.has(account.accountId))
      await rollouts.put(id, {
        ...account,
        ...{ runs: [], state: account.state === 'failed' ? 'failed' : 'waiting' },
      });
  const left = accounts.length - reversed.size;
  const said = `rollout ${undo.id} reversed what wave ${wave} did${left === 0 ? '' : `, but for ${counted(left, 'account')}: telctl rollout show ${undo.id}`}`;
  await rollouts.change(id, () => ({ why: `${why}; ${said}` }));
}

/** The plans by which each account would be reversed. */
async function plansOf(
  context: Context,
  { options: { ledger } }: Rollout,
  accounts: readonly RolloutAccount[],
  { force, overwrite }: InputOf<typeof undoRolloutOptions>,
): Promise<Result> {
  const planned: PlannedAccount[] = [];
  const warned = new Set<string>();
  const given = { force, overwrite, ledger: typeof ledger === 'string' ? ledger : undefined };
  for (const { accountId, word, reverses = [] } of accounts) {
    const own = contextOf(context, { id: accountId, word }, warned);
    for (const id of reverses.toReversed()) {
      const runs = await runsOf(own);
      const run = await readRun(runs, id);
      if (run === undefined) {
        if (!(await isEmpty(runs, id))) context.notices.warn(`run ${id} of ${word} is no longer in the log`);
      } else
        for (const { plan, inUse } of await planReversal(own, run, { ...given, run: id, onError: 'stop' }))
          planned.push({ plan, inUse, refusal: undefined, createdBy: undefined });
    }
  }
  return planReport(context, { accounts: planned }, undefined, { undoes: true });
}
