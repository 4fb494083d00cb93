import type { JsonObject } from '../../base/json.ts';
import { referencesOfRecord } from '../../contract/record-references.ts';
import { kindByName } from '../kinds.ts';
import { withMergePatch } from '../merge-patch.ts';
import type { Observed } from '../observed.ts';
import type { Plan, Step } from '../plan.ts';
import type { Target, Use } from '../state/used-by.ts';

/** A step that deletes an object, and its object as what may be referred to. */
export interface Deletion {
  readonly step: Step;
  readonly target: Target;
}

/** Returns the deletions of a plan. */
export const deletionsOf = ({ steps }: Plan): readonly Deletion[] =>
  steps.flatMap((step) =>
    step.by === 'delete' && step.id !== undefined
      ? [{ step, target: { resource: kindByName(step.kind).resource.name, id: step.id } }]
      : [],
  );

/**
 * The uses of what a plan deletes that are there when it was carried out: less those in objects that it deletes as
 * well, those that its updates remove, and those that the service shows only because of the deleted object itself
 * (who is in a directory).
 */
export function usesLeft(
  { steps }: Plan,
  uses: readonly Use[],
  { matches, abandoned }: Pick<Observed, 'matches' | 'abandoned'>,
): readonly Use[] {
  const byObject = new Map(
    steps.flatMap((step) =>
      step.id === undefined || step.releases !== undefined
        ? []
        : [[`${step.kind} ${step.id}`, step] as const],
    ),
  );
  const named = new Map(
    steps.flatMap((step) => {
      const { record } = abandoned.get(step.key) ?? matches.get(step.key) ?? {};
      return step.by === 'delete' && record
        ? [[step.id, [...referencesOfRecord(kindByName(step.kind), record)]] as const]
        : [];
    }),
  );
  const pointsBack = ({ kind, id, target }: Use): boolean =>
    named.get(target.id)?.some((each) => each.id === id && each.to === kind.resource.name) ?? false;
  return uses.flatMap((use): readonly Use[] => {
    const step = byObject.get(`${use.kind.name} ${use.id}`);
    if (step?.by === 'delete') return [];
    const left = step?.send === undefined ? use.places : placesAfter(use, step, step.send);
    const places = left.filter(({ workedOut }) => !workedOut || !pointsBack(use));
    return places.length === 0 ? [] : [{ ...use, places }];
  });
}

/** Places that are left in a record once a step was done. */
function placesAfter({ kind, record, target, places }: Use, { by }: Step, send: JsonObject): Use['places'] {
  const next = by === 'replace' ? send : withMergePatch(record, send);
  const ids = new Set([...referencesOfRecord(kind, next, new Set([target.id]))].map(({ id }) => id));
  return ids.has(target.id) ? places : [];
}
