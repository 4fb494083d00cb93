import { isObject, type Json } from '../../base/json.ts';

/**
 * References to other objects stand inside strings and keys between two characters of Unicode's private use area,
 * so that they are plain JSON, cannot be confused with text of the user, and survive a plan file.
 */
const open = '\uE000';
const close = '\uE001';
const anyReference = /\uE000([^\uE001]*)\uE001/g;

/** Tells whether text holds the two characters that only references may hold. */
export const holdsMarks = (text: string): boolean => text.includes(open) || text.includes(close);

/** The text of a reference to an object, by its key: `users.alice`. */
export const referenceTo = (key: string): string => `${open}${key}${close}`;

/** The references in a text as a manifest writes them: `${users.alice}`. */
export const shownReferences = (text: string): string =>
  text.includes(open) ? text.replaceAll(anyReference, '$${$1}') : text;

/** Keys of all objects that a value refers to, each once, in order of appearance. */
export function referencesIn(value: Json | undefined): readonly string[] {
  const found = new Set<string>();
  const visit = (here: Json | undefined): void => {
    if (typeof here === 'string') {
      if (here.includes(open)) for (const [, key = ''] of here.matchAll(anyReference)) found.add(key);
    } else if (Array.isArray(here)) here.forEach(visit);
    else if (isObject(here))
      for (const [key, inner] of Object.entries(here)) {
        visit(key);
        visit(inner);
      }
  };
  visit(value);
  return [...found];
}

/** Tells whether any text or key in a value holds a reference. */
function refers(value: Json | undefined): boolean {
  if (typeof value === 'string') return value.includes(open);
  if (Array.isArray(value)) return value.some(refers);
  if (!isObject(value)) return false;
  for (const key in value) if (key.includes(open) || refers(value[key])) return true;
  return false;
}

/**
 * A copy with every reference replaced by what `idOf` gives for its key; where it gives `undefined` the reference
 * stays. A value without references comes back as it is.
 */
export function withReferences(value: Json, idOf: (key: string) => string | undefined): Json {
  const text = (here: string): string =>
    here.includes(open) ? here.replaceAll(anyReference, (whole, key: string) => idOf(key) ?? whole) : here;
  const visit = (here: Json): Json => {
    if (typeof here === 'string') return text(here);
    if (Array.isArray(here)) return here.map((item: Json) => visit(item));
    if (!isObject(here)) return here;
    return Object.fromEntries(
      Object.entries(here).map(([key, inner]) => [text(key), inner === undefined ? inner : visit(inner)]),
    );
  };
  return refers(value) ? visit(value) : value;
}

/** Stands for an id that is not known yet, so that its length and letters are as rules want them. */
const sampleId = '0123456789abcdef0123456789abcdef';

/** A value with something that looks like an id in the place of each reference, to hold it against a schema. */
export const withSampleIds = (value: Json): Json => withReferences(value, () => sampleId);
