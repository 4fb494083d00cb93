import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../../test/support/served-sandbox.ts';

type Served = Awaited<ReturnType<typeof serveSandbox>>;

const folderOf = ({ folders }: Served): string =>
  join(folders.home, '.local/state/telctl/sandboxes/default/snapshots');

const addUser = (served: Served, username: string) => served.addUser(username);

const users = async ({ telctl }: Served) =>
  (await telctl('users list -o name')).stdout.trim().split('\n').sort();

for (const keeping of [['--memory'], []] as const) {
  test(`a snapshot restores records and time, with records ${keeping[0] ?? 'on disk'}`, async () => {
    const served = await serveSandbox(...keeping);
    const { telctl, json } = served;
    await addUser(served, 'alice');
    await telctl('sandbox clock advance 2d');
    const saved = await telctl('sandbox snapshot save base');
    expect(saved.code).toBe(0);
    expect(saved.stderr).toMatch(/^Saved snapshot base \(\d+ kB\)\n$/);
    await addUser(served, 'bob');
    await telctl('sandbox clock advance 5d');
    expect(await users(served)).toEqual(['admin', 'alice', 'bob']);
    const loaded = await telctl('sandbox snapshot load base --yes');
    expect(loaded).toMatchObject({ code: 0, stdout: '' });
    expect(await users(served)).toEqual(['admin', 'alice']);
    expect((await json('sandbox clock status')).offset_ms).toBe(2 * 86_400_000);
    // Ids and names that were taken after it are free again.
    expect((await addUser(served, 'bob')).code).toBe(0);
  });
}

test('only the owner can read a snapshot, and an incomplete one is not listed', async () => {
  const served = await serveSandbox();
  await served.telctl('sandbox snapshot save base');
  const folder = folderOf(served);
  expect(statSync(join(folder, 'base.db')).mode & 0o777).toBe(0o600);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  writeFileSync(join(folder, '.other.1.tmp'), 'half');
  await served.restart();
  expect(readdirSync(folder)).toEqual(['base.db']);
  expect((await served.telctl('sandbox snapshot list -o name')).stdout).toBe('base\n');
});

test('names of snapshots cannot leave their folder', async () => {
  const served = await serveSandbox('--memory');
  const { baseUrl, controlKey } = served.state();
  for (const name of ['../outside', '..', '/tmp/outside', '.hidden', 'a/b', '']) {
    const run = await served.telctl(['sandbox', 'snapshot', 'save', name]);
    expect(run.code, name).toBe(2);
  }
  const headers = { 'x-sandbox-key': controlKey };
  for (const name of ['..%2f..%2fstate', '%2e%2e', '..%2fx'])
    for (const [method, path] of [
      ['POST', `${name}/load`],
      ['DELETE', name],
    ] as const) {
      const reply = await fetch(`${baseUrl}/sandbox/snapshots/${path}`, { method, headers });
      expect(reply.status, `${method} ${path}`).toBeGreaterThanOrEqual(400);
    }
  expect(served.state().controlKey).toBe(controlKey);
});

test('replacing, loading and deleting a snapshot ask first, and unknown snapshots are not found', async () => {
  const served = await serveSandbox('--memory');
  const { telctl } = served;
  await telctl('sandbox snapshot save base');
  for (const verb of ['save', 'load', 'delete']) {
    expect((await telctl(`sandbox snapshot ${verb} base`)).code, verb).toBe(2);
    expect(
      (await telctl(`sandbox snapshot ${verb} base`, { tty: true, answers: [{ to: /\?/, type: 'n' }] })).code,
      verb,
    ).toBe(130);
  }
  expect((await telctl('sandbox snapshot load other --yes')).code).toBe(5);
  expect((await telctl('sandbox snapshot delete other --yes')).code).toBe(5);
  expect((await telctl('sandbox snapshot delete base --yes')).code).toBe(0);
  expect((await telctl('sandbox snapshot list -o name')).stdout).toBe('');
});

