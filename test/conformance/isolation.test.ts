import { beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../src/contract/catalogue.ts';
import type { Operation } from '../../src/contract/types.ts';
import type { SandboxReply } from '../support/called-sandbox.ts';
import { isServedHere, mode } from '../support/mode.ts';
import { canary, type TwoAccounts, twoAccounts } from '../support/two-accounts.ts';

let world: TwoAccounts;
/** Those of the account `acme`, who have no business in the account beside it. */
let strangers: readonly { readonly who: string; readonly token: string }[];
let before: readonly string[];

beforeAll(async () => {
  world = await twoAccounts();
  const { sandbox } = world;
  const token = await sandbox.adminToken();
  const ann = { username: 'ann', password: 'first-sign-in', first_name: 'Ann', last_name: 'Archer' };
  await sandbox.callUsually('PUT', `/v2/accounts/${sandbox.seed.accountId}/users`, { token, data: ann });
  strangers = [
    { who: 'an administrator', token },
    { who: 'an API key', token: await sandbox.keyToken() },
    { who: 'a user', token: await sandbox.tokenOf('ann', ann.password) },
  ];
  before = await world.snapshot();
});

const parametersOf = ({ path }: Operation) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
const offered = operations.filter(isServedHere);
const ofAccounts = offered.filter((operation) => parametersOf(operation).includes('account_id'));
const ofRecords = offered.filter((operation) =>
  parametersOf(operation).some((name) => name !== 'account_id'),
);

/** What is in the path is of no account (providers, keys, plans, languages): it names the same thing for everybody. */
const common = new Set([
  // Extensions, numbers that are called and categories are words, of which every account has its own.
  ...['presence.get', 'presence.reset', 'rates.of-number', 'rates.of-number-everywhere'],
  'services.audit-category',
  'providers.get',
  'keys.get',
  'numbers.classify',
  // Whose a number is may be known to everybody, as to the field's.
  'numbers.identify',
  'numbers.fix-one',
  'about.schema',
  'about.config',
  'services.assign',
  'services.unassign',
  // Lists by a word: one that no record of the account has leads to an empty list.
  'media.language',
  'media.prompt',
  // Services in the field answer for any id, with nothing in it, and take entries of any list (as recorded).
  ...(mode === 'kazoo'
    ? [
        ...['conferences.get', 'participants.get', 'participants.list', 'webhooks.attempts', 'webhooks.get'],
        ...['list_entries.create', 'lists.delete'],
      ]
    : []),
]);
/** A webhook of another account is readable in the field: the one hole of this kind that was recorded. */
const isHole = ({ id }: Operation): boolean => mode === 'kazoo' && id === 'webhooks.get';
/** Nobody looks at whose carrier is read from this machine: the other recorded hole. */
const isUnlooked = ({ id }: Operation): boolean => mode === 'kazoo' && id === 'carriers.get';
/** In the field data may be refused before its record is looked for (400), and numbers of others are faults (500). */
const refusals = mode === 'kazoo' ? [400, 403, 404, 409, 500] : [403, 404, 409];

const leaked = ({ text }: SandboxReply) => text.toLowerCase().includes(canary);

test('the other account has records of every kind', () => {
  for (const name of [
    'user_id',
    'group_id',
    'callflow_id',
    'menu_id',
    'directory_id',
    'conference_id',
    'vm_box_id',
  ]) {
    expect([...world.neighbour.ids.keys()]).toContain(name);
  }
  expect([...world.neighbour.ids.keys()]).toEqual(expect.arrayContaining(['webhook_id', 'app_id']));
  expect(before.join('\n')).toContain(canary);
});

describe("with the other account's id in the path", () => {
  test.each(ofAccounts.map((operation) => [operation.id, operation] as const))(
    '%s is refused',
    async (_, operation) => {
      for (const { who, token } of strangers) {
        const reply = await world.call(operation, token, world.neighbour.ids);
        expect(reply.status, `${who}: ${reply.text}`).toBe(isUnlooked(operation) ? 200 : 403);
        expect(leaked(reply), `${who}: ${reply.text}`).toBe(isUnlooked(operation));
      }
    },
  );

  test.each(ofAccounts.map((operation) => [operation.id, operation] as const))(
    '%s on the parent account is refused for a sub-account',
    async (_, operation) => {
      const ids = new Map([['account_id', world.sandbox.seed.masterAccountId]]);
      for (const { who, token } of strangers) {
        const reply = await world.call(operation, token, ids);
        expect(reply.status, `${who}: ${reply.text}`).toBe(isUnlooked(operation) ? 404 : 403);
      }
    },
  );
});

describe('with an id of another account in the path of the own account', () => {
  test.each(ofRecords.map((operation) => [operation.id, operation] as const))(
    '%s returns not found',
    async (_, operation) => {
      const ids = new Map([...world.neighbour.ids, ['account_id', world.sandbox.seed.accountId]]);
      for (const { who, token } of strangers) {
        const reply = await world.call(operation, token, ids);
        expect(leaked(reply), `${who}: ${reply.text}`).toBe(isHole(operation));
        if (common.has(operation.id)) continue;
        const about = `${who}: ${reply.text}\nIf the id belongs to no account, add "${operation.id}" to \`common\` in test/conformance/isolation.test.ts.`;
        expect(refusals, about).toContain(reply.status);
      }
    },
  );
});

describe('lists', () => {
  const lists = offered.filter(
    (operation) =>
      operation.method === 'GET' && parametersOf(operation).every((name) => name === 'account_id'),
  );

  test.each(
    lists
      .filter(({ query = [] }) => !query.some(({ required }) => required))
      .map((each) => [each.id, each] as const),
  )('%s returns no records of another account for any query', async (_, operation) => {
    const { neighbour, call, sandbox } = world;
    const theirs = await call(operation, neighbour.token, neighbour.ids, '?page_size=1');
    const user = neighbour.ids.get('user_id');
    const queries = [
      '',
      '?paginate=false',
      `?filter_name=${canary}-name`,
      `?filter_owner_id=${user}`,
      `?filter_account_id=${neighbour.accountId}`,
      `?account_id=${neighbour.accountId}`,
      '?has_key=name&page_size=1000',
      `?start_key=${encodeURIComponent(String(theirs.body.next_start_key ?? theirs.body.start_key ?? 'a'))}`,
    ];
    const own = new Map([['account_id', sandbox.seed.accountId]]);
    for (const query of queries) {
      for (const { who, token } of strangers) {
        const reply = await call(operation, token, own, query);
        expect(leaked(reply), `${who} ${query}: ${reply.text}`).toBe(false);
      }
    }
  });
});

test('does not leak a record of another account through a reference', async () => {
  const { sandbox, neighbour } = world;
  const [admin] = strangers;
  const token = admin?.token ?? '';
  const path = `/v2/accounts/${sandbox.seed.accountId}/callflows`;
  const [user, menu] = [neighbour.ids.get('user_id') ?? '', neighbour.ids.get('menu_id') ?? ''];
  const flow = {
    module: 'menu',
    data: { id: menu },
    children: { 1: { module: 'user', data: { id: user } } },
  };
  const made = await sandbox.call('PUT', path, { token, data: { numbers: ['7100'], owner_id: user, flow } });
  const replies = [made, await sandbox.call('GET', path, { token })];
  if (made.status === 201)
    replies.push(await sandbox.call('GET', `${path}/${made.at('data.id')}`, { token }));
  for (const reply of replies) expect(leaked(reply), reply.text).toBe(false);
});

test('HTTP Basic with the id of one account and the credentials of another is refused', async () => {
  const { sandbox, neighbour } = world;
  const { createHash } = await import('node:crypto');
  const digest = createHash('md5').update(`admin:${sandbox.seed.adminPassword}`).digest('hex');
  const authorization = `Basic ${Buffer.from(`${neighbour.accountId}:${digest}`).toString('base64')}`;
  const reply = await sandbox.call('GET', `/v2/accounts/${neighbour.accountId}/limits`, {
    headers: { authorization },
  });
  expect(reply.status).toBe(401);
  expect(leaked(reply)).toBe(false);
});

test('the other account is unchanged afterwards', async () => {
  expect(await world.snapshot()).toEqual(before);
});
