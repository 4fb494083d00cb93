import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isObject, type Json, type JsonObject } from '../../../src/base/json.ts';
import { openWorld } from '../../support/world.ts';

const flow = {
  module: 'menu',
  data: { id: 'm' },
  children: { 1: { module: 'response', data: { code: 486 }, children: {} } },
};

it('an empty object in a patch removes no branch on a service that replaces objects', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const { id } = await world.service('PUT', 'callflows', { name: 'Main', numbers: ['100'], flow });
  const run = await world.telctl([
    'callflows',
    'patch',
    String(id),
    '--set-json',
    'flow.children={}',
    '--set',
    'name=New',
  ]);
  expect(run.code, run.stderr).toBe(0);
  const line = ['callflows', 'patch', String(id), '--set-json', 'flow.children={}', '--set', 'name=Newer'];
  const planned = await world.telctl([...line, '--dry-run', '-o', 'json']);
  const sent = run.requests.find(({ method }) => method === 'PATCH');
  expect(JSON.parse(planned.stdout).requests).toMatchObject([{ body: { data: { name: 'Newer' } } }]);
  expect(JSON.parse(planned.stdout).requests[0].body.data).not.toHaveProperty('flow');
  expect(sent?.body).not.toContain('children');
  expect((await world.telctl([...line, '--dry-run'])).stdout).not.toContain('children');
  const kept = await world.service('GET', `callflows/${id}`);
  expect(kept).toMatchObject({ name: 'New', flow: { children: { 1: { module: 'response' } } } });
  await world.service('PATCH', `callflows/${id}`, { flow: { children: {} } });
  expect(await world.service('GET', `callflows/${id}`)).toMatchObject({ flow: { children: {} } });
});

const profile = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  object: fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  value: fc.oneof({ maxDepth: 3 }, fc.constantFrom<Json[]>(1, 'x', true), tie('object')),
})).object;

/** Merges a patch into a record according to RFC 7386. */
const mergePatch = (record: Json | undefined, patch: JsonObject): JsonObject => {
  const merged: Record<string, Json> = isObject(record) ? { ...(record as Record<string, Json>) } : {};
  for (const [key, value] of Object.entries(patch))
    if (value === null) delete merged[key];
    else if (value !== undefined) merged[key] = isObject(value) ? mergePatch(merged[key], value) : value;
  return merged;
};

it('patches and plans have the same effect on a service that takes an empty object as a replacement', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const { id } = await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
  const token = await world.sandbox.adminToken();
  const path = `/v2/accounts/${world.seed.accountId}/users/${id}`;
  const patchRecord = (data: JsonObject) => world.sandbox.call('PATCH', path, { token, data });
  await fc.assert(
    fc.asyncProperty(profile, profile, fc.boolean(), async (stored, wanted, byPlan) => {
      await patchRecord({ profile: null });
      await patchRecord({ profile: { note: 'kept', custom: stored } });
      const data = { profile: { custom: wanted } };
      const run = byPlan
        ? await world.telctl('apply --yes --overwrite --allow-unknown-fields -f -', {
            stdin: JSON.stringify({ users: { alice: { username: 'alice', ...data } } }),
          })
        : await world.telctl('users patch alice --allow-unknown-fields -f -', {
            stdin: JSON.stringify(data),
          });
      expect(run.code, run.stderr).toBe(0);
      const now = await world.sandbox.call('GET', path, { token });
      const after = isObject(now.data) ? now.data.profile : undefined;
      if (!byPlan) expect(after).toEqual({ note: 'kept', custom: mergePatch(stored, wanted) });
      else expect(isObject(after) && after.note).toBe('kept');
    }),
    { numRuns: 25 },
  );
});
