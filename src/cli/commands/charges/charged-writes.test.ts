import { describe, expect, test } from 'vitest';
import { openWorld, type Run, type World } from '../../../../test/support/world.ts';
import type { SandboxMode } from '../../../extensions/sandbox/differences.ts';

const modes: readonly (SandboxMode | undefined)[] = [undefined, 'kazoo'];

/** A world whose account has prices for users. */
async function pricedWorld(like?: SandboxMode): Promise<World> {
  const world = await openWorld(like ? { like } : {});
  await world.service('POST', 'services/overrides', { users: { user: { rate: 5, activation_charge: 2 } } });
  return world;
}

const person = (name: string) => ({
  ...{ username: name, password: 'secret-1', first_name: name, last_name: 'X' },
});
const people = (...names: readonly string[]) => JSON.stringify(names.map(person));
const create = 'users create -f u.json';

const accepting = ({ requests }: Run) =>
  requests.filter(({ body }) => JSON.stringify(body ?? {}).includes('"accept_charges":true'));

async function usersOf(world: World): Promise<number> {
  return world.sandbox.store.count('users', world.seed.accountId);
}

describe.each(modes)('a new user in an account with user charges (%s)', (like) => {
  test('is not created without consent, and telctl shows the charges', async () => {
    const world = await pricedWorld(like);
    const run = await world.telctl(`${create} --yes`, { files: { 'u.json': people('alice') } });
    expect(run.code).toBe(7);
    expect(run.stderr).toMatch(/ITEM .*LINE TOTAL/);
    expect(run.stderr).toMatch(/user +users/);
    expect(accepting(run)).toEqual([]);
    expect(await usersOf(world)).toBe(1);
  });

  test('is created after consent in the terminal', async () => {
    const world = await pricedWorld(like);
    const run = await world.telctl(create, {
      files: { 'u.json': people('alice') },
      tty: true,
      answers: [{ to: /Accept [0-9c]/, type: 'y' }],
    });
    expect(run.code, run.stderr).toBe(0);
    expect(await usersOf(world)).toBe(2);
  });

  test('is created by apply and users import with --accept-charges', async () => {
    const world = await pricedWorld(like);
    const files = {
      'm.yaml': `users:\n  alice: ${JSON.stringify(person('alice'))}\n`,
      'p.csv': 'username,first_name,last_name,password\nbob,Bob,X,secret-1\n',
    };
    const refused = await world.telctl('apply -f m.yaml --yes', { files });
    expect(refused.code, refused.stderr).toBe(7);
    const applied = await world.telctl('apply -f m.yaml --yes --accept-charges');
    expect(applied.code, applied.stderr).toBe(0);
    const unasked = await world.telctl('users import p.csv --yes');
    expect(unasked.code, unasked.stderr).toBe(7);
    const imported = await world.telctl('users import p.csv --yes --accept-charges');
    expect(imported.code, imported.stderr).toBe(0);
    expect(await usersOf(world)).toBe(3);
  });

  test('is not sent twice if the response to the accepting request is lost', async () => {
    const world = await pricedWorld(like);
    const place = { method: 'PUT', path: /\/users$/ } as const;
    // In the usual mode acceptance beside data is answered with the charges again.
    const before = like === 'kazoo' ? 1 : 2;
    const run = await world.telctl('apply -f m.yaml --yes --accept-charges', {
      files: { 'm.yaml': `users:\n  alice: ${JSON.stringify(person('alice'))}\n` },
      faults: [
        { ...place, times: before, fault: { kind: 'pass' } },
        { ...place, fault: { kind: 'cut', by: 'reset' } },
      ],
    });
    expect(run.code).toBe(8);
    expect(run.requests.filter(({ method, path }) => method === 'PUT' && place.path.test(path))).toHaveLength(
      before + 1,
    );
    expect(run.stderr + run.stdout).toContain('Its charges were accepted');
  });
});

test('shows the amount due now and the increase of each bill', async () => {
  const world = await pricedWorld('kazoo');
  const run = await world.telctl(create, { files: { 'u.json': people('alice') } });
  expect(run.stderr).toMatch(
    /user +users +1 +1 +5\.00 +0\.00 +2\.00 +5\.00 +7\.00\n +Estimate +2\.00 +5\.00 +7\.00/,
  );
  expect(run.stderr).toContain('The total of each bill would be 5.00.');
  expect(run.stderr).toContain('estimated 7.00 (2.00 now, 5.00 with each bill) for 1 user');
});

test('applies one budget to all records of a run', async () => {
  const world = await pricedWorld('kazoo');
  const files = { 'u.json': people('alice', 'bob', 'carl') };
  const run = await world.telctl(`${create} --accept-charges-up-to 15`, { files });
  expect(run.code, run.stderr).toBe(8);
  expect(await usersOf(world)).toBe(3);
  expect(accepting(run)).toHaveLength(2);
});

test('applies one budget to all accounts of a run', async () => {
  const world = await openWorld({ like: 'kazoo' });
  for (const name of ['north', 'south']) await world.service('PUT', '', { name });
  const env = {
    ...{ TELCTL_BASE_URL: world.url, TELCTL_ACCOUNT_NAME: 'platform', TELCTL_USERNAME: 'super' },
    TELCTL_PASSWORD: world.seed.superPassword,
  };
  const files = { 'm.yaml': 'limits: { inbound_trunks: 1 }\n', 'a.txt': 'acme\nnorth\nsouth\n' };
  const set = await world.telctl('limits set --inbound-trunks 1 --below --yes --accept-charges-up-to 15', {
    env,
    files,
  });
  expect(set.code, set.stderr).toBe(8);
  expect(accepting(set)).toHaveLength(1);
  const applied = await world.telctl('apply -f m.yaml --accounts a.txt --yes --accept-charges-up-to 19.99', {
    env,
  });
  expect(applied.code, applied.stderr).toBe(8);
  expect(accepting(applied)).toHaveLength(1);
});

