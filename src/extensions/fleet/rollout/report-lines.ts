import { createHint, Failure, type Hint, nextStep } from '../../../base/failure.ts';
import { formatCount, shownAtMost, toOneLine } from '../../../base/wording.ts';
import type { Context } from '../../../cli/command/context.ts';
import type { ReportLine, Span } from '../../../cli/command/result.ts';
import { whereText } from '../../../cli/commands/labels.ts';
import type { AccountCount, AccountState, Rollout, RolloutAccount } from '../../../engine/state/rollouts.ts';

const states: readonly AccountState[] = ['done', 'unchanged', 'failed', 'running', 'waiting'];

const marks: Readonly<Record<Rollout['state'], NonNullable<Span['mark']>>> = {
  running: 'careful',
  stopped: 'bad',
  cancelled: 'bad',
  finished: 'good',
};

/** Sums accounts by state, for one wave or for all. */
export function sumByState(
  counts: readonly AccountCount[],
  wave?: number,
): Readonly<Record<AccountState, number>> {
  const sums = { waiting: 0, running: 0, done: 0, unchanged: 0, failed: 0 };
  for (const each of counts) if (wave === undefined || each.wave === wave) sums[each.state] += each.count;
  return sums;
}

/** Formats sums such as `5611 done, 2 failed, 2387 waiting`. */
const sumText = (sums: Readonly<Record<AccountState, number>>): string =>
  states.flatMap((state) => (sums[state] === 0 ? [] : [`${sums[state]} ${state}`])).join(', ');

/** Lists accounts with objects that were not deleted because they were never adopted. */
export async function neverAdoptedLines(context: Context, { id }: Rollout): Promise<readonly ReportLine[]> {
  const lines: ReportLine[] = [];
  let more = 0;
  for await (const { word, neverAdopted } of (await context.state()).rollouts.accounts(id, {
    states: ['done', 'unchanged'],
  })) {
    if (neverAdopted === undefined) continue;
    if (lines.length === shownAtMost) more += 1;
    else
      lines.push([
        { text: `${word}: not deleted, never adopted: ${neverAdopted.join(', ')}`, mark: 'careful' },
      ]);
  }
  if (lines.length === 0) return [];
  return [[], ...lines, ...(more > 0 ? [[{ text: `… and in ${formatCount(more, 'more account')}` }]] : [])];
}

export function rolloutLines(
  { id, state, why, waves, reversing, where }: Rollout,
  counts: readonly AccountCount[],
  failed: readonly RolloutAccount[],
): readonly ReportLine[] {
  const sums = sumByState(counts);
  const all = waves.reduce((sum, each) => sum + each, 0);
  const finishes = `if that was interrupted, ${nextStep`rollout resume ${id}`} finishes it first`;
  return [
    [
      { text: `rollout ${id}  `, mark: 'bold' },
      { text: state, mark: marks[state] },
      { text: `  ${formatCount(all, 'account')}${whereText(where)}: ${sumText(sums)}` },
    ],
    ...(why === undefined ? [] : [[{ text: why }]]),
    ...(reversing ? [{ text: `${reversingText(reversing)}; ${finishes}`, mark: 'careful' as const }] : []),
    ...(waves.length < 2 ? [] : waves).map((accounts, index): ReportLine => {
      const sums = sumText(sumByState(counts, index + 1));
      return [{ text: `wave ${index + 1}  ${formatCount(accounts, 'account')}: ${sums}`, mark: 'dim' }];
    }),
    ...(failed.length === 0
      ? []
      : [
          [],
          { text: 'FAILED', right: 'WHY', mark: 'dim' as const },
          ...failed.map(({ word, error }) => ({ text: word, right: toOneLine(error?.message ?? '') })),
        ]),
    ...(sums.failed > failed.length ? [[{ text: `… and ${sums.failed - failed.length} more` }]] : []),
  ];
}

/** Describes a reversal, such as `wave 2 is being reversed by rollout 3`. */
export const reversingText = ({ wave, undo }: NonNullable<Rollout['reversing']>): string =>
  `wave ${wave} is ${undo === undefined ? 'not reversed yet' : `being reversed by rollout ${undo}`}`;

export const resumeHint = ({ id, checked }: Rollout): Hint =>
  createHint`After fixing the cause: ${nextStep`rollout resume ${id} ${checked ? ['--check', 'COMMAND'] : []}`}. To reverse it: ${nextStep`rollout undo ${id}`}.`;

/** Returns the failure of an unsuccessful rollout. Returns `undefined` if it succeeded or is still running. */
export function rolloutFailure(
  { host }: Context,
  rollout: Rollout,
  counts: readonly AccountCount[],
  failed: readonly RolloutAccount[],
): Failure | undefined {
  const { id, state, why, undoesFailures } = rollout;
  const sums = sumByState(counts);
  if (state === 'running' || (state === 'finished' && sums.failed === 0)) return undefined;
  const [first] = failed;
  // An interrupted attempt may have changed something.
  const isNothing =
    !undoesFailures && sums.done + sums.unchanged === 0 && failed.every(({ runs }) => runs.length === 0);
  const isOne = failed.every(({ error }) => error?.kind === first?.error?.kind);
  const kind = host.interrupted.aborted
    ? 'interrupted'
    : first?.error && isNothing && isOne
      ? first.error.kind
      : 'partial';
  const said = state === 'finished' ? `${sums.failed} of its accounts failed` : `${state}: ${why ?? ''}`;
  const sentence = `Rollout ${id} ${state === 'finished' ? 'ended, but ' : 'is '}${said.replace(/: $/, '')}.`;
  const reasons = failed.map(({ word, error }) => `${word}: ${toOneLine(error?.message ?? '')}`);
  const more = sums.failed - failed.length;
  return new Failure(
    kind,
    [
      sentence,
      ...reasons.map((reason) => `failed  ${reason}`),
      ...(more > 0 ? [`… and ${more} more: ${nextStep`rollout show ${id} -o json`}`] : []),
    ],
    {
      sentence: reasons[0] === undefined ? sentence : `${sentence} The first is ${reasons[0]}`,
      hint: resumeHint(rollout),
      details: {
        rollout: id,
        counts: sums,
        failed: failed.map(({ word, accountId, error }) => ({
          account: word,
          account_id: accountId,
          ...error,
        })),
      },
    },
  );
}
