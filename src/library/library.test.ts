import { afterAll, beforeAll, expect, test } from 'vitest';
import { failureOf } from '../../test/support/failure-of.ts';
import { fakeHost, makeFolders } from '../../test/support/fake-host.ts';
import { machine } from '../base/host/real-host.ts';
import { runCli } from '../cli/shell/run-cli.ts';
import { type Sandbox, startSandbox } from '../extensions/sandbox/library.ts';
import type { AccountName, ClientSettings } from './client-types.ts';
import { apply, applyAccounts, exportManifest, plan, validate } from './manifest.ts';
import { methodName, offeredOperations } from './methods.ts';
import { connect } from './profile.ts';

const folders = makeFolders();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(async () => {
  await sandbox.stop();
  folders.remove();
});

const own = { configFolder: `${folders.home}/config`, stateFolder: `${folders.home}/state` };
const clientWith = (more: ClientSettings = {}) =>
  connect({ baseUrl: sandbox.baseUrl, apiKey: sandbox.admin.apiKey, ...own, ...more });

test('a client has a method for every operation except sign-in', () => {
  const client = new Map(Object.entries(clientWith()));
  for (const operation of offeredOperations)
    expect(client.get(operation.resource), operation.id).toHaveProperty(methodName(operation));
});

test('charges are accepted only if the program agrees', async () => {
  const heard: string[] = [];
  const refusing = clientWith({ onCharges: ({ text }) => heard.push(text) < 0 });
  for (const client of [clientWith(), refusing]) {
    const failure = await failureOf(client.limits.set({ inbound_trunks: 3 }));
    expect(failure.kind).toBe('charges');
    expect((await client.limits.get()).inbound_trunks ?? 0).toBe(0);
  }
  expect(heard).toEqual(['estimated 30.00 for 3 inbound_trunks']);
  const agreeing = clientWith({ onCharges: async ({ estimate }) => estimate === '30.00' });
  expect(await agreeing.limits.set({ inbound_trunks: 3 })).toMatchObject({ inbound_trunks: 3 });
});

test('a call can set its time-out, retries, signal and consent, as in the standalone client', async () => {
  const client = clientWith({ onCharges: () => false });
  await sandbox.faults.add({ match: 'GET /menus*', delayMs: 60_000 });
  const late = await failureOf(client.menus.list({ timeout: 50, retries: 0 }).all());
  expect(late).toMatchObject({ kind: 'unavailable', retryable: true, message: /timed out/ });
  const ended = await failureOf(client.menus.list({ signal: AbortSignal.timeout(50) }).all());
  expect(ended.kind).toBe('interrupted');
  await sandbox.faults.clear();
  const before = Number((await client.limits.get()).inbound_trunks ?? 0);
  const asked = { inbound_trunks: before + 1 };
  expect((await failureOf(client.limits.set(asked))).kind).toBe('charges');
  expect(await client.limits.set(asked, { accept: () => true })).toMatchObject(asked);
});

test.each(['"true"', '1', '{}', '[true]', '"yes"', 'null', 'undefined'])(
  'does not accept charges if onCharges returns %s',
  async (text) => {
    const said = text === 'undefined' ? undefined : JSON.parse(text);
    for (const answer of [() => said, async () => said]) {
      const client = clientWith({ onCharges: answer });
      expect((await failureOf(client.limits.set({ outbound_trunks: 3 }))).kind).toBe('charges');
      expect((await client.limits.get()).outbound_trunks ?? 0).toBe(0);
    }
  },
);

test('an account user can sign in, and a wrong password fails with kind auth', async () => {
  const { accountName, username, password } = sandbox.admin;
  const as = (secret: string, account: AccountName) =>
    connect({ baseUrl: sandbox.baseUrl, username, password: secret, ...account, ...own });
  expect(await as(password, { accountName }).accountId()).toBe(sandbox.admin.accountId);
  const failure = await failureOf(as('wrong', { accountName }).accountId());
  expect(failure.kind).toBe('auth');
});

test('fails with kind usage if no credentials are given', () => {
  const neither = { baseUrl: sandbox.baseUrl };
  expect(() => Reflect.apply(connect, undefined, [neither])).toThrow(/Give one of apiKey/);
});

