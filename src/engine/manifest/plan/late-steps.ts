import { isObject, type JsonObject } from '../../../base/json.ts';
import { splitFields } from '../desired/cycles.ts';
import { referencesIn } from '../desired.ts';
import { kindByName, kinds } from '../kinds.ts';
import type { Step } from '../plan.ts';
import type { Draft } from './plan-object.ts';

/** An object that is to be created, and what it refers to that is to be created, too. */
interface Created {
  readonly draft: Draft;
  readonly late: JsonObject;
  /** Keys of what must be there before it. */
  readonly needs: Set<string>;
  /** Keys of what its late fields refer to. */
  readonly lateNeeds: readonly string[];
}

const order = new Map(kinds.map(({ name }, index) => [name, index]));

/**
 * Steps of which none waits for itself: where objects that are to be created refer to each other in a circle, as few
 * of them as possible are created without their late fields, and a step of its own sends those afterwards. What
 * calls do stays whole as far as possible: places in a directory go first.
 */
export function withLateSteps(drafts: readonly Draft[]): readonly Draft[] {
  const created = createdOf(drafts);
  const candidates = [...created.values()]
    .filter(({ lateNeeds }) => lateNeeds.length > 0)
    .sort(
      ({ draft: { step: one } }, { draft: { step: other } }) =>
        (order.get(other.kind) ?? 0) - (order.get(one.kind) ?? 0) || (one.key < other.key ? -1 : 1),
    );
  const putOff = new Map<string, string>();
  for (const { draft, needs, lateNeeds } of candidates) {
    const { key } = draft.step;
    // The last first: of a place in a directory that is the callflow, which mostly closes the circle.
    const waitsFor = lateNeeds.findLast((other) => reaches(created, other, key));
    if (waitsFor === undefined) for (const other of lateNeeds) needs.add(other);
    else putOff.set(key, waitsFor);
  }
  if (putOff.size === 0) return drafts;
  return drafts.flatMap((draft) => {
    const waitsFor = putOff.get(draft.step.key);
    const known = created.get(draft.step.key);
    const other = waitsFor === undefined ? undefined : created.get(waitsFor);
    return known && other ? inTwo(known, other.draft.step) : [draft];
  });
}

function createdOf(drafts: readonly Draft[]): ReadonlyMap<string, Created> {
  const creates = drafts.filter(({ step }) => step.by === 'create');
  const keys = new Set(creates.map(({ step }) => step.key));
  const known = (fields: JsonObject): readonly string[] =>
    referencesIn(fields).filter((key) => keys.has(key));
  return new Map(
    creates.map((draft) => {
      const { step, refersTo } = draft;
      // Most objects refer to nothing.
      if (refersTo.length === 0) return [step.key, { draft, late: {}, needs: new Set(), lateNeeds: [] }];
      const { early, late } = splitFields(kindByName(step.kind), step.send ?? {});
      return [step.key, { draft, late, needs: new Set(known(early)), lateNeeds: known(late) }];
    }),
  );
}

/** Tells whether one object waits for another, directly or through others, or is the same object. */
function reaches(created: ReadonlyMap<string, Created>, from: string, to: string): boolean {
  const seen = new Set([from]);
  const open = [from];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (key === to) return true;
    for (const next of created.get(key)?.needs ?? [])
      if (!seen.has(next)) {
        seen.add(next);
        open.push(next);
      }
  }
  return false;
}

/** The create without the late fields, and the update that sends them. */
function inTwo({ draft, late, needs, lateNeeds }: Created, waitsFor: Step): readonly Draft[] {
  const { step } = draft;
  const isLate = ({ path }: Step['changes'][number]): boolean => Object.hasOwn(late, path);
  const { early: managed } = splitFields(kindByName(step.kind), step.managed);
  const { early } = splitFields(kindByName(step.kind), draft.next ?? {});
  const { send } = step;
  const first: Step = {
    ...step,
    changes: step.changes.filter((change) => !isLate(change)),
    send: isObject(send) ? splitFields(kindByName(step.kind), send).early : {},
    managed,
  };
  const once = waitsFor.key === step.key ? 'it' : waitsFor.label;
  const second: Step = {
    key: `${step.key}:late`,
    kind: step.kind,
    name: step.name,
    label: step.label,
    action: 'update',
    changes: step.changes.filter(isLate),
    send: late,
    by: 'patch',
    after: [],
    notes: [`set, once ${once} is there`],
    managed: step.managed,
    protect: step.protect,
    completes: step.key,
  };
  return [
    { ...draft, step: first, next: early, refersTo: [...needs] },
    { step: second, record: undefined, next: late, refersTo: [step.key, ...lateNeeds] },
  ];
}

export const deletion = (
  object: Pick<Step, 'key' | 'kind' | 'name' | 'label'> & { readonly id: string },
  notes: readonly string[] = [],
): Step => ({
  ...object,
  action: 'delete',
  changes: [],
  by: 'delete',
  after: [],
  notes,
  managed: {},
  protect: false,
});
