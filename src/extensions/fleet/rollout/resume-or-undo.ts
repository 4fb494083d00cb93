import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { formatCount } from '../../../base/wording.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { Result } from '../../../cli/command/result.ts';
import type { ChosenAccount } from '../../../cli/commands/bulk/choose-accounts.ts';
import { contextForAccount } from '../../../cli/commands/bulk/each-account.ts';
import { confirmChange } from '../../../cli/commands/change.ts';
import { planMany } from '../../../cli/commands/manifest/accounts/many-accounts.ts';
import { planReversal, reversalReport } from '../../../cli/commands/manifest/apply/undo.ts';
import type { AccountReversal } from '../../../cli/commands/manifest/apply/undone-account.ts';
import { notifierOf } from '../../../cli/commands/webhooks/target-client.ts';
import {
  formatStarter,
  openStates,
  type Rollout,
  type RolloutAccount,
} from '../../../engine/state/rollouts.ts';
import { allowedCharges, startFacts } from './begin.ts';
import type { resumeOptions, rolloutArguments, undoRolloutOptions } from './commands.ts';
import { waveCheckOf } from './judge-wave.ts';
import { parseMaxFailures } from './limits.ts';
import { ownRollout, prepareRollout } from './prepare.ts';
import { rolloutOf } from './report.ts';
import { reportWhile, runAndReport, runRollout } from './run-rollout.ts';

/** Resumes a rollout: retries failed accounts and skips finished accounts. */
export async function resumeRollout(
  input: InputOf<typeof resumeOptions, typeof rolloutArguments>,
  context: Context,
): Promise<Result> {
  const rollout = await ownRollout(context, input.id);
  const { id } = rollout;
  const { rollouts } = await context.state();
  const leftNow = async () =>
    (await rollouts.counts(id)).filter(({ state }) => state === 'failed' || openStates.includes(state));
  const before = await leftNow();
  if (before.length === 0 && !rollout.reversing)
    return { kind: 'done', message: `Nothing to do: rollout ${id} is done in all accounts.` };
  if (rollout.checked && input.check.length === 0)
    throw new Failure('usage', `Rollout ${id} needs its --check, which is not stored.`, {
      hint: createHint`Pass the check again: ${nextStep`rollout resume ${id} --check COMMAND`}`,
    });
  const ready = {
    ...(await prepareRollout(context, rollout, { ...input, resumed: true })),
    check: waveCheckOf(context, input.check),
    notify: await notifierOf(context, input.notifyFile),
  };
  if (context.options.dryRun) {
    const left = rollouts.accounts(id, { states: ['failed', ...openStates] });
    const accounts = await Array.fromAsync(left, ({ accountId, word }): ChosenAccount => {
      return { id: accountId, label: word, vars: ready.vars.get(word) ?? new Map(), file: '', line: 0 };
    });
    if (rollout.what === 'apply') return planMany(context, ready.input, accounts);
    return {
      kind: 'text',
      text: accounts.map(({ label }) => `Would reverse the remaining changes in ${label}.`),
    };
  }
  const sum = before.reduce((total, { count }) => total + count, 0);
  const first = rollout.reversing ? `, after reversing wave ${rollout.reversing.wave}` : '';
  const question = `Resume rollout ${id} in ${formatCount(sum, 'account')}${first}?`;
  await confirmChange(context, question);
  if (!(await reverseWave(context, rollout))) return reportWhile(context, id, async () => undefined);
  const left = await leftNow();
  for await (const { agreed, ...account } of rollouts.accounts(id, { states: ['failed'] })) {
    // Resuming approves the new plan of an account that has changed, unless plans were reviewed.
    const isAgreed =
      agreed !== undefined && (rollout.reviewed !== undefined || account.error?.kind !== 'conflict');
    await rollouts.put(id, { ...account, state: 'waiting', ...(isAgreed ? { agreed } : {}) });
  }
  const wave = Math.min(...left.map((each) => each.wave));
  const charges = allowedCharges(context.options.consent);
  await rollouts.change(id, ({ heldUntilMs, wave: before }) => ({
    state: 'running',
    wave,
    ...(charges === 'none' ? {} : { charges }),
    ...(ready.check ? { checked: true } : {}),
    why: undefined,
    failedWave: undefined,
    heldUntilMs: wave === before ? heldUntilMs : undefined,
  }));
  return runAndReport(context, id, ready);
}