test('a damaged snapshot is refused without changes', async () => {
  const served = await serveSandbox();
  await served.telctl('sandbox snapshot save base');
  writeFileSync(
    join(folderOf(served), 'base.db'),
    'no database, and long enough to be looked at as one'.repeat(99),
  );
  const run = await served.telctl('sandbox snapshot load base --yes');
  expect(run.code).toBe(6);
  expect(run.stderr).toContain('The snapshot base cannot be read');
  expect(await users(served)).toEqual(['admin']);
  expect((await addUser(served, 'alice')).code).toBe(0);
});

test('loading a snapshot restores its API key, also in the profile and after a restart', async () => {
  const served = await serveSandbox();
  const { telctl, state } = served;
  const { apiKey } = state().seed;
  await telctl('sandbox snapshot save base');
  expect((await telctl('accounts api-key rotate --yes')).code).toBe(0);
  expect(state().seed.apiKey).not.toBe(apiKey);
  expect((await telctl('sandbox snapshot load base --yes')).code).toBe(0);
  expect(state().seed.apiKey).toBe(apiKey);
  expect(await users(served)).toEqual(['admin']);
  await served.restart();
  expect(state().seed.apiKey).toBe(apiKey);
  expect(await users(served)).toEqual(['admin']);
});

test('running requests end before the records are replaced', async () => {
  const served = await serveSandbox();
  await served.telctl('sandbox snapshot save base');
  const created = Promise.all(['a', 'b', 'c', 'd'].map((name) => addUser(served, `user-${name}`)));
  const loaded = served.telctl('sandbox snapshot load base --yes');
  expect((await loaded).code).toBe(0);
  for (const run of await created) expect(run.stderr).toMatch(/^Created user /);
  // Each of them was before the exchange and is gone, or after it and there.
  const names = await users(served);
  for (const name of names.filter((each) => each !== 'admin'))
    expect((await served.telctl(`users get ${name} -o json`)).code).toBe(0);
});

test('a snapshot contains registrations, audio of media, and recordings', async () => {
  const { telctl, json, addUser, folders } = await serveSandbox('--memory');
  const file = join(folders.home, 'closed.mp3');
  writeFileSync(file, 'ID3 we are closed');
  const done = async (line: string, stdin?: object): Promise<string> => {
    const run = await telctl(line, stdin ? { stdin: JSON.stringify(stdin) } : {});
    expect(run.code, `${line}: ${run.stderr}`).toBe(0);
    return run.stdout;
  };
  await addUser('alice');
  const { id: owner } = await json('users get alice');
  const sip = { username: 'alice1', password: 'not-a-guess-77' };
  await done('devices create -f -', { name: 'Desk', owner_id: owner, device_type: 'sip_device', sip });
  await done('sandbox phone register Desk --expires 86400');
  await done('media create --name Closed');
  await done(`media upload Closed ${file}`);
  const talk = { module: 'user', data: { id: owner }, children: {} };
  const flow = { module: 'record_call', data: { action: 'start' }, children: { _: talk } };
  await done('callflows create -f -', { name: 'Alice', numbers: ['2001'], flow });
  await done('sandbox call --from +14155550100 --to 2001 --duration 30');
  await done('sandbox clock advance 1m');
  const kept = async (): Promise<readonly string[]> => [
    await done('registrations list -o json --fields username,authorizing_id'),
    await done('media download Closed -'),
    await done('recordings list -o json --fields id,duration,call_id'),
  ];
  const before = await kept();
  expect(before).toEqual([
    expect.stringContaining('alice1'),
    'ID3 we are closed',
    expect.stringContaining('"duration"'),
  ]);
  await done('sandbox snapshot save before');
  await done('sandbox phone unregister Desk');
  await done('media delete Closed --yes');
  const [recording] = JSON.parse(before[2] ?? '[]');
  await done(`recordings delete ${recording.id} --yes`);
  expect(await done('registrations list -o json')).toBe('[]\n');
  await done('sandbox snapshot load before --yes');
  expect(await kept()).toEqual(before);
});
