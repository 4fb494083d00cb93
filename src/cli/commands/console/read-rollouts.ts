import { counted, oneLine } from '../../../base/wording.ts';
import type { Reader, ReadRollout } from '../../../engine/page/reader.ts';
import { type AccountCount, begunBy, type Rollout } from '../../../engine/state/rollouts.ts';
import type { Context } from '../../command/context.ts';
import { ownRollouts } from '../rollout/prepare.ts';
import { reversingText, sumsOf } from '../rollout/report-lines.ts';
import { windowText } from '../rollout/window.ts';

/** Reads the rollouts that whoever is signed in may see. */
export function rolloutsIn(context: Context): Required<Pick<Reader, 'rollouts' | 'rolloutFailures'>> {
  return {
    async *rollouts() {
      const { rollouts } = await context.state();
      for await (const rollout of ownRollouts(context))
        yield readOf(rollout, await rollouts.counts(rollout.id));
    },
    async *rolloutFailures(id) {
      const { rollouts } = await context.state();
      for await (const { accountId, word, name, wave, error } of rollouts.accounts(id, {
        states: ['failed'],
      }))
        yield { accountId, name: name ?? word, wave, why: oneLine(error?.message ?? '') };
    },
  };
}

const readOf = (rollout: Rollout, counts: readonly AccountCount[]): ReadRollout => ({
  id: rollout.id,
  at: new Date(rollout.atMs).toISOString(),
  who: begunBy(rollout),
  set: rollout.set,
  state: rollout.state,
  why: rollout.why,
  facts: factsOf(rollout),
  counts: sumsOf(counts),
  waves: rollout.waves.map((_, index) => sumsOf(counts, index + 1)),
  failedWave: rollout.failedWave,
});

const factsOf = ({
  undoes,
  where = [],
  window,
  checked,
  undoesFailures,
  reversing,
  deletes,
  charged,
}: Rollout): readonly string[] => [
  ...(undoes === undefined ? [] : [`reverses rollout ${undoes}`]),
  ...where.map((each) => `where ${each}`),
  ...(window ? [`window ${windowText(window)}`] : []),
  ...(checked ? ['checked after each wave but the last'] : []),
  ...(undoesFailures ? ['reverses a wave that is not well'] : []),
  ...(reversing ? [reversingText(reversing)] : []),
  ...(deletes > 0 ? [`${counted(deletes, 'object')} deleted`] : []),
  ...(charged === '0' ? [] : [`${charged} charged`]),
];
