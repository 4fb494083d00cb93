import { objectKey } from '../../state/log.ts';
import type { StepResult } from '../apply/report.ts';
import type { Observed } from '../observed.ts';
import type { Step } from '../plan.ts';
import type { RowResult, RowStatus } from './import-results.ts';
import type { ImportRow } from './read-import.ts';

/** Puts the results of steps together to those of rows. */
export interface RowOutcomes {
  /** The row's result, where this was the last of its steps. */
  add(result: StepResult): RowResult | undefined;
  /** All rows that have steps, in their order. */
  all(): readonly RowResult[];
}

interface State {
  readonly row: ImportRow;
  left: number;
  id: string;
  isNew: boolean;
  error: string;
  /** The worst end of its steps. */
  bad: 'failed' | 'unknown' | undefined;
}

/** Makes an empty collection for rows and the steps that are to be carried out. */
export function rowOutcomes(
  rows: readonly ImportRow[],
  steps: readonly Step[],
  { matches }: Observed,
): RowOutcomes {
  const states = new Map<string, State>();
  for (const row of rows) {
    const id = matches.get(row.user)?.id ?? '';
    const state = { row, left: 0, id, isNew: false, error: '', bad: undefined };
    for (const key of row.keys) states.set(key, state);
  }
  const stateOf = (step: Step): State | undefined => states.get(objectKey(step));
  for (const step of steps) {
    const state = stateOf(step);
    if (state) state.left += 1;
  }

  const resultOf = ({ row: { line, username }, left, id, isNew, error, bad }: State): RowResult => {
    const is = (status: RowStatus, why: string): RowResult => ({
      row: line,
      username,
      status,
      id,
      error: why,
    });
    if (bad) return is(bad, error);
    if (error !== '' || left > 0) return is('skipped', error || 'not begun');
    return is(isNew ? 'created' : 'updated', '');
  };

  return {
    add({ step, outcome, id, failure, because, requestId }) {
      const state = stateOf(step);
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
      return state.left === 0 ? resultOf(state) : undefined;
    },
    all: () =>
      rows.flatMap((row) => {
        const state = states.get(row.user);
        return state ? [resultOf(state)] : [];
      }),
  };
}
