import { isObject, type JsonObject, omitKeys } from '../../../base/json.ts';
import { stepNode } from '../../../contract/module-data.ts';
import type { Comparing, FieldChange, FieldPlace, MergedValue, mergeFields } from './merge-fields.ts';

/** A step of a flow, and the keys that lead to it from the top of the record. */
interface Branch {
  readonly keys: readonly string[];
  readonly step: JsonObject;
}

type IsEqual = (from: JsonObject, step: JsonObject) => boolean;

/** Removes and moves branches. In a step of the same module, only the data that the manifest contains counts. */
export function mergeFlow(
  comparing: Comparing,
  place: FieldPlace,
  live: JsonObject | undefined,
  wanted: JsonObject,
  merge: typeof mergeFields,
): MergedValue {
  if (live === undefined || Object.keys(live).length === 0)
    return { value: wanted, changes: [{ ...place, how: 'set', after: wanted }] };
  return new FlowMerge({ ...comparing, loose: true }, place, merge).run(live, wanted);
}

class FlowMerge {
  readonly #comparing: Comparing;
  readonly #place: FieldPlace;
  readonly #merge: typeof mergeFields;
  readonly #changes: FieldChange[] = [];
  readonly #added: Branch[] = [];
  readonly #removed: Branch[] = [];
  /** Live steps by the wanted steps that replace them. */
  readonly #sources = new Map<JsonObject, JsonObject>();

  constructor(comparing: Comparing, place: FieldPlace, merge: typeof mergeFields) {
    this.#comparing = comparing;
    this.#place = place;
    this.#merge = merge;
  }

