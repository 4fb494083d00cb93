import { isObject, type Json, type JsonObject } from '../../base/json.ts';

/** Parts shorter than this, as JSON, are repeated where they stand. */
const worthSharing = 250;

/**
 * Schemas with what stands in them more than once moved to parts of its own, named after the field that it was first
 * met under. What refers to a part says `#/$defs/NAME`.
 */
export function withSharedParts(
  schemas: Readonly<Record<string, JsonObject>>,
): Readonly<Record<string, JsonObject>> {
  const times = new Map<string, number>();
  const counted = (_: string, node: JsonObject): JsonObject => {
    count(node);
    return node;
  };
  const count = (node: JsonObject): void => {
    const text = JSON.stringify(node);
    const before = times.get(text) ?? 0;
    times.set(text, before + 1);
    if (before === 0) inside(node, counted);
  };
  for (const schema of Object.values(schemas)) inside(schema, counted);

  const names = new Map<string, string>();
  const used = new Set(Object.keys(schemas));
  const parts: Record<string, JsonObject> = {};
  const freeName = (key: string): string => {
    const tries = [key, ...Array.from({ length: 99 }, (_, index) => `${key}_${index + 2}`)];
    return tries.find((each) => !used.has(each)) ?? key;
  };
  const share = (key: string, node: JsonObject): JsonObject => {
    const text = JSON.stringify(node);
    if (text.length < worthSharing || (times.get(text) ?? 0) < 2) return inside(node, share);
    const known = names.get(text);
    if (known !== undefined) return { $ref: `#/$defs/${known}` };
    const name = freeName(key);
    names.set(text, name);
    used.add(name);
    parts[name] = inside(node, share);
    return { $ref: `#/$defs/${name}` };
  };
  const whole = Object.entries(schemas).map(([name, schema]) => [name, inside(schema, share)] as const);
  return { ...Object.fromEntries(whole), ...parts };
}

/** A copy of a schema with each schema directly inside it replaced; the key is that of a property, or a word. */
function inside(node: JsonObject, replace: (key: string, child: JsonObject) => JsonObject): JsonObject {
  const one = (key: string, value: Json | undefined): Json | undefined =>
    isObject(value) ? replace(key, value) : value;
  const map = (value: Json | undefined, name?: string): Json | undefined =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([key, child]) => [key, one(name ?? key, child)]))
      : value;
  return Object.fromEntries(
    Object.entries(node).map(([word, value]) => {
      if (word === 'properties') return [word, map(value)];
      if (word === 'patternProperties') return [word, map(value, 'entry')];
      if (word === 'allOf' && Array.isArray(value))
        return [word, value.map((each: Json) => (isObject(each) ? inside(each, replace) : each))];
      if (word === 'then' && isObject(value)) return [word, inside(value, replace)];
      return [word, word === 'items' || word === 'additionalProperties' ? one('item', value) : value];
    }),
  );
}
