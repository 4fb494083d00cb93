import { Failure } from '../../../base/failure.ts';
import { isOpen, openStates, type Rollout, type RolloutAccount } from '../../../engine/state/rollouts.ts';
import type { DoJob, SharedParts } from '../../../engine/state/state.ts';
import type { Context } from '../../command/context.ts';
import { sharing } from '../over-accounts.ts';
import { endWave } from './judge-wave.ts';
import { type Worker, workerName, workOn } from './one-account.ts';
import { type Prepared, prepared } from './prepare.ts';
import { rolloutOf } from './report.ts';
import { heldMs } from './window.ts';

/** Rollouts are looked at this often, in milliseconds. */
const lookEveryMs = 500;
/** Jobs of a wave that got lost are added again, and rollouts listed, after so long, in milliseconds. */
const tendEveryMs = 2000;
/** A rollout whose files are not here is looked at again after so long, in milliseconds. */
const unpreparedMs = 30_000;

export interface SharedWork {
  readonly context: Context;
  readonly shared: SharedParts;
  /** Values and folders that manifests are read with. */
  readonly given?: { readonly var: readonly string[]; readonly allowFiles: readonly string[] };
  /** The one rollout that is worked on, until it ends; all that run where left out. */
  readonly only?: { readonly id: string; readonly prepared: Prepared };
  /** Ends the work after so long without a job, in milliseconds. */
  readonly idleMs?: number | undefined;
  /** Told of each account after a try in this process. */
  readonly told?: Worker['told'];
}

/**
 * Works on accounts of rollouts, beside any other processes that use the same state, until the rollout ends, nothing
 * was to be done for long enough, or Ctrl-C. What is under way is finished first.
 */
export async function shareWork({
  context,
  shared,
  only,
  given = { var: [], allowFiles: [] },
  idleMs: longestIdle,
  told,
}: SharedWork): Promise<void> {
  const { host, settings } = context;
  const { rollouts } = await context.state();
  const jobs = await shared.jobs();
  const common = {
    context: sharing(context, Number.POSITIVE_INFINITY),
    name: await workerName(context),
    warned: new Set<string>(),
    told,
  };
  const preparedFor = only ? async () => only.prepared : preparing(context, given);
  const ends = new Map<string, () => Promise<void>>();
  const underWay = new Set<string>();
  const failures: unknown[] = [];
  const tendedMs = new Map<string, number>();
  const { elapsedMs } = host.timers;
  let listed: readonly string[] = only ? [only.id] : [];
  let listedMs = Number.NEGATIVE_INFINITY;
  let busyMs = elapsedMs();
  let wake = (): void => undefined;

  const doing = (id: string, input: Prepared): DoJob => {
    const one: DoJob = async ({ position, begun }) => {
      const [account, rollout] = await Promise.all([rollouts.account(id, position), rollouts.read(id)]);
      if (rollout?.state !== 'running' || account?.wave !== rollout.wave || !isOpen(account))
        return undefined;
      // Its job is added anew once it is due.
      if (heldMs(rollout, host.clock.now()) > 0) return undefined;
      const tries = Math.max(account.tries, begun);
      const tried = await workOn({ ...common, rollout, prepared: input }, account, tries);
      return tried.account.state === 'waiting' ? (tried.failure?.message ?? '') : undefined;
    };
    return async (job) => {
      const key = `${id} ${job.position}`;
      if (failures.length > 0 || host.interrupted.aborted) return undefined;
      if (underWay.has(key)) return 'it is under way';
      underWay.add(key);
      try {
        return await one(job);
      } catch (error) {
        failures.push(error);
        return 'the process failed';
      } finally {
        underWay.delete(key);
        if (underWay.size === 0) wake();
      }
    };
  };
  /** Takes part in a rollout: sees to its jobs, and ends the wave once none is left. True where it is to be looked at anew. */
  const tend = async ({ id, wave }: Rollout, input: Prepared): Promise<boolean> => {
    const counts = await rollouts.counts(id);
    if (!counts.some((each) => each.wave === wave && openStates.includes(each.state))) {
      tendedMs.delete(id);
      await endWave(context, id, wave, input.check);
      return true;
    }
    if (!ends.has(id)) ends.set(id, await jobs.work(id, settings.concurrency.value, doing(id, input)));
    if (underWay.size > 0 || elapsedMs() - (tendedMs.get(id) ?? Number.NEGATIVE_INFINITY) < tendEveryMs)
      return false;
    tendedMs.set(id, elapsedMs());
    const left: RolloutAccount[] = [];
    for await (const account of rollouts.accounts(id, { wave, states: openStates })) left.push(account);
    await jobs.add(id, left);
    return false;
  };
  /** The rollouts that run and are not held by a pause; whatever else was worked on is left. */
  const due = async (): Promise<readonly Rollout[]> => {
    if (only === undefined && elapsedMs() - listedMs >= tendEveryMs) {
      listedMs = elapsedMs();
      listed = (await rollouts.ids('running')).toReversed();
    }
    const found = (await Promise.all(listed.map((id) => rollouts.read(id)))).filter(
      (rollout) => rollout?.state === 'running',
    );
    for (const [id, end] of ends)
      if (!found.some((rollout) => rollout?.id === id)) {
        ends.delete(id);
        await end();
      }
    return found.filter((rollout) => rollout !== undefined);
  };

  try {
    while (!host.interrupted.aborted && failures.length === 0) {
      const refusal = jobs.refusal();
      if (refusal) throw refusal;
      const rolling = await due();
      if (only && rolling.length === 0) break;
      let isNew = false;
      for (const rollout of rolling) {
        if (heldMs(rollout, host.clock.now()) > 0) continue;
        const input = await preparedFor(rollout);
        if (input && (await tend(rollout, input))) isNew = true;
      }
      if (isNew) continue;
      if (underWay.size > 0) busyMs = elapsedMs();
      else if (longestIdle !== undefined && elapsedMs() - busyMs >= longestIdle) break;
      await resting(host, lookEveryMs, (end) => {
        wake = end;
      });
    }
  } finally {
    await Promise.all([...ends.values()].map((end) => end()));
  }
  for (const failure of failures) throw failure;
}

