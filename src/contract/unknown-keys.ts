import { isObject } from '../base/json.ts';
import { nearest } from '../base/nearest.ts';
import {
  childOf,
  resolved,
  type Schema,
  type SchemaNode,
  takesFreeKeys,
  takesObjects,
} from './schema-node.ts';

/** A key that a schema does not know. */
export interface UnknownKey {
  /** Dotted path, a dot inside a key as `%2E`. */
  readonly path: string;
  /** Dotted path of the known field that was most likely meant. */
  readonly nearest?: string;
}

const joined = (path: string, key: string) => {
  const word = key.replaceAll('.', '%2E');
  return path === '' ? word : `${path}.${word}`;
};

/**
 * The keys of a value that the contract does not know, conventions counting as known. Keys that begin with an
 * underscore at the top (`_read_only`) are the service's own and pass, so that what `get` shows can be sent back.
 */
export function unknownKeys(schema: Schema, value: unknown): readonly UnknownKey[] {
  const visit = (reference: SchemaNode, here: unknown, path: string): readonly UnknownKey[] => {
    const node = resolved(schema, reference);
    if (Array.isArray(here)) {
      const { items } = node;
      return items ? here.flatMap((item, index) => visit(items, item, joined(path, String(index)))) : [];
    }
    // An object where something else belongs is a wrong type, told of by the validator.
    if (!isObject(here) || !takesObjects(node)) return [];
    return Object.entries(here).flatMap(([key, inner]) => {
      const child = childOf(schema, node, key);
      if (child !== undefined) return visit(child, inner, joined(path, key));
      if (takesFreeKeys(node) || (path === '' && key.startsWith('_'))) return [];
      const near = nearest(key, Object.keys(node.properties ?? {}));
      return [{ path: joined(path, key), ...(near ? { nearest: joined(path, near) } : {}) }];
    });
  };
  return visit(schema, value, '');
}
