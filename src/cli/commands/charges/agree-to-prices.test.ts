import { expect, test } from 'vitest';
import { openWorld, type Run, type World } from '../../../../test/support/world.ts';

/** An account that prices users at 10.00 and trunks at 10.00, with 2.00 once for each user. */
async function pricedWorld(): Promise<World> {
  const world = await openWorld({ like: 'kazoo' });
  await world.service('POST', 'services/overrides', { users: { user: { rate: 10, activation_charge: 2 } } });
  return world;
}
const names = ['alice', 'bob', 'carol'];
const users = names
  .map((name) => `  ${name}: { username: ${name}, first_name: ${name}, last_name: X, password: secret-1 }\n`)
  .join('');
const files = {
  'm.yaml': `users:\n${users}limits: { inbound_trunks: 2 }\n`,
  'u.csv': `username,first_name,last_name,password\n${names.map((name) => `${name},A,X,secret-1\n`).join('')}`,
};
const accepting = ({ requests }: Run) =>
  requests.filter(({ body }) => JSON.stringify(body ?? {}).includes('"accept_charges":true'));
const questions = ({ stderr }: Run) => stderr.match(/Accept [^?\n]*\?/g) ?? [];

const yes = { to: /Accept [0-9c]/, type: 'y' } as const;
const runs = [
  {
    line: 'apply -f m.yaml',
    asks: /Apply these changes/,
    question: 'Accept 56.00 for 2 items in acme?',
    steps: 4,
  },
  {
    line: 'users import u.csv',
    asks: /Create 3 users/,
    question: 'Accept 36.00 for 3 user in acme?',
    steps: 3,
  },
] as const;

test.each(runs)(
  '$line asks once for all charges and shows a table',
  async ({ line, asks, question, steps }) => {
    const world = await pricedWorld();
    const answers = [{ to: asks, type: 'y' }, yes];
    const run = await world.telctl(line, { files, tty: true, answers });
    expect(run.code, run.stderr).toBe(0);
    expect(new Set(questions(run))).toEqual(new Set([question]));
    expect(run.stderr).toMatch(/user +users +3 +3 +10\.00 +0\.00 +6\.00 +30\.00 +36\.00/);
    expect(run.stderr).not.toContain('known only');
    expect(accepting(run)).toHaveLength(steps);
  },
);

test.each(runs)('$line sends no writes if the charges are declined', async ({ line, asks }) => {
  const world = await pricedWorld();
  const answers = [
    { to: asks, type: 'y' },
    { to: /Accept [0-9c]/, type: 'n' },
  ] as const;
  const run = await world.telctl(line, { files, tty: true, answers });
  expect(run.code, run.stderr).toBe(7);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

/** Something that makes the charges of the second user other than those that were shown. */
const others: Readonly<Record<string, (invoice: string) => string>> = {
  'another item': (body) => body.replaceAll('"item":"user"', '"item":"seat"'),
  'a larger quantity': (body) =>
    body.replaceAll('"difference":{"billable":1,"quantity":1', '"difference":{"billable":4,"quantity":4'),
  'a higher total': (body) =>
    body
      .replaceAll('"rate":10,', '"rate":90,')
      .replaceAll(/"total":[^,}]*/g, '"total":90')
      .replace(/"summary":\{[^}]*\}/, '"summary":{}'),
};

test.each(Object.entries(others))('asks again for %s', async (_, change) => {
  const world = await pricedWorld();
  const place = { method: 'PUT', path: /\/users$/ } as const;
  const run = await world.telctl('users import u.csv --concurrency 1', {
    files,
    tty: true,
    answers: [
      { to: /Create 3 users/, type: 'y' },
      { ...yes, to: /Accept 36\.00/ },
      { to: /Accept (?!36\.00)/, type: 'n' },
    ],
    faults: [
      { ...place, times: 2, fault: { kind: 'pass' } },
      { ...place, times: 1, fault: { kind: 'rewrite', change } },
    ],
  });
  expect(run.stderr).toContain('accepted charges do not cover these');
  expect(new Set(questions(run)).size, run.stderr).toBe(2);
  expect(accepting(run)).toHaveLength(2);
  expect(run.code, run.stderr).toBe(8);
});

test('without a terminal, neither asks nor accepts charges', async () => {
  const world = await pricedWorld();
  const run = await world.telctl('apply -f m.yaml --yes', { files });
  expect(run.code, run.stderr).toBe(7);
  expect(accepting(run)).toEqual([]);
});

test('a plan shows prices for all steps, and counts steps without a price', async () => {
  const world = await pricedWorld();
  const priced = (await world.telctl('plan -f m.yaml', { files })).stdout;
  expect(priced).toContain('user: 3 more at 10.00 each, 30.00 with each bill and 6.00 once');
  expect(priced).toContain('Together: 50.00 with each bill and 6.00 once');
  expect(priced).not.toContain('known only');
  const strict = await openWorld({ like: 'specification' });
  expect((await strict.telctl('plan -f m.yaml', { files })).stdout).toContain(
    '1 change may cost; its price is known only when it is sent.',
  );
});
