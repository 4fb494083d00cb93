import { isObject, type Json } from '../base/json.ts';
import { resourceByName } from './catalogue.ts';
import { childOf, type Schema, type SchemaNode, subschemas } from './schema-node.ts';
import { isSecretName } from './secrets.ts';
import type { Operation } from './types.ts';

/** An effect of a command or an operation, in addition to reading or writing. Guards depend on it. */
export type Does = (typeof doesWords)[number];

/** All effects, in display order. */
export const doesWords = [
  /** Reads files that the user names. */
  'reads-files',
  /** Writes files other than telctl's own. */
  'writes-files',
  /** Shows a secret, or stores a new one: a password, a key, a token. */
  'shows-secrets',
  /** Changes how users sign in: passwords, keys, secrets, single sign-on, second factors. */
  'sign-in',
  /** Changes permissions: roles, restrictions, service plans, accounts, receivers of events. */
  'privileges',
  /** May add charges. */
  'costs',
  /** Removes records. */
  'deletes',
  /** Starts a program of the user. */
  'starts-programs',
  /** Accepts incoming connections. */
  'listens',
] as const;

/** Returns the effects of one request, as declared by its operation, its resource and the fields in its `data`. */
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

/** Returns the possible effects of an operation, with any data. */
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

/** Returns the effects of a value's fields. The effect of an unknown field is guessed from its name. */
function* effectsOfFields(root: Schema, node: SchemaNode, value: Json): Generator<Does> {
  if (!isObject(value) && !Array.isArray(value)) return;
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const field = childOf(root, node, key) ?? {};
    yield* effectsOfField(field);
    if (Object.keys(field).length === 0 && isSecretName(key)) yield 'sign-in';
    yield* effectsOfFields(root, field, inner);
  }
}
