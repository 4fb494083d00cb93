import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { operations } from '../../../src/contract/catalogue.ts';
import type { Operation } from '../../../src/contract/types.ts';
import { isSignIn, openWorld, type Run, type World } from '../../support/world.ts';

// A table over the contract: an operation that asks for a name does so by its address, too, once it is declared.

const writes = ({ requests }: Run) =>
  requests.filter((request) => request.method !== 'GET' && !isSignIn(request));

const asking = operations.filter(({ asks }) => asks !== undefined);
const byNameAlone = asking.filter(({ asks }) => asks?.yesAnswers !== true);

const envelopeOf = ({ body }: Operation): JsonObject =>
  body?.kind === 'action' ? { action: body.action, data: {} } : { data: {} };

/** The path of an operation for what is there: a user, the account, and any text for the rest. */
const pathFor = ({ path }: Operation, { seed }: World): string =>
  path
    .replace('{account_id}', seed.accountId)
    .replace('{user_id}', seed.adminUserId)
    .replaceAll(/\{\w+\}/g, 'any');

const encoded = (path: string): string =>
  path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`);

/** The spellings of one request that services read alike. */
const spellings: readonly (readonly [
  name: string,
  (method: string, path: string, body: JsonObject) => readonly [string, string, JsonObject],
])[] = [
  ['as written', (method, path, body) => [method, `/v2${path}`, body]],
  ['without a version', (method, path, body) => [method, path, body]],
  ['with escapes and empty parts', (method, path, body) => [method, `/v2/${encoded(path)}/`, body]],
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
    const [method, path, body] = spell(operation.method, pathFor(operation, world), envelopeOf(operation));
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
