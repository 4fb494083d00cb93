import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const callback = [
  ...['sso', 'callback', '--provider', 'google', '--client-id', 'app'],
  ...['--redirect-uri', 'https://app.example/done', '--code-stdin'],
];
const answering = (method: string, path: RegExp, data: unknown) => {
  const body = JSON.stringify({ status: 'success', data });
  return [{ method, path, fault: { kind: 'answer', status: 200, body } }] as const;
};

test('sends the code in the body, and prints the linked account', async () => {
  const world = await openWorld();
  const faults = answering('PUT', /callback$/, { account_id: world.seed.accountId });
  const run = await world.telctl([...callback, '-o', 'json'], { stdin: 'c0de', faults });
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toEqual({ account_id: world.seed.accountId });
  expect(run.requests.at(-1)?.body).toEqual({
    data: { provider: 'google', client_id: 'app', redirect_uri: 'https://app.example/done', code: 'c0de' },
  });
});

test('reports an empty response as a missing link, with the next step', async () => {
  const world = await openWorld();
  const run = await world.telctl(callback, { stdin: 'c0de', faults: answering('PUT', /callback$/, {}) });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('telctl sso link ID');
});

test('names missing options, and reports an application that the service rejects', async () => {
  const world = await openWorld();
  const missing = await world.telctl('sso callback --provider google --code-stdin', { stdin: 'c0de' });
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('--client-id')]);
  const refused = await world.telctl(callback, { stdin: 'c0de' });
  expect(refused.code).toBe(4);
  expect(refused.stderr).toContain('The service refused the code or token that it was given');
  expect(refused.stderr).not.toContain('Sign in again');
});

test('validates an external token, and reports one that the service rejects', async () => {
  const world = await openWorld();
  const line = 'sso authorize --provider google --token-stdin -o json';
  const faults = answering('PUT', /authorize$/, { account_name: 'acme' });
  const run = await world.telctl(line, { stdin: 'foreign', faults });
  expect(JSON.parse(run.stdout)).toEqual({ account_name: 'acme' });
  expect(run.requests.at(-1)?.body).toEqual({ data: { token: 'foreign', provider: 'google' } });
  const refused = await world.telctl(line, { stdin: 'foreign' });
  expect(refused.code).toBe(4);
  expect(JSON.parse(refused.stderr).error.message).toContain('refused the code or token');
  expect(refused.stderr).not.toContain('Sign in again');
});

test('authorizes an application without reading standard input', async () => {
  const world = await openWorld();
  const faults = answering('PUT', /authorize$/, { account_name: 'acme' });
  const run = await world.telctl('sso authorize --app own-app -o json', { faults });
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toEqual({ account_name: 'acme' });
  expect(run.requests.at(-1)?.body).toEqual({ data: { app: 'own-app' } });
});

test('replaces a provider by id, and rejects a different id in the file', async () => {
  const world = await openWorld();
  const body = JSON.stringify({ data: { id: 'google', name: 'G' } });
  const faults = [
    { path: /providers\/google$/, times: 9, fault: { kind: 'answer', status: 200, body } },
  ] as const;
  const replace = (text: string) =>
    world.telctl('sso providers update google -f p.yaml', { files: { 'p.yaml': text }, faults });
  for (const text of ['name: Google\n', 'id: google\nname: Google\n']) {
    const run = await replace(text);
    expect(run.code, run.stderr).toBe(0);
    expect(run.requests.at(-1)?.body).toMatchObject({ data: { id: 'google', name: 'Google' } });
  }
  const other = await replace('name: Google\nid: other\n');
  expect(other.code).toBe(10);
  expect(other.stderr).toContain('p.yaml:2:5: "id" is "other", but the provider to replace is "google"');
  expect(other.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('replaces a link by its id', async () => {
  const world = await openWorld();
  const faults = answering('PUT', /links\//, { email: 'alice@acme.example' });
  const run = await world.telctl('sso link google-alice@acme.example', { faults });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('Linked you to alice@acme.example.');
  expect((await world.telctl('sso link google-nobody')).code).toBe(5);
});

test('lists applications of another account, and refuses to create one there', async () => {
  const world = await openWorld();
  await world.telctl('accounts create --name kidb --realm kidb.example');
  const app = { 'app.yaml': 'client_id: own-app\nprovider: google\nsecret: s\nname: Own\n' };
  const made = await world.telctl('sso apps create -f app.yaml', { files: app });
  expect(made.code, made.stderr).toBe(0);
  for (const account of ['kidb', 'kidb.example']) {
    const run = await world.telctl(`sso apps list -o json --account ${account}`);
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual([]);
    expect(run.requests.at(-1)?.search).toContain('account_id=');
  }
  const own = await world.telctl('sso apps list -o name --account acme');
  expect(own.stdout).toBe('Own\n');
  for (const line of ['sso apps create -f app.yaml', 'sso links list', 'sso apps get Own']) {
    const refused = await world.telctl(`${line} --account kidb`);
    expect([refused.code, refused.requests], line).toEqual([2, []]);
  }
});

test('warns about an account from the environment that does not apply', async () => {
  const world = await openWorld();
  await world.telctl('accounts create --name kidb --realm kidb.example');
  const run = await world.telctl('sso links list', { env: { TELCTL_ACCOUNT: 'kidb' } });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain(
    'TELCTL_ACCOUNT names account kidb, but telctl sso links list uses the signed-in account',
  );
  for (const own of ['acme', world.seed.accountId]) {
    const quiet = await world.telctl('sso links list', { env: { TELCTL_ACCOUNT: own } });
    expect(quiet.stderr).not.toContain('TELCTL_ACCOUNT');
  }
});
