import { expect, test } from 'vitest';
import { isObject, type JsonObject } from '../../../src/base/json.ts';
import type { FaultRule } from '../../support/faults.ts';
import { openWorld, type World } from '../../support/world.ts';

/** Opens a KAZOO sandbox, which treats some changes differently. */
const openKazoo = () => openWorld({ like: 'kazoo' });

const readRecord = async ({ telctl }: World, noun: string, name: string): Promise<JsonObject> => {
  const value: unknown = JSON.parse((await telctl([noun, 'get', name, '-o', 'json'])).stdout);
  return isObject(value) ? value : {};
};

const replacementFile = (first_name: string) => ({
  'alice.json': JSON.stringify({ username: 'alice', first_name, last_name: 'Archer' }),
});

test('users and accounts are replaced although the service refuses their revision', async () => {
  const world = await openKazoo();
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const run = await world.telctl('users update alice -f alice.json --yes', { files: replacementFile('Ann') });
  expect(run.code, run.stderr).toBe(0);
  const sent = run.requests.filter(({ method }) => method === 'POST');
  expect(sent.map(({ headers }) => headers['if-match'])).toEqual([undefined]);
  expect(await readRecord(world, 'users', 'alice')).toMatchObject({ first_name: 'Ann' });
  const account = { 'acme.json': JSON.stringify({ name: 'acme', language: 'de-de' }) };
  const replaced = await world.telctl('accounts update acme -f acme.json --yes', { files: account });
  expect(replaced.code, replaced.stderr).toBe(0);
  expect(await readRecord(world, 'accounts', 'acme')).toMatchObject({ language: 'de-de' });
});

test('a concurrent change before such a write is not overwritten and is named', async () => {
  const world = await openKazoo();
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const { id } = await readRecord(world, 'users', 'alice');
  const path = new RegExp(`users/${id}$`);
  const line = 'users update alice -f alice.json --yes';
  const { requests } = await world.telctl(line, { files: replacementFile('Amy') });
  const reads = requests.filter((sent) => sent.method === 'GET' && path.test(sent.path)).length;
  const does = () => world.service('PATCH', `users/${id}`, { timezone: 'Europe/Zurich' });
  const faults: readonly FaultRule[] = [
    { method: 'GET', path, times: reads - 1, fault: { kind: 'pass' } },
    { method: 'GET', path, times: 1, fault: { kind: 'meanwhile', does } },
  ];
  const run = await world.telctl(line, { files: replacementFile('Ann'), faults });
  expect([run.code, run.requests.filter(({ method }) => method === 'POST')], run.stderr).toEqual([6, []]);
  expect(run.stderr).toContain('timezone: "Europe/Zurich"');
  expect(run.stderr).not.toContain('first_name');
});

test.each([
  [
    'webhooks',
    { name: 'Calls', uri: 'https://hooks.acme.example', http_verb: 'post', hook: 'channel_create' },
    'custom_data',
  ],
  ['carriers', { name: 'Line', gateways: [{ server: 'sip.carrier.example' }] }, 'x_notes'],
])('a patch of %s keeps omitted nested fields', async (noun, record, field) => {
  const world = await openKazoo();
  const patchRecord = async (part: JsonObject) => {
    const run = await world.telctl([noun, 'patch', record.name, '-f', '-', '--allow-unknown-fields'], {
      stdin: JSON.stringify({ [field]: part }),
    });
    expect(run.code, run.stderr).toBe(0);
    const { id } = await readRecord(world, noun, record.name);
    const stored = await world.service('GET', `${noun === 'carriers' ? 'resources' : noun}/${id}`);
    return stored[field];
  };
  const stdin = JSON.stringify({ ...record, [field]: { type: 'a', other: 'b' } });
  expect((await world.telctl([noun, 'create', '-f', '-', '--allow-unknown-fields'], { stdin })).code).toBe(0);
  expect(await patchRecord({ third: 'c' })).toEqual({ type: 'a', other: 'b', third: 'c' });
  expect(await patchRecord({ type: null })).toEqual({ other: 'b', third: 'c' });
});

test('a change whose revision is refused unexpectedly is sent without it', async () => {
  const world = await openKazoo();
  await world.telctl('menus create --name Main');
  const faults: readonly FaultRule[] = [
    { method: 'POST', path: /menus/, times: 1, fault: { kind: 'answer', status: 412, body: '' } },
  ];
  const files = { 'main.json': JSON.stringify({ name: 'Main', retries: 2 }) };
  const run = await world.telctl('menus update Main -f main.json --yes', { faults, files });
  expect(run.code, run.stderr).toBe(0);
  const sent = run.requests.filter(({ method }) => method === 'POST');
  expect(sent.map(({ headers }) => headers['if-match'] !== undefined)).toEqual([true, false]);
});
