import { Failure } from '../../base/failure.ts';
import type { Context } from '../../command/context.ts';
import type { Report } from '../../manifest/report.ts';
import type { RolloutAccount } from '../../state/rollouts.ts';
import { readRun } from '../../state/runs.ts';
import { reverseRun } from '../manifest/apply/undo.ts';
import { runsOf } from '../open-state.ts';
import type { RolloutInput } from './prepare.ts';

/**
 * Reverses what a rollout did in one account, its last run first. Throws `Failure` of kind `partial` where something
 * could not be reversed: others changed it, or its old value is not known. `begun` hears of each run before it sends
 * anything.
 */
export async function reversed(
  own: Context,
  { force, overwrite, ledger }: RolloutInput,
  { reverses = [] }: RolloutAccount,
  begun: (run: string) => Promise<void>,
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  const labels: string[] = [];
  for (const id of reverses.toReversed()) {
    const run = await readRun(await runsOf(own), id);
    if (run === undefined) {
      labels.push(`run ${id}, which the log no longer has`);
      continue;
    }
    const input = { run: id, force, overwrite, ledger, onError: 'stop' } as const;
    const { reports: done, left } = await reverseRun(own, run, input, begun);
    reports.push(...done);
    labels.push(...left.map(({ label, why }) => `${label}: ${why}`));
  }
  const [first] = labels;
  if (first === undefined) return reports;
  throw new Failure('partial', `${labels.length} of what was done stayed as it is; the first is ${first}.`);
}
