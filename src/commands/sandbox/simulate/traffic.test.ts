import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../test/support/served-sandbox.ts';

test('traffic makes an account busy, the same way for the same seed, and leaves call records', async () => {
  const { telctl } = await serveSandbox('--memory');
  const { id } = JSON.parse(
    (
      await telctl('users create -f - -o json', {
        stdin: JSON.stringify({
          ...{ username: 'alice', first_name: 'Alice', last_name: 'Archer' },
          ...{ password: 'first-sign-in', presence_id: '2001' },
        }),
      })
    ).stdout,
  );
  const flow = { module: 'user', data: { id }, children: {} };
  const callflow = { name: 'Alice', numbers: ['2001', '+15551230000'], flow };
  await telctl('callflows create -f -', { stdin: JSON.stringify(callflow) });
  const line = 'sandbox traffic --calls-per-minute 120 --for 20s --seed 7 -o json';
  const dry = await telctl(`${line} --dry-run`);
  expect([dry.code, dry.stderr]).toEqual([0, expect.stringContaining('120 calls a minute for 20 seconds')]);
  const first = JSON.parse((await telctl(line)).stdout);
  expect(first).toMatchObject({ calls: 40, seconds: 20, account_name: 'acme' });
  expect(first.answered + first.missed + first.faxes).toBe(40);
  expect(Math.min(first.answered, first.missed)).toBeGreaterThan(5);
  const live = JSON.parse((await telctl('channels list -o json')).stdout);
  expect(live.length).toBeGreaterThan(0);
  await telctl('sandbox clock advance 1h');
  const calls = JSON.parse((await telctl('cdrs list --calls --since 2h -o json')).stdout);
  expect(calls).toHaveLength(40 - first.faxes);
  const again = JSON.parse((await telctl(line)).stdout);
  expect([again.answered, again.missed, again.faxes]).toEqual([first.answered, first.missed, first.faxes]);
  const real = await telctl('sandbox traffic --calls-per-minute 600 --for 1s --real-time');
  expect([real.code, real.stderr]).toEqual([0, expect.stringMatching(/^10 calls in acme: /)]);
  expect((await telctl('sandbox traffic')).code).toBe(2);
});
