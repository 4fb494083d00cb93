import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Exported, ExportedObject } from './exported.ts';

/** A whole manifest as a value, for JSON. */
export function manifestValue(exported: Exported, head: JsonObject): JsonObject {
  const sections = exported.sections.flatMap(({ kind, objects }) => {
    const [only] = objects;
    if (only === undefined) return [];
    if (kind.shape === 'one') return [[kind.name, shownValue(exported, only, only.fields)] as const];
    return [
      [
        kind.name,
        Object.fromEntries(
          objects.map((object) => [object.name, shownValue(exported, object, object.fields)]),
        ),
      ] as const,
    ];
  });
  return { ...head, ...Object.fromEntries(sections) };
}

/** A value of an object as it stands in a manifest. */
export function shownValue({ shown }: Exported, object: ExportedObject, marked: Json): Json {
  const visit = (value: Json): Json => {
    if (typeof value === 'string') return shown.text(object, value);
    if (Array.isArray(value)) return value.map((item: Json) => visit(item));
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        shown.text(object, key),
        inner === undefined ? inner : visit(inner),
      ]),
    );
  };
  return visit(marked);
}
