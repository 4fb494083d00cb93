import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorld, type Run, type World } from '../../../../test/support/world.ts';

/** The addresses that were asked for, below the account: `/users?filter_username=alice`, `/users/ID`. */
const asked = ({ requests }: Run): readonly string[] =>
  requests.map(({ path, search }) => `${path.replace(/.*(?=\/users)/, '')}${search}`);

async function withAlice(): Promise<{ readonly world: World; readonly id: unknown }> {
  const world = await openWorld();
  const { id } = await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  expect(asked(await world.telctl('users get alice'))).toEqual([
    '/users?filter_username=alice',
    `/users/${id}`,
  ]);
  return { world, id };
}

test('finds a cached name with one request, ignoring case', async () => {
  const { world, id } = await withAlice();
  for (const line of ['users get alice', 'users get alice -o json'])
    expect(asked(await world.telctl(line))).toEqual([`/users/${id}`]);
  await world.telctl('users get ALICE');
  expect(asked(await world.telctl('users get ALICE'))).toEqual([`/users/${id}`]);
});

test('ignores a cached id if the record was renamed or deleted', async () => {
  const { world, id } = await withAlice();
  await world.service('PATCH', `/users/${id}`, { username: 'alicia', password: 'first-sign-in-alicia' });
  const lost = await world.telctl('users get alice');
  expect([lost.code, asked(lost)[0]]).toEqual([5, `/users/${id}`]);
  const { id: second } = await world.addUser({ username: 'alice', first_name: 'Ali', last_name: 'Baker' });
  expect(JSON.parse((await world.telctl('users get alice -o json')).stdout)).toMatchObject({ id: second });
  expect(asked(await world.telctl('users get alice'))).toEqual([`/users/${second}`]);
  await world.service('DELETE', `/users/${second}`);
  expect((await world.telctl('users get alice')).code).toBe(5);
});

test('does not use names cached for another account or from a damaged cache', async () => {
  const { world, id } = await withAlice();
  const twin = await world.twinAccount();
  const there = await world.telctl(`users get admin --profile ${twin.profile}`);
  expect(there.code, there.stderr).toBe(0);
  const here = await world.telctl('users get admin');
  expect(JSON.parse((await world.telctl('users get admin -o json')).stdout).id).not.toBe(
    JSON.parse((await world.telctl(`users get admin --profile ${twin.profile} -o json`)).stdout).id,
  );
  expect(asked(here)[0]).toBe('/users?filter_username=admin');
  const file = world.filesWritten().find(({ path }) => path.endsWith(`${world.seed.accountId}-users.json`));
  expect(file?.mode).toBe(0o600);
  expect(readFileSync(file?.path ?? '', 'utf8')).toContain(`"alice":"${id}"`);
  for (const text of ['{', '[]', 'null', '{"alice":"../devices"}', '{"alice":7}']) {
    writeFileSync(file?.path ?? '', text);
    const run = await world.telctl('users get alice');
    expect([text, run.code, asked(run)[0]]).toEqual([text, 0, '/users?filter_username=alice']);
  }
});
