import { expect, test } from 'vitest';
import { openWorld, type World } from '../../support/world.ts';

const office = (protect: boolean): string => `
set: office
metaflows: { protect: ${protect}, binding_digit: "*" }
menus:
  main: { name: Main, protect: ${protect} }
  other: { name: Other }
`;

const writes = (run: Awaited<ReturnType<World['telctl']>>) =>
  run.requests.filter(({ method }) => method !== 'GET');

async function applyText(world: World, text: string, line = 'apply -f office.yaml --yes'): Promise<void> {
  const run = await world.telctl(line, { files: { 'office.yaml': text } });
  expect(run.code, run.stderr).toBe(0);
}

test.each(['menus delete Main', 'metaflows delete'])(
  '%s of a protected object is refused with every option',
  async (line) => {
    const world = await openWorld();
    await applyText(world, office(true));
    for (const more of ['', '--yes', '--force', '--yes --force', '--dry-run']) {
      const run = await world.telctl(`${line} ${more}`);
      expect([run.code, more]).toEqual([9, more]);
      expect(run.stderr).toContain('is protected by the manifest set "office"');
      expect(writes(run)).toEqual([]);
    }
    const asked = await world.telctl(line, { tty: true });
    expect(asked.code).toBe(9);
    // Unprotected objects can still be deleted.
    expect((await world.telctl('menus delete Other --yes')).code).toBe(0);
  },
);

test('applying the manifest that removes protection ends it', async () => {
  const world = await openWorld();
  await applyText(world, office(true));
  await applyText(world, office(false));
  const run = await world.telctl('menus delete Main --yes');
  expect(run.code, run.stderr).toBe(0);
});

test('existing objects are protected from the first apply that names them', async () => {
  const world = await openWorld();
  await world.service('PUT', 'menus', { name: 'Main' });
  await applyText(world, 'menus: { main: { name: Main, protect: true } }');
  expect((await world.telctl('menus delete Main --yes --force')).code).toBe(9);
});

test('a protected account, or one with protected objects, is not deleted', async () => {
  const world = await openWorld();
  await applyText(
    world,
    `accounts:
  north: { name: north, realm: north.example, protect: true }
  south: { name: south, realm: south.example }
---
account: \${accounts.south}
menus:
  main: { name: Main, protect: true }
`,
  );
  const north = await world.telctl('accounts delete north --confirm north');
  expect(north.code).toBe(9);
  expect(north.stderr).toContain('account north is protected');
  const south = await world.telctl('accounts delete south --confirm south');
  expect(south.code).toBe(9);
  expect(south.stderr).toContain(
    'account south contains objects that the manifest set "office.yaml" protects: menus.main.',
  );
  expect([...writes(north), ...writes(south)]).toEqual([]);
});

test('DELETE by path respects protection', async () => {
  const world = await openWorld();
  await applyText(world, office(true));
  const menus: readonly { name: string; id: string }[] = JSON.parse(
    (await world.telctl('menus list -o json')).stdout,
  );
  const menuId = (name: string): string => menus.find((menu) => menu.name === name)?.id ?? '';
  for (const path of [`menus/${menuId('Main')}`, 'metaflows', '']) {
    const full = `/v2/accounts/{account_id}/${path}`.replace(/\/$/, '');
    const run = await world.telctl(['api', 'DELETE', full, '--yes']);
    expect([run.code, path]).toEqual([9, path]);
    expect(writes(run)).toEqual([]);
  }
  const run = await world.telctl([
    'api',
    'DELETE',
    `/v2/accounts/{account_id}/menus/${menuId('Other')}`,
    '--yes',
  ]);
  expect(run.code, run.stderr).toBe(0);
});
