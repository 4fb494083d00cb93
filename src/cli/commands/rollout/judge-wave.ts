import type { Failure } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import { openStates, type Rollout, type RolloutProgress } from '../../../engine/state/rollouts.ts';
import type { Context } from '../../command/context.ts';
import type { Check } from './check.ts';
import { worseHooks } from './health.ts';
import { rolloutOf } from './report.ts';
import { failuresAllowed } from './waves.ts';

/** Reason of a stop after a first wave that went well, when the others are asked about first. */
export const afterCanary = 'the first accounts are done; the others wait for your decision';

const tooManyFailed = (failed: number, total: number, wave: number, allowed: number): string =>
  `${failed} of ${counted(total, 'account')} in wave ${wave} failed; ${allowed} may (--max-failures)`;

/** Stops a rollout where too many accounts of its wave failed, or one failed in a way that all others would. */
export async function stopIfTooMany(
  context: Context,
  id: string,
  failure: Failure | undefined,
): Promise<void> {
  const { rollouts } = await context.state();
  const rollout = await rolloutOf(context, id);
  const { wave, waves } = rollout;
  const total = waves[wave - 1] ?? 0;
  const allowed = failuresAllowed(rollout, wave);
  const failed = (await rollouts.counts(id)).find((each) => each.wave === wave && each.state === 'failed');
  const isHopeless = failure?.kind === 'auth' && failure.status !== 403;
  const why = isHopeless
    ? failure.message
    : (failed?.count ?? 0) > allowed
      ? tooManyFailed(failed?.count ?? 0, total, wave, allowed)
      : undefined;
  if (why === undefined) return;
  await rollouts.change(id, ({ state }) =>
    state === 'running' ? { state: 'stopped', why, ...(isHopeless ? {} : notWell(rollout)) } : undefined,
  );
}

/** Says that a rollout stopped since its wave was not well, and that this is still to be reversed where it was asked for. */
const notWell = ({ wave, undoesFailures }: Rollout): Partial<RolloutProgress> => ({
  failedWave: wave,
  ...(undoesFailures ? { reversing: { wave } } : {}),
});

/**
 * Decides, once nothing of a wave is open, whether the next one follows. Whoever comes second changes nothing. A rollout
 * that is checked goes on by the word of who has the check.
 */
export async function endWave(context: Context, id: string, wave: number, check?: Check): Promise<void> {
  const { rollouts } = await context.state();
  const rollout = await rolloutOf(context, id);
  if (rollout.wave !== wave || rollout.state !== 'running') return;
  const counts = (await rollouts.counts(id)).filter((each) => each.wave === wave);
  if (counts.some(({ state }) => openStates.includes(state))) return;
  const total = rollout.waves[wave - 1] ?? 0;
  const failed = counts.find(({ state }) => state === 'failed')?.count ?? 0;
  const allowed = failuresAllowed(rollout, wave);
  const isLast = wave >= rollout.waves.length;
  const tooMany = failed > allowed ? tooManyFailed(failed, total, wave, allowed) : undefined;
  const worse = isLast ? undefined : (tooMany ?? (await worseHooks(context, rollout)));
  if (!isLast && worse === undefined && rollout.checked && check === undefined) return;
  const trouble = tooMany ?? worse ?? (isLast ? undefined : await check?.(rollout));
  const next: Partial<RolloutProgress> =
    trouble !== undefined
      ? { state: 'stopped', why: trouble, ...notWell(rollout) }
      : isLast
        ? { state: 'finished', why: undefined }
        : {
            wave: wave + 1,
            ...(rollout.canary === 'asks' && wave === 1 ? { state: 'stopped', why: afterCanary } : {}),
            ...(rollout.pauseMs > 0 && counts.some(({ state }) => state !== 'unchanged')
              ? { heldUntilMs: context.host.clock.now() + rollout.pauseMs }
              : {}),
          };
  await rollouts.change(id, (now) => (now.wave === wave && now.state === 'running' ? next : undefined));
}
