import { isObject, type JsonObject, omitKeys } from '../../../base/json.ts';
import { stepNode } from '../../../contract/module-data.ts';
import type { Comparing, FieldChange, FieldPlace, MergedValue, mergeFields } from './merge-fields.ts';

/** Keys of a step that are not its data. */
const beside = ['module', 'children'];

/**
 * Puts a wanted flow in the place of a live one: branches that it does not name go, one that stands elsewhere is a
 * move, and within a step of the same module only the data that it names counts. `merge` merges the data of a step.
 */
export function mergeFlow(
  comparing: Comparing,
  place: FieldPlace,
  live: JsonObject | undefined,
  wanted: JsonObject,
  merge: typeof mergeFields,
): MergedValue {
  const changes: FieldChange[] = [];
  const added: Branch[] = [];
  const removed: Branch[] = [];
  /** The live step that a wanted one is made from. */
  const sources = new Map<JsonObject, JsonObject>();
  const within: Comparing = { ...comparing, loose: true };

  const merged = (from: JsonObject, step: JsonObject, keys: readonly string[]): MergedValue =>
    merge(
      within,
      { node: stepNode(comparing.kind.schema, place.node, step.module), keys },
      omitKeys(from, beside),
      omitKeys(step, beside),
    );
  const isEqual = (from: JsonObject, step: JsonObject): boolean => {
    if (from.module !== step.module || merged(from, step, place.keys).changes.length > 0) return false;
    const before = childrenOf(from);
    const after = childrenOf(step);
    return (
      before.size === after.size &&
      [...after].every(([key, child]) => {
        const old = before.get(key);
        return old !== undefined && isEqual(old, child);
      })
    );
  };
  const holds = (step: JsonObject, test: (inner: JsonObject) => boolean): boolean =>
    [...childrenOf(step).values()].some((child) => test(child) || holds(child, test));

  const visit = (from: JsonObject, step: JsonObject, keys: readonly string[]): void => {
    const isOther = from.module !== step.module;
    const inside = isOther ? [] : merged(from, step, keys).changes;
    // A step put before the others, or taken away from before them, moves what follows.
    const isShifted =
      (isOther || inside.length > 0) &&
      (holds(step, (inner) => isEqual(from, inner)) || holds(from, (inner) => isEqual(inner, step)));
    if (isShifted) {
      added.push({ keys, step });
      removed.push({ keys, step: from });
      return;
    }
    if (isOther)
      changes.push({
        keys,
        node: place.node,
        how: 'changed',
        before: omitKeys(from, ['children']),
        after: omitKeys(step, ['children']),
      });
    else {
      sources.set(step, from);
      changes.push(...inside);
    }
    visitChildren(childrenOf(from), childrenOf(step), keys);
  };

  const visitChildren = (
    before: ReadonlyMap<string, JsonObject>,
    after: ReadonlyMap<string, JsonObject>,
    above: readonly string[],
  ): void => {
    const strangers = movedKeys(before, after, isEqual);
    for (const [key, step] of after) {
      const keys = [...above, 'children', key];
      const from = before.get(key);
      if (from !== undefined && !strangers.has(key)) visit(from, step, keys);
      else added.push({ keys, step });
    }
    for (const [key, step] of before)
      if (!after.has(key) || strangers.has(key)) removed.push({ keys: [...above, 'children', key], step });
  };

  if (live === undefined || Object.keys(live).length === 0)
    return { value: wanted, changes: [{ ...place, how: 'set', after: wanted }] };
  visit(live, wanted, place.keys);
  const matched = matchBranches(added, removed, isEqual);
  for (const [step, from] of matched.sources) sources.set(step, from);
  changes.push(...matched.changes.map((change) => ({ ...change, node: place.node })));
  if (changes.length === 0) return { value: live, changes };

  const target = (step: JsonObject): JsonObject => {
    const from = sources.get(step);
    const own = from === undefined ? omitKeys(step, ['children']) : merged(from, step, place.keys).value;
    const children = [...childrenOf(step)].map(([key, child]) => [key, target(child)] as const);
    return { ...(isObject(own) ? own : {}), module: step.module, children: Object.fromEntries(children) };
  };
  return { value: target(wanted), changes };
}

