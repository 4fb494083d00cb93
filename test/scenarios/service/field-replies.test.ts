import { describe, expect, it, test } from 'vitest';
import type { FaultRule } from '../../support/faults.ts';
import { openWorld } from '../../support/world.ts';

const answerWith = (rule: Omit<FaultRule, 'fault'>, status: number, body: unknown): readonly FaultRule[] => [
  {
    ...rule,
    fault: { kind: 'answer', status, body: typeof body === 'string' ? body : JSON.stringify(body) },
  },
];

const errorBody = (status: number, message: string, data: unknown) => ({
  ...{ status: 'error', error: String(status), message, data, request_id: 'r1' },
});

describe('a record as KAZOO stores it', () => {
  it('has its id under another name and hides private fields', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const line =
      'faxes create --from-number +12125550101 --to-number +12125550102 --set document.url=https://docs.example.com/a.pdf';
    const named = await world.telctl(`${line} -o name`);
    expect(named.code, named.stderr).toBe(0);
    const read = await world.telctl(`faxes get ${named.stdout.trim()} -o json`);
    expect(JSON.parse(read.stdout)).toMatchObject({ to_number: '+12125550102' });
    const shown = await world.telctl(`${line} -o json`);
    expect(JSON.parse(shown.stdout)).toMatchObject({ id: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(shown.stdout).not.toMatch(/"_id"|"_rev"|pvt_/);
  });

  it('is listed without private fields', async () => {
    const world = await openWorld();
    const data = [{ _id: 'b'.repeat(32), pvt_type: 'menu', name: 'Main' }];
    const faults = answerWith({ path: /menus$/ }, 200, { status: 'success', data });
    const { stdout } = await world.telctl('menus list -o json', { faults });
    expect(JSON.parse(stdout)).toEqual([{ id: 'b'.repeat(32), name: 'Main' }]);
  });
});

describe('an error of KAZOO', () => {
  it('names fields with dots and hides secrets', async () => {
    const world = await openWorld();
    const details = { message: 'too long', target: 6, value: '123456789', cause: '123456789' };
    const body = errorBody(400, 'validation error', { 'hotdesk%2Epin': { maxLength: details } });
    const faults = answerWith({ method: 'PUT', path: /users$/ }, 400, body);
    const run = await world.telctl('users create -f - -o json', { stdin: '{"first_name": "A"}', faults });
    expect(run.code).toBe(10);
    expect(run.stderr).toContain('hotdesk.pin: too long');
    expect(run.stderr).not.toContain('123456789');
  });

  it.each([
    ['numbers create +12125550102', /The number may exist already/],
    ['numbers reserve +12125550199', /The number may be unknown here/],
  ])('that refuses %s with 500 is not retried', async (line, hint) => {
    const world = await openWorld({ like: 'kazoo' });
    await world.telctl('numbers create +12125550102');
    const run = await world.telctl(line);
    expect(run.code, run.stderr).toBe(1);
    expect(run.stderr).toMatch(
      /The service refused this for the number and gave no reason \(500\)\. It says: \w/,
    );
    expect(run.stderr).toMatch(hint);
    expect(run.requests.filter(({ method }) => method === 'PUT')).toHaveLength(1);
  });

  it('of a patch that misses stored fields is read as a missing field', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const { id } = await world.service('PUT', 'menus', { name: 'Main' });
    await world.service('DELETE', `menus/${id}`);
    const run = await world.telctl(`menus patch ${id} --set-json retries=4`);
    expect(run.code, run.stderr).toBe(5);
    expect(run.stderr).toContain('There is no menu');
  });
});

describe('a missing record', () => {
  it('is not a conference, although the service returns one for any id', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const none = await world.telctl(`conferences get ${'c'.repeat(32)}`);
    expect(none.code, none.stderr).toBe(5);
    expect(none.stderr).toContain('There is no conference');
    const { id } = await world.service('PUT', 'conferences', {});
    expect((await world.telctl(`conferences get ${id}`)).code).toBe(0);
  });

  it('is not a webhook of another account that the service returns', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const { sandbox, seed } = world;
    const theirs = await sandbox.call('PUT', `/v2/accounts/${seed.masterAccountId}/webhooks`, {
      token: await sandbox.superToken(),
      data: { name: 'W', uri: 'https://hooks.example.com/x', hook: 'channel_create' },
    });
    const path = `/v2/accounts/${seed.accountId}/webhooks/${theirs.at('data.id')}`;
    expect((await sandbox.call('GET', path, { token: await sandbox.adminToken() })).status).toBe(200);
    const run = await world.telctl(`webhooks get ${theirs.at('data.id')}`);
    expect(run.code, run.stderr).toBe(5);
    expect(run.stderr).toContain('There is no webhook');
    expect(run.stdout).not.toContain('hooks.example.com');
  });
});