/** Prepares rollouts once for a process; `undefined` for one that is left to others, which is said. */
function preparing(
  context: Context,
  given: NonNullable<SharedWork['given']>,
): (rollout: Rollout) => Promise<Prepared | undefined> {
  const { host, notices } = context;
  const ready = new Map<string, Prepared>();
  const refusedMs = new Map<string, number>();
  return async (rollout) => {
    const { id } = rollout;
    const known = ready.get(id);
    if (known || host.timers.elapsedMs() - (refusedMs.get(id) ?? Number.NEGATIVE_INFINITY) < unpreparedMs)
      return known;
    try {
      const found = await prepared(context, rollout, given);
      ready.set(id, found);
      return found;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'unavailable' || error.kind === 'auth') throw error;
      if (!refusedMs.has(id)) notices.warn(`Rollout ${id} is left to others: ${error.message}`);
      refusedMs.set(id, host.timers.elapsedMs());
      return undefined;
    }
  };
}

/** Waits so long; less after Ctrl-C, and where somebody calls the function that is given away. */
async function resting(
  { timers, interrupted }: Context['host'],
  ms: number,
  giveAway: (end: () => void) => void,
): Promise<void> {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  giveAway(() => end());
  const callOff = timers.later(ms, () => end());
  const stop = (): void => end();
  interrupted.addEventListener('abort', stop, { once: true });
  await promise;
  interrupted.removeEventListener('abort', stop);
  callOff();
}

/** Shares the work on one rollout with other processes until it ends or Ctrl-C. */
export async function carryOnShared(
  context: Context,
  id: string,
  input: Prepared,
  told: Worker['told'],
): Promise<Rollout> {
  const { shared } = await context.state();
  if (shared === undefined) throw new Error('This state cannot be shared.');
  await shareWork({ context, shared, only: { id, prepared: input }, told });
  const rollout = await rolloutOf(context, id);
  if (rollout.state === 'running')
    context.notices.say(
      `Rollout ${id} goes on where a worker runs. Watch: telctl rollout show ${id} --follow. Stop: telctl rollout cancel ${id}.`,
    );
  return rollout;
}
