import { isObject, type Json, type JsonObject, valueAt } from '../base/json.ts';

/** The parts of a value that dotted paths name, in their places and in the order of the paths. */
export function selectFields(value: Json, fields: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => selectFields(item, fields));
  if (!isObject(value)) return value;
  return fields.reduce<JsonObject>((chosen, path) => {
    const found = valueAt(value, path);
    return found === undefined ? chosen : placed(chosen, path.split('.'), found);
  }, {});
}

/** A copy of `target` with `found` at the end of `keys`. Positions of an array become keys. */
function placed(target: JsonObject, [key = '', ...more]: readonly string[], found: Json): JsonObject {
  const inner = Object.hasOwn(target, key) ? target[key] : undefined;
  const value = more.length === 0 ? found : placed(isObject(inner) ? inner : {}, more, found);
  return { ...target, [key]: value };
}
