import { copyFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/base/json.ts';
import { smallOffice } from '../../support/small-office.ts';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { isSignIn, openWorld, type Run, type World } from '../../support/world.ts';

throughValidatingProxy();

const writes = ({ requests }: Run) =>
  requests.filter((request) => request.method !== 'GET' && !isSignIn(request));

async function listRecords({ sandbox, seed }: World, path: string): Promise<readonly JsonObject[]> {
  const token = await sandbox.adminToken();
  const { data } = await sandbox.call('GET', `/v2/accounts/${seed.accountId}/${path}`, { token });
  return Array.isArray(data) ? data.filter((item: Json) => isObject(item)) : [];
}

const listNames = async (world: World, path: string, key: string): Promise<readonly string[]> =>
  (await listRecords(world, path)).map((item) => String(item[key])).sort();

async function applyManifest(world: World, manifest: string, ...more: readonly string[]): Promise<void> {
  const line = ['apply', '-f', 'm.yaml', '--yes', '--max-change-percent', '100', ...more];
  const run = await world.telctl(line, { files: { 'm.yaml': manifest } });
  expect(run.code, run.stderr).toBe(0);
}

describe('an undo', () => {
  test('asks, and changes nothing without an answer', async () => {
    const world = await openWorld();
    await applyManifest(world, smallOffice);
    const unasked = await world.telctl('undo');
    expect([unasked.code, unasked.stderr]).toEqual([2, expect.stringContaining('Answer with --yes.')]);
    const declined = await world.telctl('undo', {
      tty: true,
      answers: [{ to: 'Undo run', type: 'n' }],
    });
    expect([declined.code, declined.stderr]).toEqual([130, expect.stringContaining('Nothing was changed.')]);
    expect([...writes(unasked), ...writes(declined)]).toEqual([]);
  });

  const menu = fc.record({ changed: fc.boolean(), protect: fc.boolean(), gone: fc.boolean() });

  test('deletes what its run created, except objects that were changed since or are protected', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(menu, { minLength: 1, maxLength: 4 }), async (menus) => {
        const world = await openWorld();
        await world.service('PUT', 'menus', { name: 'older' });
        const lines = menus.map(
          ({ protect }, at) => `  m${at}: { name: m${at}, retries: 3, protect: ${protect} }`,
        );
        await applyManifest(world, `menus:\n${lines.join('\n')}\n`);
        for (const item of await listRecords(world, 'menus')) {
          const { changed = false, gone = false } = menus[Number(String(item.name).slice(1))] ?? {};
          if (changed) await world.service('PATCH', `menus/${String(item.id)}`, { retries: 7 });
          if (gone) await world.service('DELETE', `menus/${String(item.id)}`);
        }
        const run = await world.telctl('undo --yes');
        const kept = menus.flatMap(({ changed, protect, gone }, at) =>
          !gone && (changed || protect) ? [`m${at}`] : [],
        );
        expect(await listNames(world, 'menus', 'name'), run.stderr).toEqual([...kept, 'older']);
        for (const name of kept) expect(run.stderr).toContain(`menu ${name}: `);
        const isAllKept =
          kept.length > 0 && menus.every(({ changed, protect, gone }) => changed || protect || gone);
        expect(run.code).toBe(kept.length === 0 ? 0 : isAllKept ? 6 : 8);
      }),
      { numRuns: 8, endOnFailure: false },
    );
  });

  test('with --overwrite deletes changed objects, but no protected ones', async () => {
    const world = await openWorld();
    await applyManifest(
      world,
      'menus: { a: { name: a, retries: 3 }, b: { name: b, retries: 3, protect: true } }',
    );
    for (const { id } of await listRecords(world, 'menus'))
      await world.service('PATCH', `menus/${String(id)}`, { retries: 7 });
    const run = await world.telctl('undo --yes --overwrite');
    expect(run.code).toBe(8);
    expect(await listNames(world, 'menus', 'name')).toEqual(['b']);
  });

  test('does nothing if it would delete the signed-in administrator', async () => {
    const world = await openWorld();
    const user = 'first_name: B, last_name: B, priv_level: admin, password: Secret-1x';
    await applyManifest(
      world,
      `users: { boss: { username: boss, ${user} }, bea: { username: bea, ${user} } }`,
    );
    const login = ['login', '--profile', 'test', '--base-url', world.url, '--account-name', 'acme'];
    const signedIn = await world.telctl([...login, '--username', 'boss', '--password-stdin'], {
      stdin: 'Secret-1x',
    });
    expect(signedIn.code, signedIn.stderr).toBe(0);
    const run = await world.telctl('undo 1 --yes --overwrite');
    expect([run.code, run.stderr]).toEqual([9, expect.stringContaining('User boss would be deleted')]);
    expect(await listNames(world, 'users', 'username')).toEqual(['admin', 'bea', 'boss']);
  });
});

