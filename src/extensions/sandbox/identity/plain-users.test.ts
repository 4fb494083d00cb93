import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { resources } from '../../../contract/catalogue.ts';
import { samples } from '../../../contract/samples.ts';
import {
  findChildNode,
  resolveReference,
  type Schema,
  type SchemaNode,
} from '../../../contract/schema-node.ts';
import { withoutSecrets } from '../../../contract/secrets.ts';
import type { SandboxMode } from '../differences.ts';

/** The dotted paths of secret fields that a schema names outside lists. */
function secretPaths(schema: Schema, node: SchemaNode = schema, depth = 0): readonly (readonly string[])[] {
  return Object.entries(resolveReference(schema, node).properties ?? {}).flatMap(([key, child]) => {
    const { 'x-secret': isSecret, readOnly } = resolveReference(schema, child);
    if (readOnly) return [];
    if (isSecret) return [[key]];
    return depth > 3 ? [] : secretPaths(schema, child, depth + 1).map((path) => [key, ...path]);
  });
}

/** A record with a value put at a path. */
function filled(record: JsonObject, [key = '', ...rest]: readonly string[], value: Json): JsonObject {
  const inner = record[key];
  return { ...record, [key]: rest.length === 0 ? value : filled(isObject(inner) ? inner : {}, rest, value) };
}

/** A value that a secret field takes. */
function secretAt(schema: Schema, path: readonly string[]): Json {
  const node = path.reduce<SchemaNode | undefined>(
    (parent, key) => parent && findChildNode(schema, resolveReference(schema, parent), key),
    schema,
  );
  const { type } = resolveReference(schema, node ?? {});
  return type === 'object' ? { secret: 'canary' } : type === 'array' ? ['424242'] : '424242';
}

/** A sandbox with a plain user beside the administrator of the seed. */
async function opened(like?: SandboxMode) {
  const sandbox = await calledSandbox({ like });
  const token = await sandbox.adminToken();
  const account = `/v2/accounts/${sandbox.seed.accountId}`;
  const data = { username: 'plain', password: 'first-sign-in', first_name: 'A', last_name: 'B' };
  const made = await sandbox.call('PUT', `${account}/users`, { token, data });
  return {
    ...sandbox,
    account,
    token,
    own: made.at('data.id'),
    plain: await sandbox.tokenOf('plain', data.password),
  };
}

test("a plain user cannot read secrets of other users' records in any response", async () => {
  const { call, token, plain, seed } = await opened();
  let tried = 0;
  for (const { name, schema, operations, idParameter = '' } of resources) {
    const [create, get, list] = ['create', 'get', 'list'].map((verb) =>
      operations.find((each) => each.verb === verb),
    );
    const sample = samples[name]?.record;
    if (!create || !get || !sample) continue;
    for (const path of secretPaths(schema)) {
      const data = filled(sample, path, secretAt(schema, path));
      const place = (text: string, id = ''): string =>
        `/v2${text.replace('{account_id}', seed.accountId).replace(`{${idParameter}}`, id)}`;
      const made = await call(create.method, place(create.path), { token, data });
      const { id } = Object(made.data);
      if (typeof id !== 'string') continue;
      const whole = (await call('GET', place(get.path, id), { token })).data ?? null;
      if (JSON.stringify(withoutSecrets(schema, whole)) === JSON.stringify(whole)) continue;
      tried += 1;
      for (const text of [get.path, ...(list ? [list.path] : [])]) {
        const reply = await call('GET', place(text, id), { token: plain });
        const said = JSON.stringify(reply.data ?? null);
        expect([name, path, said.includes('424242') || said.includes('canary')]).toEqual([name, path, false]);
      }
      await call('DELETE', place(get.path, id), { token });
    }
  }
  expect(tried).toBeGreaterThan(8);
});

test('only administrators can read the secret of an SSO application, and like kazoo everyone', async () => {
  for (const like of [undefined, 'kazoo'] as const) {
    const { call, callUsually, token, plain } = await opened(like);
    const [provider] = [(await call('GET', '/v2/auth/providers', { token })).data].flat();
    const data = { client_id: 'portal', provider: Object(provider).id, secret: 'top-secret', name: 'Portal' };
    const made = await callUsually('PUT', '/v2/auth/apps', { token, data });
    expect(made.status).toBe(201);
    const read = async (as: string) =>
      Object((await call('GET', '/v2/auth/apps/portal', { token: as })).data).secret;
    expect([like, await read(token), await read(plain)]).toEqual([
      like,
      'top-secret',
      like === 'kazoo' ? 'top-secret' : undefined,
    ]);
  }
});

test('a plain user can read the secrets of their own phone', async () => {
  const { call, account, token, plain, own } = await opened();
  const data = { name: 'Desk', owner_id: own, sip: { username: 'desk', password: 'Sip-Secret-1' } };
  const id = (await call('PUT', `${account}/devices`, { token, data })).at('data.id');
  const { data: seen } = await call('GET', `${account}/devices/${id}`, { token: plain });
  expect(seen).toMatchObject({ sip: { password: 'Sip-Secret-1' } });
});

test.each([
  ['the text "true"', { accept_charges: 'true' }, {}, 402],
  ['the boolean', { accept_charges: true }, {}, 200],
  ['the text beside data', {}, { accept_charges: 'true' }, 402],
])('only the boolean accepts charges: %s', async (_, inData, beside, status) => {
  const { call, account, token } = await opened();
  const body = { ...beside, data: { twoway_trunks: 10, ...inData } };
  expect((await call('POST', `${account}/limits`, { token, body })).status).toBe(status);
});

test('a plain user of the topmost account can change and delete descendants', async () => {
  const { call, seed, superToken, tokenOf } = await calledSandbox();
  const [token, master] = [await superToken(), `/v2/accounts/${seed.masterAccountId}`];
  const data = { username: 'plain', password: 'first-sign-in', first_name: 'A', last_name: 'B' };
  expect((await call('PUT', `${master}/users`, { token, data })).status).toBe(201);
  const made = await call('PUT', master, { token, data: { name: 'below', realm: 'below.example' } });
  const [below, plain] = [
    `/v2/accounts/${made.at('data.id')}`,
    await tokenOf('plain', data.password, 'platform'),
  ];
  const patched = await call('PATCH', below, { token: plain, data: { name: 'renamed' } });
  expect([patched.status, patched.at('data.name')]).toEqual([200, 'renamed']);
  expect((await call('DELETE', below, { token: plain })).status).toBe(200);
  expect((await call('GET', below, { token })).status).toBe(404);
});
