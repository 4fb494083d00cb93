import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import { kindByName } from '../../../engine/manifest/kinds.ts';
import { findOrphans } from './commands.ts';

test('lists numbers without a callflow and broken references', async () => {
  const { telctl, service, addUser, seed } = await openWorld();
  const { id: bob = '' } = await addUser({ username: 'bob', first_name: 'Bob', last_name: 'Baker' });
  await service('PUT', 'phone_numbers/%2B12125550177', {});
  await service('PUT', 'phone_numbers/%2B12125550178', {});
  await service('PUT', 'vmboxes', { name: 'Bob', mailbox: '2002', owner_id: bob });
  await service('PUT', 'callflows', {
    name: 'Bob',
    numbers: ['2002', '+12125550178'],
    flow: {
      module: 'ring_group',
      data: { endpoints: [{ endpoint_type: 'user', id: bob }] },
      children: {},
    },
  });
  await service('DELETE', `users/${bob}`);
  const run = await telctl('orphans -o json');
  expect(run).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(run.stdout).map(({ id, ...rest }: Record<string, string>) => rest)).toEqual([
    { name: '+12125550177', kind: 'number', problem: 'number without a callflow' },
    { name: seed.phoneNumber, kind: 'number', problem: 'number without a callflow' },
    {
      name: 'Bob',
      kind: 'vmbox',
      problem: 'reference to nothing',
      path: 'owner_id',
      refers_to: 'user',
      missing_id: bob,
    },
    {
      name: 'Bob',
      kind: 'callflow',
      problem: 'reference to nothing',
      path: 'flow data.endpoints.0.id',
      refers_to: 'user',
      missing_id: bob,
    },
  ]);
  const table = await telctl('orphans');
  expect(table.stdout).toMatch(/^NAME {2,}KIND {2,}PROBLEM {2,}WHERE {2,}NAMES {2,}MISSING ID/);
  expect(table.stderr).toBe('4 orphans in acme\n');
});

test('reports nothing for a healthy account', async () => {
  const { telctl, service, seed } = await openWorld();
  await service('PUT', 'callflows', {
    numbers: [seed.phoneNumber],
    flow: { module: 'hangup', data: {}, children: {} },
  });
  expect(await telctl('orphans')).toMatchObject({ code: 0, stdout: '', stderr: 'No orphans in acme\n' });
});

test('does not report records that an incomplete list may have omitted', () => {
  const flows = [{ id: 'a', name: 'A', flow: { module: 'user', data: { id: 'u' }, children: {} } }];
  const callflows = { kind: kindByName('callflows'), records: flows };
  const partial = { kind: kindByName('users'), records: [], missing: 'the service refused' };
  expect(findOrphans([callflows, partial]).map(({ problem }) => problem)).toEqual([
    'callflow without a number',
  ]);
  const whole = { kind: kindByName('users'), records: [] };
  expect(findOrphans([callflows, whole]).map(({ problem }) => problem)).toEqual([
    'callflow without a number',
    'reference to nothing',
  ]);
});
