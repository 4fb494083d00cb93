import { Failure, isInterruption } from '../../../base/failure.ts';
import { requireDuration } from '../../../base/moment.ts';
import type { InputOf } from '../../../cli/command/command.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { Result } from '../../../cli/command/result.ts';
import { contextForAccount, shareConcurrency } from '../../../cli/commands/bulk/each-account.ts';
import { refuseReadOnly } from '../../../cli/commands/guards/protection.ts';
import { isAccountOpen, openStates, type Rollout, type Rollouts } from '../../../engine/state/rollouts.ts';
import type { DoJob, Jobs, SharedParts } from '../../../engine/state/state.ts';
import type { workerOptions } from './commands.ts';
import { waitMs } from './limits.ts';
import { type Worker, workOnAccount } from './one-account.ts';
import { type Prepared, prepareRollout } from './prepare.ts';
import { runRollout, type WaveRunner, type WorkerPart } from './run-rollout.ts';

/** Interval of reading a rollout and its remaining accounts, in milliseconds. */
const readEveryMs = 500;
/** Interval of adding lost jobs of a wave again, in milliseconds. */
const addJobsEveryMs = 2000;

/** Opens the jobs of a rollout that processes share. This process takes jobs until `end` of the result is called. */
export const openJobRunner = async (
  context: Context,
  shared: SharedParts,
  id: string,
  part: WorkerPart,
): Promise<WaveRunner> =>
  new JobRunner(context, (await context.state()).rollouts, await shared.jobs(), id, part);

class JobRunner implements WaveRunner {
  readonly stopReason = undefined;
  readonly #context: Context;
  /** Context whose parallel requests are shared by an unknown number of accounts. */
  readonly #shared: Context;
  readonly #rollouts: Rollouts;
  readonly #jobs: Jobs;
  readonly #id: string;
  readonly #part: WorkerPart;
  /** Positions of the accounts that this process works on. */
  readonly #underWay = new Set<number>();
  readonly #failures: unknown[] = [];
  #wake = (): void => undefined;
  #worker: Worker | undefined;
  #endWork: (() => Promise<void>) | undefined;
  #addedMs = Number.NEGATIVE_INFINITY;

  constructor(context: Context, rollouts: Rollouts, jobs: Jobs, id: string, part: WorkerPart) {
    this.#context = context;
    this.#shared = shareConcurrency(context, Number.POSITIVE_INFINITY);
    this.#rollouts = rollouts;
    this.#jobs = jobs;
    this.#id = id;
    this.#part = part;
  }

  async runWave(worker: Worker): Promise<undefined> {
    this.#worker = worker;
    const { wave } = worker.rollout;
    while (!this.#isOver()) {
      const refusal = this.#jobs.refusal();
      if (refusal) throw refusal;
      const [rollout, counts] = await Promise.all([
        this.#rollouts.read(this.#id),
        this.#rollouts.counts(this.#id),
      ]);
      if (rollout?.state !== 'running' || rollout.wave !== wave || this.#mustWait(rollout)) return;
      if (!counts.some((each) => each.wave === wave && openStates.includes(each.state))) {
        this.#addedMs = Number.NEGATIVE_INFINITY;
        // Only the process with the check can start the next wave.
        if (worker.rollout.checked && worker.prepared.check === undefined) await this.wait();
        return;
      }
      this.#endWork ??= await this.#jobs.work(this.#id, this.#context.settings.concurrency.value, (job) =>
        this.#runJob(job),
      );
      await this.#addJobs(wave);
      await this.wait();
    }
    this.#throwFailure();
  }

  /** Waits for a while. Stops at Ctrl-C, or when this process has finished its accounts. */
  async wait(): Promise<void> {
    const { timers, interrupted } = this.#context.host;
    const { promise, resolve: end } = Promise.withResolvers<void>();
    const wake = (): void => end();
    this.#wake = wake;
    const callOff = timers.later(readEveryMs, wake);
    interrupted.addEventListener('abort', wake, { once: true });
    await promise;
    interrupted.removeEventListener('abort', wake);
    callOff();
  }

  async end(): Promise<void> {
    await this.#endWork?.();
    this.#throwFailure();
  }

