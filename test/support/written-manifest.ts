import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { type DesiredObject, shownReferences } from '../../src/engine/manifest/desired.ts';
import { kindByName } from '../../src/engine/manifest/kinds.ts';

/** Returns a value in manifest notation. */
function toManifestValue(value: Json): Json {
  if (typeof value === 'string') return shownReferences(value);
  if (Array.isArray(value)) return value.map((item: Json) => toManifestValue(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      shownReferences(key),
      inner === undefined ? inner : toManifestValue(inner),
    ]),
  );
}

/** Returns the manifest of some objects. New users need a password. */
export function formatManifest(objects: readonly DesiredObject[]): string {
  const sections = Map.groupBy(objects, ({ kind }) => kind);
  const fieldsOf = ({ kind, fields }: DesiredObject): Json =>
    toManifestValue(kind === 'users' ? { password: 'one-secret', ...fields } : fields);
  const body: JsonObject = Object.fromEntries(
    [...sections].map(([kind, own]) => [
      kind,
      kindByName(kind).shape === 'one'
        ? (own.map(fieldsOf)[0] ?? {})
        : Object.fromEntries(own.map((object) => [object.name, fieldsOf(object)])),
    ]),
  );
  return JSON.stringify({ set: 'office', ...body });
}
