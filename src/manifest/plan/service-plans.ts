import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { own, same } from '../canonical.ts';

/** Plans as a manifest gives them (ids, or objects with one) in the form in which services give them back: by id. */
function plansById(value: Json | undefined): ReadonlyMap<string, JsonObject> {
  if (isObject(value))
    return new Map(Object.entries(value).map(([id, plan]) => [id, isObject(plan) ? plan : {}]));
  const items: readonly Json[] = Array.isArray(value) ? value : [];
  return new Map(
    items.flatMap((item): readonly (readonly [string, JsonObject])[] => {
      if (typeof item === 'string') return [[item, {}]];
      if (!isObject(item) || typeof item.id !== 'string') return [];
      const { id, ...plan } = item;
      return [[item.id, plan]];
    }),
  );
}

/**
 * Assigned plans, which services show by id, as they are written: a list of ids, or of objects with what is agreed
 * otherwise. Whose plan it is needs no saying, since only the reseller of the account assigns plans. `undefined`: none.
 */
export function writtenPlans(assigned: Json | undefined): Json | undefined {
  if (!isObject(assigned)) return assigned;
  const plans = [...plansById(assigned)];
  if (plans.length === 0) return undefined;
  return plans.map(([id, { vendor_id: _, ...plan }]) =>
    Object.keys(plan).length === 0 ? id : { id, ...plan },
  );
}

/**
 * The wanted service plans without what is so already: plans that are assigned, plans to add that are there, plans to
 * remove that are not (Conventions, service plans).
 */
export function unsettledServices(wanted: JsonObject, record: JsonObject): JsonObject {
  const assigned = plansById(record.plans);
  const isAssigned = ([id, plan]: readonly [string, JsonObject]): boolean => {
    const live = assigned.get(id);
    return live !== undefined && Object.keys(plan).every((key) => same(own(plan, key), own(live, key)));
  };
  const settled = new Set<string>();
  const plans = [...plansById(wanted.plans)];
  if (plans.length === assigned.size && plans.every(isAssigned)) settled.add('plans');
  if ([...plansById(wanted.add)].every(isAssigned)) settled.add('add');
  if ([...plansById(wanted.delete).keys()].every((id) => !assigned.has(id))) settled.add('delete');
  return Object.fromEntries(Object.entries(wanted).filter(([key]) => !settled.has(key)));
}
