import type { JsonObject } from '../../base/json.ts';
import type { Places } from '../input/document.ts';
import { type DesiredObject, referencesIn } from './desired.ts';
import { type KindName, keyWithin, kindByName } from './kinds.ts';

/** Loads all kinds. `desired.ts` does not, because every recorded change loads it. */
export function desiredObject(
  kind: KindName,
  name: string,
  fields: JsonObject,
  places: Places,
): DesiredObject {
  return {
    kind,
    name,
    key: keyWithin(kindByName(kind), name),
    fields,
    unset: [],
    confidential: [],
    sources: new Map(),
    renamedFrom: undefined,
    protect: false,
    refersTo: referencesIn(fields),
    place: places.place,
    problem: places.problem,
  };
}
