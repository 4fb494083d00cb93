import { itemQueue } from '../../../base/concurrency.ts';
import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { formatDuration } from '../../../base/moment.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { FleetResult } from '../../../cli/command/result.ts';
import { eachAccount } from '../../../cli/commands/bulk/each-account.ts';
import { holderName } from '../../../cli/commands/manifest/apply/account-locks.ts';
import {
  isAccountOpen,
  openStates,
  type Rollout,
  type RolloutAccount,
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

/** Interval of reading the record, to notice `rollout cancel`, in milliseconds. */
const readEveryMs = 1000;

/** Pause before accounts are retried after the service was unavailable, in milliseconds. */
const retryAfterMs = 2000;

/** Number of consecutive accounts with an unavailable service after which the rollout stops. */
const unavailableAtMost = 3;

/** Runs the waves of a rollout: in this process only, or with jobs that processes share. */
export interface WaveRunner {
  /** Waits up to `ms` while no account can start. */
  wait(ms: number): Promise<void>;
  /** Works on the open accounts of a wave. Returns the reason to stop the rollout, if any. */
  runWave(worker: Worker): Promise<string | undefined>;
  /** Why the rollout stops if this process is stopped. `undefined` if other processes continue it. */
  readonly stopReason: string | undefined;
  /** Resolves when this process no longer works on any account. */
  end(): Promise<void>;
}

/** The share of a process in rollouts of a shared state. */
export interface WorkerPart {
  underWay: number;
  isOver: boolean;
}

/**
 * Runs a rollout wave by wave until it ends or stops, or until this process is stopped. Processes with a shared state
 * share the work. Throws `Failure` (`conflict`) if the state is not shared and another process runs the rollout.
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
      const why = await runner.runWave({ context, rollout, prepared, name, warned, onAttempt });
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

/** Locks a rollout, so that only this process runs it. Throws `Failure` (`conflict`) if another process runs it. */
async function lockRollout(context: Context, id: string): Promise<WaveRunner> {
  const { host } = context;
  const { lock } = await context.state();
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
    runWave: (worker) => passWave(context, worker),
  };
}

/** Runs one pass over the open accounts of a wave. Returns the reason to stop the rollout, if there is one. */
async function passWave(context: Context, worker: Worker): Promise<string | undefined> {
  const { host, notices } = context;
  const { rollouts } = await context.state();
  const { id, wave, waves } = worker.rollout;
  const startMs = host.timers.elapsedMs();
  const total = waves[wave - 1] ?? 0;
  const readSums = async () => {
    const { failed, waiting, running } = sumByState(await rollouts.counts(id), wave);
    return { failed, over: total - waiting - running };
  };
  let why: string | undefined;
  let isStopped = false;
  let readMs = startMs;
  let retried = 0;
  /** Number of consecutive accounts with an unavailable service. */
  let unavailable = 0;
  const readState = async (): Promise<void> => {
    readMs = host.timers.elapsedMs();
    isStopped ||= (await rollouts.read(id))?.state !== 'running';
  };
  const canContinue = (): boolean =>
    why === undefined &&
    !isStopped &&
    !host.interrupted.aborted &&
    waitMs(worker.rollout, host.clock.now()) === 0;
  async function* openAccounts() {
    for await (const stored of rollouts.accounts(id, { wave, states: openStates })) {
      if (host.timers.elapsedMs() - readMs >= readEveryMs) await readState();
      if (!canContinue()) return;
      yield { id: stored.accountId, label: stored.word, stored };
    }
  }
  const outcomes = eachAccount(context, openAccounts(), {
    total,
    over: (await readSums()).over,
    warned: worker.warned,
    ahead: Number.POSITIVE_INFINITY,
    async work({ stored }, own) {
      if (!canContinue()) return false;
      const { account, failure } = await workOnAccount(worker, stored, own);
      unavailable = failure?.kind === 'unavailable' ? unavailable + 1 : 0;
      if (unavailable >= unavailableAtMost) why ??= failure?.message;
      if (account.state === 'failed') await readState();
      if (account.state !== 'waiting') return true;
      if (failure?.kind === 'interrupted') why ??= 'interrupted';
      else retried += 1;
      return false;
    },
    isOver: (isFinished) => isFinished,
    // Failures of the service are stored, so this one is of the state.
    stopsAfter: ({ state }) => state === 'failed',
  });
  for await (const outcome of outcomes) if (outcome.state === 'failed') throw outcome.failure;
  const { failed, over } = await readSums();
  const seconds = ((host.timers.elapsedMs() - startMs) / 1000).toFixed(1);
  const left = retried === 0 ? '' : `, ${retried} to retry`;
  const elapsed = host.stderr.isTTY === true ? `  in ${seconds} s` : '';
  notices.say(`wave ${wave}  ${over}/${total}  ${failed} failed${left}${elapsed}`);
  if (retried > 0 && why === undefined && !isStopped)
    await host.clock.sleep(retryAfterMs, host.interrupted).catch(() => undefined);
  return why;
}

/** Runs a rollout, and calls `onAttempt` for each account after an attempt. */
export type RolloutWork = (onAttempt: (account: RolloutAccount) => void) => Promise<unknown>;

export const runAndReport = (context: Context, id: string, prepared: Prepared): Promise<FleetResult> =>
  reportWhile(context, id, async (onAttempt) => {
    const end = await runRollout(context, id, prepared, { onAttempt });
    prepared.passwords?.report();
    if (end.state !== 'stopped' || context.host.interrupted.aborted) return;
    if (end.reversing) await (await import('./resume-or-undo.ts')).reverseWave(context, end);
    await prepared.notify?.(await stopNotification(context, await rolloutOf(context, id)));
  });

/** Creates the notification about a stopped rollout. It contains counts and names, but no values. */
async function stopNotification(context: Context, rollout: Rollout) {
  const { id, set, wave, waves, why, failedWave } = rollout;
  const counts = sumByState(await (await context.state()).rollouts.counts(id));
  const failed = (await failedAccounts(context, rollout)).map(({ word }) => word);
  // Other reasons can contain texts of the service.
  const reason = failedWave === undefined ? 'trouble' : (why ?? '');
  const text = `Rollout ${id} (${set}) stopped in wave ${wave} of ${waves.length}: ${reason}`;
  return {
    ...({ event: 'rollout.stopped', text } as const),
    facts: { rollout: id, set, wave, waves: waves.length, why: reason, counts, failed },
  };
}

/** Reports a rollout while it runs. NDJSON prints each account when it is finished. Other formats print at the end. */
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
  // The failure is thrown below, after the accounts before it.
  end.catch(() => undefined);
  for await (const account of finished.read()) {
    known.add(account.position);
    yield account;
  }
  await end;
  for await (const account of rollouts.accounts(id)) if (!known.has(account.position)) yield account;
}
