import { Failure } from '../../../base/failure.ts';
import type { Report } from '../../../engine/manifest/report.ts';
import type { RolloutAccount } from '../../../engine/state/rollouts.ts';
import type { Context } from '../../command/context.ts';
import { ownerOf } from '../apply-plans.ts';
import { reverseRun } from '../manifest/apply/undo.ts';
import type { RolloutInput } from './prepare.ts';

/**
 * Reverses what a rollout did in one account, its last run first. Throws `Failure` of kind `partial` where something
 * could not be reversed: others changed it, or its old value is not known. `begun` hears of each run before it sends
 * anything.
 */
export async function reversed(
  own: Context,
  { force, overwrite, ledger }: RolloutInput,
  { accountId, word, reverses = [] }: RolloutAccount,
  begun: (run: string) => Promise<void>,
): Promise<readonly Report[]> {
  const reports: Report[] = [];
  const labels: string[] = [];
  const { origin } = await ownerOf(own);
  for (const run of reverses.toReversed()) {
    const input = { run, force, overwrite, ledger, onError: 'stop' } as const;
    const reversal = await reverseRun(own, { id: accountId, name: word, origin }, input, begun);
    if (reversal === undefined) {
      labels.push(`run ${run}, which the log no longer has`);
      continue;
    }
    const { reports: done, left } = reversal;
    reports.push(...done);
    labels.push(...left.map(({ label, why }) => `${label}: ${why}`));
  }
  const [first] = labels;
  if (first === undefined) return reports;
  throw new Failure('partial', `${labels.length} of what was done stayed as it is; the first is ${first}.`);
}
