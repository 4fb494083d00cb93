import { expect, test } from 'vitest';
import { calledSandbox } from '../../../../test/support/called-sandbox.ts';
import { parseRateLimit } from '../../../base/rate-limit.ts';

const menus = ({ seed }: Awaited<ReturnType<typeof calledSandbox>>): string =>
  `/v2/accounts/${seed.accountId}/menus`;

test.each([undefined, 'specification', 'kazoo'] as const)(
  'a rate limit applies to the requests of all callers, like %s',
  async (like) => {
    const sandbox = await calledSandbox({ like, rateLimit: parseRateLimit('10/s:20') });
    const token = await sandbox.tokenOf('admin', sandbox.seed.adminPassword);
    const path = `/v2/accounts/${sandbox.seed.accountId}/limits`;
    const ask = async (count: number): Promise<readonly number[]> => {
      const replies = await Promise.all(
        Array.from({ length: count }, () => sandbox.call('GET', path, { token })),
      );
      return replies.map(({ status }) => status);
    };
    // The sign-in was the first.
    expect((await ask(25)).filter((status) => status === 429)).toHaveLength(6);
    await sandbox.clock.sleep(500);
    expect((await ask(8)).filter((status) => status === 429)).toHaveLength(3);
    const refused = await sandbox.call('GET', path, { token });
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, undefined]);
  },
);

test('like kazoo, only requests without a valid token are limited', async () => {
  const sandbox = await calledSandbox({ like: 'kazoo' });
  const token = await sandbox.tokenOf('admin', sandbox.seed.adminPassword);
  const statuses = async (count: number, sent: string): Promise<readonly number[]> => {
    const all = Array.from({ length: count }, () => sandbox.call('GET', menus(sandbox), { token: sent }));
    return (await Promise.all(all)).map(({ status }) => status);
  };
  expect(new Set(await statuses(150, token))).toEqual(new Set([200]));
  const strangers = await statuses(150, 'garbage');
  // The sign-in took two.
  expect([401, 429].map((status) => strangers.filter((each) => each === status).length)).toEqual([98, 52]);
  expect(await statuses(1, token)).toEqual([200]);
  const credentials = { credentials: '0'.repeat(32), account_name: 'acme' };
  expect((await sandbox.call('PUT', '/v2/user_auth', { data: credentials })).status).toBe(429);
  await sandbox.clock.sleep(1000);
  const signedIn = await sandbox.call('PUT', '/v2/user_auth', { data: credentials });
  expect(signedIn.body).toMatchObject({ error: '401', tokens: { consumed: 1, remaining: 8 } });
});
