import { isOpen, openStates, type RolloutAccount } from '../../../engine/state/rollouts.ts';
import type { DoJob, SharedParts } from '../../../engine/state/state.ts';
import type { Context } from '../../command/context.ts';
import type { Part, Runner } from './carry-on.ts';
import { type Worker, workOn } from './one-account.ts';
import { heldMs } from './window.ts';

/** A rollout is looked at this often, in milliseconds. */
const lookEveryMs = 500;
/** Jobs of a wave that got lost are added again after so long, in milliseconds. */
const tendEveryMs = 2000;

/** The jobs of a rollout that processes share: each gives this process accounts for as long as it takes part. */
export async function jobRunner(
  context: Context,
  shared: SharedParts,
  id: string,
  part: Part,
): Promise<Runner> {
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
    if (!isOpen(account) || heldMs(rollout, host.clock.now()) > 0) return undefined;
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
          const left: RolloutAccount[] = [];
          for await (const account of rollouts.accounts(id, { wave, states: openStates })) left.push(account);
          await jobs.add(id, left);
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
