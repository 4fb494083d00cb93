import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

const manifest = [
  'set: office',
  'users:',
  '  alice: { username: alice, first_name: Alice, last_name: Archer, password: canary-secret-1 }',
  '  bob: { username: bob, first_name: Robert, last_name: Builder }',
  '  carl: { username: carl, first_name: Carl, last_name: Clerk, password: canary-secret-2 }',
].join('\n');

async function office(): Promise<World> {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  await world.addUser({ username: 'bob', first_name: 'Bob', last_name: 'Builder' });
  return world;
}

const files = { 'office.yaml': manifest };
const writes = (requests: readonly { readonly method: string; readonly path: string }[]) =>
  requests.filter(({ method, path }) => method !== 'GET' && !/_auth$/.test(path));

describe('telctl adopt', () => {
  test('lists adopted, different and missing objects, and sends no writes', async () => {
    const world = await office();
    const run = await world.telctl('adopt -f office.yaml', { files });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stdout).toMatch(/users\.alice +adopted +no/);
    expect(run.stdout).toMatch(/users\.bob +adopted +yes/);
    expect(run.stdout).toMatch(/users\.carl +missing/);
    expect(run.stderr).toContain('Adopted 2 objects into the manifest set "office".');
    expect(run.stderr).toContain('1 object differs from the manifest: telctl plan shows how.');
    expect(run.stderr).toContain('Missing: 1 object. telctl apply creates missing objects.');
    expect(writes(run.requests)).toEqual([]);
  });

  test('writes a private ledger without values from the manifest or the account', async () => {
    const world = await office();
    await world.telctl('adopt -f office.yaml', { files });
    const ledgers = world
      .filesWritten()
      .filter(({ path, isFolder }) => path.includes('/ledgers/') && !isFolder);
    expect(ledgers.map(({ mode }) => mode)).toEqual([0o600]);
    const text = readFileSync(ledgers[0]?.path ?? '', 'utf8');
    for (const secret of ['canary-secret', 'Archer', 'Builder']) expect(text).not.toContain(secret);
    expect(JSON.parse(text)).toMatchObject({
      version: 1,
      accountId: world.seed.accountId,
      entries: [
        { set: 'office', key: 'users.alice', origin: 'adopted', natural: { username: 'alice' } },
        { set: 'office', key: 'users.bob', origin: 'adopted', fields: {} },
      ],
    });
  });

  test('reports adopted objects as already managed the second time', async () => {
    const world = await office();
    await world.telctl('adopt -f office.yaml', { files });
    const run = await world.telctl('adopt -f office.yaml -o json', { files });
    expect(JSON.parse(run.stdout)).toMatchObject([
      { object: 'users.alice', status: 'known' },
      { object: 'users.bob', status: 'known', differs: true },
      { object: 'users.carl', status: 'missing' },
    ]);
    const table = await world.telctl('adopt -f office.yaml', { files });
    expect(table.stderr).toContain('Nothing to adopt into the manifest set "office", 2 known before.');
  });

  test('writes nothing with --dry-run', async () => {
    const world = await office();
    const before = world.filesWritten().length;
    const run = await world.telctl('adopt -f office.yaml --dry-run', { files });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('Would adopt 2 objects');
    expect(run.stdout).toMatch(/users\.alice +would adopt +no/);
    expect(run.stdout).not.toMatch(/ adopted /);
    expect(world.filesWritten().filter(({ path }) => path.includes('ledger'))).toEqual([]);
    expect(before).toBeGreaterThan(0);
  });

  test('writes nothing if a match is ambiguous', async () => {
    const world = await office();
    for (const _ of [1, 2]) await world.service('PUT', 'menus', { name: 'Main' });
    const run = await world.telctl('adopt -f office.yaml', {
      files: { 'office.yaml': `${manifest}\nmenus:\n  main: { name: Main }` },
    });
    expect(run.code).toBe(6);
    expect(run.stderr).toContain('office.yaml:7:3: menus.main could be 2 menus of the account');
    expect(run.stdout).toBe('');
    expect(world.filesWritten().filter(({ path }) => path.includes('ledger'))).toEqual([]);
  });

  test('writes the ledger to a named file, and does not overwrite other files', async () => {
    const world = await office();
    const run = await world.telctl('adopt -f office.yaml --ledger office.ledger.json', { files });
    expect(run.code, run.stderr).toBe(0);
    const path = `${world.folders.cwd}/office.ledger.json`;
    // A line for the head, one for where the set was read from, and one for each object.
    expect(readFileSync(path, 'utf8').match(/"key":/g)).toHaveLength(2);
    const wrong = await world.telctl('adopt -f office.yaml --ledger office.yaml', { files });
    expect(wrong.code).toBe(10);
    expect(wrong.stderr).toContain(
      'office.yaml is not a ledger of telctl: it is not JSON. It was not changed.',
    );
    expect(readFileSync(`${world.folders.cwd}/office.yaml`, 'utf8')).toBe(manifest);
  });

  test('lets apply --prune delete adopted objects that were removed from the manifest', async () => {
    const world = await office();
    const without = manifest.replace(/^ {2}(bob|carl):.*\n?/gm, '');
    const prune = () =>
      world.telctl('apply -f office.yaml --prune --yes', { files: { 'office.yaml': without } });
    const before = await prune();
    expect([before.code, before.stderr]).toEqual([9, expect.stringContaining('telctl adopt -f')]);
    await world.telctl('adopt -f office.yaml', { files });
    const run = await prune();
    expect(run.code, run.stderr).toBe(0);
    expect(writes(run.requests).map(({ method }) => method)).toEqual(['DELETE']);
    const users = await world.telctl('users list -o name');
    expect(users.stdout.split('\n')).toEqual(expect.arrayContaining(['admin', 'alice']));
    expect(users.stdout).not.toContain('bob');
  });

  test('keeps the ledgers of several accounts in one folder', async () => {
    const world = await office();
    const run = await world.telctl('adopt -f office.yaml --ledger ledgers/ --set-name a', { files });
    expect(run.code, run.stderr).toBe(0);
    const again = await world.telctl('adopt -f office.yaml --ledger ledgers --set-name b --take-over', {
      files,
    });
    expect(again.code, again.stderr).toBe(0);
    const names = readdirSync(`${world.folders.cwd}/ledgers`);
    expect(names).toEqual([expect.stringMatching(/^127\.0\.0\.1-[0-9a-f]{8}-[0-9a-f]{6}\.json$/)]);
    expect(readFileSync(`${world.folders.cwd}/ledgers/${names[0]}`, 'utf8')).toContain('"set":"b"');
  });

  test('requires a manifest', async () => {
    const world = await office();
    const run = await world.telctl('adopt');
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain('No manifest was named.');
  });

  test('takes over objects of another manifest set only after confirmation', async () => {
    const world = await office();
    await world.telctl('adopt -f office.yaml --set-name office', { files });
    const line = 'adopt -f office.yaml --set-name other';
    const refused = await world.telctl(`${line} --yes`, { files });
    expect(refused.code).toBe(9);
    expect(refused.stderr).toContain('2 objects are managed by other manifest sets: user alice ("office")');
    const would = await world.telctl(`${line} --dry-run -o json`, { files });
    expect(JSON.parse(would.stdout)[0]).toMatchObject({ status: 'would adopt', managed_by: 'office' });
    const run = await world.telctl(`${line} --take-over -o json`, { files });
    expect(JSON.parse(run.stdout)[0]).toMatchObject({ status: 'adopted', managed_by: 'office' });
    expect((await world.telctl(line, { files })).code).toBe(0);
    expect((await world.telctl('adopt -f office.yaml --set-name office', { files })).code).toBe(9);
  });
});
