import { isObject, type Json, type JsonObject } from '../base/json.ts';

/**
 * A payload as form data: what stands inside an object becomes `key[sub]=value`, what stands in a list `key[]=value`
 * (Conventions, payloads). `null` is empty.
 */
export function toForm(payload: JsonObject): string {
  const form = new URLSearchParams();
  const add = (name: string, value: Json | undefined): void => {
    if (value === undefined) return;
    if (Array.isArray(value)) for (const item of value) add(`${name}[]`, item);
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) add(`${name}[${key}]`, item);
    else form.append(name, value === null ? '' : String(value));
  };
  for (const [key, value] of Object.entries(payload)) add(key, value);
  return form.toString();
}

/** Deeper than this, no payload goes; what says so is taken as one name. */
const deepest = 16;

/** Read so far: a text, a list (`[]`), or what stands under names. */
interface Names {
  readonly names: Map<string, Names>;
  readonly values: string[];
}

const nothing = (): Names => ({ names: new Map(), values: [] });

/** The way to a value: `a[b][]` is a, b and the list's sign. */
function wayTo(name: string): readonly string[] {
  const first = name.indexOf('[');
  if (first < 1 || !/^(?:\[[^[\]]*\])+$/.test(name.slice(first))) return [name];
  const way = [name.slice(0, first), ...name.slice(first + 1, -1).split('][')];
  return way.length > deepest ? [name] : way;
}

/** The payload that a form says; its values are texts. The other way round of `toForm`. */
export function fromForm(form: URLSearchParams): JsonObject {
  const root = nothing();
  for (const [name, value] of form) {
    let here = root;
    for (const key of wayTo(name)) {
      const next = here.names.get(key) ?? nothing();
      here.names.set(key, next);
      here = next;
    }
    here.values.push(value);
  }
  return objectOf(root);
}

const objectOf = ({ names }: Names): JsonObject =>
  Object.fromEntries([...names].map(([key, inner]) => [key, valueIn(inner)]));

function valueIn({ names, values }: Names): Json {
  if (names.size === 0) return values.length === 1 ? (values[0] ?? '') : values;
  const list = names.get('');
  if (list && names.size === 1 && list.names.size === 0) return list.values;
  return objectOf({ names, values });
}
