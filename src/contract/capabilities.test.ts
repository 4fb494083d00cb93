import { expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { type Does, possibleEffects, requestEffects } from './capabilities.ts';
import { operations, resources } from './catalogue.ts';
import { resolveReference, type SchemaNode } from './schema-node.ts';

/** Each field below a node that may be written, with a value that carries it alone. */
function* fieldsOf(root: SchemaNode, node: SchemaNode, depth = 0): Generator<readonly [SchemaNode, Json]> {
  const { properties = {}, items } = resolveReference(root, node);
  if (depth > 5) return;
  for (const [key, child] of Object.entries(properties)) {
    const field = resolveReference(root, child);
    if (field.readOnly) continue;
    yield [field, { [key]: 'x' }];
    for (const [inner, value] of fieldsOf(root, field, depth + 1)) yield [inner, { [key]: value }];
  }
  if (items) for (const [inner, value] of fieldsOf(root, items, depth + 1)) yield [inner, [value]];
}

test.each(
  operations
    .filter(({ body, effect }) => body?.kind === 'record' && effect !== 'read')
    .map((each) => [each.id, each] as const),
)('%s has the sign-in effect for a secret at any depth', (_, operation) => {
  const schema = resources.find(({ name }) => name === operation.resource)?.schema ?? {};
  for (const [field, value] of fieldsOf(schema, schema)) {
    const does = requestEffects(operation, value);
    if (field['x-secret']) expect([value, [...does]]).toEqual([value, expect.arrayContaining(['sign-in'])]);
    for (const word of does) expect(possibleEffects(operation), JSON.stringify(value)).toContain(word);
  }
});

test.each<readonly [string, JsonObject, readonly Does[]]>([
  ['users.create', { username: 'bob', priv_level: 'admin' }, ['privileges']],
  ['users.create', { username: 'bob', password: 'x' }, ['sign-in']],
  ['users.patch', { first_name: 'Bob' }, []],
  ['users.patch', { pvt_secret: 'x' }, ['sign-in']],
  ['users.delete', {}, ['deletes']],
  ['devices.create', { sip: { password: 'x' } }, ['sign-in']],
  ['webhooks.create', { uri: 'https://elsewhere.example' }, ['privileges']],
  ['services.assign', { id: 'gold' }, ['privileges', 'costs']],
  ['accounts.delete', {}, ['privileges', 'deletes']],
  ['accounts.rotate-api-key', {}, ['shows-secrets', 'sign-in']],
  ['users.list', {}, []],
])('%s with %j has the effects %j', (id, data, words) => {
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined || !isObject(data)) throw new Error(id);
  expect([...requestEffects(operation, data)].sort()).toEqual([...words].sort());
});

test('the effects of a request without a record do not depend on its body', () => {
  for (const operation of operations.filter(
    ({ body }) => body?.kind !== 'record' && body?.kind !== 'partial',
  )) {
    const own = [...requestEffects(operation, undefined)];
    const said = [...requestEffects(operation, { password: 'x', pvt_secret: 'x', priv_level: 'admin' })];
    expect([operation.id, said, [...possibleEffects(operation)]]).toEqual([operation.id, own, own]);
  }
});
