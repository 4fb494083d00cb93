import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { fieldAt } from '../../contract/schema.ts';
import type { RunPart, RunStep } from '../../state/runs.ts';
import type { DesiredObject } from '../desired/desired.ts';
import { referencesIn, referenceTo } from '../desired/references.ts';
import { type KindName, kindByName } from '../kinds.ts';
import type { LiveObject, Observed } from '../observed.ts';
import { namesake, placeless, undoable } from './undo-step.ts';

/** An object that names another one by an id that is no more. */
export interface Referrer {
  /** As the ledger calls it, or by its kind and id. */
  readonly key: string;
  readonly kind: KindName;
  readonly record: JsonObject;
}

/** Ids of what a part deleted and its reversal creates again. */
export const recreatedIds = (part: RunPart, observed: Pick<Observed, 'listed'>): ReadonlySet<string> =>
  new Set(recreatedBy(undoable(part), observed).keys());

/** Maps the old ids of deleted objects that are created again to the keys of the objects. */
export const recreatedBy = (
  steps: readonly RunStep[],
  observed: Pick<Observed, 'listed'>,
): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ planned, begin }) => {
      const { before, id } = begin ?? {};
      const isBack =
        planned.action === 'delete' &&
        isMany(planned.kind) &&
        isObject(before) &&
        Object.keys(before).length > 0 &&
        namesake(kindByName(planned.kind), before, observed) === undefined;
      return isBack && id !== undefined ? [[id, planned.key] as const] : [];
    }),
  );

/** Tells whether an account has several objects of a kind, each with an id of its own. */
const isMany = (kind: RunStep['planned']['kind']): boolean => kindByName(kind).shape === 'many';

const idOf = ({ kind, record }: Referrer): string => (isMany(kind) ? String(record.id ?? '') : kind);

/** Adds to what was seen the objects that are only repaired. One that the run changed, too, is there already. */
export function withReferrers(observed: Observed, referrers: readonly Referrer[]): Observed {
  const more = referrers.flatMap((each): [string, LiveObject][] =>
    observed.matches.has(each.key) ? [] : [[each.key, { id: idOf(each), record: each.record }]],
  );
  return { ...observed, matches: new Map([...observed.matches, ...more]) };
}

/** The fields of a referrer that hold an id that is no more, with references in its place. */
export function referrerFields(
  { kind: name, record }: Referrer,
  recreated: ReadonlyMap<string, string>,
): JsonObject {
  const { schema } = kindByName(name);
  const ids = [...recreated.keys()];
  const holding = Object.entries(record).filter(([field, value]) => {
    if (field === 'id' || fieldAt(schema, field)?.readOnly) return false;
    const text = JSON.stringify(value ?? null);
    return fieldAt(schema, field) !== undefined && ids.some((id) => text.includes(id));
  });
  return referring(Object.fromEntries(holding), recreated);
}

/** Puts fields of a referrer to what is done with it anyway, or makes it one more object. */
export function repair(
  objects: DesiredObject[],
  { key, kind, record }: Referrer,
  fields: JsonObject,
  observed: Observed,
): void {
  if (referencesIn(fields).length === 0) return;
  const id = observed.matches.get(key)?.id;
  const at = objects.findIndex(
    (object) => object.kind === kind && observed.matches.get(object.key)?.id === id,
  );
  const there = objects[at];
  if (there) {
    const both = { ...fields, ...there.fields };
    objects[at] = { ...there, fields: both, refersTo: referencesIn(both) };
  } else {
    const name = isMany(kind) ? String(record.id ?? '') : kind;
    objects.push({ ...placeless, kind, key, name, fields, refersTo: referencesIn(fields), protect: false });
  }
}

/** A value in which the ids of objects that are created again are references to them. */
function referring(fields: JsonObject, recreated: ReadonlyMap<string, string>): JsonObject {
  if (recreated.size === 0) return fields;
  const text = (here: string): string => {
    const key = recreated.get(here);
    return key === undefined ? here : referenceTo(key);
  };
  const visit = (here: Json): Json => {
    if (typeof here === 'string') return text(here);
    if (Array.isArray(here)) return here.map((item: Json) => visit(item));
    return isObject(here) ? visitObject(here) : here;
  };
  const visitObject = (here: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(here).map(([key, inner]) => [text(key), inner === undefined ? inner : visit(inner)]),
    );
  return visitObject(fields);
}

/** An object in which the ids of what is created again are references to it. */
export function idsAsReferences(
  object: DesiredObject,
  recreated: ReadonlyMap<string, string>,
): DesiredObject {
  const fields = referring(object.fields, recreated);
  return { ...object, fields, refersTo: referencesIn(fields) };
}
