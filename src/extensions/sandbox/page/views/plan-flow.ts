import { isObject, type Json, type JsonObject } from '../../../../base/json.ts';
import type { PlannedChange, PlannedStep, ReadRecord } from '../../reader.ts';
import { type FlowMarks, stepsBehind } from './flow-steps.ts';

/** A callflow before or after a plan, and its changed steps. */
export interface FlowSide {
  readonly callflow: ReadRecord;
  readonly marks: FlowMarks;
}

/** A callflow before and after a plan. A side is missing if it does not exist or is unknown. */
export interface FlowSides {
  readonly before?: FlowSide;
  readonly after?: FlowSide;
}

const childrenOf = (step: JsonObject): Readonly<Record<string, JsonObject>> =>
  Object.fromEntries(stepsBehind(step));

const isStep = (value: Json | undefined): value is JsonObject =>
  isObject(value) && typeof value.module === 'string';

/** Returns the step at a path such as `flow/2/_`. Dots and slashes in keys are escaped as `%2E` and `%2F`. */
function stepAt(flow: JsonObject, path: string): JsonObject | undefined {
  const [, ...keys] = path.split('/');
  return keys.reduce<JsonObject | undefined>(
    (step, key) => step && childrenOf(step)[key.replaceAll('%2E', '.').replaceAll('%2F', '/')],
    flow,
  );
}

const written = (key: string): string => key.replaceAll('.', '%2E').replaceAll('/', '%2F');

/** The reference to an object of a manifest, such as `${users.alice}`. */
const reference = /\$\{[^}]*\}/g;

/**
 * Replaces references with ids, as in live flows, in values and in keys of branches. Other references in paths are escaped
 * like other keys.
 */
function withIds(
  changes: readonly PlannedChange[],
  ids: ReadonlyMap<string, string>,
): readonly PlannedChange[] {
  const inPath = (path: string): string =>
    path.replaceAll(reference, (text) => ids.get(text) ?? written(text));
  const inValue = (value: Json): Json => {
    if (typeof value === 'string') return ids.get(value) ?? value;
    if (Array.isArray(value)) return value.map((item: Json) => inValue(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        ids.get(key) ?? key,
        inner === undefined ? inner : inValue(inner),
      ]),
    );
  };
  return changes.map(({ path, from, after, ...change }) => ({
    ...change,
    path: inPath(path),
    ...(from === undefined ? {} : { from: inPath(from) }),
    ...(after === undefined ? {} : { after: inValue(after) }),
  }));
}

/** Returns a copy of a value with a new value at a dotted path. */
function replaced(value: Json | undefined, [key, ...rest]: readonly string[], other: Json | undefined): Json {
  if (key === undefined) return other ?? null;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === key ? replaced(item, rest, other) : item));
  const object = isObject(value) ? value : {};
  return { ...object, [key]: replaced(Object.hasOwn(object, key) ? object[key] : undefined, rest, other) };
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

function flowAfter(before: JsonObject | undefined, changes: readonly PlannedChange[]) {
  const byStep = changesByStep(changes);
  const all = [...byStep.values()].flat();
  const movedFrom = new Set(all.flatMap(({ from }) => (from === undefined ? [] : [from])));
  const removed = new Set(
    all.filter(({ path, how }) => how === 'removed' && !path.includes('.')).map(({ path }) => path),
  );
  const marks = { before: new Map(), after: new Map() } satisfies Record<string, Map<JsonObject, string>>;
  const isNew = (step: JsonObject): void => {
    marks.after.set(step, 'new');
    for (const child of Object.values(childrenOf(step))) isNew(child);
  };

  const build = (path: string, source: JsonObject | undefined, sourcePath: string): JsonObject => {
    const own = byStep.get(path) ?? [];
    const placed = own.find(isPlaced);
    if (placed && placed.how !== 'moved' && isStep(placed.after)) {
      const step = {
        ...placed.after,
        children: { ...childrenOf(placed.after), ...below(path, undefined, '') },
      };
      marks.after.set(step, 'new');
      for (const child of Object.values(childrenOf(placed.after))) isNew(child);
      return step;
    }
    const from = placed?.from;
    const [base, basePath] =
      from === undefined || !before ? [source, sourcePath] : [stepAt(before, from), from];
    const other = own.find(
      ({ path: at, how, after }) => at === path && how === 'changed' && isStep(after),
    )?.after;
    const inside = own.filter(({ path: at }) => at !== path);
    const data = inside.reduce<Json>(
      (value, { path: at, after }) => replaced(value, at.split('.').slice(1), after),
      (isStep(other) ? other.data : base?.data) ?? {},
    );
    const step = {
      ...(base ?? {}),
      ...(isStep(other) ? { module: other.module } : {}),
      data,
      children: below(path, base, basePath),
    };
    const mark =
      from !== undefined ? 'moved' : other !== undefined || inside.length > 0 ? 'changed' : undefined;
    if (mark !== undefined) {
      marks.after.set(step, mark);
      if (base) marks.before.set(base, mark);
    }
    return step;
  };

  const below = (path: string, source: JsonObject | undefined, sourcePath: string): JsonObject => {
    const old = source ? childrenOf(source) : {};
    const isPut = (key: string): boolean => (byStep.get(`${path}/${written(key)}`) ?? []).some(isPlaced);
    const stays = Object.keys(old).filter((key) => {
      if (isPut(key)) return true;
      const [here, there] = [`${path}/${written(key)}`, `${sourcePath}/${written(key)}`];
      return !movedFrom.has(there) && !removed.has(here) && !removed.has(there);
    });
    const added = [...byStep].flatMap(([at, those]) => {
      const key = at.startsWith(`${path}/`) ? at.slice(path.length + 1) : '/';
      return key.includes('/') || !those.some(isPlaced)
        ? []
        : [key.replaceAll('%2E', '.').replaceAll('%2F', '/')];
    });
    return Object.fromEntries(
      [...new Set([...stays, ...added])].map((key) => [
        key,
        build(`${path}/${written(key)}`, old[key], `${sourcePath}/${written(key)}`),
      ]),
    );
  };

  const goneIn = (step: JsonObject, path: string, isGone: boolean): void => {
    const isHere = movedFrom.has(path) ? false : isGone || removed.has(path);
    if (isHere) marks.before.set(step, 'gone');
    else if (movedFrom.has(path)) marks.before.set(step, 'moved');
    for (const [key, child] of Object.entries(childrenOf(step)))
      goneIn(child, `${path}/${written(key)}`, isHere);
  };
  if (before) goneIn(before, 'flow', false);
  return { flow: build('flow', before, 'flow'), marks };
}

/** The numbers or patterns of a callflow after a plan. */
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
 * Makes both sides of a callflow that a plan creates, changes or deletes. `live` is the current callflow. Without it, only
 * a create can be drawn. `ids` are the ids of the plan's objects, by reference.
 */
export function flowSides(
  { action, changes: planned, label }: PlannedStep,
  live: ReadRecord | undefined,
  ids: ReadonlyMap<string, string> = new Map(),
): FlowSides {
  const changes = withIds(planned, ids);
  const flow = live && isObject(live.body.flow) ? live.body.flow : undefined;
  if (action === 'delete') {
    return live && flow ? { before: { callflow: live, marks: new Map([[flow, 'gone']]) } } : {};
  }
  if (action !== 'create' && !flow) return {};
  const isDrawn = changes.some(({ path }) => /^(?:flow|numbers|patterns)(?:$|[/.])/.test(path));
  if (!isDrawn) return {};
  const made = flowAfter(flow, changes);
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