  #isOver(): boolean {
    return this.#failures.length > 0 || this.#part.isOver || this.#context.host.interrupted.aborted;
  }

  #mustWait(rollout: Rollout): boolean {
    return waitMs(rollout, this.#context.host.clock.now()) > 0;
  }

  #throwFailure(): void {
    for (const failure of this.#failures) throw failure;
  }

  async #addJobs(wave: number): Promise<void> {
    const nowMs = this.#context.host.timers.elapsedMs();
    if (this.#underWay.size > 0 || nowMs - this.#addedMs < addJobsEveryMs) return;
    this.#addedMs = nowMs;
    const open = this.#rollouts.accounts(this.#id, { wave, states: openStates });
    await this.#jobs.add(this.#id, await Array.fromAsync(open));
  }

  async #runJob(job: Parameters<DoJob>[0]): ReturnType<DoJob> {
    if (this.#isOver()) return undefined;
    if (this.#underWay.has(job.position)) return 'the account is being changed';
    this.#underWay.add(job.position);
    this.#part.underWay += 1;
    try {
      return await this.#workOn(job);
    } catch (error) {
      this.#failures.push(error);
      return 'the process failed';
    } finally {
      this.#underWay.delete(job.position);
      this.#part.underWay -= 1;
      if (this.#underWay.size === 0) this.#wake();
    }
  }

  async #workOn({ position, begun }: Parameters<DoJob>[0]): ReturnType<DoJob> {
    const [account, rollout] = await Promise.all([
      this.#rollouts.account(this.#id, position),
      this.#rollouts.read(this.#id),
    ]);
    if (this.#worker === undefined || rollout?.state !== 'running' || account?.wave !== rollout.wave)
      return undefined;
    // The job of an account that has to wait is added again later.
    if (!isAccountOpen(account) || this.#mustWait(rollout)) return undefined;
    const { accountId: id, word, tries } = account;
    const { account: after, failure } = await workOnAccount(
      { ...this.#worker, rollout },
      account,
      contextForAccount(this.#shared, { id, label: word }, this.#worker.warned),
      Math.max(tries, begun),
    );
    return after.state === 'waiting' ? (failure?.message ?? '') : undefined;
  }
}

type WorkerInput = InputOf<typeof workerOptions>;

/** Interval of listing running rollouts, in milliseconds. */
const listEveryMs = 2000;
/** Pause before a rollout with missing files is tried again, in milliseconds. */
const prepareAgainMs = 30_000;

/** Works on the rollouts of a shared state until Ctrl-C, or until `--idle` has passed without work. */
export async function workOnRollouts(input: WorkerInput, context: Context): Promise<Result> {
  const idleMs = input.idle === undefined ? undefined : requireDuration(input.idle, '--idle');
  const state = await context.state();
  if (state.shared === undefined)
    throw new Failure(
      'usage',
      `The state ${state.shown} is local to this machine. Workers need a database.`,
      {
        hint: 'Pass --state postgres://USER@HOST/DATABASE. Without a database, telctl rollout start does the work.',
      },
    );
  const ignoreStop = (error: unknown): void => {
    if (!isInterruption(context.host, error)) throw error;
  };
  await refuseReadOnly(context, 'telctl rollout worker').catch(ignoreStop);
  context.host.allowFinish();
  context.notices.say(`Working on the rollouts of ${state.shown}. Press Ctrl-C to stop.`);
  await workOnAll(context, input, idleMs).catch(ignoreStop);
  return { kind: 'done', message: 'Stopped after finishing the running accounts.' };
}

/** Works on every running rollout until it was idle for `idleMs`. */
async function workOnAll(context: Context, input: WorkerInput, idleMs: number | undefined): Promise<void> {
  const { interrupted, timers } = context.host;
  const { rollouts, shared } = await context.state();
  // Missing permissions are reported before there is a job.
  await shared?.jobs();
  const prepare = rolloutPreparer(context, input);
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
        const ready = taken.has(id) ? undefined : await prepare(rollout);
        if (!ready) continue;
        const work = runRollout(context, id, ready, { part })
          .catch((error: unknown) => void failures.push(error))
          .finally(() => taken.delete(id));
        taken.set(id, work);
      }
    }
    if (part.underWay > 0) busyMs = timers.elapsedMs();
    else if (idleMs !== undefined && timers.elapsedMs() - busyMs >= idleMs) break;
    await new Promise<void>((resolve) => timers.later(readEveryMs, resolve));
  }
  part.isOver = true;
  await Promise.all(taken.values());
  for (const failure of failures) throw failure;
}

/**
 * Returns a function that prepares each rollout once. It warns and returns `undefined` if this machine cannot run the
 * rollout.
 */
function rolloutPreparer(
  context: Context,
  input: WorkerInput,
): (rollout: Rollout) => Promise<Prepared | undefined> {
  const { host, notices } = context;
  const ready = new Map<string, Prepared>();
  const refusedMs = new Map<string, number>();
  return async (rollout) => {
    const { id } = rollout;
    const known = ready.get(id);
    if (known || host.timers.elapsedMs() - (refusedMs.get(id) ?? Number.NEGATIVE_INFINITY) < prepareAgainMs)
      return known;
    try {
      const found = await prepareRollout(context, rollout, input);
      ready.set(id, found);
      return found;
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'unavailable' || error.kind === 'auth') throw error;
      if (!refusedMs.has(id)) notices.warn(`Skipping rollout ${id}: ${error.message}`);
      refusedMs.set(id, host.timers.elapsedMs());
      return undefined;
    }
  };
}
