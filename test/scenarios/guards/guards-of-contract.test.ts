import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { operations } from '../../../src/contract/catalogue.ts';
import type { Operation } from '../../../src/contract/types.ts';
import { isSignIn, openWorld, type Run, type World } from '../../support/world.ts';

// Derived from the contract: every operation declared to require a name also requires it when it is called by path.

const writes = ({ requests }: Run) =>
  requests.filter((request) => request.method !== 'GET' && !isSignIn(request));

const asking = operations.filter(({ asks }) => asks !== undefined);
const byNameAlone = asking.filter(({ asks }) => asks?.yesAnswers !== true);

const requestBody = ({ body }: Operation): JsonObject =>
  body?.kind === 'action' ? { action: body.action, data: {} } : { data: {} };

/**
 * Returns the path of an operation with existing ids for the user and the account, and any text for other parameters.
 */
const existingPath = ({ path }: Operation, { seed }: World): string =>
  path
    .replace('{account_id}', seed.accountId)
    .replace('{user_id}', seed.adminUserId)
    .replaceAll(/\{\w+\}/g, 'any');

const percentEncode = (path: string): string =>
  path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** Spellings of a request that services treat alike. */
const spellings: readonly (readonly [
  name: string,
  (method: string, path: string, body: JsonObject) => readonly [string, string, JsonObject],
])[] = [
  ['as written', (method, path, body) => [method, `/v2${path}`, body]],
  ['without a version', (method, path, body) => [method, path, body]],
  ['with escapes and empty parts', (method, path, body) => [method, `/v2/${percentEncode(path)}/`, body]],
  [
    'with keys in another case',
    (method, path, body) => [
      method,
      `/v2${path}`,
      Object.fromEntries(Object.entries(body).map(([key, value]) => [key.toUpperCase(), value])),
    ],
  ],
  ['through another verb', (method, path, body) => ['POST', `/v2${path}`, { ...body, verb: method }]],
];

test('some operations need a name', () => {
  expect(byNameAlone.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['accounts.delete', 'tokens.reset-system-secret', 'keys.reset']),
  );
});

describe.each(asking.map((operation) => [operation.id, operation] as const))('%s', (_, operation) => {
  test.each(spellings)('is not sent without its name: %s', async (_name, spell) => {
    const world = await openWorld();
    const [method, path, body] = spell(
      operation.method,
      existingPath(operation, world),
      requestBody(operation),
    );
    const stdin = JSON.stringify(body);
    const line = `api ${method} ${path} -f -`;
    const nameless = await world.telctl(byNameAlone.includes(operation) ? `${line} --yes --force` : line, {
      stdin,
    });
    expect([nameless.code, writes(nameless)], nameless.stderr).toEqual([2, []]);
    const wrong = await world.telctl(`${line} --yes --force --confirm other`, { stdin });
    expect([wrong.code, writes(wrong)], wrong.stderr).toEqual([9, []]);
  });
});