test('does not apply a budget if the previous quantity is unknown', async () => {
  const world = await pricedWorld();
  const run = await world.telctl(`${create} --accept-charges-up-to 1000`, {
    files: { 'u.json': people('alice') },
  });
  expect(run.code).toBe(7);
  expect(run.stderr).toContain('no budget covers');
});

test('does not send a stored acceptance back, and the next write clears it', async () => {
  const world = await openWorld({ like: 'kazoo' });
  await world.service('POST', 'limits', { inbound_trunks: 1, accept_charges: true });
  expect(await world.service('GET', 'limits')).toHaveProperty('accept_charges', true);
  const words = 'has stored an acceptance of charges with the limits';
  expect((await world.telctl('limits get')).stderr).toContain(words);
  const checks: readonly unknown[] = JSON.parse((await world.telctl('doctor -o json')).stdout);
  expect(checks).toContainEqual(
    expect.objectContaining({ check: 'charges', result: 'warn', finding: expect.stringContaining(words) }),
  );
  const unasked = await world.telctl('limits set --inbound-trunks 500 --no-input');
  expect(unasked.code).toBe(7);
  const poor = await world.telctl('apply -f m.yaml --yes --accept-charges-up-to 5', {
    files: { 'm.yaml': 'limits: { inbound_trunks: 600 }\n' },
  });
  expect(poor.code).toBe(7);
  expect(accepting(unasked).concat(accepting(poor))).toEqual([]);
  expect((await world.telctl('limits set --calls 3')).code).toBe(0);
  expect(await world.service('GET', 'limits')).not.toHaveProperty('accept_charges');
  expect((await world.telctl('limits get')).stderr).toBe('');
});

test('prints the message of a 402 without charges, even with --accept-charges', async () => {
  const world = await openWorld();
  const noCredit = () =>
    JSON.stringify({
      status: 'error',
      error: '402',
      message: 'no_credit',
      data: { message: 'Not enough credit.' },
    });
  const run = await world.telctl('limits set --inbound-trunks 2 --accept-charges', {
    faults: [{ method: 'POST', path: /limits$/, fault: { kind: 'rewrite', change: noCredit } }],
  });
  expect(run.code).toBe(7);
  expect(run.stderr).toContain('Not enough credit.');
  expect(accepting(run)).toEqual([]);
});

test.each(['', ' --allow-unknown-fields'])('rejects accept_charges in an input file%s', async (option) => {
  const world = await pricedWorld('kazoo');
  const files = { 'u.json': JSON.stringify([{ ...person('alice'), accept_charges: true }]) };
  const run = await world.telctl(`${create}${option}`, { files });
  expect(run.code).toBe(10);
  expect(run.stderr).toContain('--accept-charges accepts charges');
  expect(accepting(run)).toEqual([]);
});

test('telctl api shows charges, and rejects a body that accepts them', async () => {
  const world = await openWorld({ like: 'kazoo' });
  const path = '/v2/accounts/{account_id}/limits';
  const files = {
    'b.json': '{"data":{"inbound_trunks":2},"accept_charges":true}',
    'd.json': '{"inbound_trunks":2}',
  };
  for (const argv of [`api POST ${path} -f b.json`, `api POST ${path}?accept_charges=true -f d.json`]) {
    const run = await world.telctl(argv, { files });
    expect(run.code).toBe(2);
    expect(run.requests.filter(({ method }) => method === 'POST')).toEqual([]);
  }
  expect((await world.telctl(`api POST ${path} -f d.json`)).code).toBe(7);
  const accepted = await world.telctl(`api POST ${path} -f d.json --accept-charges-up-to 20`);
  expect(accepted.code, accepted.stderr).toBe(0);
});

test('does not repeat a charged PATCH after a lost response', async () => {
  const world = await openWorld({ like: 'kazoo' });
  await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'X' });
  await world.service('POST', 'services/overrides', { users: { admin: { rate: 7 } } });
  const patches = { method: 'PATCH', path: /\/users\// } as const;
  const run = await world.telctl('users patch alice --priv-level admin --accept-charges', {
    faults: [
      { ...patches, times: 1, fault: { kind: 'pass' } },
      { ...patches, fault: { kind: 'lose-reply' } },
    ],
  });
  expect(run.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
  expect(run.stderr).toContain('Its charges were accepted: estimated 7.00 for 1 more admin (2 in all).');
  expect(run.stderr).toContain('telctl read the record');
  expect(run.code, run.stderr).toBe(0);
});

test('returns accepted charges to the budget if the service refuses the request', async () => {
  const world = await pricedWorld('kazoo');
  const invalid = JSON.stringify({ status: 'error', error: '400', message: 'no', data: {} });
  const place = { method: 'PUT', path: /\/users$/ } as const;
  const run = await world.telctl(`${create} --accept-charges-up-to 7 --concurrency 1`, {
    files: { 'u.json': people('alice', 'bob') },
    faults: [
      { ...place, times: 1, fault: { kind: 'pass' } },
      { ...place, times: 1, fault: { kind: 'answer', status: 400, body: invalid } },
    ],
  });
  expect(run.code, run.stderr).toBe(8);
  expect(await usersOf(world)).toBe(2);
});
