import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';

async function conference() {
  const sandbox = await calledSandbox();
  const token = await sandbox.adminToken();
  const conferences = `/v2/accounts/${sandbox.seed.accountId}/conferences`;
  const made = await sandbox.call('PUT', conferences, { token, data: { name: 'Weekly' } });
  return { ...sandbox, token, path: `${conferences}/${made.at('data.id')}/participants` };
}

test.each(['mute', 'unmute', 'deaf', 'undeaf', 'kick', 'play'])(
  '%s answers with the conference',
  async (action) => {
    const { call, token, path } = await conference();
    const inside = await call('PUT', `${path}/7`, { token, data: { action } });
    expect(inside.status, inside.text).toBe(201);
    expect(inside.data).toMatchObject({ name: 'Weekly' });
    const beside = await call('PUT', `${path}/7`, { token, body: { action, data: {} } });
    expect(beside.data).toMatchObject({ name: 'Weekly' });
  },
);

test('the action is optional, and an unknown action is refused', async () => {
  const { call, token, path } = await conference();
  expect((await call('PUT', `${path}/7`, { token, data: {} })).data).toMatchObject({ name: 'Weekly' });
  expect((await call('PUT', `${path}/7`, { token, data: { action: 'sing' } })).status).toBe(400);
  expect((await call('PUT', `${path}/7`, { token, body: { action: 'sing', data: {} } })).status).toBe(404);
});

test('a conference without calls has no participants', async () => {
  const { call, token, path } = await conference();
  expect((await call('GET', path, { token })).data).toEqual([]);
  expect((await call('GET', `${path}/7`, { token })).status).toBe(404);
  const elsewhere = path.replace(/conferences\/\w+/, 'conferences/none');
  expect((await call('GET', elsewhere, { token })).status).toBe(404);
});