  run(live: JsonObject, wanted: JsonObject): MergedValue {
    const { node, keys } = this.#place;
    this.#visit(live, wanted, keys);
    const matching = new BranchMatching(this.#removed, (from, step) => this.#isEqual(from, step));
    const changes = [...this.#changes, ...matching.match(this.#added).map((change) => ({ ...change, node }))];
    for (const [step, from] of matching.sources) this.#sources.set(step, from);
    return { value: changes.length === 0 ? live : this.#target(wanted), changes };
  }

  #visit(from: JsonObject, step: JsonObject, keys: readonly string[]): void {
    const isOther = from.module !== step.module;
    const inside = isOther ? [] : this.#mergeData(from, step, keys).changes;
    // A step that is inserted or removed moves the steps after it.
    const isShifted =
      (isOther || inside.length > 0) &&
      (hasBelow(step, (inner) => this.#isEqual(from, inner)) ||
        hasBelow(from, (inner) => this.#isEqual(inner, step)));
    if (isShifted) {
      this.#added.push({ keys, step });
      this.#removed.push({ keys, step: from });
      return;
    }
    if (isOther) {
      const [before, after] = [omitKeys(from, ['children']), omitKeys(step, ['children'])];
      this.#changes.push({ keys, node: this.#place.node, how: 'changed', before, after });
    } else {
      this.#sources.set(step, from);
      this.#changes.push(...inside);
    }
    this.#visitChildren(childrenOf(from), childrenOf(step), keys);
  }

  #visitChildren(
    before: ReadonlyMap<string, JsonObject>,
    after: ReadonlyMap<string, JsonObject>,
    above: readonly string[],
  ): void {
    const moved = movedKeys(before, after, (from, step) => this.#isEqual(from, step));
    for (const [key, step] of after) {
      const keys = [...above, 'children', key];
      const from = before.get(key);
      if (from !== undefined && !moved.has(key)) this.#visit(from, step, keys);
      else this.#added.push({ keys, step });
    }
    for (const [key, step] of before)
      if (!after.has(key) || moved.has(key)) this.#removed.push({ keys: [...above, 'children', key], step });
  }

  #mergeData(from: JsonObject, step: JsonObject, keys: readonly string[]): MergedValue {
    const node = stepNode(this.#comparing.kind.schema, this.#place.node, step.module);
    return this.#merge(this.#comparing, { node, keys }, omitKeys(from, noData), omitKeys(step, noData));
  }

  #isEqual(from: JsonObject, step: JsonObject): boolean {
    if (from.module !== step.module) return false;
    if (this.#mergeData(from, step, this.#place.keys).changes.length > 0) return false;
    const before = childrenOf(from);
    const after = childrenOf(step);
    return (
      before.size === after.size &&
      [...after].every(([key, child]) => {
        const old = before.get(key);
        return old !== undefined && this.#isEqual(old, child);
      })
    );
  }

  #target(step: JsonObject): JsonObject {
    const from = this.#sources.get(step);
    const data =
      from === undefined ? omitKeys(step, ['children']) : this.#mergeData(from, step, this.#place.keys).value;
    const children = [...childrenOf(step)].map(([key, child]) => [key, this.#target(child)] as const);
    return {
      ...(isObject(data) ? data : {}),
      module: step.module,
      children: Object.fromEntries(children),
    };
  }
}

const noData = ['module', 'children'];

const hasBelow = (step: JsonObject, test: (inner: JsonObject) => boolean): boolean =>
  [...childrenOf(step).values()].some((child) => test(child) || hasBelow(child, test));

/** Returns keys under which branches of the same step have changed places. */
function movedKeys(
  before: ReadonlyMap<string, JsonObject>,
  after: ReadonlyMap<string, JsonObject>,
  isEqual: IsEqual,
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

type BranchChange = Omit<FieldChange, 'node'>;

class BranchMatching {
  /** Live steps by the steps in moved branches. */
  readonly sources = new Map<JsonObject, JsonObject>();
  readonly #removed: readonly Branch[];
  readonly #isEqual: IsEqual;
  /** The removed branches and all branches in them. */
  readonly #candidates: readonly Branch[];
  readonly #taken = new Set<JsonObject>();
  readonly #moves: BranchChange[] = [];

  constructor(removed: readonly Branch[], isEqual: IsEqual) {
    this.#removed = removed;
    this.#isEqual = isEqual;
    this.#candidates = removed.flatMap(listBranches);
  }

  match(added: readonly Branch[]): readonly BranchChange[] {
    const fresh = added.flatMap((branch) => withStep(branch, this.#withoutMoved(branch)));
    const gone = this.#removed.flatMap((branch) => withStep(branch, this.#withoutTaken(branch.step)));
    const branchPlace = ({ keys }: Branch): string => JSON.stringify(keys);
    const before = new Map(gone.map((branch) => [branchPlace(branch), branch.step]));
    const after = new Set(fresh.map(branchPlace));
    return [
      ...fresh.map((branch): BranchChange => {
        const old = before.get(branchPlace(branch));
        return old === undefined
          ? { keys: branch.keys, how: 'added', after: branch.step }
          : { keys: branch.keys, how: 'changed', before: old, after: branch.step };
      }),
      ...this.#moves,
      ...gone
        .filter((branch) => !after.has(branchPlace(branch)))
        .map(({ keys, step }): BranchChange => ({ keys, how: 'removed', before: step })),
    ];
  }

  #withoutMoved({ keys, step }: Branch): JsonObject | undefined {
    const found = this.#candidates.find(
      (each) => !this.#taken.has(each.step) && this.#isEqual(each.step, step),
    );
    if (found !== undefined) {
      this.#take(found.step, step);
      this.#moves.push({ keys, how: 'moved', from: found.keys, after: step });
      return undefined;
    }
    return withBranches(step, (key, child) =>
      this.#withoutMoved({ keys: [...keys, 'children', key], step: child }),
    );
  }

  #withoutTaken(step: JsonObject): JsonObject | undefined {
    return this.#taken.has(step) ? undefined : withBranches(step, (_, child) => this.#withoutTaken(child));
  }

  #take(from: JsonObject, step: JsonObject): void {
    this.#taken.add(from);
    this.sources.set(step, from);
    const before = childrenOf(from);
    for (const [key, child] of childrenOf(step)) {
      const old = before.get(key);
      if (old !== undefined) this.#take(old, child);
    }
  }
}

const withStep = ({ keys }: Branch, step: JsonObject | undefined): readonly Branch[] =>
  step === undefined ? [] : [{ keys, step }];

function listBranches({ keys, step }: Branch): readonly Branch[] {
  const below = [...childrenOf(step)].flatMap(([key, child]) =>
    listBranches({ keys: [...keys, 'children', key], step: child }),
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
