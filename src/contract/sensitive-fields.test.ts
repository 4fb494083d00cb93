import { expect, test } from 'vitest';
import { resources } from './catalogue.ts';
import { resolveReference, type SchemaNode } from './schema-node.ts';

/** Names of fields that say where data or calls go, or who may connect. */
const looksOutward =
  /(^|_)(e?mails?|email_addresses|url|uri|send_to|recipients|cidrs|bcc|cc|reply_to|voice_url|server)$/;

/** Fields of such a name that an assistant may set by itself, with the reason. */
const harmless: ReadonlyMap<string, string> = new Map([]);

/** The writable fields of a schema with their dotted paths, below maps and lists as well. */
function* fieldsIn(
  root: SchemaNode,
  reference: SchemaNode,
  path: string,
  seen: ReadonlySet<SchemaNode>,
): Generator<readonly [string, SchemaNode]> {
  const node = resolveReference(root, reference);
  if (seen.has(node) || node.readOnly) return;
  const below = new Set([...seen, node]);
  for (const [name, child] of Object.entries(node.properties ?? {})) {
    const at = path === '' ? name : `${path}.${name}`;
    if (resolveReference(root, child).readOnly) continue;
    yield [at, child];
    yield* fieldsIn(root, child, at, below);
  }
  const others = [
    node.items,
    node.additionalProperties,
    ...(node.anyOf ?? []),
    ...Object.values(node.patternProperties ?? {}),
  ];
  for (const other of others) if (typeof other === 'object') yield* fieldsIn(root, other, `${path}.*`, below);
}

/** True if a node, or a form or item of it, is marked. */
const isMarked = (root: SchemaNode, reference: SchemaNode): boolean => {
  const node = resolveReference(root, reference);
  if (node['x-outward'] || node['x-sign-in'] || node['x-does'] || node['x-secret']) return true;
  return [node.items, ...(node.anyOf ?? []), ...Object.values(node.properties ?? {})].some(
    (each) => typeof each === 'object' && isMarked(root, each),
  );
};

test('every writable field that directs data is marked or exempt for a stated reason', () => {
  const unmarked = resources
    .filter(
      ({ operations, writes = [] }) =>
        operations.some(({ effect }) => effect !== 'read') && writes.length === 0,
    )
    .flatMap(({ name, schema }) =>
      [...fieldsIn(schema, schema, '', new Set())].flatMap(([path, node]) => {
        const last = path.split('.').at(-1) ?? '';
        const isOpen =
          looksOutward.test(last) &&
          !isMarked(schema, node) &&
          resolveReference(schema, node).type !== 'boolean';
        return isOpen && !harmless.has(`${name}.${path}`) ? [`${name}.${path}`] : [];
      }),
    );
  expect(unmarked).toEqual([]);
});
