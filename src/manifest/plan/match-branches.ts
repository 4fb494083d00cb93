import type { JsonObject } from '../../base/json.ts';
import { childrenOf, withBranches } from './flow-steps.ts';
import type { FieldChange } from './merge-fields.ts';

/** A branch of a flow, with its keys from the top of the record. */
export interface Branch {
  readonly keys: readonly string[];
  readonly step: JsonObject;
}

/** Result for the branches that do not stand in both flows. */
export interface Matched {
  readonly changes: readonly Omit<FieldChange, 'node'>[];
  /** For each step of a moved branch, the live step that it was. */
  readonly sources: ReadonlyMap<JsonObject, JsonObject>;
}

/** Finds among the branches that are gone those that only moved. */
export function matchBranches(
  added: readonly Branch[],
  removed: readonly Branch[],
  isEqual: (from: JsonObject, step: JsonObject) => boolean,
): Matched {
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

  const placeOf = ({ keys }: Branch): string => JSON.stringify(keys);
  const before = new Map(gone.map((branch) => [placeOf(branch), branch.step]));
  const after = new Set(news.map(placeOf));
  return {
    sources,
    changes: [
      ...news.map((branch): Omit<FieldChange, 'node'> => {
        const old = before.get(placeOf(branch));
        return old === undefined
          ? { keys: branch.keys, how: 'added', after: branch.step }
          : { keys: branch.keys, how: 'changed', before: old, after: branch.step };
      }),
      ...moves,
      ...gone
        .filter((branch) => !after.has(placeOf(branch)))
        .map(({ keys, step }): Omit<FieldChange, 'node'> => ({ keys, how: 'removed', before: step })),
    ],
  };
}

/** A branch and all branches below it. */
function allOf({ keys, step }: Branch): readonly Branch[] {
  const below = [...childrenOf(step)].flatMap(([key, child]) =>
    allOf({ keys: [...keys, 'children', key], step: child }),
  );
  return [{ keys, step }, ...below];
}
