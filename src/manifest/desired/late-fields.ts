import type { JsonObject } from '../../base/json.ts';
import { type Kind, type KindName, kindByName } from '../kinds.ts';
import { referencesIn } from './references.ts';

/** Fields of an object, by when they must be there. */
export interface SplitFields {
  /** Fields that a create needs. */
  readonly early: JsonObject;
  /** Fields that an update may bring once the object is there. */
  readonly late: JsonObject;
}

/** Takes the fields apart that a create may leave out (the contract's `late`). */
export function splitFields(kind: Kind, fields: JsonObject): SplitFields {
  // A replacement of the whole record would not be the field alone.
  const names = kind.calls.patch ? (kind.resource.late ?? []) : [];
  if (!names.some((name) => Object.hasOwn(fields, name))) return { early: fields, late: {} };
  const entries = Object.entries(fields);
  return {
    early: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
    late: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
  };
}

/** Keys of the objects without which an object cannot be created. */
export function neededFirst(object: {
  readonly kind: KindName;
  readonly fields: JsonObject;
  readonly refersTo: readonly string[];
}): readonly string[] {
  if (object.refersTo.length === 0) return object.refersTo;
  const { early } = splitFields(kindByName(object.kind), object.fields);
  return early === object.fields ? object.refersTo : referencesIn(early);
}
