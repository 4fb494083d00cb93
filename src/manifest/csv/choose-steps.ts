import { objectKey } from '../../state/log.ts';
import type { Observed } from '../observed.ts';
import type { Plan, Step } from '../plan.ts';
import type { ImportRow } from './read-import.ts';

/** Treatment of users that are there already. `complete`: what they lack is made, and nothing changed. */
export type Existing = 'fail' | 'skip' | 'update' | 'complete';

/** An object of a row that is there already. */
export interface Found {
  readonly row: ImportRow;
  readonly label: string;
  readonly id: string;
}

/** The part of a plan that an import carries out. */
export interface Chosen {
  readonly plan: Plan;
  /** Objects of rows that are there already. */
  readonly found: readonly Found[];
  /** Rows of which nothing is sent. */
  readonly idle: readonly ImportRow[];
  /** Rows with steps. */
  readonly busy: readonly ImportRow[];
}

/**
 * Chooses the steps of an import: what rows describe is created, what is there already is changed only by `update`,
 * and what the template describes for all rows is only ever created.
 */
export function chooseSteps(
  plan: Plan,
  rows: readonly ImportRow[],
  { matches }: Observed,
  existing: Existing,
): Chosen {
  const rowOf = new Map(rows.flatMap((row) => row.keys.map((key) => [key, row] as const)));
  const sends = (step: Step): boolean => {
    if (step.by === undefined || step.by === 'delete') return false;
    const row = rowOf.get(objectKey(step));
    const isNew = step.by === 'create' || step.completes !== undefined;
    if (row === undefined) return isNew;
    if (existing === 'skip' && matches.has(row.user)) return false;
    return isNew || existing === 'update';
  };
  const steps = plan.steps.filter(sends);
  const active = new Set(steps.map((step) => rowOf.get(objectKey(step))));
  const found = plan.steps.flatMap(({ key, label }): Found[] => {
    const row = rowOf.get(key);
    const live = matches.get(key);
    return row && live ? [{ row, label, id: live.id }] : [];
  });
  const busy = rows.filter((row) => active.has(row));
  return {
    plan: { ...plan, steps: busy.length === 0 ? [] : steps },
    found,
    idle: rows.filter((row) => !active.has(row)),
    busy,
  };
}