export async function cancelRollout(
  { id: word }: InputOf<Record<never, never>, typeof rolloutArguments>,
  context: Context,
): Promise<Result> {
  const rollout = await ownRollout(context, word);
  const { id, state } = rollout;
  if (state === 'finished' || state === 'cancelled')
    return { kind: 'done', message: `Nothing to do: rollout ${id} is ${state}.` };
  await confirmChange(context, `Cancel rollout ${id} of ${formatStarter(rollout)}?`);
  await (await context.state()).rollouts.change(id, () => ({ state: 'cancelled', why: undefined }));
  return {
    kind: 'done',
    message: `Cancelled rollout ${id}. Continue it: ${nextStep`rollout resume ${id}`}. Reverse its changes: ${nextStep`rollout undo ${id}`}.`,
  };
}

/** Reverses the changes of a rollout in all its accounts, with a new rollout. */
export async function undoRollout(
  input: InputOf<typeof undoRolloutOptions, typeof rolloutArguments>,
  context: Context,
): Promise<Result> {
  const rollout = await ownRollout(context, input.id);
  const { id, state, set } = rollout;
  if (state === 'running')
    throw new Failure('conflict', `Rollout ${id} is still running.`, {
      hint: createHint`Cancel it first: ${nextStep`rollout cancel ${id}`}`,
    });
  const isCutOff = rollout.reversing !== undefined;
  const accounts = await changedAccounts(context, id);
  if (accounts.length === 0 && !isCutOff)
    return { kind: 'done', message: `Nothing to do: rollout ${id} changed no account.` };
  if (context.options.dryRun) return planUndo(context, rollout, accounts, input);
  const question = `Reverse rollout ${id} (${set}) in ${formatCount(accounts.length, 'account')}?`;
  await confirmChange(context, question);
  if (isCutOff && !(await reverseWave(context, rollout)))
    return reportWhile(context, id, async () => undefined);
  const left = isCutOff ? await changedAccounts(context, id) : accounts;
  if (left.length === 0) return { kind: 'done', message: `Reversed rollout ${id} in all accounts.` };
  const undo = await beginUndo(context, rollout, left, input);
  const ready = await prepareRollout(context, await rolloutOf(context, undo), { var: [], allowFiles: [] });
  return runAndReport(context, undo, ready);
}

/** Returns the accounts that a rollout or one of its waves changed, as accounts of an undo. */
async function changedAccounts(
  context: Context,
  id: string,
  wave?: number,
): Promise<readonly RolloutAccount[]> {
  const { rollouts } = await context.state();
  const all = await Array.fromAsync(rollouts.accounts(id, wave === undefined ? {} : { wave }));
  return all
    .filter(({ runs }) => runs.length > 0)
    .map(({ accountId, word, runs: reverses }, index) => {
      const position = index + 1;
      return { position, wave: 1, accountId, word, state: 'waiting', tries: 0, runs: [], reverses };
    });
}

type UndoInput = InputOf<typeof undoRolloutOptions>;

/** Stores the rollout that reverses another one, and returns its id. */
async function beginUndo(
  context: Context,
  { id, set, options: { ledger = null } }: Rollout,
  accounts: readonly RolloutAccount[],
  { force = false, overwrite = false, maxFailures }: Partial<UndoInput>,
  state: Rollout['state'] = 'running',
): Promise<string> {
  const { rollouts } = await context.state();
  const undo = await rollouts.begin(
    {
      ...(await startFacts(context)),
      what: 'undo',
      undoes: id,
      state,
      set,
      inputs: [],
      waves: [accounts.length],
      pauseMs: 0,
      options: { ledger, force, overwrite },
      maxFailures: maxFailures === undefined ? { percent: 100 } : parseMaxFailures(maxFailures),
      maxDeletesTotal: Number.MAX_SAFE_INTEGER,
    },
    accounts,
  );
  context.notices.say(
    `rollout ${undo}: reverses rollout ${id} in ${formatCount(accounts.length, 'account')}`,
  );
  return undo;
}