test('an empty vCard is built from the record', async () => {
  const world = await openWorld({ like: 'kazoo' });
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const run = await world.telctl('users vcard alice');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout).toContain('FN:Alice Archer');
});

test('the API key is rotated by PUT if the service has no POST, and the output says so', async () => {
  const world = await openWorld({ like: 'kazoo', signIn: 'password' });
  const run = await world.telctl('accounts api-key rotate --yes --reveal');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout + run.stderr).toContain('by PUT, because the service does not support POST');
  const { api_key: key } = await world.service('GET', 'api_key');
  expect(key).not.toBe(world.seed.apiKey);
  expect(run.stdout).toContain(String(key));
});

test('a token with another response shape is decoded for its owner', async () => {
  const world = await openWorld();
  const token = await world.sandbox.adminToken();
  const faults = answerWith({ path: /tokeninfo$/ }, 200, { status: 'success', data: { valid: true } });
  const env = { TELCTL_BASE_URL: world.url, TELCTL_TOKEN: token };
  const run = await world.telctl('users list -o name', { faults, env });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).not.toContain('refused');
});

test('timeline reasons are sentences for every response shape', async () => {
  const world = await openWorld();
  const { id } = await world.service('PUT', 'port_requests', {
    name: 'Port',
    numbers: { '+12125550102': {} },
  });
  const data = [
    {
      timestamp: 63_900_000_000,
      type: 'transition',
      transition: { new: 'rejected', previous: 'pending', reason: { code: 1004, message: 'Wrong PIN' } },
    },
    {
      timestamp: 63_900_000_001,
      type: 'transition',
      transition: { new: 'pending', previous: 'rejected' },
      authorization: { reason: 'Sent again' },
    },
  ];
  const { stdout } = await world.telctl(`ports timeline ${id}`, {
    faults: answerWith({ path: /timeline$/ }, 200, { status: 'success', data }),
  });
  expect(stdout).toContain('1004 Wrong PIN');
  expect(stdout).toContain('Sent again');
  expect(stdout).not.toContain('{');
});

test('a comment on a port request is signed and dated for services that need it', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const { id } = await world.service('PUT', 'port_requests', {
    name: 'Port',
    numbers: { '+12125550102': {} },
  });
  const run = await world.telctl(['ports', 'comments', 'add', String(id), '--content', 'Hello']);
  expect(run.code, run.stderr).toBe(0);
  expect(run.requests.at(-1)?.body).toMatchObject({
    data: { comments: [{ content: 'Hello', author: expect.any(String), timestamp: expect.any(Number) }] },
  });
});

test('a service that does not deliver to private addresses gets a hint about a public one', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const run = await world.telctl('webhooks listen --hook channel_create');
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('invalid client URL');
  expect(run.stderr).toContain('--public-url');
});

test('a list that contains a count shows the count', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const endpoints = Object.fromEntries(['a', 'b', 'c'].map((id) => [id.repeat(32), { type: 'user' }]));
  await world.service('PUT', 'groups', { name: 'Sales', endpoints });
  expect((await world.telctl('groups list')).stdout).toMatch(/Sales\s+3/);
});

test('feature-code callflows are listed and exported with type, code and pattern', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const step = { module: 'park', data: { action: 'auto' }, children: {} };
  const featurecode = { name: 'park_and_retrieve', number: '3' };
  const patterns = ['^\\*3([0-9]*)$'];
  const park = await world.service('PUT', 'callflows', {
    featurecode,
    patterns,
    type: 'feature',
    flow: step,
  });
  const main = {
    name: 'Main',
    numbers: ['100'],
    type: 'main',
    flow: { module: 'hangup', data: {}, children: {} },
  };
  await world.service('PUT', 'callflows', main);

  const items = JSON.parse((await world.telctl('callflows list -o json')).stdout);
  expect(items).toHaveLength(2);
  expect(items).toContainEqual(
    expect.objectContaining({ featurecode, patterns, type: 'feature', modules: ['park'] }),
  );
  expect(items).toContainEqual(expect.objectContaining({ name: 'Main', type: 'main', numbers: ['100'] }));
  expect((await world.telctl('callflows list')).stdout).toContain(patterns[0]);
  expect((await world.telctl('callflows list -o name')).stdout.split('\n').sort()).toEqual(
    ['', 'Main', park.id].sort(),
  );
  const codes = await world.telctl('callflows list --query [?featurecode].featurecode.number -o json');
  expect(JSON.parse(codes.stdout)).toEqual(['3']);
  expect((await world.telctl('callflows list --filter type=main -o name')).stdout).toBe('Main\n');

  const exported = await world.telctl('export');
  expect(exported.stdout).toContain('park_and_retrieve');
  const plan = await world.telctl('plan -f a.yaml --exit-code', { files: { 'a.yaml': exported.stdout } });
  expect([plan.code, plan.stdout, plan.stderr]).toEqual([0, expect.not.stringMatching(/^[~+-] /m), '']);
});
