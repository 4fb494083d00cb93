import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { findModule } from '../../contract/callflow-modules.ts';
import type { ResourceName } from '../../contract/types.ts';
import { sortedBranches, walkSteps } from './flow-set.ts';

export interface LeavingRecord {
  readonly resource: ResourceName;
  readonly successor: { readonly resource: ResourceName; readonly id: string } | undefined;
}

export type LeavingById = ReadonlyMap<string, LeavingRecord>;

/** Keys whose value is the type of the id next to them. */
const typeKeys = ['endpoint_type', 'type'];

/**
 * Copies a record without references to removed records. A reference is replaced by the successor if it fits.
 * Otherwise, a step is replaced by the step after it, and members of lists and maps are removed. Returns `undefined`
 * for a flow without remaining steps.
 */
export function removeReferences(record: JsonObject, leaving: LeavingById): JsonObject | undefined {
  if (!isObject(record.flow)) return removeFromFields(record, leaving);
  const flow = removeFromFlow(record.flow, leaving);
  if (flow === undefined) return undefined;
  const { flow: _, ...rest } = record;
  return { ...removeFromFields(rest, leaving), flow };
}

/** Skips steps of metaflows, which are separate flows. */
function removeFromFields(value: JsonObject, leaving: LeavingById): JsonObject {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]: [string, Json | undefined]) => {
      const here = leaving.get(key);
      if (here) {
        const { successor } = here;
        // A group keeps an existing member unchanged.
        const isMember = successor && isObject(inner) && typeof inner.type === 'string';
        return isMember && !Object.hasOwn(value, successor.id)
          ? [[successor.id, { ...inner, type: endpointType(successor.resource) }]]
          : [];
      }
      const kept = inner === undefined || key === 'id' ? inner : removeFromField(inner, leaving);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
}

function removeFromField(value: Json, leaving: LeavingById): Json | undefined {
  if (typeof value === 'string') {
    const here = leaving.get(value);
    return here === undefined ? value : successorOfSameKind(here);
  }
  if (Array.isArray(value)) return removeFromList(value, leaving);
  if (!isObject(value)) return value;
  return typeof value.module === 'string' && isObject(value.data)
    ? removeFromFlow(value, leaving)
    : removeFromFields(value, leaving);
}

/** Returns the successor if its resource fits. For example, a device cannot be an owner. */
const successorOfSameKind = ({ resource, successor }: LeavingRecord): string | undefined =>
  successor?.resource === resource ? successor.id : undefined;

const endpointType = (resource: ResourceName): string => (resource === 'users' ? 'user' : resource);

/** Removes or replaces items. A successor that is already in the list is not added. */
function removeFromList(items: readonly Json[], leaving: LeavingById): readonly Json[] {
  const there = new Set(items.flatMap((item) => itemId(item) ?? []));
  return items.flatMap((item): readonly Json[] => {
    const id = itemId(item);
    const here = id === undefined ? undefined : leaving.get(id);
    if (here === undefined) {
      const kept = removeFromField(item, leaving);
      return kept === undefined ? [] : [kept];
    }
    const { successor } = here;
    if (successor === undefined || there.has(successor.id)) return [];
    if (!isObject(item)) return successorOfSameKind(here) === undefined ? [] : [successor.id];
    const word = typeKeys.find((key) => typeof item[key] === 'string');
    if (word === undefined && successorOfSameKind(here) === undefined) return [];
    there.add(successor.id);
    return [
      {
        ...item,
        id: successor.id,
        ...(word === undefined ? {} : { [word]: endpointType(successor.resource) }),
      },
    ];
  });
}

const itemId = (item: Json): string | undefined =>
  typeof item === 'string' ? item : isObject(item) && typeof item.id === 'string' ? item.id : undefined;

/** Starts with the last steps, because flows can be deeper than the call stack. */
function removeFromFlow(flow: JsonObject, leaving: LeavingById): JsonObject | undefined {
  const after = new Map<JsonObject, JsonObject | undefined>();
  for (const { step } of [...walkSteps(flow)].toReversed())
    after.set(step, stepWithout(step, after, leaving));
  return after.get(flow);
}

function stepWithout(
  step: JsonObject,
  after: ReadonlyMap<JsonObject, JsonObject | undefined>,
  leaving: LeavingById,
): JsonObject | undefined {
  const before = sortedBranches(step);
  const children: Readonly<Record<string, JsonObject>> = Object.fromEntries(
    before.flatMap(([key, child]) => {
      const kept = after.get(child);
      return kept === undefined ? [] : [[key, kept]];
    }),
  );
  const left = removeFromStep(step, leaving);
  if (left === undefined) return children._;
  const leadsOn = ['chooses', 'prepares'].includes(findModule(step)?.end ?? '');
  // A step that only leads to removed steps is also removed.
  if (leadsOn && before.length > 0 && Object.keys(children).length === 0) return undefined;
  return isObject(step.children) ? { ...step, ...left, children } : { ...step, ...left };
}

/** Returns the data and module of a step without references, or `undefined` if the step has no purpose left. */
function removeFromStep(step: JsonObject, leaving: LeavingById): JsonObject | undefined {
  const { data } = step;
  if (!isObject(data)) return {};
  const module = findModule(step);
  let named = step.module;
  const kept: Record<string, Json> = {};
  for (const [key, value] of Object.entries(data)) {
    if (value === undefined) continue;
    const here = typeof value === 'string' ? leaving.get(value) : undefined;
    if (here === undefined) {
      const inner = removeFromField(value, leaving);
      const isEmptied =
        Array.isArray(value) && value.length > 0 && Array.isArray(inner) && inner.length === 0;
      if (isEmptied && module?.required.includes(key)) return undefined;
      if (inner !== undefined) kept[key] = inner;
      continue;
    }
    const { successor } = here;
    if (successorOfSameKind(here) !== undefined && successor) kept[key] = successor.id;
    else if (successor?.resource === 'users' && named === 'device' && key === 'id') {
      named = 'user';
      kept[key] = successor.id;
    } else if (module?.end !== 'chooses') return undefined;
  }
  return { ...(named === undefined ? {} : { module: named }), data: kept };
}
