import type { Rollouts } from '../../../engine/state/rollouts.ts';
import type { Run, RunState } from '../../../engine/state/runs.ts';

/** States of a run, the one first that is said of a rollout where the run of any account is in it. */
const worstFirst: readonly RunState[] = [
  ...(['running', 'unfinished', 'interrupted', 'partial', 'refused', 'declined', 'finished'] as const),
];

/** Runs of one rollout as one: the first with the accounts of all. */
function joined(runs: readonly [Run, ...(readonly Run[])]): Run {
  const [first] = runs;
  const states = new Set(runs.map(({ state }) => state));
  return {
    ...first,
    parts: runs.flatMap(({ parts }) => parts),
    state: worstFirst.find((state) => states.has(state)) ?? first.state,
    damaged: runs.reduce((sum, { damaged }) => sum + damaged, 0),
  };
}

/** Runs in their order; those of one rollout that stand together are one, with its accounts below. */
export async function* withWholeRollouts(runs: AsyncIterable<Run>): AsyncGenerator<Run> {
  let open: [Run, ...Run[]] | undefined;
  for await (const run of runs) {
    const isNext = open !== undefined && run.rollout !== undefined && open[0].rollout === run.rollout;
    if (isNext && open?.[0].what === run.what) open.push(run);
    else {
      if (open) yield joined(open);
      open = [run];
    }
  }
  if (open) yield joined(open);
}

/** Returns a run with those that its rollout carried out on other accounts, in the order of the rollout. */
export async function wholeRollout(
  run: Run,
  rollouts: Rollouts,
  read: (id: string) => Promise<Run | undefined>,
): Promise<Run> {
  if (run.rollout === undefined || (await rollouts.read(run.rollout)) === undefined) return run;
  const others: Run[] = [];
  for await (const { runs } of rollouts.accounts(run.rollout))
    for (const id of runs) {
      const other = await read(id);
      if (other && other.what === run.what) others.push(other);
    }
  const [first, ...rest] = others;
  return first ? { ...joined([first, ...rest]), run: run.run } : run;
}
