/** The same calls with the clients of three generators. They run in `telctl sandbox exec`. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { client } from '../generated/clients/hey/client.gen.ts';
import * as hey from '../generated/clients/hey/index.ts';
import * as oazapfts from '../generated/clients/oazapfts.ts';
import * as orval from '../generated/clients/orval/service.ts';
import { service } from './orval-fetch.ts';

const { TELCTL_BASE_URL: origin = '', TELCTL_API_KEY: api_key = '' } = process.env;
let account_id = '';
let token = '';

before(async () => {
  client.setConfig({ baseUrl: `${origin}/v2` });
  oazapfts.defaults.baseUrl = `${origin}/v2`;
  service.origin = origin;
  const { data } = await hey.tokensApiAuth({ body: { data: { api_key } }, throwOnError: true });
  account_id = data.data.account_id ?? '';
  token = data.auth_token ?? '';
  client.setConfig({ headers: { 'x-auth-token': token } });
  oazapfts.defaults.headers = { 'X-Auth-Token': token };
  service.token = token;
});

interface User {
  readonly id?: string;
  readonly first_name?: string | null;
  readonly language?: string | null;
}

/** The calls of a client. Each returns `data` and throws if it is refused. */
interface Client {
  create(): Promise<User>;
  list(): Promise<readonly User[]>;
  patch(id: string): Promise<User>;
  remove(id: string): Promise<unknown>;
}

const alice = { first_name: 'Alice', last_name: 'Archer' };
const change = { language: 'de-DE' };

function ofStatus<T extends { readonly status: number; readonly data: object }, S extends T['status']>(
  reply: T,
  status: S,
): Extract<T, { status: S }>['data'] {
  assert.equal(reply.status, status);
  return reply.data;
}

const clients: Readonly<Record<string, Client>> = {
  'hey-api': {
    create: async () =>
      (await hey.usersCreate({ path: { account_id }, body: { data: alice }, throwOnError: true })).data.data,
    list: async () => (await hey.usersList({ path: { account_id }, throwOnError: true })).data.data,
    patch: async (user_id) =>
      (await hey.usersPatch({ path: { account_id, user_id }, body: { data: change }, throwOnError: true }))
        .data.data,
    remove: async (user_id) => hey.usersDelete({ path: { account_id, user_id }, throwOnError: true }),
  },
  oazapfts: {
    create: async () => ofStatus(await oazapfts.usersCreate(account_id, { data: alice }), 201).data,
    list: async () => ofStatus(await oazapfts.usersList(account_id), 200).data,
    patch: async (id) => ofStatus(await oazapfts.usersPatch(account_id, id, { data: change }), 200).data,
    remove: async (id) => ofStatus(await oazapfts.usersDelete(account_id, id), 200),
  },
  orval: {
    create: async () => ofStatus(await orval.usersCreate(account_id, { data: alice }), 201).data,
    list: async () => ofStatus(await orval.usersList(account_id), 200).data,
    patch: async (id) => ofStatus(await orval.usersPatch(account_id, id, { data: change }), 200).data,
    remove: async (id) => ofStatus(await orval.usersDelete(account_id, id), 200),
  },
};

for (const [name, { create, list, patch, remove }] of Object.entries(clients)) {
  describe(name, () => {
    test('users are created, listed, changed and deleted', async () => {
      const { id = '' } = await create();
      assert.ok((await list()).some((user) => user.id === id));
      const { first_name, language } = await patch(id);
      assert.deepEqual([first_name, language], ['Alice', 'de-DE']);
      await remove(id);
      assert.ok(!(await list()).some((user) => user.id === id));
    });
  });
}
