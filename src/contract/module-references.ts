import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { type CallflowModule, callflowModules, type ModuleReference } from './callflow-modules.ts';

/** An id in a step's `data`. */
export interface FoundReference {
  readonly reference: ModuleReference;
  /** Dotted path below `data`: `endpoints.0.id`. */
  readonly path: string;
  readonly id: string;
}

/** The module of a step; `undefined` where compatible services know none of that name. */
export const moduleOf = (step: JsonObject): CallflowModule | undefined =>
  typeof step.module === 'string' ? callflowModules.get(step.module) : undefined;

/** Finds what a step refers to by id, as far as its module says. */
export function referencesOf(step: JsonObject): readonly FoundReference[] {
  const { data } = step;
  return (moduleOf(step)?.refers ?? []).flatMap((reference) =>
    [...textsAt(data, reference.path.split('.'), [], undefined)].flatMap(({ path, text, beside }) => {
      const { where } = reference;
      const meant = where === undefined || (isObject(beside) && beside[where.key] === where.is);
      return meant && text !== '' ? [{ reference, path, id: text }] : [];
    }),
  );
}

interface Found {
  readonly path: string;
  readonly text: string;
  /** The object whose key holds it. */
  readonly beside: Json | undefined;
}

function* textsAt(
  here: Json | undefined,
  [key, ...rest]: readonly string[],
  path: readonly string[],
  beside: Json | undefined,
): Generator<Found> {
  if (key === undefined) {
    if (typeof here === 'string') yield { path: path.join('.'), text: here, beside };
  } else if (key === '*') {
    if (!Array.isArray(here)) return;
    for (const [index, item] of here.entries()) yield* textsAt(item, rest, [...path, String(index)], here);
  } else if (isObject(here) && Object.hasOwn(here, key))
    yield* textsAt(here[key], rest, [...path, key], here);
}
