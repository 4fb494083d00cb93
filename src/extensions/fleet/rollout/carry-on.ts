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
} from '../../../engine/state/rollouts.ts';
import { endWave } from './judge-wave.ts';
import { heldMs, windowText } from './limits.ts';
import { type Worker, workerName, workOn } from './one-account.ts';
import type { Prepared } from './prepare.ts';
import { failedIn, type RolloutForm, rolloutForm, rolloutLock, rolloutOf, rolloutReport } from './report.ts';
import { sumsOf } from './report-lines.ts';

/** Time after which the record is read again, to notice `rollout cancel`, in milliseconds. */
const heardEveryMs = 1000;

/** Wait before accounts are tried again that the service was not reached for, in milliseconds. */
const retryAfterMs = 2000;

/** Accounts in a row that the service cannot be reached for, after which nothing more is begun. */
const hopelessAfter = 3;

/** The way in which the accounts of a wave come to this process: a loop, or jobs that processes share. */
export interface WaveRunner {
  /** Waits while nothing of a wave may be begun, so long at most, in milliseconds. */
  hold(ms: number): Promise<void>;
  /** Works on the open accounts of a wave for as long as it goes on. Returns the reason to stop the rollout, if there is one. */
  wave(worker: Worker): Promise<string | undefined>;
  /** The reason with which the rollout stops where this process is told to end; none where others go on with it. */
  readonly stopsFor: string | undefined;
  /** Ends once nothing is under way in this process. */
  end(): Promise<void>;
}

/** The part that a process takes in rollouts of a shared state. */
export interface WorkerPart {
  /** Number of accounts that it works on. */
  underWay: number;
  isOver: boolean;
}

/**
 * Carries a rollout on, wave by wave, until it ends, stops, or this process does: beside other processes where the state
 * lets them share the work, else alone. Throws `Failure` of kind `conflict` where only one process can, and another one does.
 */
export async function carryOn(
  context: Context,
  id: string,
  prepared: Prepared,
  { told, part }: { readonly told?: Worker['told']; readonly part?: WorkerPart } = {},
): Promise<Rollout> {
  const { host } = context;
  const { shared, rollouts } = await context.state();
  const name = await workerName(context);
  const warned = new Set<string>();
  const runner =
    shared === undefined
      ? await loopRunner(context, id)
      : await (await import('./share-work.ts')).jobRunner(
          context,
          shared,
          id,
          part ?? { underWay: 0, isOver: false },
        );
  const stop = (why: string) =>
    rollouts.change(id, ({ state }) => (state === 'running' ? { state: 'stopped', why } : undefined));
  let heldWave = 0;
  try {
    for (;;) {
      const rollout = await rolloutOf(context, id);
      if (rollout.state !== 'running') break;
      if (host.interrupted.aborted || part?.isOver) {
        if (runner.stopsFor !== undefined) await stop(runner.stopsFor);
        break;
      }
      const leftMs = heldMs(rollout, host.clock.now());
      if (leftMs > 0) {
        if (part === undefined && rollout.wave !== heldWave) sayHeld(context, rollout, leftMs);
        heldWave = rollout.wave;
        await runner.hold(leftMs);
        continue;
      }
      const many = shared === undefined ? (rollout.waves[rollout.wave - 1] ?? 0) : Number.POSITIVE_INFINITY;
      const own = shareConcurrency(context, many);
      const why = await runner.wave({ context: own, rollout, prepared, name, warned, told });
      if (why !== undefined) await stop(why);
      else await endWave(context, id, rollout.wave, prepared.check);
    }
  } finally {
    await runner.end();
  }
  const end = await rolloutOf(context, id);
  if (end.state === 'running' && part === undefined)
    context.notices.say(
      `Rollout ${id} goes on where a worker runs. Watch: ${nextStep`rollout show ${id} --follow`}. Stop: ${nextStep`rollout cancel ${id}`}.`,
    );
  return end;
}

function sayHeld({ notices }: Context, { wave, window }: Rollout, ms: number): void {
  const why = window === undefined ? '' : ` (--window ${windowText(window)})`;
  notices.say(`Wave ${wave} goes on in ${formatDuration(ms)}${why}; Ctrl-C stops here.`);
}

