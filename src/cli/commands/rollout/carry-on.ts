import { pooled } from '../../../base/bounded.ts';
import { Failure } from '../../../base/failure.ts';
import { inWords } from '../../../base/moment.ts';
import {
  type AccountState,
  openStates,
  type Rollout,
  type RolloutAccount,
} from '../../../engine/state/rollouts.ts';
import type { Context } from '../../command/context.ts';
import { holderName } from '../manifest/apply/account-locks.ts';
import { accountsAtOnce, sharing } from '../over-accounts.ts';
import { endWave } from './judge-wave.ts';
import { type Tried, type Worker, workerName, workOn } from './one-account.ts';
import type { Prepared } from './prepare.ts';
import { rolloutOf } from './report.ts';
import { heldMs, windowText } from './window.ts';

/** Time after which the record is read again, to notice `rollout cancel`, in milliseconds. */
const heardEveryMs = 1000;

/** Wait before accounts are tried again that the service was not reached for, in milliseconds. */
const retryAfterMs = 2000;

/** Accounts in a row that the service cannot be reached for, after which nothing more is begun. */
const hopelessAfter = 3;

/**
 * Carries a rollout on until it ends or stops: beside other processes where the state lets them share the work, else
 * alone. Throws `Failure` of kind `conflict` where only one process can, and another one does.
 */
export async function carryOn(
  context: Context,
  id: string,
  prepared: Prepared,
  told: Worker['told'],
): Promise<Rollout> {
  const { shared } = await context.state();
  if (shared === undefined) return carryOnAlone(context, id, prepared, told);
  const { carryOnShared } = await import('./share-work.ts');
  return carryOnShared(context, id, prepared, told);
}

/** Carries a rollout on in this process, wave by wave. */
async function carryOnAlone(
  context: Context,
  id: string,
  prepared: Prepared,
  told: Worker['told'],
): Promise<Rollout> {
  const state = await context.state();
  const name = await workerName(context);
  let holder: string | undefined;
  const lease = await state.lock(
    { origin: 'telctl:rollout', accountId: id },
    {
      ...{ signal: context.host.interrupted, who: await holderName(context), forMs: 0 },
      waiting: (who) => {
        holder = who;
      },
    },
  );
  if (lease === undefined)
    throw new Failure(
      'conflict',
      `Rollout ${id} is being carried out${holder === undefined ? '' : ` by ${holder}`}.`,
      {
        hint: `Watch it: telctl rollout show ${id} --follow. Stop it: telctl rollout cancel ${id}.`,
      },
    );
  try {
    const warned = new Set<string>();
    for (;;) {
      const rollout = await rolloutOf(context, id);
      if (rollout.state !== 'running') return rollout;
      if (!(await hasWaited(context, rollout))) return await stopped(context, rollout, 'interrupted');
      const worker = { context, rollout, prepared, name, warned, told };
      const why = await carryOutWave(worker);
      if (why !== undefined) return await stopped(context, rollout, why);
      await endWave(context, id, rollout.wave, prepared.check);
    }
  } finally {
    await lease.release();
  }
}

/** Waits until accounts may be begun; false after Ctrl-C. */
async function hasWaited({ host, notices }: Context, rollout: Rollout): Promise<boolean> {
  const leftMs = heldMs(rollout, host.clock.now());
  if (leftMs > 0) {
    const window = rollout.window === undefined ? '' : ` (--window ${windowText(rollout.window)})`;
    notices.say(`Wave ${rollout.wave} goes on in ${inWords(leftMs)}${window}; Ctrl-C stops here.`);
    await host.clock.sleep(leftMs, host.interrupted).catch(() => undefined);
  }
  return !host.interrupted.aborted;
}

async function stopped(context: Context, { id }: Rollout, why: string): Promise<Rollout> {
  const { rollouts } = await context.state();
  await rollouts.change(id, ({ state }) => (state === 'running' ? { state: 'stopped', why } : undefined));
  return rolloutOf(context, id);
}

/** Works on the accounts of a wave. Returns the reason to stop, if there is one. */
async function carryOutWave(worker: Worker): Promise<string | undefined> {
  const { context, rollout } = worker;
  const { host, notices } = context;
  const { rollouts } = await context.state();
  const { id, wave } = rollout;
  const total = rollout.waves[wave - 1] ?? 0;
  const counts = await rollouts.counts(id);
  const countOf = (...states: readonly AccountState[]): number =>
    counts.reduce(
      (sum, each) => sum + (each.wave === wave && states.includes(each.state) ? each.count : 0),
      0,
    );
  let failed = countOf('failed');
  let over = failed + countOf('done', 'unchanged');
  let retried = 0;
  let unreached = 0;
  let why: string | undefined;
  let isStopped = false;
  let heardMs = host.timers.elapsedMs();
  const isShut = (): boolean => heldMs(rollout, host.clock.now()) > 0;
  const hear = async (): Promise<void> => {
    if (host.timers.elapsedMs() - heardMs < heardEveryMs) return;
    heardMs = host.timers.elapsedMs();
    isStopped ||= (await rollouts.read(id))?.state !== 'running';
  };
  const judge = async ({ account, failure }: Tried): Promise<void> => {
    unreached = failure?.kind === 'unavailable' ? unreached + 1 : 0;
    if (unreached >= hopelessAfter) why ??= failure?.message;
    if (account.state === 'waiting') {
      if (failure?.kind === 'interrupted') why ??= 'interrupted';
      else retried += 1;
      return;
    }
    over += 1;
    if (account.state !== 'failed') return;
    failed += 1;
    isStopped ||= (await rollouts.read(id))?.state !== 'running';
  };
  const startMs = host.timers.elapsedMs();
  async function* waiting(): AsyncGenerator<RolloutAccount> {
    for await (const account of rollouts.accounts(id, { wave, states: openStates })) {
      await hear();
      if (host.interrupted.aborted) why ??= 'interrupted';
      if (why !== undefined || isStopped || isShut()) return;
      yield account;
    }
  }
  const own = sharing(context, total);
  await pooled(
    waiting(),
    () => accountsAtOnce(context),
    async (account) => {
      if (why !== undefined || isStopped || isShut()) return;
      await judge(await workOn({ ...worker, context: own }, account));
      notices.progress(over, total, 'accounts');
    },
  );
  const seconds = ((host.timers.elapsedMs() - startMs) / 1000).toFixed(1);
  const left = retried === 0 ? '' : `, ${retried} to be tried again`;
  const took = host.stderr.isTTY === true ? `  in ${seconds} s` : '';
  notices.say(`wave ${wave}  ${over}/${total}  ${failed} failed${left}${took}`);
  if (retried > 0 && why === undefined && !isStopped)
    await host.clock.sleep(retryAfterMs, host.interrupted).catch(() => undefined);
  return why;
}
