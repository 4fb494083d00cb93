import { describe, expect, it } from 'vitest';
import { isObject } from '../base/json.ts';
import { operationById, operationOf, operations, resourceByWord, resources } from './catalogue.ts';
import { findFieldNode } from './schema.ts';
import { createNormaliser, createValidator } from './validate.ts';

const otherParameters = [
  ...['plan_id', 'sample_name', 'interaction_id', 'language', 'prompt_id'],
  ...['number', 'source_service', 'month', 'category', 'audit_id', 'domain'],
  ...['attachment_id', 'schema_name', 'config_name'],
];
const known = new Set([
  ...resources.flatMap(({ idParameter }) => (idParameter ? [idParameter] : [])),
  ...otherParameters,
]);

const duplicates = (words: readonly string[]) => words.filter((word, index) => words.indexOf(word) !== index);

/** The words for numbers that are moments, and are not shown as such. */
function rawMoments(node: unknown): readonly string[] {
  if (!isObject(node)) return Array.isArray(node) ? node.flatMap(rawMoments) : [];
  const { description, type, 'x-shown-as': form } = node;
  const isRaw = type === 'integer' && form === undefined && /gregorian seconds/i.test(String(description));
  return [...(isRaw ? [String(description)] : []), ...Object.values(node).flatMap(rawMoments)];
}

describe('the catalogue', () => {
  it('describes no field as raw Gregorian seconds', () => {
    const shown = [
      ...resources.map(({ schema }) => schema),
      ...operations.flatMap(({ reply, body }) => [reply, body]),
    ];
    expect([...new Set(rawMoments(shown))]).toEqual([]);
  });

  it('gives every operation a unique id', () => {
    expect(duplicates(operations.map(({ id }) => id))).toEqual([]);
  });

  it('uses no name for two resources', () => {
    expect(duplicates(resources.flatMap(({ name, singular }) => [name, singular]))).toEqual([]);
  });

  it.each(operations)('knows the path parameters of $id', ({ path }) => {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(parameters.filter((name) => name === undefined || !known.has(name))).toEqual([]);
  });

  it.each(operations)('never retries $id unless repeating it is safe', ({ id, method, effect, repeat }) => {
    if (repeat === 'safe') expect(effect).toBe('read');
    if (effect === 'charges') expect(repeat).toBe('never');
    // A GET that dials is a write, and is never repeated.
    if (method === 'GET')
      expect([effect, repeat]).toEqual(
        id.includes('start-quickcall') ? ['write', 'never'] : ['read', 'safe'],
      );
  });

  it('finds resources by plural and singular', () => {
    expect(resourceByWord('users')?.name).toBe('users');
    expect(resourceByWord('vmbox')?.name).toBe('vmboxes');
    expect(resourceByWord('constructor')).toBeUndefined();
  });

  it('finds operations by id and by verb', () => {
    expect(operationById('users.vcard').path).toBe('/accounts/{account_id}/users/{user_id}/vcard');
    expect(operationOf('limits', 'set')?.effect).toBe('charges');
    expect(operationOf('limits', 'create')).toBeUndefined();
    expect(() => operationById('users.fly')).toThrow('users.fly');
  });
});

describe.each(resources)('$name', (resource) => {
  const paths = [
    ...resource.naturalKeys,
    ...resource.columns.flatMap((column) => column.paths),
    ...resource.listFields,
    ...resource.unique.map(({ field }) => field),
    ...resource.required.flatMap(({ fields }) => fields),
  ];

  it('names only fields in its schema', () => {
    expect(
      paths.filter((path) => path !== 'id' && findFieldNode(resource.schema, path) === undefined),
    ).toEqual([]);
  });

  it('contains only its own operations', () => {
    expect(resource.operations.filter((operation) => operation.resource !== resource.name)).toEqual([]);
  });

  it('has an id parameter if and only if it is a collection', () => {
    expect(resource.idParameter !== undefined).toBe(resource.kind === 'collection');
  });

  it.each(['specification', 'conventions'] as const)('compiles with the rules of the %s', (mode) => {
    expect(createValidator(resource.schema, mode)({})).toEqual([]);
    expect(createValidator(resource.schema, mode, { partial: true })({})).toEqual([]);
    expect(createNormaliser(resource.schema, mode)({}).problems).toEqual([]);
    expect(createValidator(resource.schema, mode)([])).toMatchObject([{ path: '', rule: 'type' }]);
  });
});

describe.each(operations)('$id', ({ body, reply }) => {
  const schemas = [
    ...(body?.kind === 'value' ? [body.schema] : []),
    ...(reply.kind === 'value' ? [reply.schema] : []),
    ...(reply.kind === 'list' && reply.items ? [reply.items] : []),
  ];

  it('has schemas that compile', () => {
    for (const schema of schemas) expect(createValidator(schema, 'conventions')(null)).not.toEqual([]);
  });
});
