import { isObject, type Json } from '../base/json.ts';
import { resourceByName } from './catalogue.ts';
import { findChildNode, type Schema, type SchemaNode, subschemas } from './schema-node.ts';
import { isSecretName } from './secrets.ts';
import type { Operation } from './types.ts';

/** An effect other than reading or writing. Guards depend on it. */
export type Does = (typeof doesWords)[number];

/** In display order. */
export const doesWords = [
  'reads-files',
  /** Files other than telctl's own. */
  'writes-files',
  /** Also stores new secrets, such as passwords, keys and tokens. */
  'shows-secrets',
  /** Passwords, keys, secrets, single sign-on, second factors. */
  'sign-in',
  /** Roles, restrictions, service plans, accounts, receivers of events. */
  'privileges',
  'costs',
  'deletes',
  'starts-programs',
  'listens',
] as const;

/** Returns the effects that the operation, the resource and the sent fields declare. */
export function requestEffects(operation: Operation, data: Json | undefined): ReadonlySet<Does> {
  const { does = [], effect, method, resource } = operation;
  const own = new Set(does);
  if (effect === 'read') return own;
  const { writes = [], schema } = resourceByName(resource);
  for (const word of writes) own.add(word);
  if (method === 'DELETE') own.add('deletes');
  if (effect === 'charges') own.add('costs');
  if (takesRecord(operation) && data !== undefined)
    for (const word of effectsOfFields(schema, schema, data)) own.add(word);
  return own;
}

/** Returns the effects of an operation with any data. */
export function possibleEffects(operation: Operation): ReadonlySet<Does> {
  const own = new Set(requestEffects(operation, undefined));
  if (operation.effect === 'read' || !takesRecord(operation)) return own;
  const nodes: SchemaNode[] = [resourceByName(operation.resource).schema];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    for (const word of effectsOfField(node)) own.add(word);
    nodes.push(...subschemas(node));
  }
  return own;
}

const takesRecord = ({ body }: Operation): boolean => body?.kind === 'record' || body?.kind === 'partial';

const effectsOfField = ({ 'x-does': own, 'x-secret': secret, readOnly }: SchemaNode): readonly Does[] => [
  ...(own === undefined ? [] : [own]),
  ...(secret && !readOnly ? (['sign-in'] as const) : []),
];

/** Guesses the effect of an unknown field from its name. */
function* effectsOfFields(root: Schema, node: SchemaNode, value: Json): Generator<Does> {
  if (!isObject(value) && !Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const field = findChildNode(root, node, key) ?? {};
    yield* effectsOfField(field);
    if (Object.keys(field).length === 0 && isSecretName(key)) yield 'sign-in';
    yield* effectsOfFields(root, field, inner);
  }
}