/** Keys under which branches of the same step have changed places. */
function movedKeys(
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
  isEqual: (from: JsonObject, step: JsonObject) => boolean,
): ReadonlySet<string> {
  const found = new Set<string>();
  const differing = [...before].filter(([key, from]) => {
    const step = after.get(key);
    return step === undefined || !isEqual(from, step);
  });
  for (const [key, step] of after) {
    const own = before.get(key);
    if (own !== undefined && isEqual(own, step)) continue;
    const source = differing.find(([other, from]) => other !== key && isEqual(from, step));
    if (source === undefined) continue;
    found.add(key);
    found.add(source[0]);
  }
  return found;
}

interface Branch {
  readonly keys: readonly string[];
  readonly step: JsonObject;
}

/** Finds among the branches that are gone those that only moved. `sources`: for each of their steps the live one. */
function matchBranches(
  added: readonly Branch[],
  removed: readonly Branch[],
  isEqual: (from: JsonObject, step: JsonObject) => boolean,
): {
  readonly changes: readonly Omit<FieldChange, 'node'>[];
  readonly sources: ReadonlyMap<JsonObject, JsonObject>;
} {
  const taken = new Set<JsonObject>();
  const sources = new Map<JsonObject, JsonObject>();
  const moves: Omit<FieldChange, 'node'>[] = [];
  const candidates = removed.flatMap(allOf);

  const take = (from: JsonObject, step: JsonObject): void => {
    taken.add(from);
    sources.set(step, from);
    const before = childrenOf(from);
    for (const [key, child] of childrenOf(step)) {
      const old = before.get(key);
      if (old !== undefined) take(old, child);
    }
  };
  /** The branch without the parts that came from elsewhere; `undefined` where all of it did. */
  const rest = ({ keys, step }: Branch): JsonObject | undefined => {
    const found = candidates.find((each) => !taken.has(each.step) && isEqual(each.step, step));
    if (found !== undefined) {
      take(found.step, step);
      moves.push({ keys, how: 'moved', from: found.keys, after: step });
      return undefined;
    }
    return withBranches(step, (key, child) => rest({ keys: [...keys, 'children', key], step: child }));
  };

  const news = added.flatMap((branch) => {
    const step = rest(branch);
    return step === undefined ? [] : [{ keys: branch.keys, step }];
  });
  const gone = removed.flatMap((branch) => {
    const step = left(branch.step);
    return step === undefined ? [] : [{ keys: branch.keys, step }];
  });
  function left(step: JsonObject): JsonObject | undefined {
    return taken.has(step) ? undefined : withBranches(step, (_, child) => left(child));
  }

  const branchPlace = ({ keys }: Branch): string => JSON.stringify(keys);
  const before = new Map(gone.map((branch) => [branchPlace(branch), branch.step]));
  const after = new Set(news.map(branchPlace));
  return {
    sources,
    changes: [
      ...news.map((branch): Omit<FieldChange, 'node'> => {
        const old = before.get(branchPlace(branch));
        return old === undefined
          ? { keys: branch.keys, how: 'added', after: branch.step }
          : { keys: branch.keys, how: 'changed', before: old, after: branch.step };
      }),
      ...moves,
      ...gone
        .filter((branch) => !after.has(branchPlace(branch)))
        .map(({ keys, step }): Omit<FieldChange, 'node'> => ({ keys, how: 'removed', before: step })),
    ],
  };
}

function allOf({ keys, step }: Branch): readonly Branch[] {
  const below = [...childrenOf(step)].flatMap(([key, child]) =>
    allOf({ keys: [...keys, 'children', key], step: child }),
  );
  return [{ keys, step }, ...below];
}

export const childrenOf = (step: JsonObject): ReadonlyMap<string, JsonObject> =>
  new Map(
    Object.entries(isObject(step.children) ? step.children : {}).filter(
      (entry): entry is [string, JsonObject] => isObject(entry[1]),
    ),
  );

function withBranches(
  step: JsonObject,
  keep: (key: string, child: JsonObject) => JsonObject | undefined,
): JsonObject {
  const children = [...childrenOf(step)].flatMap(([key, child]) => {
    const kept = keep(key, child);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return { ...step, children: Object.fromEntries(children) };
}
