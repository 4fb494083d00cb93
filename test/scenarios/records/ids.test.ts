import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

const ids = ['a/b', '..', '../limits', '%2e%2e', '%2E', 'two words', 'q?x=1', 'a#b', '.', 'ü', "'; drop"];

for (const id of ids) {
  test(`the id "${id}" is one path segment and is not found`, async () => {
    const world = await openWorld();
    const run = await world.telctl(['users', 'get', id]);
    expect(run.code).toBe(id === '.' || id === '..' ? 2 : 5);
    expect(run.stdout).toBe('');
    const collection = `/v2/accounts/${world.seed.accountId}/users`;
    for (const { path, search } of run.requests) {
      expect([collection, `${collection}/${encodeURIComponent(id)}`]).toContain(path);
      expect(search).not.toContain('x=1');
    }
  });
}

test('an id with special characters never deletes another record', async () => {
  const world = await openWorld();
  const run = await world.telctl(['users', 'delete', '../users/admin', '--yes']);
  expect(run.code).toBe(5);
  expect(run.requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
  expect((await world.telctl('users list -o name')).stdout).toContain('admin');
});
