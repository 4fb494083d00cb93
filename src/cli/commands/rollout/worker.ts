import { Failure, isStop } from '../../../base/failure.ts';
import { durationOf } from '../../../base/moment.ts';
import type { Rollout } from '../../../engine/state/rollouts.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { refuseReadOnly } from '../protection.ts';
import { carryOn, type Part } from './carry-on.ts';
import type { workerOptions } from './commands.ts';
import { type Prepared, prepared } from './prepare.ts';

type WorkerInput = InputOf<typeof workerOptions>;

/** Rollouts are listed this often, in milliseconds. */
const listEveryMs = 2000;
/** Time between two looks for work that is left, in milliseconds. */
const lookEveryMs = 500;
/** A rollout whose files are not here is looked at again after so long, in milliseconds. */
const unpreparedMs = 30_000;

/** Works on the rollouts of a state that processes share, until Ctrl-C or for as long as there is work. */
export async function workOnRollouts(input: WorkerInput, context: Context): Promise<Result> {
  const idleMs = input.idle === undefined ? undefined : durationOf(input.idle, '--idle');
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
    if (!isStop(context.host, error)) throw error;
  };
  await refuseReadOnly(context, 'telctl rollout worker').catch(stopIsAnEnd);
  context.host.finishes();
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
  const part: Part = { underWay: 0, isOver: false };
  const taken = new Map<string, Promise<unknown>>();
  const failures: unknown[] = [];
  let listedMs = Number.NEGATIVE_INFINITY;
  let busyMs = timers.elapsedMs();
  while (!interrupted.aborted && failures.length === 0) {
    if (timers.elapsedMs() - listedMs >= listEveryMs) {
      listedMs = timers.elapsedMs();
      const running: Rollout[] = [];
      for await (const rollout of rollouts.newest({ state: 'running' })) running.unshift(rollout);
      for (const rollout of running) {
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
