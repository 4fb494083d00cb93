import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

test('lets resellers book money after a question, and shows it to the account', async () => {
  const { telctl, url, seed, profile } = await openWorld();
  const login = ['login', '--profile', 'super', '--base-url', url, '--account-name', 'platform'];
  const signedIn = await telctl([...login, '--username', seed.superUsername, '--password-stdin'], {
    stdin: seed.superPassword,
  });
  expect(signedIn.code, signedIn.stderr).toBe(0);
  await telctl(`profiles use ${profile}`);
  const above = ['--profile', 'super', '--account', seed.accountId];
  const sale = ['transactions', 'sale', '--amount', '25', '--description', 'Top-up'];
  expect(await telctl(sale)).toMatchObject({ code: 2 });
  expect(await telctl([...sale, '--yes'])).toMatchObject({ code: 4 });
  expect((await telctl([...sale, ...above, '--yes'])).stderr).toMatch(/^Took 25 from /m);
  const refund = ['transactions', 'refund', '--amount', '5', ...above, '--yes'];
  expect((await telctl(refund)).stderr).toMatch(/^Refunded 5 to /m);
  const none = ['transactions', 'refund', '--amount', '0', ...above, '--yes'];
  expect(await telctl(none)).toMatchObject({ code: 10, stderr: expect.stringContaining('amount') });
  const entry = {
    ...{ amount: 3.5, source: { service: 'adjustments', id: 'one' } },
    ...{ usage: { quantity: 2, type: 'call', unit: 'piece' }, period: { start: 1 } },
  };
  const debit = ['ledgers', 'debit', '-f', 'entry.json', ...above, '--yes'];
  const files = { 'entry.json': JSON.stringify(entry) };
  expect((await telctl(debit, { files })).stderr).toMatch(/^Debited 3.5 from /m);
  // The same source and period is the same entry.
  expect(await telctl(debit)).toMatchObject({ code: 6 });
  const json = async (line: string) => JSON.parse((await telctl(`${line} -o json`)).stdout);
  expect(await json('ledgers total')).toEqual({ amount: 16.5 });
  expect(await json('ledgers sums')).toContainEqual({
    ...{ source: 'adjustments', amount: -3.5, usage: { quantity: 2 } },
  });
  const [made] = await json('ledgers list adjustments --from 1d');
  expect(made).toMatchObject({ amount: 3.5, type: 'debit' });
  expect(await json(`ledgers get adjustments ${made.id}`)).toMatchObject({
    id: made.id,
    account: { name: 'acme' },
  });
  expect(await telctl('ledgers list gifts')).toMatchObject({ code: 5 });
  expect((await telctl('ledgers sources')).stdout).toContain('payments');
  const payments = await json('transactions list');
  expect(payments.map(({ amount }: { readonly amount: number }) => amount).toSorted()).toEqual([-5, 25]);
  expect(await json(`transactions get ${payments[0].id}`)).toMatchObject({ status: 'completed' });
});
