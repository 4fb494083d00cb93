import { isObject, type Json, type JsonObject } from '../../src/base/json.ts';

/**
 * The shape of a JSON value. An object has its keys, a list has one item with the keys of all items, and every other
 * value is the name of its type. Types that differ within a list are joined by `|`. A recorded list that was cut has
 * `more` after its item.
 */
export type Shape = string | readonly Shape[] | { readonly [key: string]: Shape };

export const isListShape = (shape: Shape): shape is readonly Shape[] => Array.isArray(shape);
const isObjectShape = (shape: Shape): shape is { readonly [key: string]: Shape } =>
  typeof shape === 'object' && !isListShape(shape);

const wordFor = (shape: Shape): string =>
  typeof shape === 'string' ? shape : isListShape(shape) ? 'array' : 'object';

/** Returns the common shape of two items of a list. */
export function joinShapes(one: Shape, other: Shape): Shape {
  if (isObjectShape(one) && isObjectShape(other)) {
    const keys = [...new Set([...Object.keys(one), ...Object.keys(other)])];
    return Object.fromEntries(
      keys.flatMap((key) => {
        const [left, right] = [one[key], other[key]];
        const shape = left === undefined ? right : right === undefined ? left : joinShapes(left, right);
        return shape === undefined ? [] : [[key, shape] as const];
      }),
    );
  }
  if (isListShape(one) && isListShape(other)) {
    const [left] = one;
    const [right] = other;
    if (left === undefined) return other;
    return right === undefined ? one : [joinShapes(left, right)];
  }
  const words = [one, other].flatMap((shape) => wordFor(shape).split('|'));
  return [...new Set(words)].sort().join('|');
}

/** Returns the shape of a value. `keyOf` renames keys that are ids. */
export function shapeOf(value: Json | undefined, keyOf: (key: string) => string): Shape {
  if (Array.isArray(value)) {
    const items: readonly Json[] = value;
    const [first, ...others] = items.map((item) => shapeOf(item, keyOf));
    return first === undefined ? [] : [others.reduce(joinShapes, first)];
  }
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [keyOf(key), shapeOf(inner, keyOf)]),
    );
  }
  return value === null ? 'null' : typeof value;
}

/** Returns the type of a recorded word. `id:NAME`, `new:NAME` and `=TEXT` are strings. */
export const wordType = (word: string): string => (/^(?:id:|new:|=)/.test(word) ? 'string' : word);

/** Describes the differences of a shape from the recorded one, one line per place. */
export function shapeDifferences(recorded: Shape, found: Shape, path: string): readonly string[] {
  if (isObjectShape(recorded) && isObjectShape(found)) {
    return [...new Set([...Object.keys(recorded), ...Object.keys(found)])].flatMap((key) => {
      const [left, right] = [recorded[key], found[key]];
      const place = path === '' ? key : `${path}.${key}`;
      if (left === undefined) return [`${place} is too much`];
      return right === undefined ? [`${place} is missing`] : shapeDifferences(left, right, place);
    });
  }
  if (isListShape(recorded) && isListShape(found)) {
    const [left, right] = [recorded[0], found[0]];
    if (left === undefined && right === undefined) return [];
    // A recorded list that was cut does not have all keys.
    if (recorded[1] === 'more' && left !== undefined && right !== undefined) {
      return shapeDifferences(left, right, `${path}[]`).filter(
        (line) => !/ is (?:too much|not empty)$/.test(line),
      );
    }
    if (left === undefined) return [`${path} is not empty`];
    return right === undefined ? [`${path} is empty`] : shapeDifferences(left, right, `${path}[]`);
  }
  const [left, right] = [wordFor(recorded), wordFor(found)];
  return wordType(left) === right ? [] : [`${path} is ${right}, recorded ${left}`];
}

/** Returns the values at the words of a recorded shape, with each word. In lists, only the first item is used. */
export function wordedValues(recorded: Shape, value: Json | undefined): readonly (readonly [string, Json])[] {
  if (value === undefined) return [];
  if (typeof recorded === 'string') return [[recorded, value]];
  if (isListShape(recorded)) {
    const [shape] = recorded;
    return shape !== undefined && Array.isArray(value) ? wordedValues(shape, value[0]) : [];
  }
  const object: JsonObject = isObject(value) ? value : {};
  return Object.entries(recorded).flatMap(([key, shape]) =>
    Object.hasOwn(object, key) ? wordedValues(shape, object[key]) : [],
  );
}
