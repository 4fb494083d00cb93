import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../../test/support/served-sandbox.ts';

test('reset --account erases the records of one account and of no other', async () => {
  const { telctl, json, state, addUser } = await serveSandbox();
  const { seed } = state();
  expect((await telctl('accounts create --set name=branch')).code).toBe(0);
  const numbersOf = async () => (await telctl('numbers list -o name')).stdout;
  const seeded = await numbersOf();
  await addUser('alice');
  await addUser('carol', 'users create -f - --account branch');
  await telctl('vmboxes create --set mailbox=100 --set name=Alice');
  const hook = {
    name: 'crm',
    uri: 'http://127.0.0.1:9/',
    hook: 'object',
    http_verb: 'post',
    custom_data: { type: 'all', action: 'all' },
  };
  expect((await telctl('webhooks create -f -', { stdin: JSON.stringify(hook) })).code).toBe(0);
  await telctl('accounts patch acme --set timezone=Asia/Tokyo');

  const asked = await telctl('sandbox reset --account acme');
  expect(asked.code).toBe(2);
  expect(asked.stderr).toContain('Erase everything in account acme of the sandbox?');
  const done = await telctl('sandbox reset --account ACME --yes');
  expect(done).toMatchObject({
    code: 0,
    stderr: 'Erased all data of account acme. Other accounts are unchanged.\n',
  });

  expect((await telctl('users list -o name')).stdout).toBe('admin\n');
  for (const noun of ['vmboxes', 'webhooks']) expect((await telctl(`${noun} list -o name`)).stdout).toBe('');
  expect(await numbersOf()).toBe(seeded);
  expect(await json('accounts get acme')).toMatchObject({ id: seed.accountId, timezone: 'Europe/London' });
  expect((await telctl('users list -o name --account branch')).stdout).toBe('carol\n');
  const env = {
    TELCTL_BASE_URL: state().baseUrl,
    TELCTL_ACCOUNT_NAME: 'acme',
    TELCTL_USERNAME: 'admin',
    TELCTL_PASSWORD: String(seed.adminPassword),
  };
  expect(await telctl('users list -o name', { env })).toMatchObject({ code: 0, stdout: 'admin\n' });

  expect((await telctl('sandbox reset --account branch --yes')).code).toBe(0);
  expect((await telctl('users list -o name --account branch')).stdout).toBe('');
  expect((await telctl('users list -o name')).stdout).toBe('admin\n');
  expect((await telctl('sandbox reset --account nobody --yes')).code).toBe(5);
});
