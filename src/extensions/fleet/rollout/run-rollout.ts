import { forEachWithConcurrency, itemQueue } from '../../../base/concurrency.ts';
import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { formatDuration } from '../../../base/moment.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { FleetResult } from '../../../cli/command/result.ts';
import { accountsAtOnce, shareConcurrency } from '../../../cli/commands/bulk/each-account.ts';
import { holderName } from '../../../cli/commands/manifest/apply/account-locks.ts';
import {
  isAccountOpen,
  openStates,
  type Rollout,
  type RolloutAccount,
  type Rollouts,
} from '../../../engine/state/rollouts.ts';
import { endWave } from './judge-wave.ts';
import { waitMs, windowText } from './limits.ts';
import { type Worker, workerName, workOnAccount } from './one-account.ts';
import type { Prepared } from './prepare.ts';
import {
  failedAccounts,
  type RolloutForm,
  rolloutForm,
  rolloutLock,
  rolloutOf,
  rolloutReport,
} from './report.ts';
import { sumByState } from './report-lines.ts';

/** How often the record is read again, to notice `rollout cancel`, in milliseconds. */
const readEveryMs = 1000;

/** Wait before accounts are retried because the service was unavailable, in milliseconds. */
const retryAfterMs = 2000;

/** The rollout stops after this many accounts in a row for which the service is unavailable. */
const unavailableAtMost = 3;

/** Runs the waves of a rollout in this process: alone, or with jobs that processes share. */
export interface WaveRunner {
  /** Waits while no account can be started, for at most `ms`. */
  wait(ms: number): Promise<void>;
  /** Works on the open accounts of a wave. Returns the reason to stop the rollout, if there is one. */
  runWave(worker: Worker): Promise<string | undefined>;
  /** Reason with which the rollout stops if this process is stopped. `undefined` if other processes continue it. */
  readonly stopReason: string | undefined;
  /** Resolves when this process works on no account any more. */
  end(): Promise<void>;
}

/** The part of a process in rollouts of a shared state. */
export interface WorkerPart {
  /** Number of accounts that it works on. */
  underWay: number;
  isOver: boolean;
}

/**
 * Runs a rollout wave by wave until it ends or stops, or until this process is stopped. Processes that share a state share
 * the work. Throws `Failure` (`conflict`) if the state is not shared and another process runs the rollout.
 */
export async function runRollout(
  context: Context,
  id: string,
  prepared: Prepared,
  { onAttempt, part }: { readonly onAttempt?: Worker['onAttempt']; readonly part?: WorkerPart } = {},
): Promise<Rollout> {
  const { host } = context;
  const { shared, rollouts } = await context.state();
  const name = await workerName(context);
  const warned = new Set<string>();
  const runner =
    shared === undefined
      ? await lockRollout(context, id)
      : await (await import('./share-work.ts')).openJobRunner(
          context,
          shared,
          id,
          part ?? { underWay: 0, isOver: false },
        );
  const stop = (why: string) =>
    rollouts.change(id, ({ state }) => (state === 'running' ? { state: 'stopped', why } : undefined));
  let waitedWave = 0;
  try {
    for (;;) {
      const rollout = await rolloutOf(context, id);
      if (rollout.state !== 'running') break;
      if (host.interrupted.aborted || part?.isOver) {
        if (runner.stopReason !== undefined) await stop(runner.stopReason);
        break;
      }
      const leftMs = waitMs(rollout, host.clock.now());
      if (leftMs > 0) {
        if (part === undefined && rollout.wave !== waitedWave) reportWait(context, rollout, leftMs);
        waitedWave = rollout.wave;
        await runner.wait(leftMs);
        continue;
      }
      const many = shared === undefined ? (rollout.waves[rollout.wave - 1] ?? 0) : Number.POSITIVE_INFINITY;
      const own = shareConcurrency(context, many);
      const why = await runner.runWave({ context: own, rollout, prepared, name, warned, onAttempt });
      if (why !== undefined) await stop(why);
      else await endWave(context, id, rollout.wave, prepared.check);
    }
  } finally {
    await runner.end();
  }
  const end = await rolloutOf(context, id);
  if (end.state === 'running' && part === undefined)
    context.notices.say(
      `Rollout ${id} continues on its workers. Watch: ${nextStep`rollout show ${id} --follow`}. Stop: ${nextStep`rollout cancel ${id}`}.`,
    );
  return end;
}

