import { isObject, type Json, type JsonObject, joinPath } from '../base/json.ts';
import { findNearest } from '../base/nearest.ts';
import { moduleData } from './module-data.ts';
import { isPrivateKey } from './name-lists.ts';
import {
  findChildNode,
  resolveReference,
  type Schema,
  type SchemaNode,
  stepKind,
  takesFreeKeys,
} from './schema-node.ts';

/** An unknown key in an object with arbitrary keys. */
export interface WordFinding {
  /** Dotted path. A dot inside a key is `%2E`. */
  readonly path: string;
  readonly message: string;
  /** The most similar known key. */
  readonly near?: string;
  /** Set for a number class. A service can have its own classes. */
  readonly unknownClass?: { readonly name: string; readonly near?: string };
}

/** Returns the keys that services use in an object with arbitrary keys, or `undefined` if any key is possible. */
export function keysKnownToServices(node: SchemaNode, isModuleData = false): readonly string[] | undefined {
  const words = node['x-key-words'];
  if (words !== undefined) return words;
  const named = Object.keys(node.properties ?? {});
  // Other keys with a schema are names, numbers or expressions of the user.
  if (named.length === 0 || typeof node.additionalProperties === 'object') return undefined;
  return isModuleData || takesFreeKeys(node) ? named : undefined;
}

/** Finds keys that services ignore, at every depth. `isModuleData` is true for the data of a module. */
export function wordFindings(
  schema: Schema,
  record: JsonObject,
  isModuleData = false,
): readonly WordFinding[] {
  const findings: WordFinding[] = [];
  const visit = (
    from: SchemaNode,
    value: Json | undefined,
    path: readonly string[],
    isData: boolean,
  ): void => {
    const node = resolveReference(schema, from);
    if (node.readOnly === true || typeof value !== 'object' || value === null) return;
    const words = isObject(value) ? keysKnownToServices(node, isData) : undefined;
    const taken = isObject(value) ? moduleDataOf(node, value.module) : undefined;
    for (const [key, inner] of Object.entries(value)) {
      const at = [...path, key];
      if (words && !words.includes(key) && inner !== null && !isPrivateKey(key))
        findings.push(unknownKey(at, words, node['x-key-words'] !== undefined));
      if (taken && key === 'data') visit(taken, inner, at, true);
      else visit(findChildNode(schema, node, key) ?? {}, inner, at, isData);
    }
  };
  visit(schema, record, [], isModuleData);
  return findings;
}

/** A class of numbers in a record, such as a restriction. */
export interface NamedClass {
  readonly name: string;
  readonly path: string;
}

/** Returns known number classes. A service may lack one. */
export function findNumberClasses(schema: Schema, record: JsonObject): readonly NamedClass[] {
  return Object.entries(record).flatMap(([field, value]) => {
    const node = findChildNode(schema, resolveReference(schema, schema), field);
    const words = (node && resolveReference(schema, node)['x-key-words']) ?? [];
    if (!isObject(value)) return [];
    return Object.keys(value)
      .filter((name) => words.includes(name))
      .map((name) => ({ name, path: joinPath([field, name]) }));
  });
}

/** Returns `undefined` for other nodes and unknown modules. */
function moduleDataOf(node: SchemaNode, module: Json | undefined): SchemaNode | undefined {
  const kind = stepKind(node);
  return kind === undefined || typeof module !== 'string' ? undefined : moduleData(kind, module);
}

function unknownKey(path: readonly string[], words: readonly string[], isClass: boolean): WordFinding {
  const key = path.at(-1) ?? '';
  const near = findNearest(key, words);
  const where = joinPath(path.slice(0, -1));
  const what = isClass
    ? `${JSON.stringify(key)} in "${where}" is not a known class of numbers`
    : `${where === '' ? 'The object' : `"${where}"`} has no key ${JSON.stringify(key)} that services know`;
  return {
    path: joinPath(path),
    message: `${what}${near === undefined ? '' : `; did you mean "${near}"?`}`,
    ...(near === undefined ? {} : { near }),
    ...(isClass ? { unknownClass: { name: key, ...(near === undefined ? {} : { near }) } } : {}),
  };
}

/** Returns true if services refuse or ignore an unknown word or format. */
export function isRefusedWord(
  schema: Schema,
  { path, rule }: { readonly path: string; readonly rule: string },
): boolean {
  if (rule !== 'enum' && rule !== 'type') return false;
  let node: SchemaNode | undefined = resolveReference(schema, schema);
  for (const key of path.split('.')) {
    node = node && findChildNode(schema, node, key.replaceAll('%2E', '.'));
    if (node?.['x-exact'] === true) return true;
  }
  return false;
}
