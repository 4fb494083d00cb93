import { itemQueue } from '../../../base/bounded.ts';
import { Failure } from '../../../base/failure.ts';
import { isOpen, type Rollout, type RolloutAccount } from '../../../engine/state/rollouts.ts';
import type { Context } from '../../command/context.ts';
import type { FleetResult } from '../../command/result.ts';
import { carryOn } from './carry-on.ts';
import type { Prepared } from './prepare.ts';
import { type RolloutForm, rolloutForm, rolloutOf, rolloutReport } from './report.ts';
import { shownAtMost, sumsOf } from './report-lines.ts';

/** Work on a rollout in this process; `told` hears of each account that is over. */
export type Carrying = (told: (account: RolloutAccount) => void) => Promise<unknown>;

/** Carries a rollout on, and shows how far it came. */
export const carriedOut = (context: Context, id: string, prepared: Prepared): Promise<FleetResult> =>
  shownWhile(context, id, async (told) => {
    const end = await carryOn(context, id, prepared, { told });
    prepared.passwords?.tell();
    if (end.state !== 'stopped' || context.host.interrupted.aborted) return;
    if (end.reversing) await (await import('./undo-rollout.ts')).takeBackWave(context, end);
    await prepared.notify?.(await newsOf(context, await rolloutOf(context, id)));
  });

/** The notification about a rollout that stopped: counts and names, no values. */
async function newsOf(context: Context, { id, set, wave, waves, why, failedWave }: Rollout) {
  const { rollouts } = await context.state();
  const counts = sumsOf(await rollouts.counts(id));
  const failed: string[] = [];
  for await (const { word } of rollouts.accounts(id, { states: ['failed'] }))
    if (failed.length < shownAtMost) failed.push(word);
  // Other reasons are the words of the service.
  const reason = failedWave === undefined ? 'trouble' : (why ?? '');
  const text = `Rollout ${id} (${set}) stopped in wave ${wave} of ${waves.length}: ${reason}`;
  return {
    ...({ event: 'rollout.stopped', text } as const),
    facts: { rollout: id, set, wave, waves: waves.length, why: reason, counts, failed },
  };
}

/**
 * Shows a rollout while some work on it goes on: NDJSON has each account as soon as it is over, other formats all of them
 * in their order once the work has ended.
 */
export async function shownWhile(
  context: Context,
  id: string,
  work: Carrying,
  form: RolloutForm = rolloutForm,
): Promise<FleetResult> {
  const { rollouts } = await context.state();
  if (context.settings.output.value === 'ndjson')
    return rolloutReport(context, id, { form, accounts: overOnes(context, id, work), judged: true });
  const rollout = await rolloutOf(context, id);
  const told = new Map<number, RolloutAccount>();
  let trouble: Failure | undefined;
  await work((account) => void told.set(account.position, account)).catch((error: unknown) => {
    // What was done is shown, also where the state cannot tell it any more.
    if (!(error instanceof Failure) || [...told.values()].every(isUntouched)) throw error;
    trouble = error;
  });
  const known = { rollout, told, trouble };
  return rolloutReport(context, id, { form, accounts: rollouts.accounts(id), judged: true, known });
}

const isUntouched = ({ state }: RolloutAccount): boolean => state === 'unchanged' || state === 'waiting';

/** The accounts of a rollout as they are over; those that others did, or nobody, follow in the end. */
async function* overOnes(context: Context, id: string, work: Carrying): AsyncGenerator<RolloutAccount> {
  const { rollouts } = await context.state();
  const told = itemQueue<RolloutAccount>();
  const known = new Set<number>();
  const end = work((account) => {
    if (!isOpen(account)) told.add(account);
  }).finally(told.end);
  // A failure is thrown below, once what came before it was shown.
  end.catch(() => undefined);
  for await (const account of told.read()) {
    known.add(account.position);
    yield account;
  }
  await end;
  for await (const account of rollouts.accounts(id)) if (!known.has(account.position)) yield account;
}
