import { Failure, isInterruption } from '../../../base/failure.ts';
import { requireDuration } from '../../../base/moment.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { Result } from '../../../cli/command/result.ts';
import { refuseReadOnly } from '../../../cli/commands/guards/protection.ts';
import { isAccountOpen, openStates, type Rollout } from '../../../engine/state/rollouts.ts';
import type { DoJob, SharedParts } from '../../../engine/state/state.ts';
import { carryOn, type WaveRunner, type WorkerPart } from './carry-on.ts';
import type { workerOptions } from './commands.ts';
import { heldMs } from './limits.ts';
import { type Worker, workOn } from './one-account.ts';
import { type Prepared, preparedAccounts } from './prepare.ts';

/** A rollout is looked at this often, and work that is left looked for, in milliseconds. */
const lookEveryMs = 500;
/** Jobs of a wave that got lost are added again after so long, in milliseconds. */
const tendEveryMs = 2000;

/** The jobs of a rollout that processes share: each gives this process accounts for as long as it takes part. */
export async function jobRunner(
  context: Context,
  shared: SharedParts,
  id: string,
  part: WorkerPart,
): Promise<WaveRunner> {
  const { host, settings } = context;
  const { elapsedMs } = host.timers;
  const { rollouts } = await context.state();
  const jobs = await shared.jobs();
  const underWay = new Set<number>();
  const failures: unknown[] = [];
  const isOver = (): boolean => failures.length > 0 || part.isOver || host.interrupted.aborted;
  let wake = (): void => undefined;
  let worker: Worker | undefined;
  let endWork: (() => Promise<void>) | undefined;
  let tendedMs = Number.NEGATIVE_INFINITY;

  const doOne: DoJob = async ({ position, begun }) => {
    const [account, rollout] = await Promise.all([rollouts.account(id, position), rollouts.read(id)]);
    if (worker === undefined || rollout?.state !== 'running' || account?.wave !== rollout.wave)
      return undefined;
    // The job of an account that is not due is added anew once it is.
    if (!isAccountOpen(account) || heldMs(rollout, host.clock.now()) > 0) return undefined;
    const tried = await workOn({ ...worker, rollout }, account, Math.max(account.tries, begun));
    return tried.account.state === 'waiting' ? (tried.failure?.message ?? '') : undefined;
  };
  const doJob: DoJob = async (job) => {
    if (isOver()) return undefined;
    if (underWay.has(job.position)) return 'it is under way';
    underWay.add(job.position);
    part.underWay += 1;
    try {
      return await doOne(job);
    } catch (error) {
      failures.push(error);
      return 'the process failed';
    } finally {
      underWay.delete(job.position);
      part.underWay -= 1;
      if (underWay.size === 0) wake();
    }
  };
  return {
    stopsFor: undefined,
    hold: rest,
    async wave(now) {
      worker = now;
      const { wave, checked } = now.rollout;
      while (!isOver()) {
        const refusal = jobs.refusal();
        if (refusal) throw refusal;
        const [rollout, counts] = await Promise.all([rollouts.read(id), rollouts.counts(id)]);
        if (rollout?.state !== 'running' || rollout.wave !== wave) return undefined;
        if (heldMs(rollout, host.clock.now()) > 0) return undefined;
        if (!counts.some((each) => each.wave === wave && openStates.includes(each.state))) {
          tendedMs = Number.NEGATIVE_INFINITY;
          // Whoever has the check says how it goes on.
          if (checked && now.prepared.check === undefined) await rest();
          return undefined;
        }
        endWork ??= await jobs.work(id, settings.concurrency.value, doJob);
        if (underWay.size === 0 && elapsedMs() - tendedMs >= tendEveryMs) {
          tendedMs = elapsedMs();
          await jobs.add(id, await Array.fromAsync(rollouts.accounts(id, { wave, states: openStates })));
        }
        await rest();
      }
      for (const failure of failures) throw failure;
      return undefined;
    },
    async end() {
      await endWork?.();
      for (const failure of failures) throw failure;
    },
  };

  /** Waits a while; less after Ctrl-C, and where nothing is under way any more. */
  async function rest(): Promise<void> {
    const { promise, resolve: end } = Promise.withResolvers<void>();
    wake = () => end();
    const callOff = host.timers.later(lookEveryMs, wake);
    host.interrupted.addEventListener('abort', wake, { once: true });
    await promise;
    host.interrupted.removeEventListener('abort', wake);
    callOff();
  }
}

type WorkerInput = InputOf<typeof workerOptions>;

/** Rollouts are listed this often, in milliseconds. */
const listEveryMs = 2000;
/** A rollout whose files are not here is looked at again after so long, in milliseconds. */
const unpreparedMs = 30_000;

/** Works on the rollouts of a state that processes share, until Ctrl-C or for as long as there is work. */
export async function workOnRollouts(input: WorkerInput, context: Context): Promise<Result> {
  const idleMs = input.idle === undefined ? undefined : requireDuration(input.idle, '--idle');
  const state = await context.state();
  if (state.shared === undefined)
    throw new Failure(
      'usage',
      `The state ${state.shown} is of this machine alone: workers share a database.`,
      {
        hint: 'Name one with --state postgres://USER@HOST/DATABASE. Without it telctl rollout start does the work itself.',
      },
    );
  const stopIsAnEnd = (error: unknown): void => {
    if (!isInterruption(context.host, error)) throw error;
  };
  await refuseReadOnly(context, 'telctl rollout worker').catch(stopIsAnEnd);
  context.host.allowFinish();
  context.notices.say(`Working on the rollouts of ${state.shown}. Ctrl-C ends this.`);
  await workOnAll(context, input, idleMs).catch(stopIsAnEnd);
  return { kind: 'done', message: 'Ended; what was under way is finished.' };
}

/** Takes part in each rollout that runs, until nothing was to be done for so long, in milliseconds. */
async function workOnAll(context: Context, given: WorkerInput, idleMs: number | undefined): Promise<void> {
  const { interrupted, timers } = context.host;
  const { rollouts, shared } = await context.state();
  // Whoever may not work on jobs hears of that before there is one.
  await shared?.jobs();
  const preparedFor = preparing(context, given);
  const part: WorkerPart = { underWay: 0, isOver: false };
  const taken = new Map<string, Promise<unknown>>();
  const failures: unknown[] = [];
  let listedMs = Number.NEGATIVE_INFINITY;
  let busyMs = timers.elapsedMs();
  while (!interrupted.aborted && failures.length === 0) {
    if (timers.elapsedMs() - listedMs >= listEveryMs) {
      listedMs = timers.elapsedMs();
      const running = await Array.fromAsync(rollouts.newest({ state: 'running' }));
      for (const rollout of running.toReversed()) {
        const { id } = rollout;
        const ready = taken.has(id) ? undefined : await preparedFor(rollout);
        if (!ready) continue;
        const work = carryOn(context, id, ready, { part })
          .catch((error: unknown) => void failures.push(error))
          .finally(() => taken.delete(id));
        taken.set(id, work);
      }
    }
    if (part.underWay > 0) busyMs = timers.elapsedMs();
    else if (idleMs !== undefined && timers.elapsedMs() - busyMs >= idleMs) break;
    await new Promise<void>((resolve) => timers.later(lookEveryMs, resolve));
  }
  part.isOver = true;
  await Promise.all(taken.values());
  for (const failure of failures) throw failure;
}

/** Prepares rollouts once for a process; `undefined` for one that is left to others, which is said. */
function preparing(
  context: Context,
  given: WorkerInput,
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
      const found = await preparedAccounts(context, rollout, given);
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
