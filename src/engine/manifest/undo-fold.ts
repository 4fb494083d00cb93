import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { LedgerEntry } from '../state/ledger.ts';
import type { LoggedStep } from '../state/log.ts';
import { isDone, type RunPart, type RunStep } from '../state/runs.ts';
import { withMergePatch } from './canonical.ts';
import { kindOf } from './kinds.ts';

/** A part of a run with one step for each object, and the steps that nobody can reverse. */
export interface FoldedPart {
  readonly part: RunPart;
  /** Steps that are about no record which can be set back. */
  readonly final: readonly LoggedStep[];
}

/**
 * A part in which each object has one step: what came of it is told by the values before the first change and the
 * last one. Only commands change an object more than once.
 */
export function foldedPart(part: RunPart): FoldedPart {
  const done = part.steps.filter(isDone);
  if (part.start.what !== 'command') {
    // A kind may be unknown in the log of another telctl, or in a damaged one.
    const isKnown = ({ planned }: RunStep): boolean => kindOf(planned.kind) !== undefined;
    const final = done.flatMap((step) => (isKnown(step) ? [] : [step.planned]));
    return { part: { ...part, steps: part.steps.filter(isKnown) }, final };
  }
  const final = done.flatMap(({ planned }) => (isReversible(planned) ? [] : [planned]));
  const folded = new Map<string, RunStep | undefined>();
  for (const step of done) {
    if (!isReversible(step.planned)) continue;
    const { begin, end, planned } = step;
    const object = `${planned.kind} ${end?.id ?? begin?.id ?? planned.key}`;
    const earlier = folded.get(object);
    folded.set(object, earlier === undefined ? step : together(earlier, step));
  }
  return { part: { ...part, steps: [...folded.values()].flatMap((step) => step ?? []) }, final };
}

const actions = new Set(['create', 'update', 'delete']);

const isReversible = ({ kind, action }: LoggedStep): boolean =>
  actions.has(action) && kindOf(kind) !== undefined;

/** One step for two of the same object; `undefined` where nothing is left of what they did. */
function together(first: RunStep, second: RunStep): RunStep | undefined {
  const isCreated = first.planned.action === 'create';
  const { action } = second.planned;
  if (isCreated && action === 'delete') return undefined;
  const unkept = [...new Set([...(first.begin?.unkept ?? []), ...(second.begin?.unkept ?? [])])];
  const before =
    action === 'delete' ? wholeBefore(first, second) : merged(second.begin?.before, first.begin?.before);
  const planned = isCreated ? first.planned : { ...first.planned, action };
  const { begin, end } = second;
  return {
    planned,
    begin: begin && { ...begin, ...(isCreated ? {} : { before, unkept }) },
    end: end && {
      ...end,
      ...entryOf(first.end?.entry, end.entry),
      unseen: [...new Set([...(first.end?.unseen ?? []), ...(end.unseen ?? [])])],
    },
  };
}

/** The record before both steps. */
const wholeBefore = ({ begin: first }: RunStep, { begin: second }: RunStep): JsonObject =>
  withMergePatch(objectIn(second?.before), objectIn(first?.before));

/** A merge patch that sets back what two did: where both name a value, that of the first counts. */
function merged(second: Json | undefined, first: Json | undefined): JsonObject {
  const [later, earlier] = [objectIn(second), objectIn(first)];
  const both = Object.entries(earlier).map(([key, value]) => {
    const other = later[key];
    return [key, isObject(value) && isObject(other) ? merged(other, value) : value] as const;
  });
  return { ...later, ...Object.fromEntries(both) };
}

const objectIn = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

/** The hashes of what both steps sent, the later ones where both name a value. */
function entryOf(
  first: LedgerEntry | undefined,
  second: LedgerEntry | undefined,
): { readonly entry?: LedgerEntry } {
  if (!first || !second) return second ? { entry: second } : {};
  const overtaken = Object.keys(second.fields);
  const given = Object.entries(first.given).filter(([path]) => !overtaken.includes(path));
  const { whole: _, ...rest } = second;
  return {
    entry: {
      ...rest,
      fields: { ...first.fields, ...second.fields },
      given: { ...Object.fromEntries(given), ...second.given },
    },
  };
}