function reportWait({ notices }: Context, { wave, window }: Rollout, ms: number): void {
  const why = window === undefined ? '' : ` (--window ${windowText(window)})`;
  notices.say(`Wave ${wave} starts in ${formatDuration(ms)}${why}. Press Ctrl-C to stop the rollout.`);
}

/** Locks a rollout, which only this process runs then. Throws `Failure` (`conflict`) if another process runs it. */
async function lockRollout(context: Context, id: string): Promise<WaveRunner> {
  const { host } = context;
  const { rollouts, lock } = await context.state();
  let holder = '';
  const lease = await lock(rolloutLock(id), {
    signal: host.interrupted,
    who: await holderName(context),
    forMs: 0,
    waiting: (who) => {
      holder = who === undefined ? '' : ` by ${who}`;
    },
  });
  if (lease === undefined)
    throw new Failure('conflict', `Rollout ${id} is already being run${holder}.`, {
      hint: createHint`Watch it: ${nextStep`rollout show ${id} --follow`}. Stop it: ${nextStep`rollout cancel ${id}`}.`,
    });
  return {
    stopReason: 'interrupted',
    end: () => lease.release(),
    wait: (ms) => host.clock.sleep(ms, host.interrupted).catch(() => undefined),
    runWave: (worker) => new WaveRun(context, rollouts, worker).run(),
  };
}

/** One pass over the open accounts of a wave by a single process. */
class WaveRun {
  readonly #context: Context;
  readonly #rollouts: Rollouts;
  readonly #worker: Worker;
  /** Reason to stop the rollout. */
  #why: string | undefined;
  /** True if the record of the rollout says that it no longer runs. */
  #isStopped = false;
  #readMs: number;
  #retried = 0;
  /** Accounts in a row for which the service was unavailable. */
  #unavailable = 0;
  readonly #startMs: number;

  constructor(context: Context, rollouts: Rollouts, worker: Worker) {
    this.#context = context;
    this.#rollouts = rollouts;
    this.#worker = worker;
    this.#startMs = context.host.timers.elapsedMs();
    this.#readMs = this.#startMs;
  }