test('a call can name another account', async () => {
  const client = clientWith();
  const branch = await client.accounts.create({ name: 'branch' });
  await client.menus.create({ name: 'Main' }, { account: 'branch' });
  expect(await client.menus.list({ account: branch.id }).all()).toHaveLength(1);
  expect(await client.menus.list().all()).toHaveLength(0);
});

test('deletes objects only if the program agrees', async () => {
  const client = clientWith();
  const both = { setName: 'office', text: 'menus:\n  one: { name: One }\n  two: { name: Two }\n' };
  const one = {
    setName: 'office',
    text: 'menus:\n  one: { name: One }\n',
    prune: true,
    maxChangePercent: 100,
  };
  expect((await apply(client, both)).report.accounts[0]?.counts.created).toBe(2);
  const refused = await failureOf(apply(client, one));
  expect(refused.kind).toBe('refused');
  expect((await failureOf(apply(client, { ...one, onDeletes: () => false }))).kind).toBe('refused');
  expect(await client.menus.list().all()).toHaveLength(2);
  const deleted: string[] = [];
  const { failure } = await apply(client, {
    ...one,
    onDeletes: (steps) => deleted.push(...steps.map(({ key }) => key)) > 0,
  });
  expect(failure).toBeUndefined();
  expect(deleted).toEqual(['menus.two']);
  expect((await plan(client, one)).accounts[0]?.counts).toMatchObject({ create: 0, update: 0, delete: 0 });
});

test('applies one manifest to several accounts with values for each', async () => {
  const client = clientWith();
  for (const name of ['north', 'south']) await client.accounts.create({ name });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the syntax of manifests
  const text = 'menus:\n  main: { name: "Menu of ${var.city}" }\n';
  const accounts = [{ account: 'north', vars: { city: 'Basel' } }, 'south'];
  const ends = await applyAccounts(client, accounts, { text, setName: 'branches', vars: { city: 'Chur' } });
  expect(ends).toMatchObject([{ account: 'north' }, { account: 'south' }]);
  expect(ends.map(({ report }) => report?.accounts[0]?.counts.created)).toEqual([1, 1]);
  for (const [account, city] of [
    ['north', 'Basel'],
    ['south', 'Chur'],
  ] as const) {
    const menus = await client.menus.list({ account }).all();
    expect(menus.map(({ name }) => name)).toEqual([`Menu of ${city}`]);
  }
  const unknown = await failureOf(applyAccounts(client, ['west'], { text, setName: 'branches' }));
  expect(unknown.kind).toBe('not_found');
  const own = { text: 'account: north\nmenus: {}\n', setName: 'own' };
  const [named] = await applyAccounts(client, ['south'], own);
  expect(named?.failure?.message).toContain('names an account');
});

test('rejects an export with both `only` and `portable`', async () => {
  const failure = await failureOf(exportManifest(clientWith(), { only: ['users'], portable: true }));
  expect(failure.kind).toBe('usage');
});

test('delivers messages and faxes to the sandbox, and snapshots restore them', async () => {
  expect((await failureOf(sandbox.snapshots.list())).kind).toBe('usage');
  const kept = await startSandbox({ folder: `${folders.home}/kept` });
  const client = connect({ baseUrl: kept.baseUrl, apiKey: kept.admin.apiKey, ...own });
  const box = await client.vmboxes.create({ mailbox: '2100', name: 'Desk' });
  await client.callflows.create({
    numbers: ['+12125550142'],
    flow: { module: 'voicemail', data: { id: box.id }, children: {} },
  });
  await kept.snapshots.save('before');
  expect((await failureOf(kept.snapshots.save('before'))).kind).toBe('conflict');
  const from = '+12125550199';
  const message = await kept.voicemail({ box: '2100', from, fromName: 'Dora', seconds: 3 });
  expect(message.events).toContain('notifications');
  const fax = await kept.fax({ from, to: '+12125550142', pages: 2 });
  expect(fax).toMatchObject({ id: expect.any(String), details: { pages: 2 } });
  const sms = await kept.sms({ from: kept.admin.username, to: from, body: 'Hello' });
  expect(sms.details.account_name).toBe(kept.admin.accountName);
  const call = await kept.call({ from, to: '+12125550142' });
  expect(call.events).toContain('channel_create');
  await kept.snapshots.load('before');
  const messages = await client.messages.list(box.id).all();
  expect(messages).toEqual([]);
  expect(await kept.snapshots.list()).toEqual(['before']);
  await kept.snapshots.delete('before');
  expect(await kept.snapshots.list()).toEqual([]);
  await kept.stop();
});

