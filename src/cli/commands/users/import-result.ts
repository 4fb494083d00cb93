import { Failure } from '../../../base/failure.ts';
import { firstLines, formatCount } from '../../../base/wording.ts';
import {
  type FoundObject,
  isSettled,
  type RowResult,
  type RowStatus,
} from '../../../engine/manifest/import-results.ts';
import type { ApplyReport } from '../../../engine/manifest/plan.ts';
import type { Result } from '../../command/result.ts';

export function existingFailure(name: string, found: readonly FoundObject[], hasResults: boolean): Failure {
  const lines = found.map(({ row, label, id }) => `${name}:${row.line}: ${label} already exists (${id})`);
  const rows = new Set(found.map(({ row }) => row)).size;
  return new Failure(
    'conflict',
    [
      ...firstLines(lines),
      `${formatCount(rows, 'row')} would create an object that exists already. Nothing was sent.`,
    ],
    {
      hint: hasResults
        ? 'Continue an interrupted import with --resume. Skip existing users with --existing skip.'
        : 'Skip existing users with --existing skip. Change them to match the file with --existing update.',
      details: {
        existing: found.map(({ row, label, id }) => ({
          row: row.line,
          username: row.username,
          what: label,
          id,
        })),
      },
    },
  );
}

/** The result of an import: all rows, and a failure if some were not done. `rows` are those with requests. */
export function importResult(
  report: ApplyReport,
  rows: readonly RowResult[],
  all: readonly RowResult[],
  name: string,
  results: string | undefined,
): Result {
  const count = (status: RowStatus): number => all.filter((row) => row.status === status).length;
  const parts = (['created', 'updated', 'exists', 'failed', 'unknown', 'skipped'] as const).flatMap(
    (status) => (count(status) > 0 ? [`${count(status)} ${words[status]}`] : []),
  );
  const where = results === undefined ? '' : ` ${results} has a line for each row.`;
  const message = `Users: ${parts.join(', ')}.${where}`;
  const failure = importFailure(report, rows, all, name, results);
  return { kind: 'done', message, value: all.map((row) => ({ ...row })), failure };
}

const words = {
  created: 'created',
  updated: 'changed',
  exists: 'existing already',
  failed: 'failed',
  unknown: 'unknown',
  skipped: 'not started',
} as const satisfies Record<RowStatus, string>;

function importFailure(
  report: ApplyReport,
  rows: readonly RowResult[],
  all: readonly RowResult[],
  name: string,
  results: string | undefined,
): Failure | undefined {
  if (report.trouble) return report.trouble;
  const unsettled = rows.filter(({ status }) => !isSettled(status));
  const failed = report.results.flatMap(({ failure }) => failure ?? []);
  const [first] = failed;
  if (unsettled.length === 0 && first === undefined) return undefined;
  const isAny = all.some(({ status }) => status === 'created' || status === 'updated');
  const lines = rows
    .filter(({ status }) => status === 'failed' || status === 'unknown')
    .map(({ row, error }) => `${name}:${row}: ${error}`);
  const others = report.results
    .filter(({ outcome, step }) => outcome === 'failed' && lines.every((line) => !line.includes(step.label)))
    .slice(0, 1)
    .map(({ step, failure }) => `${step.label}: ${failure?.message}`);
  const stop = report.interrupted ? ['Interrupted.'] : [];
  const unknown = rows.filter(({ status }) => status === 'unknown').length;
  const kind = report.interrupted
    ? 'interrupted'
    : isAny || unknown > 0 || first === undefined
      ? 'partial'
      : first.kind;
  const undone = unsettled.length - unknown;
  const sums = [
    ...(undone === 0
      ? []
      : [`${undone} of ${formatCount(all.length, 'row')} ${undone === 1 ? 'was' : 'were'} not done.`]),
    ...(unknown === 0
      ? []
      : [
          `${unknown} of ${formatCount(all.length, 'row')} may have been done: the service sent no valid response, and telctl could not check the result.`,
        ]),
  ];
  const details = { failed: unsettled.map((row) => ({ ...row })) };
  return new Failure(
    kind,
    [...firstLines(lines, results ? `; ${results} has all` : ''), ...others, ...stop, ...sums],
    {
      details,
      ...(results === undefined
        ? {}
        : { hint: 'Correct the rows if needed, then repeat the command with --resume.' }),
    },
  );
}
