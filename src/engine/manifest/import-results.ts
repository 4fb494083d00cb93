import { decodeCell, encodeCell } from '../../base/neutralise.ts';
import { objectKey } from '../state/log.ts';
import { parseCsv } from './parse-csv.ts';
import type { Observed, Plan, Step, StepResult } from './plan.ts';
import type { ImportRow } from './read-import.ts';

/** Quotes cells if needed, and always if they begin with `+`. */
export const csvText = (rows: readonly (readonly string[])[]): string =>
  rows.map((cells) => `${cells.map((cell) => csvCell(encodeCell(cell))).join(',')}\n`).join('');

const csvCell = (cell: string): string =>
  /[",;\t\r\n]|^[+\s]|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;

const statuses = ['created', 'updated', 'exists', 'failed', 'unknown', 'skipped'] as const;

/** `exists` was not changed, `skipped` was not started, and `unknown` got no proper response. */
export type RowStatus = (typeof statuses)[number];

export interface RowResult {
  readonly row: number;
  readonly username: string;
  readonly status: RowStatus;
  readonly id: string;
  readonly error: string;
}

const titles = ['row', 'username', 'status', 'id', 'error'] as const;

export const resultsHead: string = csvText([titles]);

export const resultsText = (results: readonly RowResult[]): string =>
  csvText(results.map(({ row, username, status, id, error }) => [String(row), username, status, id, error]));

/** Returns `undefined` for other text. Ignores an incomplete last line. */
export function readResults(text: string): readonly RowResult[] | undefined {
  if (!text.startsWith(resultsHead)) return undefined;
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return parseCsv({ name: 'results', text: whole }, ',').rows.flatMap(({ cells }) => {
    const [row = '', username = '', word = '', id = '', error = ''] = cells.map(decodeCell);
    const status = statuses.find((each) => each === word);
    return status ? [{ row: Number(row), username, status, id, error }] : [];
  });
}

export const isSettled = (status: RowStatus): boolean =>
  status === 'created' || status === 'updated' || status === 'exists';

/** `complete` creates missing objects of existing users and changes no existing objects. */
export type ExistingUsers = 'fail' | 'skip' | 'update' | 'complete';

export interface FoundObject {
  readonly row: ImportRow;
  readonly label: string;
  readonly id: string;
}

export interface ChosenSteps {
  readonly steps: readonly Step[];
  readonly found: readonly FoundObject[];
  readonly idle: readonly ImportRow[];
  readonly busy: readonly ImportRow[];
}

/** Existing objects change only with `update`. Objects that the template creates for all rows are only created. */
export function chooseSteps(
  plan: Plan,
  rows: readonly ImportRow[],
  { matches }: Observed,
  existing: ExistingUsers,
): ChosenSteps {
  const rowOf = new Map(rows.flatMap((row) => row.keys.map((key) => [key, row] as const)));
  const isStepWanted = (step: Step): boolean => {
    if (step.by === undefined || step.by === 'delete') return false;
    const row = rowOf.get(objectKey(step));
    const isNew = step.by === 'create' || step.completes !== undefined;
    if (row === undefined) return isNew;
    if (existing === 'skip' && matches.has(row.user)) return false;
    return isNew || existing === 'update';
  };
  const steps = plan.steps.filter(isStepWanted);
  const active = new Set(steps.map((step) => rowOf.get(objectKey(step))));
  const found = plan.steps.flatMap(({ key, label }): FoundObject[] => {
    const row = rowOf.get(key);
    const live = matches.get(key);
    return row && live ? [{ row, label, id: live.id }] : [];
  });
  const busy = rows.filter((row) => active.has(row));
  return {
    steps: busy.length === 0 ? [] : steps,
    found,
    idle: rows.filter((row) => !active.has(row)),
    busy,
  };
}

interface State {
  readonly row: ImportRow;
  left: number;
  id: string;
  isNew: boolean;
  error: string;
  bad: 'failed' | 'unknown' | undefined;
}

export function rowOutcomes(
  rows: readonly ImportRow[],
  steps: readonly Step[],
  { matches }: Pick<Observed, 'matches'>,
) {
  const states = new Map<string, State>();
  for (const row of rows) {
    const id = matches.get(row.user)?.id ?? '';
    const state = { row, left: 0, id, isNew: false, error: '', bad: undefined };
    for (const key of row.keys) states.set(key, state);
  }
  const findRowState = (step: Step): State | undefined => states.get(objectKey(step));
  for (const step of steps) {
    const state = findRowState(step);
    if (state) state.left += 1;
  }

  const rowResult = ({ row: { line, username }, left, id, isNew, error, bad }: State): RowResult => {
    const resultWith = (status: RowStatus, why: string) => ({ row: line, username, status, id, error: why });
    if (bad) return resultWith(bad, error);
    if (error !== '' || left > 0) return resultWith('skipped', error || 'not begun');
    return resultWith(isNew ? 'created' : 'updated', '');
  };

  return {
    add({ step, outcome, id, failure, because, requestId }: StepResult): RowResult | undefined {
      const state = findRowState(step);
      if (!state) return undefined;
      state.left -= 1;
      if (step.by === 'create') state.isNew = true;
      if (step.key === state.row.user && id !== undefined) state.id = id;
      if (outcome === 'failed' || outcome === 'unknown') {
        const request = requestId === undefined ? '' : ` (request ${requestId})`;
        state.error = `${step.label}: ${failure?.message ?? 'failed'}${request}`;
        if (state.bad !== 'unknown') state.bad = outcome;
      }
      if (outcome === 'skipped' && state.error === '') state.error = because ?? 'not begun';
      return state.left === 0 ? rowResult(state) : undefined;
    },
    all: (): readonly RowResult[] =>
      rows.flatMap((row) => {
        const state = states.get(row.user);
        return state ? [rowResult(state)] : [];
      }),
  };
}
