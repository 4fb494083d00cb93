import type { Json } from '../base/json.ts';
import type { ShownForm } from '../base/shown-form.ts';
import type { Does } from './capabilities.ts';
import type { ConventionRules } from './fields.ts';
import type { ModuleKind } from './module-data.ts';
import type { NameList } from './name-lists.ts';
import type { KeptForm, KeyRef, ResourceName, StatementSource, Support } from './types.ts';

/** Plain JSON Schema with the contract's own words. */
export interface SchemaNode {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: Readonly<Record<string, SchemaNode>>;
  readonly additionalProperties?: boolean | SchemaNode;
  readonly items?: SchemaNode;
  readonly anyOf?: readonly SchemaNode[];
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly minProperties?: number;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly $id?: string;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, SchemaNode>>;
  readonly 'x-secret'?: boolean;
  readonly 'x-secret-bearing'?: boolean;
  readonly 'x-ref'?: ResourceName;
  readonly 'x-key-ref'?: KeyRef;
  readonly 'x-worked-out'?: boolean;
  /** A phone number. `extension`: digits that are kept as typed. */
  readonly 'x-dialled'?: boolean | 'extension';
  readonly 'x-kept-as'?: KeptForm;
  readonly 'x-does'?: Does;
  /** A write sends data or calls out of the account, or changes how users sign in. */
  readonly 'x-outward'?: boolean;
  readonly 'x-sign-in'?: boolean;
  readonly 'x-support'?: Support;
  readonly 'x-option'?: boolean | string;
  readonly 'x-names'?: NameList;
  readonly 'x-shown-as'?: ShownForm;
  /** Keys of a secret map whose values are not secret. */
  readonly 'x-open-keys'?: readonly string[];
  /** Keys that services use. They ignore other keys of the object. */
  readonly 'x-key-words'?: readonly string[];
  /** Services refuse or ignore other values inside. */
  readonly 'x-exact'?: boolean;
  readonly 'x-source'?: StatementSource;
  /** The object is a step of such a flow, so its `data` must match its module (see `module-data.ts`). */
  readonly 'x-modules'?: ModuleKind;
  /** Steps can omit required data in a part of a record. */
  readonly 'x-modules-partial'?: boolean;
  readonly 'x-convention'?: ConventionRules & { readonly type?: string };
  /** In published schemas, rules of the node that are conventions. */
  readonly 'x-conventions'?: readonly string[];
}

export const stepKind = (node: SchemaNode): ModuleKind | undefined =>
  node['x-modules'] ?? node['x-convention']?.modules;

declare const fits: unique symbol;

/** The type exists only for the compiler. */
export interface Schema<T = unknown> extends SchemaNode {
  readonly [fits]?: T;
}

export type Static<S extends Schema> = S extends Schema<infer T> ? T : never;

const named = new WeakMap<SchemaNode, ReadonlyMap<string, SchemaNode>>();

function nodesByReference(root: SchemaNode): ReadonlyMap<string, SchemaNode> {
  const known = named.get(root);
  if (known !== undefined) return known;
  const found = new Map<string, SchemaNode>(
    Object.entries(root.$defs ?? {}).map(([name, node]) => [`#/$defs/${name}`, node]),
  );
  const visit = (node: SchemaNode): void => {
    if (node.$id !== undefined) found.set(node.$id, node);
    for (const child of subschemas(node)) visit(child);
  };
  visit(root);
  named.set(root, found);
  return found;
}

export function subschemas(node: SchemaNode): readonly SchemaNode[] {
  return [
    ...Object.values(node.properties ?? {}),
    ...Object.values(node.patternProperties ?? {}),
    ...(typeof node.additionalProperties === 'object' ? [node.additionalProperties] : []),
    ...(node.items ? [node.items] : []),
    ...(node.anyOf ?? []),
  ];
}

/** A missing reference is a bug. */
export function resolveReference(root: SchemaNode, node: SchemaNode): SchemaNode {
  if (node.$ref === undefined) return node;
  const target = nodesByReference(root).get(node.$ref);
  if (target === undefined) throw new Error(`The schema refers to ${node.$ref}, which it does not have.`);
  return target;
}

export function takesObjects(node: SchemaNode): boolean {
  return node.type === undefined || node.type === 'object' || node.type.includes('object');
}

export function takesFreeKeys(node: SchemaNode): boolean {
  if (!takesObjects(node)) return false;
  if (node.patternProperties !== undefined) return true;
  if (node.additionalProperties !== undefined) return node.additionalProperties !== false;
  return node.properties === undefined;
}

/**
 * Returns the schema of a key, or of a position in an array (`*` for any). Returns `{}` if any key and value are
 * allowed, `undefined` if the schema does not have the key.
 */
export function findChildNode(root: SchemaNode, parent: SchemaNode, key: string): SchemaNode | undefined {
  const node = resolveReference(root, parent);
  if (node.items !== undefined && /^(\d+|\*)$/.test(key)) return resolveReference(root, node.items);
  const { properties, patternProperties, additionalProperties } = node;
  const own = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
  if (own !== undefined) return resolveReference(root, own);
  if (patternProperties !== undefined) {
    const matching = Object.entries(patternProperties).find(([pattern]) => new RegExp(pattern).test(key));
    if (matching !== undefined) return resolveReference(root, matching[1]);
  }
  if (typeof additionalProperties === 'object') return resolveReference(root, additionalProperties);
  return takesFreeKeys(node) ? {} : undefined;
}

export function findShownForm(schema: SchemaNode | undefined, path: string): ShownForm | undefined {
  let node = schema;
  for (const key of path.split('.')) node = schema && node && findChildNode(schema, node, key);
  return node?.['x-shown-as'];
}

/** Returns true if a value may refer to other records. Does not load their resources. */
export function mayRefer(root: SchemaNode, value: Json | undefined, from: SchemaNode = root): boolean {
  const node = resolveReference(root, from);
  if (typeof value === 'string') return node['x-ref'] !== undefined && value !== '';
  if (typeof value !== 'object' || value === null) return false;
  if (node['x-key-ref'] !== undefined || stepKind(node) !== undefined) return true;
  return Object.entries(value).some(([key, inner]: [string, Json | undefined]) =>
    mayRefer(root, inner, findChildNode(root, node, key) ?? {}),
  );
}
