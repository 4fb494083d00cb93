import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import type { SandboxMode } from '../differences.ts';

const wrong = { module: 'user', data: { id: 'x', timeout: 'soon' }, children: {} };

async function created(like: SandboxMode | undefined) {
  const sandbox = await calledSandbox({ like });
  const token = await sandbox.adminToken();
  const data = { name: 'Main', numbers: ['100'], flow: wrong };
  return sandbox.call('PUT', `/v2/accounts/${sandbox.seed.accountId}/callflows`, { token, data });
}

test.each([undefined, 'kazoo'] as const)('invalid data of a flow step is refused (like %s)', async (like) => {
  expect(await created(like)).toMatchObject({ status: 400, data: { 'flow.data.timeout': { type: {} } } });
});

test('like the specification, any data of flow steps is stored', async () => {
  expect(await created('specification')).toMatchObject({ status: 201, data: { flow: wrong } });
});