/** The loop of the one process that carries a rollout out. */
async function loopRunner(context: Context, id: string): Promise<WaveRunner> {
  const { host, notices } = context;
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
    throw new Failure('conflict', `Rollout ${id} is being carried out${holder}.`, {
      hint: createHint`Watch it: ${nextStep`rollout show ${id} --follow`}. Stop it: ${nextStep`rollout cancel ${id}`}.`,
    });
  return {
    stopsFor: 'interrupted',
    end: () => lease.release(),
    hold: (ms) => host.clock.sleep(ms, host.interrupted).catch(() => undefined),
    async wave(worker) {
      const { rollout } = worker;
      const { wave, waves } = rollout;
      const total = waves[wave - 1] ?? 0;
      const sums = async () => sumsOf(await rollouts.counts(id), wave);
      const before = await sums();
      const startMs = host.timers.elapsedMs();
      let over = total - before.waiting - before.running;
      let retried = 0;
      let unreached = 0;
      let why: string | undefined;
      let isStopped = false;
      let heardMs = startMs;
      const goesOn = (): boolean =>
        why === undefined && !isStopped && heldMs(rollout, host.clock.now()) === 0;
      async function* waiting(): AsyncGenerator<RolloutAccount> {
        for await (const account of rollouts.accounts(id, { wave, states: openStates })) {
          if (host.timers.elapsedMs() - heardMs >= heardEveryMs) {
            heardMs = host.timers.elapsedMs();
            isStopped ||= (await rollouts.read(id))?.state !== 'running';
          }
          if (host.interrupted.aborted) why ??= 'interrupted';
          if (!goesOn()) return;
          yield account;
        }
      }
      await forEachWithConcurrency(
        waiting(),
        () => accountsAtOnce(context),
        async (given) => {
          if (!goesOn()) return;
          const { account, failure } = await workOn(worker, given);
          unreached = failure?.kind === 'unavailable' ? unreached + 1 : 0;
          if (unreached >= hopelessAfter) why ??= failure?.message;
          if (account.state !== 'waiting') over += 1;
          else if (failure?.kind === 'interrupted') why ??= 'interrupted';
          else retried += 1;
          if (account.state === 'failed') isStopped ||= (await rollouts.read(id))?.state !== 'running';
          notices.progress(over, total, 'accounts');
        },
      );
      const seconds = ((host.timers.elapsedMs() - startMs) / 1000).toFixed(1);
      const left = retried === 0 ? '' : `, ${retried} to be tried again`;
      const took = host.stderr.isTTY === true ? `  in ${seconds} s` : '';
      notices.say(`wave ${wave}  ${over}/${total}  ${(await sums()).failed} failed${left}${took}`);
      if (retried > 0 && why === undefined && !isStopped)
        await host.clock.sleep(retryAfterMs, host.interrupted).catch(() => undefined);
      return why;
    },
  };
}

/** Work on a rollout in this process; `told` hears of each account that is over. */
export type RolloutWork = (told: (account: RolloutAccount) => void) => Promise<unknown>;

/** Carries a rollout on, and shows how far it came. */
export const carriedOut = (context: Context, id: string, prepared: Prepared): Promise<FleetResult> =>
  shownWhile(context, id, async (told) => {
    const end = await carryOn(context, id, prepared, { told });
    prepared.passwords?.report();
    if (end.state !== 'stopped' || context.host.interrupted.aborted) return;
    if (end.reversing) await (await import('./resume-or-undo.ts')).takeBackWave(context, end);
    await prepared.notify?.(await newsOf(context, await rolloutOf(context, id)));
  });

/** The notification about a rollout that stopped: counts and names, no values. */
async function newsOf(context: Context, rollout: Rollout) {
  const { id, set, wave, waves, why, failedWave } = rollout;
  const counts = sumsOf(await (await context.state()).rollouts.counts(id));
  const failed = (await failedIn(context, rollout)).map(({ word }) => word);
  // Other reasons are the words of the service.
  const reason = failedWave === undefined ? 'trouble' : (why ?? '');
  const text = `Rollout ${id} (${set}) stopped in wave ${wave} of ${waves.length}: ${reason}`;
  return {
    ...({ event: 'rollout.stopped', text } as const),
    facts: { rollout: id, set, wave, waves: waves.length, why: reason, counts, failed },
  };
}

/** Shows a rollout while work on it goes on: NDJSON has each account once it is over, others at the end. */
export async function shownWhile(
  context: Context,
  id: string,
  work: RolloutWork,
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
async function* overOnes(context: Context, id: string, work: RolloutWork): AsyncGenerator<RolloutAccount> {
  const { rollouts } = await context.state();
  const told = itemQueue<RolloutAccount>();
  const known = new Set<number>();
  const end = work((account) => {
    if (!isAccountOpen(account)) told.add(account);
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
