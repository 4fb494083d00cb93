import { expect, test } from 'vitest';
import { openWorld, type Run } from '../../../../test/support/world.ts';

const collection = { method: 'PUT', path: /\/collection\/activate$/ } as const;
const accepting = ({ requests }: Run) =>
  requests.filter(({ body }) => JSON.stringify(body ?? {}).includes('"accept_charges":true'));
const numbersIn = (text: string): readonly string[] =>
  JSON.parse(text).map(({ number }: { readonly number: string }) => number);

test('searches, checks and buys numbers, with one question about the total', async () => {
  const world = await openWorld({ like: undefined });
  const search = await world.telctl('numbers search --prefix 212 --quantity 3 -o json');
  expect(search.code, search.stderr).toBe(0);
  const found = numbersIn(search.stdout);
  expect(found).toEqual(['+12125550100', '+12125550101', '+12125550102']);
  const [first = '', second = '', third = ''] = found;
  const checked = await world.telctl(`numbers check ${first} +12125559999 -o json`);
  expect(JSON.parse(checked.stdout)).toEqual([
    { number: first, status: 'available' },
    { number: '+12125559999', status: 'error' },
  ]);

  await world.service('POST', 'services/overrides', { phone_numbers: { did_us: { rate: 15 } } });
  const unasked = await world.telctl(`numbers buy ${first} ${second}`);
  expect(unasked.code, unasked.stderr).toBe(7);
  expect(accepting(unasked)).toEqual([]);
  const bought = await world.telctl(`numbers buy ${first} ${second}`, {
    tty: true,
    answers: [{ to: /Accept 30\.00 for 2 did_us in acme\?/, type: 'y' }],
  });
  expect(bought.code, bought.stderr).toBe(0);
  expect(bought.stderr).toContain(`Bought 2 numbers: ${first}, ${second}.`);
  expect(JSON.parse((await world.telctl(`numbers get ${first} -o json`)).stdout).state).toBe('in_service');
  expect(numbersIn((await world.telctl('numbers search --prefix 212 -o json')).stdout)).not.toContain(first);
  const identified = await world.telctl(`numbers identify ${second} -o json`);
  expect(JSON.parse(identified.stdout)).toEqual({ account_id: world.seed.accountId, number: second });

  const some = await world.telctl(`numbers buy ${third} ${first} --accept-charges-up-to 20`);
  expect(some.code, some.stderr).toBe(8);
  expect(some.stderr).toContain(`Bought 1 number: ${third}.`);
  expect(some.stderr).toContain(`${first}: `);
});

test.each([
  ['after the service processed it', { kind: 'lose-reply' }, 0, 'in_service'],
  ['before the service processed it', { kind: 'cut', by: 'reset' }, 75, undefined],
] as const)('never repeats a purchase whose response was lost %s', async (_, fault, code, state) => {
  const world = await openWorld({ like: undefined });
  await world.service('POST', 'services/overrides', { phone_numbers: { did_us: { rate: 15 } } });
  const faults = [
    // Charges, then charges again: it takes acceptance in the data alone.
    { ...collection, times: 2, fault: { kind: 'pass' } },
    { ...collection, fault },
  ] as const;
  const run = await world.telctl('numbers buy +13125550107 --accept-charges', { faults });
  expect(run.code, run.stderr).toBe(code);
  expect(accepting(run)).toHaveLength(2);
  const number = await world.telctl('numbers get +13125550107 -o json');
  expect(number.code === 0 ? JSON.parse(number.stdout).state : undefined).toBe(state);
});

test('does not treat collection actions as numbers', async () => {
  const world = await openWorld({ like: undefined });
  for (const line of [
    'GET phone_numbers/collection',
    'PATCH phone_numbers/check',
    'GET phone_numbers/prefix',
  ]) {
    const [method = '', path = ''] = line.split(' ');
    const run = await world.telctl(['api', method, `/accounts/{account_id}/${path}`, '-o', 'json']);
    expect(run.stderr, line).toMatch(/40[45]/);
  }
});
