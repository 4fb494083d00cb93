import { isObject, type Json, type JsonObject } from '../../../../base/json.ts';
import type { PlannedChange, PlannedStep, ReadRecord } from '../../reader.ts';
import { childSteps, type FlowMarks } from './flow-steps.ts';

export interface FlowSide {
  readonly callflow: ReadRecord;
  readonly marks: FlowMarks;
}

/** A callflow before and after a plan. A side is missing if the callflow does not exist there or is unknown. */
export interface FlowSides {
  readonly before?: FlowSide;
  readonly after?: FlowSide;
}

const childrenOf = (step: JsonObject): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(childSteps(step));

const isStep = (value: Json | undefined): value is JsonObject =>
  isObject(value) && typeof value.module === 'string';

/** Returns the step at a path such as `flow/2/_`. Dots and slashes in keys are escaped as `%2E` and `%2F`. */
function stepAt(flow: JsonObject, path: string): JsonObject | undefined {
  const [, ...keys] = path.split('/');
  return keys.reduce<JsonObject | undefined>((step, key) => step && childrenOf(step)[unescapeKey(key)], flow);
}

const escapeKey = (key: string): string => key.replaceAll('.', '%2E').replaceAll('/', '%2F');
const unescapeKey = (key: string): string => key.replaceAll('%2E', '.').replaceAll('%2F', '/');

/** The reference to an object of a manifest, such as `${users.alice}`. */
const reference = /\$\{[^}]*\}/g;

/**
 * Replaces references by ids, as in live flows. Applies to values and keys of branches. Other references in paths are
 * escaped like other keys.
 */
function replaceReferences(
  changes: readonly PlannedChange[],
  ids: ReadonlyMap<string, string>,
): readonly PlannedChange[] {
  const replaceInPath = (path: string): string =>
    path.replaceAll(reference, (text) => ids.get(text) ?? escapeKey(text));
  const replaceInValue = (value: Json): Json => {
    if (typeof value === 'string') return ids.get(value) ?? value;
    if (Array.isArray(value)) return value.map((item: Json) => replaceInValue(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        ids.get(key) ?? key,
        inner === undefined ? inner : replaceInValue(inner),
      ]),
    );
  };
  return changes.map(({ path, from, after, ...change }) => ({
    ...change,
    path: replaceInPath(path),
    ...(from === undefined ? {} : { from: replaceInPath(from) }),
    ...(after === undefined ? {} : { after: replaceInValue(after) }),
  }));
}

/** Returns a copy of a value with a new value at a path of keys. */
function setAtPath(
  value: Json | undefined,
  [key, ...rest]: readonly string[],
  other: Json | undefined,
): Json {
  if (key === undefined) return other ?? null;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? setAtPath(item, rest, other) : item));
  const object = isObject(value) ? value : {};
  return { ...object, [key]: setAtPath(Object.hasOwn(object, key) ? object[key] : undefined, rest, other) };
}

/** Groups changes of a flow by step: changes of the step itself, and of its data. */
function changesByStep(changes: readonly PlannedChange[]) {
  return Map.groupBy(
    changes.filter(({ path }) => /^flow(?:$|[/.])/.test(path)),
    ({ path }) => path.split('.', 1)[0] ?? path,
  );
}

const isPlaced = ({ path, how, after }: PlannedChange): boolean =>
  !path.includes('.') && (how === 'moved' || ((how === 'added' || how === 'set') && isStep(after)));

/** Applies planned changes to a flow, and marks changed steps in both versions. */
class FlowChange {
  readonly marks = { before: new Map<JsonObject, string>(), after: new Map<JsonObject, string>() };
  readonly flow: JsonObject;
  readonly #before: JsonObject | undefined;
  readonly #byStep: ReadonlyMap<string, readonly PlannedChange[]>;
  readonly #movedFrom: ReadonlySet<string>;
  readonly #removed: ReadonlySet<string>;

  constructor(before: JsonObject | undefined, changes: readonly PlannedChange[]) {
    this.#before = before;
    this.#byStep = changesByStep(changes);
    const all = [...this.#byStep.values()].flat();
    this.#movedFrom = new Set(all.flatMap(({ from }) => (from === undefined ? [] : [from])));
    this.#removed = new Set(
      all.filter(({ path, how }) => how === 'removed' && !path.includes('.')).map(({ path }) => path),
    );
    if (before) this.#markRemoved(before, 'flow', false);
    this.flow = this.#build('flow', before, 'flow');
  }