describe('--resume', () => {
  test('does not continue a run that was reverted', async () => {
    const world = await openWorld();
    const cut = await world.telctl('apply -f m.yaml --yes', {
      files: { 'm.yaml': smallOffice },
      faults: [{ method: 'PUT', path: /callflows$/, fault: { kind: 'answer', status: 400, body: '{}' } }],
    });
    expect(cut.code).toBe(8);
    const undo = await world.telctl('undo --yes');
    expect(undo.code, undo.stderr).toBe(0);
    const run = await world.telctl('apply --resume --yes');
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('There is nothing to resume')]);
    expect(writes(run)).toEqual([]);
    expect(await listNames(world, 'menus', 'name')).toEqual([]);
  });
});

describe('an apply', () => {
  test('does not adopt an older object for a create that never arrived', async () => {
    const world = await openWorld();
    await applyManifest(world, 'menus: { z: { name: Main, retries: 3 } }');
    const [older] = await listRecords(world, 'menus');
    // The older menu is only renamed after the new one was sent.
    const run = await world.telctl('apply -f m.yaml --yes --concurrency 1 --max-change-percent 100', {
      files: { 'm.yaml': 'menus: { a: { name: Main, retries: 3 }, z: { name: Other, retries: 3 } }' },
      faults: [{ method: 'PUT', path: /menus$/, fault: { kind: 'refuse' }, times: 1 }],
    });
    expect(run.code, run.stderr).toBe(0);
    expect(await listNames(world, 'menus', 'name')).toEqual(['Main', 'Other']);
    const { name } = await world.service('GET', `menus/${String(older?.id)}`);
    expect(name).toBe('Other');
  });

  test('accepts that an object is already deleted', async () => {
    const world = await openWorld();
    await applyManifest(world, smallOffice);
    const run = await world.telctl('apply -f m.yaml --yes --prune --max-change-percent 100', {
      files: { 'm.yaml': 'users: { alice: { username: alice } }' },
      faults: [
        {
          method: 'DELETE',
          path: /menus/,
          fault: {
            kind: 'answer',
            status: 404,
            body: '{"status":"error","error":"404","message":"bad_identifier","data":{}}',
          },
        },
      ],
    });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).toContain('deleted 2');
  });
});

describe('the history of an account', () => {
  test('keeps all recent runs, and each can be reverted', async () => {
    const world = await openWorld();
    await applyManifest(world, smallOffice);
    const [first = ''] = world
      .filesWritten()
      .map(({ path }) => path)
      .filter((path) => path.endsWith('.ndjson'));
    for (let at = 2; at <= 120; at += 1)
      copyFileSync(first, join(dirname(first), `${String(at).padStart(6, '0')}.ndjson`));
    world.clock.turn(60_000);
    await applyManifest(world, smallOffice.replace('retries: 3', 'retries: 5'));
    const runs: readonly JsonObject[] = JSON.parse((await world.telctl('apply history -o json')).stdout);
    expect(runs.map(({ run }) => run)).toEqual(Array.from({ length: 121 }, (_, at) => String(121 - at)));
    const plan = await world.telctl('undo 1 --dry-run');
    expect(plan.stdout, plan.stderr).toContain('user alice');
  });
});
