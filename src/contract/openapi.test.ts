import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject, valueAt } from '../base/json.ts';
import { operations } from './catalogue.ts';
import { openApiDocument } from './openapi.ts';

const documents = [
  ['with conventions', openApiDocument('conventions'), operations],
  [
    'of the specification alone',
    openApiDocument('specification'),
    operations.filter(({ source }) => source === 'specification'),
  ],
] as const;

/** Every object of a document. */
function* objectsIn(value: Json | undefined): Generator<JsonObject> {
  if (Array.isArray(value)) for (const item of value) yield* objectsIn(item);
  if (!isObject(value)) return;
  yield value;
  for (const inner of Object.values(value)) yield* objectsIn(inner);
}

/** Operations whose success has no body at all. */
const bare = new Set<unknown>(
  operations.flatMap(({ id, reply }) => (reply.kind === 'empty' && reply.bare ? [id] : [])),
);

const calls = (document: JsonObject) =>
  [...objectsIn(document.paths)].filter((each) => 'operationId' in each);

describe.each(documents)('the document %s', (_, document, listed) => {
  test('has every operation once, at its path and method', () => {
    const named = calls(document).flatMap((call) => call['x-operations']);
    expect(named.toSorted()).toEqual(listed.map(({ id }) => id).toSorted());
    for (const { method, path, id } of listed) {
      const call = isObject(document.paths) ? document.paths[path] : undefined;
      expect(valueAt(call, `${method.toLowerCase()}.x-operations`)).toContain(id);
    }
  });

  test('contains no dangling references', () => {
    for (const { $ref } of objectsIn(document)) {
      if (typeof $ref !== 'string') continue;
      expect($ref).toMatch(/^#\/components\//);
      expect(valueAt(document, $ref.slice(2).replaceAll('/', '.')), $ref).toBeDefined();
    }
  });

  test('lists required fields only next to their properties, for client generators', () => {
    for (const schema of objectsIn(document)) {
      if (!Array.isArray(schema.required)) continue;
      expect(Object.keys(Object(schema.properties)), JSON.stringify(schema.required)).toEqual(
        expect.arrayContaining(schema.required),
      );
    }
  });

  test('has data in every success response with a body', () => {
    for (const { operationId, responses } of calls(document)) {
      if (bare.has(operationId)) continue;
      const [status = ''] = Object.keys(Object(responses));
      const schema = valueAt(responses, `${status}.content.application/json.schema`);
      // The reply is the file alone.
      if (operations.find(({ id }) => id === operationId)?.reply.kind === 'file') continue;
      const bodies = [...objectsIn(schema)].filter(({ allOf }) => Array.isArray(allOf));
      expect(bodies.length, String(operationId)).toBeGreaterThan(0);
      for (const { allOf } of bodies)
        expect(Object.keys(Object(valueAt(allOf, '1.properties'))), String(operationId)).toContain('data');
    }
  });

  test('distinguishes the two error bodies', () => {
    const body = (path: string, status: string) =>
      valueAt(document, `paths.${path}.responses.${status}`.replaceAll('~', '.')) ?? null;
    expect(body('/v2', '401')).toBeNull();
    expect(body('/accounts/{account_id}/users/{user_id}.patch', '401')).toEqual({
      $ref: '#/components/responses/ReferenceNotSignedIn',
    });
    expect(body('/accounts/{account_id}/limits.post', '401')).toEqual({
      $ref: '#/components/responses/LegacyNotSignedIn',
    });
    expect(body('/accounts/{account_id}/limits.post', '402')).not.toBeNull();
  });

  test('requires a token for every operation except sign-in', () => {
    const open = calls(document).filter(({ security }) => Array.isArray(security) && security.length === 0);
    expect(open.map(({ operationId }) => operationId)).toEqual(['tokens.user-auth', 'tokens.api-auth']);
  });

  test('uses only example domains and 555 numbers in examples', () => {
    const text = JSON.stringify(
      [...objectsIn(document)].flatMap((each) => each.example ?? each.examples ?? []),
    );
    for (const [host] of text.matchAll(/(?<=:\/\/|@)[\w.-]+/g)) expect(host).toMatch(/\.example$/);
    for (const [number] of text.matchAll(/\+\d{7,}/g)) expect(number).toMatch(/^\+1\d{3}5550\d{3}$/);
  });
});
