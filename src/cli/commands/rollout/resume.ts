import { Failure, leadsOn, nextStep } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import { begunBy, openStates } from '../../../engine/state/rollouts.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { confirmed } from '../change.ts';
import type { ChosenAccount } from '../choose-accounts.ts';
import { planMany } from '../manifest/accounts/many-accounts.ts';
import { notifierOf } from '../webhooks/target-client.ts';
import { chargesOf } from './begin.ts';
import { carriedOut, shownWhile } from './carry-on.ts';
import type { resumeOptions, rolloutArguments } from './commands.ts';
import { checkOf } from './judge-wave.ts';
import { ownRollout, prepared } from './prepare.ts';
import { takeBackWave } from './undo-rollout.ts';

/** Goes on with a rollout: what failed is tried again, what is done is left. */
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
    throw new Failure('usage', `Rollout ${id} is checked between its waves, and only you know by what.`, {
      hint: leadsOn`Give the check again: ${nextStep`rollout resume ${id} --check COMMAND`}`,
    });
  const ready = {
    ...(await prepared(context, rollout, { ...input, resumed: true })),
    check: checkOf(context, input.check),
    notify: await notifierOf(context, input.notifyFile),
  };
  if (context.options.dryRun) {
    const left = rollouts.accounts(id, { states: ['failed', ...openStates] });
    const accounts = await Array.fromAsync(left, ({ accountId, word }): ChosenAccount => {
      return { id: accountId, word, vars: ready.vars.get(word) ?? new Map(), file: '', line: 0 };
    });
    if (rollout.what === 'apply') return planMany(context, ready.input, accounts);
    return { kind: 'text', text: accounts.map(({ word }) => `Would reverse what is left in ${word}.`) };
  }
  const sum = before.reduce((total, { count }) => total + count, 0);
  const first = rollout.reversing ? `, once what wave ${rollout.reversing.wave} did is reversed` : '';
  const question = `Go on with rollout ${id} in ${counted(sum, 'account')}${first}?`;
  await confirmed(context, question);
  if (!(await takeBackWave(context, rollout))) return shownWhile(context, id, async () => undefined);
  const left = await leftNow();
  for await (const { agreed, ...account } of rollouts.accounts(id, { states: ['failed'] })) {
    // Whoever goes on means an account that changed, too, but for a plan that somebody reviewed.
    const isAgreed =
      agreed !== undefined && (rollout.reviewed !== undefined || account.error?.kind !== 'conflict');
    await rollouts.put(id, { ...account, state: 'waiting', ...(isAgreed ? { agreed } : {}) });
  }
  const wave = Math.min(...left.map((each) => each.wave));
  const charges = chargesOf(context.options.consent);
  await rollouts.change(id, ({ heldUntilMs, wave: before }) => ({
    state: 'running',
    wave,
    ...(charges === 'none' ? {} : { charges }),
    ...(ready.check ? { checked: true } : {}),
    why: undefined,
    failedWave: undefined,
    heldUntilMs: wave === before ? heldUntilMs : undefined,
  }));
  return carriedOut(context, id, ready);
}

/** Begins nothing more of a rollout, wherever it is carried out. */
export async function cancelRollout(
  { id: word }: InputOf<Record<never, never>, typeof rolloutArguments>,
  context: Context,
): Promise<Result> {
  const rollout = await ownRollout(context, word);
  const { id, state } = rollout;
  if (state === 'finished' || state === 'cancelled')
    return { kind: 'done', message: `Nothing to do: rollout ${id} is ${state}.` };
  await confirmed(context, `Cancel rollout ${id} of ${begunBy(rollout)}?`);
  await (await context.state()).rollouts.change(id, () => ({ state: 'cancelled', why: undefined }));
  return {
    kind: 'done',
    message: `Cancelled rollout ${id}: nothing more is begun. To go on: ${nextStep`rollout resume ${id}`}. To take back what was done: ${nextStep`rollout undo ${id}`}.`,
  };
}
