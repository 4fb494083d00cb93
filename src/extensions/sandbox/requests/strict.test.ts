import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { operations } from '../../../contract/catalogue.ts';

const rows = operations.filter(({ id }) =>
  // These would end what the test stands on.
  ['tokens.reset-system-secret', 'keys.reset'].every((each) => each !== id),
);
const sandbox = calledSandbox({ like: 'specification' });

test.each(rows)('a strict sandbox only answers $id if it is documented', async (operation) => {
  const { call, seed, superToken } = await sandbox;
  const path = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    name === 'account_id' ? seed.accountId : 'none',
  );
  const action = operation.body?.kind === 'action' ? { action: operation.body.action } : {};
  const reply = await call(operation.method, `/v2${path}`, {
    token: await superToken(),
    ...(operation.body ? { body: { ...action, data: {} } } : {}),
  });
  const code = operation.errors === 'reference' ? reply.body.code : reply.body.message;
  if (operation.source === 'specification') expect(code, reply.text).not.toBe('not_found');
  else expect([reply.status, code], reply.text).toEqual([404, 'not_found']);
});

test('a strict sandbox lists the documented methods of a path for an unknown method', async () => {
  const { call, seed } = await sandbox;
  const reply = await call('DELETE', `/v2/accounts/${seed.accountId}/limits`);
  expect([reply.status, reply.headers.allow]).toEqual([405, 'GET, POST']);
});
