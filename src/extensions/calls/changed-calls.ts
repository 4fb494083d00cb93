import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import { formatCount } from '../../base/wording.ts';
import type { Context } from '../../cli/command/context.ts';
import type { ReportLine, ReportResult } from '../../cli/command/result.ts';
import type { AccountPlanning } from '../../cli/commands/manifest/plan/planning.ts';
import { problemsFailure } from '../../engine/input/document.ts';
import { accountAfter } from './cases/accounts.ts';
import type { CallCase } from './cases/case-file.ts';
import { type PivotReplies, runCase } from './cases/run-case.ts';
import type { CallAccount } from './engine/types.ts';
import { readAccount, readCaseFiles, readKinds, readPivotReplies } from './make-calls.ts';

type TriedCalls = Awaited<ReturnType<typeof compareCalls>>[number];
type Planned = Pick<AccountPlanning, 'desired' | 'plan'>;

/** Simulates the calls of cases before and after each plan. Returns the calls that end differently. */
async function compareCalls(context: Context, accounts: readonly Planned[], files: readonly string[]) {
  const { cases, problems } = await readCaseFiles(context, files);
  if (problems.length > 0) throw problemsFailure(problems);
  const replies = await readPivotReplies(context, cases);
  const tried: { readonly tried: number; readonly changed: ReturnType<typeof compareEnds> }[] = [];
  for (const { desired, plan } of accounts) {
    const before = await readAccount(context, plan.account.id);
    const after = accountAfter(before, readKinds, desired, plan);
    const changed = cases.flatMap((one) => compareEnds(one, before, after, replies));
    tried.push({ tried: cases.length, changed });
  }
  return tried;
}

/** Returns both ends of a call. `isLost` is true if only the end before the plan is as expected. */
function compareEnds(one: CallCase, before: CallAccount, after: CallAccount, replies: PivotReplies) {
  const [old, next] = [before, after].map((account) => simulateEnd(one, account, replies));
  if (!old || !next || (old.text === next.text && old.passes === next.passes)) return [];
  return [
    {
      name: one.name,
      before: old.text,
      after: next.text,
      isAsExpected: next.passes,
      isLost: old.passes && !next.passes,
    },
  ];
}

function simulateEnd(one: CallCase, account: CallAccount, replies: PivotReplies) {
  const made = runCase(one, account, replies);
  if ('problems' in made) return { text: made.problems[0]?.message ?? 'cannot be made', passes: false };
  const { end } = made.call;
  const text = end.in === 'person' ? (end.name ?? 'a person') : [end.in, end.name].join(' ').trim();
  return { text, passes: made.result.result === 'pass' };
}

function formatChangedCalls({ tried, changed }: TriedCalls): readonly ReportLine[] {
  if (changed.length === 0)
    return [[{ text: `The plan does not change the end of ${formatCount(tried, 'call')}.` }]];
  const head = `The plan changes the end of ${changed.length} of ${formatCount(tried, 'call')}:`;
  return [
    [{ text: head }],
    ...changed.map(
      ({ name, before, after, isAsExpected, isLost }): ReportLine => ({
        text: name,
        right: `${before} → ${after}${isAsExpected ? '   (now as expected)' : isLost ? '   (no longer as expected)' : ''}`,
        ...(isLost ? { mark: 'bad' } : {}),
      }),
    ),
  ];
}

export async function addChangedCalls(
  context: Context,
  report: ReportResult,
  accounts: readonly Planned[],
  files: readonly string[],
): Promise<ReportResult> {
  if (files.length === 0) return report;
  const tried = await compareCalls(context, accounts, files);
  const { value } = report;
  const shown = isObject(value) && Array.isArray(value.accounts) ? value.accounts : [];
  const entries = shown.map((entry, index) =>
    isObject(entry) ? { ...entry, calls: jsonOf(tried[index] ?? { tried: 0, changed: [] }) } : entry,
  );
  return {
    ...report,
    lines: [...report.lines, [{ text: '' }], ...tried.flatMap(formatChangedCalls)],
    value: isObject(value) ? { ...value, accounts: entries } : value,
  };
}

const jsonOf = ({ tried, changed }: TriedCalls) => ({
  tried,
  changed: changed.map(({ name, before, after }) => ({ name, before, after })),
});

/**
 * Asks for confirmation if a plan changes calls that are as expected. Throws `Failure`: `refused` if it cannot ask,
 * `interrupted` if the user declines.
 */
export async function agreeToCalls(
  context: Context,
  accounts: readonly Planned[],
  { calls, allowCallChanges }: { calls: readonly string[]; allowCallChanges?: boolean | undefined },
): Promise<void> {
  if (calls.length === 0) return;
  const tried = await compareCalls(context, accounts, calls);
  await context.notices.report(tried.flatMap(formatChangedCalls));
  const lost = tried.flatMap(({ changed }) => changed.filter(({ isLost }) => isLost));
  if (lost.length === 0 || allowCallChanges) return;
  const names = lost.map(({ name }) => JSON.stringify(name)).join(', ');
  if (!context.ask.available)
    throw new Failure('refused', `Calls would no longer end as expected: ${names}. No requests were sent.`, {
      hint: 'Pass --allow-call-changes, or change the cases.',
    });
  if (
    !(await context.ask.confirmExplicitly(
      `Apply, although these calls will no longer end as expected: ${names}?`,
    ))
  )
    throw new Failure('interrupted', 'Nothing was changed.');
}