  /** Builds the step at `path` from its old version `source`, which was at `sourcePath`. */
  #build(path: string, source: JsonObject | undefined, sourcePath: string): JsonObject {
    const own = this.#byStep.get(path) ?? [];
    const placed = own.find(isPlaced);
    if (placed && placed.how !== 'moved' && isStep(placed.after)) return this.#addStep(path, placed.after);
    const from = placed?.from;
    const [base, basePath] =
      from === undefined || !this.#before ? [source, sourcePath] : [stepAt(this.#before, from), from];
    const other = own.find(
      ({ path: at, how, after }) => at === path && how === 'changed' && isStep(after),
    )?.after;
    const inside = own.filter(({ path: at }) => at !== path);
    const data = inside.reduce<Json>(
      (value, { path: at, after }) => setAtPath(value, at.split('.').slice(1), after),
      (isStep(other) ? other.data : base?.data) ?? {},
    );
    const step = {
      ...(base ?? {}),
      ...(isStep(other) ? { module: other.module } : {}),
      data,
      children: this.#buildBranches(path, base, basePath),
    };
    const mark =
      from !== undefined ? 'moved' : other !== undefined || inside.length > 0 ? 'changed' : undefined;
    if (mark !== undefined) {
      this.marks.after.set(step, mark);
      if (base) this.marks.before.set(base, mark);
    }
    return step;
  }

  #addStep(path: string, added: JsonObject): JsonObject {
    const children = { ...childrenOf(added), ...this.#buildBranches(path, undefined, '') };
    const step = { ...added, children };
    this.marks.after.set(step, 'new');
    for (const child of Object.values(childrenOf(added))) this.#markNew(child);
    return step;
  }

  #buildBranches(path: string, source: JsonObject | undefined, sourcePath: string): JsonObject {
    const old = source ? childrenOf(source) : {};
    const kept = Object.keys(old).filter((key) => {
      const [here, there] = [`${path}/${escapeKey(key)}`, `${sourcePath}/${escapeKey(key)}`];
      if ((this.#byStep.get(here) ?? []).some(isPlaced)) return true;
      return !this.#movedFrom.has(there) && !this.#removed.has(here) && !this.#removed.has(there);
    });
    const added = [...this.#byStep].flatMap(([at, changes]) => {
      const key = at.startsWith(`${path}/`) ? at.slice(path.length + 1) : '/';
      return key.includes('/') || !changes.some(isPlaced) ? [] : [unescapeKey(key)];
    });
    return Object.fromEntries(
      [...new Set([...kept, ...added])].map((key) => [
        key,
        this.#build(`${path}/${escapeKey(key)}`, old[key], `${sourcePath}/${escapeKey(key)}`),
      ]),
    );
  }

  #markNew(step: JsonObject): void {
    this.marks.after.set(step, 'new');
    for (const child of Object.values(childrenOf(step))) this.#markNew(child);
  }

  #markRemoved(step: JsonObject, path: string, isParentRemoved: boolean): void {
    const isMoved = this.#movedFrom.has(path);
    const isRemoved = !isMoved && (isParentRemoved || this.#removed.has(path));
    if (isRemoved) this.marks.before.set(step, 'gone');
    else if (isMoved) this.marks.before.set(step, 'moved');
    for (const [key, child] of Object.entries(childrenOf(step)))
      this.#markRemoved(child, `${path}/${escapeKey(key)}`, isRemoved);
  }
}

function listAfter(
  before: Json | undefined,
  changes: readonly PlannedChange[],
  path: string,
): Json | undefined {
  return changes
    .filter((change) => change.path === path)
    .reduce<Json | undefined>((list, { how, before: gone, after }) => {
      const items = Array.isArray(list) ? list : [];
      if (how === 'added') return [...items, after ?? null];
      if (how === 'removed') return items.filter((item: Json) => item !== gone);
      return after;
    }, before);
}

/**
 * Returns both sides of a callflow that a plan creates, changes or deletes. `live` is the current callflow. Without
 * it, only a create can be drawn. `ids` are the ids of the plan's objects, by reference.
 */
export function flowSides(
  { action, changes: planned, label }: PlannedStep,
  live: ReadRecord | undefined,
  ids: ReadonlyMap<string, string> = new Map(),
): FlowSides {
  const changes = replaceReferences(planned, ids);
  const flow = live && isObject(live.body.flow) ? live.body.flow : undefined;
  if (action === 'delete') {
    return live && flow ? { before: { callflow: live, marks: new Map([[flow, 'gone']]) } } : {};
  }
  if (action !== 'create' && !flow) return {};
  const isDrawn = changes.some(({ path }) => /^(?:flow|numbers|patterns)(?:$|[/.])/.test(path));
  if (!isDrawn) return {};
  const made = new FlowChange(flow, changes);
  const body = live?.body ?? { name: label };
  const after: ReadRecord = {
    id: live?.id ?? '',
    body: {
      ...body,
      numbers: listAfter(body.numbers, changes, 'numbers') ?? [],
      patterns: listAfter(body.patterns, changes, 'patterns') ?? [],
      flow: made.flow,
    },
  };
  return {
    ...(live && flow ? { before: { callflow: live, marks: made.marks.before } } : {}),
    after: { callflow: after, marks: made.marks.after },
  };
}
