import { type Json, valueAt } from '../../base/json.ts';
import type { Chosen } from '../../manifest/csv/choose-steps.ts';
import type { Import } from '../../manifest/csv/read-import.ts';
import { kindOf } from '../../manifest/kinds.ts';
import { isWholeStep } from '../../state/log.ts';
import type { AccountPlanning } from '../manifest/plan/planning.ts';

/** The facts to tell before the question. */
export interface ImportFacts {
  readonly read: Import;
  readonly planning: AccountPlanning;
  readonly chosen: Chosen;
  /** Users that are there are changed, so that those left over are as the file says. */
  readonly changes: boolean;
}

const shownRows = 5;
const shownColumns = 6;
const widest = 24;

/** The first rows as a table: what will be in which field. */
export function previewLines({ read, planning, chosen }: ImportFacts, width = 80): readonly string[] {
  const objects = new Map(planning.desired.objects.map((object) => [object.key, object]));
  const filled = read.columns.flatMap(({ keys, shape }) => (keys ? [{ path: keys.join('.'), shape }] : []));
  const columns = filled.slice(0, shownColumns);
  const rows = chosen.busy.slice(0, shownRows).map((row) => {
    const fields = objects.get(row.user)?.fields;
    return [
      String(row.line),
      ...columns.map(({ path, shape }) => {
        const value = valueAt(fields, path);
        return shape?.secret && value !== undefined ? 'set' : shortened(value);
      }),
    ];
  });
  if (rows.length === 0) return [];
  const table = [['ROW', ...columns.map(({ path }) => shortened(path.toUpperCase()))], ...rows];
  const widths = table[0]?.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0))) ?? [];
  const lines = table.map((row) =>
    `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd(),
  );
  const more = [
    ...(chosen.busy.length > rows.length ? [`${chosen.busy.length - rows.length} more rows`] : []),
    ...(filled.length > columns.length ? [`${filled.length - columns.length} more columns`] : []),
  ];
  return [
    ...lines.map((line) => (line.length > width ? `${line.slice(0, Math.max(1, width - 1))}…` : line)),
    ...(more.length > 0 ? [`  … ${more.join(', ')}`] : []),
  ];
}

function shortened(value: Json | undefined): string {
  const text =
    value === undefined || value === null ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replaceAll(/\s+/g, ' ');
  const letters = [...line];
  return letters.length > widest ? `${letters.slice(0, widest - 1).join('')}…` : line;
}

/** Counts of what would be done. */
export function summaryOf({ read, chosen, changes }: ImportFacts): string {
  const { plan, idle } = chosen;
  const counts = new Map<string, number>();
  for (const step of plan.steps) {
    if (!isWholeStep(step)) continue;
    const { kind, by } = step;
    const what = `${by === 'create' ? 'create' : 'change'} ${kind}`;
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  const deeds = [...counts].map(([what, count]) => {
    const [deed, kind = ''] = what.split(' ');
    return `${count} ${nounOf(kind, count)} to ${deed}`;
  });
  const left =
    idle.length > 0
      ? [`${idle.length} ${nounOf('users', idle.length)} ${changes ? 'as the file says' : 'there already'}`]
      : [];
  return `${read.name}: ${[...deeds, ...left].join(', ') || 'nothing to do'}.`;
}

function nounOf(kind: string, count: number): string {
  if (count !== 1) return kind;
  return kindOf(kind)?.resource.singular ?? kind;
}
