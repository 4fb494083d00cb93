import { isObject, type JsonObject } from '../../base/json.ts';

/** Returns the steps that follow a step of a flow, by key. */
export const childrenOf = (step: JsonObject): ReadonlyMap<string, JsonObject> =>
  new Map(
    Object.entries(isObject(step.children) ? step.children : {}).filter(
      (entry): entry is [string, JsonObject] => isObject(entry[1]),
    ),
  );

/** A step without what follows it. */
export const bare = (step: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(step).filter(([key]) => key !== 'children'));

/** A step with those of its branches that `keep` gives back. */
export function withBranches(
  step: JsonObject,
  keep: (key: string, child: JsonObject) => JsonObject | undefined,
): JsonObject {
  const children = [...childrenOf(step)].flatMap(([key, child]) => {
    const kept = keep(key, child);
    return kept === undefined ? [] : [[key, kept] as const];
  });
  return { ...step, children: Object.fromEntries(children) };
}
