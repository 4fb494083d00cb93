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
  const { rollouts } = await context.state();
  const accounts: RolloutAccount[] = [];
  for await (const { accountId, word, runs } of rollouts.accounts(id))
    if (runs.length > 0)
      accounts.push({
        ...{ position: accounts.length + 1, wave: 1, accountId, word, state: 'waiting' },
        ...{ tries: 0, runs: [], reverses: runs },
      });
  if (accounts.length === 0)
    return { kind: 'done', message: `Nothing to do: rollout ${id} changed nothing in any account.` };
  if (context.options.dryRun) return plansOf(context, rollout, accounts, input);
  const question = `Reverse rollout ${id} (${set}) in ${counted(accounts.length, 'account')}?`;
  if (!(await context.ask.confirm(question, { option: '--yes' })))
    throw new Failure('interrupted', 'Nothing was changed.');
  const owner = await ownerOf(context);
  const { command } = await context.facts();
  const undo = await rollouts.begin(
    {
      ...{ version: 1, what: 'undo', undoes: id, state: 'running', set, inputs: [] },
      ...{ atMs: context.host.clock.now(), who: await holderName(context) },
      ...(command === undefined ? {} : { command }),
      ...{ origin: owner.origin, ownerId: owner.accountId, waves: [accounts.length], pauseMs: 0 },
      options: {
        ledger: rollout.options.ledger ?? null,
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
  const ready = await prepared(context, await rolloutOf(context, undo), { var: [], allowFiles: [] });
  return carriedOut(context, undo, ready);
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
