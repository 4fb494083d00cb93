import { Failure } from '../../../base/failure.ts';
import type { Job } from '../../../engine/state/jobs.ts';
import { isOpen, openStates, type Rollout } from '../../../engine/state/rollouts.ts';
import type { SharedParts } from '../../../engine/state/state.ts';
import type { Context } from '../../command/context.ts';
import { sharing } from '../over-accounts.ts';
import { endWave, stopIfTooMany } from './carry-on.ts';
import { type Worker, workerName, workOn } from './one-account.ts';
import { type Prepared, prepared } from './prepare.ts';
import { rolloutOf } from './report.ts';

/** Pause where there is nothing to take, in milliseconds. */
const idleMs = 400;
/** Pause between two looks for rollouts, in which their jobs are put right, in milliseconds. */
const tendEveryMs = 2000;
/** Signs of life for jobs that are under way, in milliseconds. */
const touchEveryMs = 3000;
/** Time after which a rollout whose files are not here is looked at again, in milliseconds. */
const unpreparedMs = 30_000;

/** Work that a process shares with others. */
export interface SharedWork {
  readonly context: Context;
  readonly shared: SharedParts;
  /** Values and folders that manifests are read with. */
  readonly given?: { readonly var: readonly string[]; readonly allowFiles: readonly string[] };
  /** The one rollout that is worked on, until it ends; all that run where left out. */
  readonly only?: { readonly id: string; readonly prepared: Prepared };
  /** Time without a job after which the work ends, in milliseconds. */
  readonly idleMs?: number | undefined;
  /** Called for each account after a try in this process. */
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
  const { host, notices, settings } = context;
  const jobs = await shared.jobs();
  const { rollouts } = await context.state();
  const own = sharing(context, Number.POSITIVE_INFINITY);
  const name = await workerName(context);
  const warned = new Set<string>();
  const ready = new Map<string, Prepared>();
  const refusedMs = new Map<string, number>();
  const running = new Map<Job, { readonly rollout: string; readonly end: Promise<void> }>();
  const failures: unknown[] = [];
  const tendedMs = new Map<string, number>();
  let listed: readonly string[] = only ? [only.id] : [];
  let listedMs = Number.NEGATIVE_INFINITY;
  let touchedMs = host.timers.elapsedMs();
  let busyMs = host.timers.elapsedMs();
  if (only) ready.set(only.id, only.prepared);

  const preparedFor = async (rollout: Rollout): Promise<Prepared | undefined> => {
    const known = ready.get(rollout.id);
    if (known) return known;
    if (host.timers.elapsedMs() - (refusedMs.get(rollout.id) ?? Number.NEGATIVE_INFINITY) < unpreparedMs)
      return undefined;
    try {
      const found = await prepared(context, rollout, given);
      ready.set(rollout.id, found);
      return found;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'unavailable' || error.kind === 'auth') throw error;
      if (!refusedMs.has(rollout.id))
        notices.warn(`Rollout ${rollout.id} is left to others: ${error.message}`);
      refusedMs.set(rollout.id, host.timers.elapsedMs());
      return undefined;
    }
  };
  const work = async (rollout: Rollout, job: Job, input: Prepared): Promise<void> => {
    const [account, now] = await Promise.all([
      rollouts.account(rollout.id, job.position),
      rollouts.read(rollout.id),
    ]);
    const isDue = account && now?.state === 'running' && account.wave === now.wave && isOpen(account);
    if (!isDue) return jobs.done(rollout.id, job);
    const tried = await workOn({ context: own, rollout: now, prepared: input, name, warned, told }, account);
    if (tried.account.state === 'waiting') await jobs.retry(rollout.id, job, tried.failure?.message ?? '');
    else await jobs.done(rollout.id, job);
    if (tried.account.state === 'failed') await stopIfTooMany(context, rollout.id, tried.failure);
  };
  const begin = (rollout: Rollout, job: Job, input: Prepared): void => {
    const end = work(rollout, job, input)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => running.delete(job));
    running.set(job, { rollout: rollout.id, end });
  };
  /** Adds the jobs of accounts that have none, or ends the wave. True where there may be jobs now. */
  const tend = async ({ id, wave }: Rollout): Promise<boolean> => {
    if (host.timers.elapsedMs() - (tendedMs.get(id) ?? Number.NEGATIVE_INFINITY) < tendEveryMs) return false;
    const left: { readonly position: number; readonly accountId: string }[] = [];
    for await (const { position, accountId } of rollouts.accounts(id, { wave, states: openStates }))
      left.push({ position, accountId });
    if (left.length === 0) {
      await endWave(context, id, wave);
      return false;
    }
    await jobs.add(id, left);
    tendedMs.set(id, host.timers.elapsedMs());
    return true;
  };
  const touch = async (): Promise<void> => {
    if (host.timers.elapsedMs() - touchedMs < touchEveryMs) return;
    touchedMs = host.timers.elapsedMs();
    for (const [id, those] of Map.groupBy(running, ([, { rollout }]) => rollout))
      await jobs.touch(
        id,
        those.map(([job]) => job),
      );
  };
  /** The rollouts that run and are not held by a pause. */
  const due = async (): Promise<readonly Rollout[]> => {
    if (only === undefined && host.timers.elapsedMs() - listedMs >= tendEveryMs) {
      listedMs = host.timers.elapsedMs();
      listed = (await rollouts.ids('running')).toReversed();
    }
    const found: Rollout[] = [];
    for (const id of listed) {
      const rollout = await rollouts.read(id);
      if (rollout?.state === 'running') found.push(rollout);
    }
    return found;
  };

  try {
    while (!host.interrupted.aborted && failures.length === 0) {
      await touch();
      const rolling = await due();
      if (only && rolling.length === 0) break;
      let taken = 0;
      for (const rollout of rolling) {
        const free = settings.concurrency.value - running.size;
        if (free <= 0) break;
        const input = (rollout.heldUntilMs ?? 0) > host.clock.now() ? undefined : await preparedFor(rollout);
        if (input === undefined) continue;
        let some = await jobs.take(rollout.id, free);
        if (some.length === 0 && (await tend(rollout))) some = await jobs.take(rollout.id, free);
        for (const job of some) begin(rollout, job, input);
        taken += some.length;
      }
      if (taken > 0 || running.size > 0) busyMs = host.timers.elapsedMs();
      else if (longestIdle !== undefined && host.timers.elapsedMs() - busyMs >= longestIdle) break;
      const isFull = running.size >= settings.concurrency.value;
      await resting(
        host,
        [...running.values()].map(({ end }) => end),
        isFull ? touchEveryMs : idleMs,
      );
    }
  } finally {
    await Promise.all([...running.values()].map(({ end }) => end));
  }
  for (const failure of failures) throw failure;
}

/** Waits until one of some promises is settled, at most so long; less after Ctrl-C. */
async function resting(
  { timers, interrupted }: Context['host'],
  some: readonly Promise<void>[],
  ms: number,
): Promise<void> {
  const { promise: time, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const callOff = timers.later(ms, end);
  interrupted.addEventListener('abort', end, { once: true });
  await Promise.race([...some, time]);
  interrupted.removeEventListener('abort', end);
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
