import { formatCount, toOneLine } from '../../../base/wording.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { RolloutReader, ShownRollout } from '../../../cli/commands/extension.ts';
import { type AccountCount, formatStarter, type Rollout } from '../../../engine/state/rollouts.ts';
import { windowText } from './limits.ts';
import { ownRollouts } from './report.ts';
import { reversingText, sumByState } from './report-lines.ts';

/** Reads the rollouts that the signed-in user can see. */
export function readRollouts(context: Context): RolloutReader {
  return {
    async *rollouts() {
      const { rollouts } = await context.state();
      for await (const rollout of ownRollouts(context))
        yield shownRollout(rollout, await rollouts.counts(rollout.id));
    },
    async *rolloutFailures(id) {
      const { rollouts } = await context.state();
      for await (const { accountId, word, name, wave, error } of rollouts.accounts(id, {
        states: ['failed'],
      }))
        yield { accountId, name: name ?? word, wave, why: toOneLine(error?.message ?? '') };
    },
  };
}

const shownRollout = (rollout: Rollout, counts: readonly AccountCount[]): ShownRollout => ({
  id: rollout.id,
  at: new Date(rollout.atMs).toISOString(),
  who: formatStarter(rollout),
  set: rollout.set,
  state: rollout.state,
  why: rollout.why,
  facts: factsOf(rollout),
  counts: sumByState(counts),
  waves: rollout.waves.map((_, index) => sumByState(counts, index + 1)),
  failedWave: rollout.failedWave,
});

function factsOf(rollout: Rollout): readonly string[] {
  const { undoes, where = [], window, checked, undoesFailures, reversing, deletes, charged } = rollout;
  return [
    ...(undoes === undefined ? [] : [`reverses rollout ${undoes}`]),
    ...where.map((each) => `where ${each}`),
    ...(window ? [`window ${windowText(window)}`] : []),
    ...(checked ? ['checked after each wave except the last'] : []),
    ...(undoesFailures ? ['reverses a failed wave'] : []),
    ...(reversing ? [reversingText(reversing)] : []),
    ...(deletes > 0 ? [`${formatCount(deletes, 'object')} deleted`] : []),
    ...(charged === '0' ? [] : [`${charged} charged`]),
  ];
}