test('names the place of each problem in an invalid manifest', async () => {
  const failure = await failureOf(validate({ text: 'menus:\n  one: { nmae: One }\n' }));
  expect(failure.kind).toBe('invalid');
  expect(failure.details).toMatchObject({ problems: [{ line: 2 }] });
});

test('reports completed and failed steps of a partial apply', async () => {
  await sandbox.faults.add({ match: 'PUT /vmboxes*', status: 400 });
  const text = 'menus:\n  three: { name: Three }\nvmboxes:\n  box: { mailbox: "2001", name: Box }\n';
  const ended: string[] = [];
  const { report, failure } = await apply(clientWith(), {
    setName: 'partly',
    text,
    onError: 'continue',
    onStep: ({ key, outcome }) => ended.push(`${key} ${outcome}`),
  });
  await sandbox.faults.clear();
  expect(failure?.kind).toBe('partial');
  expect(report.accounts[0]?.counts).toMatchObject({ created: 1, failed: 1 });
  expect(ended.toSorted()).toEqual(['menus.three done', 'vmboxes.box failed']);
});

test('a protected profile refuses changes by programs unless allowed', async () => {
  const { clock, random } = machine;
  const telctl = async (line: string, stdin?: string): Promise<void> => {
    const { host, stderr } = fakeHost({ folders, clock, random, stdin });
    const code = await runCli(line.split(' '), host);
    expect(code, stderr()).toBe(0);
  };
  await telctl(`login --profile work --base-url ${sandbox.baseUrl} --api-key-stdin`, sandbox.admin.apiKey);
  await telctl('profiles set work --protect confirm');
  const profile = { profile: 'work', configFolder: `${folders.home}/.config/telctl` };
  const client = connect(profile);
  expect(await client.users.list().all()).not.toHaveLength(0);
  expect(await failureOf(client.menus.create({ name: 'Night' }))).toMatchObject({
    kind: 'refused',
    message: 'Profile "work" is read-only for this program; nothing was sent.',
    hint: expect.stringContaining('allowProtected: true'),
  });
  expect(await connect({ ...profile, allowProtected: true }).menus.create({ name: 'Night' })).toHaveProperty(
    'id',
  );
});

test('programs must confirm with the name wherever a command does', async () => {
  const client = clientWith();
  const { id } = await client.accounts.create({ name: 'gone' });
  const tried: readonly (() => Promise<unknown>)[] = [
    () => client.accounts.delete(String(id)),
    () => client.accounts.delete(String(id), { confirm: 'other' }),
    () => client.tokens.resetSystemSecret(),
    () => client.keys.reset('any'),
  ];
  const failures = await Promise.all(tried.map((send) => failureOf(send())));
  expect(failures.map(({ kind }) => kind)).toEqual(['refused', 'refused', 'refused', 'refused']);
  await client.accounts.delete(String(id), { confirm: 'gone' });
  const [admin] = (await client.users.list().all()).filter(({ priv_level: level }) => level === 'admin');
  const own = String(admin?.id);
  for (const send of [
    () => client.users.delete(own),
    () => client.users.patch(own, { enabled: false }),
    () => client.users.patch(own, { priv_level: 'user' }, { confirm: 'other' }),
  ])
    expect((await failureOf(send())).kind).toBe('refused');
  await client.users.patch(own, { priv_level: 'user' }, { confirm: sandbox.admin.username });
  await client.users.patch(own, { priv_level: 'admin' });
});

test('refuses to delete an object that a manifest protects', async () => {
  const client = clientWith();
  await apply(client, { text: 'set: kept\nmenus: { main: { name: Kept, protect: true } }' });
  const [menu] = (await client.menus.list().all()).filter(({ name }) => name === 'Kept');
  const failure = await failureOf(client.menus.delete(String(menu?.id)));
  expect([failure.kind, failure.message]).toEqual(['refused', expect.stringContaining('protected')]);
});
