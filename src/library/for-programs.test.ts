import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf } from '../../test/support/failure-of.ts';
import { makeFolders } from '../../test/support/fake-host.ts';
import type { Failure } from '../base/failure.ts';
import { type Sandbox, startSandbox } from '../extensions/sandbox/library.ts';
import { connect } from './client.ts';
import type { Client } from './client-types.ts';
import { apply } from './manifest.ts';

const folders = makeFolders();
let sandbox: Sandbox;
let client: Client;
beforeAll(async () => {
  sandbox = await startSandbox();
  const own = { configFolder: `${folders.home}/config`, stateFolder: `${folders.home}/state` };
  client = connect({ baseUrl: sandbox.baseUrl, apiKey: sandbox.admin.apiKey, ...own });
});
afterAll(async () => {
  await sandbox.stop();
  folders.remove();
});

/** What a program is told, without lines that are for a shell. */
const told = ({ message, hint = '' }: Failure): string =>
  [message, hint].filter((text) => !/\btelctl [a-z]/.test(text)).join(' ');

test('refuses a call without its confirmation and names the option in the hint', async () => {
  const made = await client.accounts.create({ name: 'branch', realm: 'branch.example' });
  const refused = await failureOf(client.accounts.delete(String(made.id)));
  expect([refused.kind, told(refused)]).toEqual([
    'refused',
    'This call needs a confirmation: Type branch to continue. No request was sent. Give confirm: "branch".',
  ]);
  const { data } = { data: await client.accounts.get(String(made.id)) };
  expect(data).toMatchObject({ name: 'branch' });
  await client.accounts.delete(String(made.id), { confirm: 'branch' });
  expect((await failureOf(client.accounts.get(String(made.id)))).kind).toBe('not_found');
});

test('points to onCharges if charges were not accepted', async () => {
  const refused = await failureOf(client.limits.set({ inbound_trunks: 3 }));
  expect([refused.kind, refused.hint]).toEqual(['charges', 'Return true from onCharges to accept them.']);
});

test('names the options that an apply requires, and accepts them', async () => {
  const night = (set: string, retries: number) => ({
    text: `set: ${set}\nmenus: { night: { name: Night, retries: ${retries} } }`,
  });
  await apply(client, night('office', 2));
  const refused = await failureOf(apply(client, night('other', 3)));
  expect(refused.hint).toBe(
    'Take them over with takeOver: true. If the manifest only has a new name, keep the old one: setName: "office"',
  );
  const named = await apply(client, { ...night('other', 3), setName: 'office' });
  expect(named.failure).toBeUndefined();
  expect((await apply(client, { ...night('other', 2), takeOver: true })).failure).toBeUndefined();
});

test('no failure mentions a command line option', async () => {
  const [admin] = await client.users.list().all();
  const id = String(admin?.id);
  const failures = [
    await failureOf(client.users.delete(id)),
    await failureOf(client.users.patch(id, { priv_level: 'user' })),
    await failureOf(client.limits.set({ inbound_trunks: 9 })),
    await failureOf(client.users.get('nobody')),
    await failureOf(apply(client, { text: 'set: x\nmenus: { night: { nmae: One } }', strictInput: true })),
    await failureOf(apply(client, { text: 'set: [' })),
    (await apply(client, { text: 'set: l\nlimits: { inbound_trunks: 7 }' })).failure,
  ];
  for (const failure of failures) expect(failure && told(failure)).not.toMatch(/(?:^|\s)--[a-z]/);
});
