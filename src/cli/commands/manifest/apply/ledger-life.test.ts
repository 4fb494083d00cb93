import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../../../../test/support/world.ts';
import { isObject, type JsonObject } from '../../../../base/json.ts';

const line = (local: string, username: string, more = ''): string =>
  `  ${local}: { username: ${username}, first_name: A, last_name: B, password: canary-secret-1${more} }`;

/** Entries of the one ledger in the state folder, by key. */
function entriesOf({ folders }: World): ReadonlyMap<string, JsonObject> {
  const folder = join(folders.home, '.local/state/telctl/ledgers');
  const [name = ''] = readdirSync(folder).filter((each) => each.endsWith('.json'));
  const { entries }: { readonly entries: readonly JsonObject[] } = JSON.parse(
    readFileSync(join(folder, name), 'utf8'),
  );
  return new Map(entries.filter(isObject).map((entry) => [String(entry.key), entry]));
}

async function applied(world: World, lines: readonly string[]) {
  const run = await world.telctl('apply -f office.yaml --yes', {
    files: { 'office.yaml': ['set: office', 'users:', ...lines].join('\n') },
  });
  expect(run.code, run.stderr).toBe(0);
  return run;
}

describe('the ledger across several applies', () => {
  test('keeps the origin and the password of a renamed object', async () => {
    const world = await openWorld();
    await applied(world, [line('alice', 'alice')]);
    const before = entriesOf(world).get('users.alice');
    world.clock.turn(60_000);
    const run = await applied(world, [line('a', 'alice', ', timezone: Europe/Zurich')]);
    expect(run.requests.filter(({ method }) => method === 'PATCH').map(({ body }) => body)).toEqual([
      { data: { timezone: 'Europe/Zurich' } },
    ]);
    const entries = entriesOf(world);
    expect([...entries.keys()]).toEqual(['users.a']);
    expect(entries.get('users.a')).toMatchObject({
      id: before?.id,
      origin: 'created',
      natural: { username: 'alice' },
    });
    const pruned = await world.telctl('plan -f office.yaml --prune -o json', {
      files: { 'office.yaml': ['set: office', 'users:', line('b', 'bob')].join('\n') },
    });
    expect(pruned.stdout).toContain('"users.a"');
  });

  test('forgets objects that were deleted elsewhere and removed from the manifest', async () => {
    const world = await openWorld();
    await applied(world, [line('alice', 'alice'), line('bob', 'bob')]);
    await world.service('DELETE', `users/${entriesOf(world).get('users.bob')?.id}`);
    await applied(world, [line('alice', 'alice', ', timezone: Europe/Zurich')]);
    expect([...entriesOf(world).keys()]).toEqual(['users.alice']);
  });

  test('tracks an object that was deleted elsewhere and recreated by apply', async () => {
    const world = await openWorld();
    await applied(world, [line('alice', 'alice')]);
    const id = entriesOf(world).get('users.alice')?.id;
    await world.service('DELETE', `users/${id}`);
    await applied(world, [line('alice', 'alice')]);
    const entry = entriesOf(world).get('users.alice');
    expect(entry).toMatchObject({ origin: 'created' });
    expect(entry?.id).not.toBe(id);
  });

  test('sends a changed password once', async () => {
    const world = await openWorld();
    await applied(world, [line('alice', 'alice')]);
    const sent = async (secret: string) =>
      (await applied(world, [line('alice', 'alice').replace('canary-secret-1', secret)])).requests.filter(
        ({ method }) => method === 'PATCH',
      ).length;
    expect([
      await sent('canary-secret-1'),
      await sent('canary-secret-2'),
      await sent('canary-secret-2'),
    ]).toEqual([0, 1, 0]);
  });

  test('lets a second apply read only objects that changed elsewhere', async () => {
    const world = await openWorld();
    const names = Array.from({ length: 210 }, (_, index) => `user-${index}`);
    const lines = names.map((name) => line(name, name));
    await applied(world, lines);
    world.clock.turn(60_000);
    const reads = ({
      requests,
    }: {
      readonly requests: readonly { readonly method: string; readonly path: string }[];
    }) => requests.filter(({ method, path }) => method === 'GET' && /\/users\/./.test(path)).length;
    const again = await applied(world, lines);
    expect([reads(again), again.stdout]).toEqual([0, '']);
    expect(again.stderr).toContain('Nothing to do');
    const id = entriesOf(world).get('users.user-7')?.id;
    await world.service('PATCH', `users/${id}`, { first_name: 'Other' });
    const changed = await world.telctl('apply -f office.yaml --yes');
    expect([changed.code, reads(changed)]).toEqual([6, 1]);
    expect(changed.stderr).toContain('first_name');
    const set = await world.telctl('apply -f office.yaml --yes --overwrite');
    expect(set.code, set.stderr).toBe(0);
    expect(set.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });
});

describe('two manifests with the same name in different folders', () => {
  const office = (user: string): string => ['users:', line(user, user)].join('\n');
  const files = { 'north/office.yaml': office('alice'), 'south/office.yaml': office('bob') };

  test('are reported, and neither prunes objects of the other', async () => {
    const world = await openWorld();
    const first = await world.telctl('apply -f north/office.yaml --yes', { files });
    expect(first).toMatchObject({ code: 0, stderr: expect.not.stringContaining('manifest set') });
    const second = await world.telctl('plan -f south/office.yaml');
    expect(second.code).toBe(0);
    expect(second.stderr).toMatch(
      /south\/office\.yaml and .*north\/office\.yaml use the same manifest set, "office\.yaml"/,
    );
    const pruning = await world.telctl('apply -f south/office.yaml --prune --yes');
    expect(pruning.code).toBe(9);
    expect(pruning.stderr).toContain('--set-name');
    expect(pruning.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
    const meant = await world.telctl('apply -f south/office.yaml --prune --yes --set-name office.yaml');
    expect(meant.code, meant.stderr).toBe(0);
  });

  test('count as one moved manifest if the first is gone', async () => {
    const world = await openWorld();
    await world.telctl('apply -f north/office.yaml --yes', { files });
    rmSync(join(world.folders.cwd, 'north'), { recursive: true });
    const run = await world.telctl('apply -f south/office.yaml --prune --yes');
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).not.toContain('use the same manifest set');
  });
});