/**
 * Reverses the changes of a wave with a new rollout, or resumes that rollout. Reversed accounts are reset to waiting,
 * so that `rollout resume` repeats them. Returns false if the reversal did not finish.
 */
export async function reverseWave(context: Context, rollout: Rollout): Promise<boolean> {
  const { id, why, reversing } = rollout;
  if (reversing === undefined) return true;
  const { wave } = reversing;
  const { rollouts } = await context.state();
  const undo = reversing.undo ?? (await beginWaveReversal(context, rollout, wave));
  const over = (more: string) =>
    rollouts.change(id, () => ({ reversing: undefined, why: more === '' ? why : `${why}; ${more}` }));
  if (undo === undefined) {
    await over('');
    return true;
  }
  const changed = new Map<string, RolloutAccount>();
  for await (const account of rollouts.accounts(id, { wave }))
    if (account.runs.length > 0) changed.set(account.accountId, account);
  const isReversed = ({ state }: RolloutAccount): boolean => state === 'done' || state === 'unchanged';
  const waitAgain = async (account: RolloutAccount): Promise<void> => {
    const known = isReversed(account) ? changed.get(account.accountId) : undefined;
    if (known === undefined) return;
    changed.delete(account.accountId);
    const { counts: _, deletes: __, agreed, ...before } = known;
    const state = known.state === 'failed' ? 'failed' : 'waiting';
    // The plan can change after the reversal, so only a reviewed plan is kept.
    const kept = rollout.reviewed === undefined || agreed === undefined ? {} : { agreed };
    await rollouts.put(id, { ...before, ...kept, runs: [], state });
  };
  await rollouts.change(undo, ({ state }) =>
    state === 'finished' ? undefined : { state: 'running', why: undefined },
  );
  const ready = await prepareRollout(context, await rolloutOf(context, undo), { var: [], allowFiles: [] });
  const { state } = await runRollout(context, undo, ready, { onAttempt: waitAgain });
  let left = 0;
  for await (const account of rollouts.accounts(undo)) {
    await waitAgain(account);
    if (!isReversed(account)) left += 1;
  }
  if (state !== 'finished') return false;
  const but =
    left === 0 ? '' : `, except in ${formatCount(left, 'account')}: ${nextStep`rollout show ${undo}`}`;
  await over(`rollout ${undo} reversed wave ${wave}${but}`);
  return true;
}

/** Stores the reversal of a wave before it starts. Returns `undefined` if the wave changed nothing. */
async function beginWaveReversal(
  context: Context,
  rollout: Rollout,
  wave: number,
): Promise<string | undefined> {
  const accounts = await changedAccounts(context, rollout.id, wave);
  if (accounts.length === 0) return undefined;
  const undo = await beginUndo(context, rollout, accounts, {}, 'stopped');
  const { rollouts } = await context.state();
  await rollouts.change(rollout.id, () => ({ reversing: { wave, undo } }));
  return undo;
}

async function planUndo(
  context: Context,
  { options: { ledger } }: Rollout,
  accounts: readonly RolloutAccount[],
  { force, overwrite }: UndoInput,
): Promise<Result> {
  const undone: AccountReversal[] = [];
  const warned = new Set<string>();
  const given = { force, overwrite, ledger: typeof ledger === 'string' ? ledger : undefined };
  for (const { accountId, word, reverses = [] } of accounts) {
    const own = contextForAccount(context, { id: accountId, label: word }, warned);
    for (const run of reverses.toReversed()) {
      const planned = await planReversal(own, { ...given, run, onError: 'stop' });
      if (planned) undone.push(...planned);
      else context.notices.warn(`run ${run} of ${word} is no longer in the log`);
    }
  }
  return reversalReport(context, undone);
}