  async run(): Promise<string | undefined> {
    const { host, notices } = this.#context;
    const { wave, waves } = this.#worker.rollout;
    const total = waves[wave - 1] ?? 0;
    const before = await this.#sums();
    let over = total - before.waiting - before.running;
    await forEachWithConcurrency(
      this.#openAccounts(),
      () => accountsAtOnce(this.#context),
      async (account) => {
        if (!this.#canContinue()) return;
        if (await this.#attempt(account)) over += 1;
        notices.progress(over, total, 'accounts');
      },
    );
    const seconds = ((host.timers.elapsedMs() - this.#startMs) / 1000).toFixed(1);
    const left = this.#retried === 0 ? '' : `, ${this.#retried} to retry`;
    const formatElapsed = host.stderr.isTTY === true ? `  in ${seconds} s` : '';
    notices.say(
      `wave ${wave}  ${over}/${total}  ${(await this.#sums()).failed} failed${left}${formatElapsed}`,
    );
    if (this.#retried > 0 && this.#why === undefined && !this.#isStopped)
      await host.clock.sleep(retryAfterMs, host.interrupted).catch(() => undefined);
    return this.#why;
  }

  /** Works on an account. Returns false if it has to be retried. */
  async #attempt(open: RolloutAccount): Promise<boolean> {
    const { account, failure } = await workOnAccount(this.#worker, open);
    this.#unavailable = failure?.kind === 'unavailable' ? this.#unavailable + 1 : 0;
    if (this.#unavailable >= unavailableAtMost) this.#why ??= failure?.message;
    if (account.state === 'failed') await this.#readState();
    if (account.state !== 'waiting') return true;
    if (failure?.kind === 'interrupted') this.#why ??= 'interrupted';
    else this.#retried += 1;
    return false;
  }

  async *#openAccounts(): AsyncGenerator<RolloutAccount> {
    const { host } = this.#context;
    const { id, wave } = this.#worker.rollout;
    for await (const account of this.#rollouts.accounts(id, { wave, states: openStates })) {
      if (host.timers.elapsedMs() - this.#readMs >= readEveryMs) {
        this.#readMs = host.timers.elapsedMs();
        await this.#readState();
      }
      if (host.interrupted.aborted) this.#why ??= 'interrupted';
      if (!this.#canContinue()) return;
      yield account;
    }
  }

  #canContinue(): boolean {
    const nowMs = this.#context.host.clock.now();
    return this.#why === undefined && !this.#isStopped && waitMs(this.#worker.rollout, nowMs) === 0;
  }

  async #readState(): Promise<void> {
    this.#isStopped ||= (await this.#rollouts.read(this.#worker.rollout.id))?.state !== 'running';
  }

  async #sums() {
    const { id, wave } = this.#worker.rollout;
    return sumByState(await this.#rollouts.counts(id), wave);
  }
}

/** Runs a rollout in this process. `onAttempt` is called for each account after an attempt. */
export type RolloutWork = (onAttempt: (account: RolloutAccount) => void) => Promise<unknown>;

export const runAndReport = (context: Context, id: string, prepared: Prepared): Promise<FleetResult> =>
  reportWhile(context, id, async (onAttempt) => {
    const end = await runRollout(context, id, prepared, { onAttempt });
    prepared.passwords?.report();
    if (end.state !== 'stopped' || context.host.interrupted.aborted) return;
    if (end.reversing) await (await import('./resume-or-undo.ts')).reverseWave(context, end);
    await prepared.notify?.(await stopNotification(context, await rolloutOf(context, id)));
  });

/** Makes the notification about a stopped rollout. It contains counts and names, but no values. */
async function stopNotification(context: Context, rollout: Rollout) {
  const { id, set, wave, waves, why, failedWave } = rollout;
  const counts = sumByState(await (await context.state()).rollouts.counts(id));
  const failed = (await failedAccounts(context, rollout)).map(({ word }) => word);
  // Other reasons may contain texts of the service.
  const reason = failedWave === undefined ? 'trouble' : (why ?? '');
  const text = `Rollout ${id} (${set}) stopped in wave ${wave} of ${waves.length}: ${reason}`;
  return {
    ...({ event: 'rollout.stopped', text } as const),
    facts: { rollout: id, set, wave, waves: waves.length, why: reason, counts, failed },
  };
}

/** Reports a rollout while it runs. NDJSON contains each account when it is finished, other formats at the end. */
export async function reportWhile(
  context: Context,
  id: string,
  work: RolloutWork,
  form: RolloutForm = rolloutForm,
): Promise<FleetResult> {
  const { rollouts } = await context.state();
  if (context.settings.output.value === 'ndjson')
    return rolloutReport(context, id, {
      form,
      accounts: accountsAsFinished(context, id, work),
      judged: true,
    });
  const rollout = await rolloutOf(context, id);
  const attempted = new Map<number, RolloutAccount>();
  let failure: Failure | undefined;
  await work((account) => void attempted.set(account.position, account)).catch((error: unknown) => {
    // Report the changes even if the state has become unavailable.
    if (!(error instanceof Failure) || [...attempted.values()].every(isUntouched)) throw error;
    failure = error;
  });
  const known = { rollout, attempted, failure };
  return rolloutReport(context, id, { form, accounts: rollouts.accounts(id), judged: true, known });
}

const isUntouched = ({ state }: RolloutAccount): boolean => state === 'unchanged' || state === 'waiting';

/** Yields accounts as this process finishes them, then all other accounts. */
async function* accountsAsFinished(
  context: Context,
  id: string,
  work: RolloutWork,
): AsyncGenerator<RolloutAccount> {
  const { rollouts } = await context.state();
  const finished = itemQueue<RolloutAccount>();
  const known = new Set<number>();
  const end = work((account) => {
    if (!isAccountOpen(account)) finished.add(account);
  }).finally(finished.end);
  // A failure is thrown below, after the accounts before it.
  end.catch(() => undefined);
  for await (const account of finished.read()) {
    known.add(account.position);
    yield account;
  }
  await end;
  for await (const account of rollouts.accounts(id)) if (!known.has(account.position)) yield account;
}
