import { kindByName } from './kinds.ts';
import { labelOf } from './label.ts';
import { doubleKey, type Observed } from './observed.ts';
import { deletion } from './plan/late-steps.ts';
import type { Draft } from './plan/plan-object.ts';
import type { Doubled, Plan } from './plan.ts';

/** Objects of a plan that stand twice, noted in their steps; and what deletes the others, where that is wanted. */
export function withDoubles(
  drafts: readonly Draft[],
  { doubles, matches, abandoned }: Observed,
  isDeleted: boolean,
): { readonly drafts: readonly Draft[]; readonly doubled: readonly Doubled[] } {
  if (doubles.size === 0) return { drafts, doubled: [] };
  const deletes: Draft[] = [];
  const doubled: Doubled[] = [];
  const noted = drafts.map((draft) => {
    const { key, kind, name, label } = draft.step;
    const others = doubles.get(key);
    const id = matches.get(key)?.id;
    if (others === undefined || id === undefined) return draft;
    const gone = isDeleted ? others.filter((other) => abandoned.has(doubleKey(key, other))) : [];
    doubled.push({ key, label, id, others, ...(gone.length > 0 ? { deleted: true as const } : {}) });
    for (const other of gone) {
      const record = abandoned.get(doubleKey(key, other))?.record;
      const own = labelOf(kindByName(kind), name, record ? [record] : []);
      deletes.push({
        step: deletion({ key: doubleKey(key, other), kind, name, label: own, id: other }, [
          `stands twice; ${key} is ${id}`,
        ]),
        record,
        next: undefined,
        refersTo: [],
      });
    }
    const note = `stands twice, as ${[id, ...others].join(' and ')}`;
    return { ...draft, step: { ...draft.step, notes: [...draft.step.notes, note] } };
  });
  return { drafts: [...noted, ...deletes], doubled };
}

/** Returns the texts about objects that stand twice. */
export function doubledTexts({ doubles = [] }: Plan): readonly string[] {
  const left = doubles.filter(({ deleted }) => !deleted);
  const gone = doubles.filter(({ deleted }) => deleted);
  return [
    ...left
      .slice(0, 5)
      .map(({ label, id, others }) => `Stands twice: ${label}, as ${[id, ...others].join(' and ')}.`),
    ...(left.length > 5 ? [`… and ${left.length - 5} more; telctl find --doubles lists them.`] : []),
    ...(left.length === 0 ? [] : ['apply --delete-doubles adopts the first of each and deletes the others.']),
    ...gone.map(({ label, id }) => `Adopted: ${label} ${id}; what stands beside it by its name is deleted.`),
  ];
}
