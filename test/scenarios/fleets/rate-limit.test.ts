import { expect, test } from 'vitest';
import type { Clock } from '../../../src/base/host/host.ts';
import { minuteMs } from '../../support/clock.ts';
import { rateLimited } from '../../support/faults.ts';
import { openWorld, type Run, type World } from '../../support/world.ts';

const size = 100;
const perSecond = 10;

const repeatLines = (count: number, line: (at: number) => string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `  ${line(at)}`);

/** Returns a manifest of menus, and one callflow to each. */
const formatManifest = (count: number): string =>
  [
    'menus:',
    ...repeatLines(count, (at) => `menu${at}: { name: Menu ${at} }`),
    'callflows:',
    ...repeatLines(
      count,
      (at) =>
        `flow${at}: { name: Flow ${at}, numbers: ["+1555${1_000_000 + at}"], flow: { module: menu, data: { id: "\${menus.menu${at}}" }, children: {} } }`,
    ),
  ].join('\n');

const formatCsv = (people: number): string =>
  [
    'username,first_name,last_name,password',
    ...repeatLines(people, (at) => `user${at},First,Last${at},first-sign-in`).map((row) => row.trim()),
  ].join('\n');

/** Fills the account without a rate limit. */
async function fillAccount(world: World, count: number): Promise<void> {
  const files = { 'office.yaml': formatManifest(count) };
  const run = await world.telctl('apply -f office.yaml --yes', { files });
  if (run.code !== 0) throw new Error(run.stderr);
}

/** Runs a command with a limit on all requests. Returns its duration, and the minimum duration under the limit. */
async function runRateLimited(world: World, line: string, files: Readonly<Record<string, string>> = {}) {
  let refused = 0;
  const startMs = world.clock.now();
  const run = await world.telctl(line, {
    files,
    faults: [rateLimited(world.clock, { size, perSecond }, { met: () => (refused += 1) })],
  });
  const allowedMs = ((run.requests.length - refused - size) / perSecond) * 1000;
  return { run, refused, tookMs: world.clock.now() - startMs, allowedMs };
}

const expectWithinLimit = ({
  run,
  tookMs,
  allowedMs,
  refused,
}: Awaited<ReturnType<typeof runRateLimited>>): void => {
  expect(run.code, run.stderr).toBe(0);
  expect(allowedMs).toBeGreaterThan(5000);
  expect(tookMs).toBeLessThan(allowedMs * 1.2 + 1000);
  expect(refused).toBeLessThan(run.requests.length / 4);
  expect(run.stderr).toMatch(
    /The service allows about \d+ requests a second; (?:about \d+ s left|waiting)\./,
  );
};

test.each(['export', 'orphans', 'find +15551000001', 'callflows lint'])(
  'telctl %s succeeds behind a limit of 10 requests per second',
  async (line) => {
    const world = await openWorld();
    await fillAccount(world, 170);
    expectWithinLimit(await runRateLimited(world, line));
  },
);

test('apply and bulk commands share one rate limiter', async () => {
  const world = await openWorld();
  expectWithinLimit(
    await runRateLimited(world, 'apply -f office.yaml --yes', { 'office.yaml': formatManifest(90) }),
  );
  expectWithinLimit(
    await runRateLimited(world, 'users import users.csv --yes', { 'users.csv': formatCsv(170) }),
  );
});

test('a waiting command reports the expected time', async () => {
  const world = await openWorld();
  await fillAccount(world, 120);
  const { run } = await runRateLimited(world, 'export');
  expect(run.stderr).toMatch(
    /The service allows about (?:[7-9]|10|11) requests a second; about \d+ s left\./,
  );
});

const deny = { fault: { kind: 'answer', status: 429, body: '{}' } } as const;

test('a service that accepts no requests is waited for at most two minutes', async () => {
  const world = await openWorld();
  const startMs = world.clock.now();
  const run = await world.telctl('users list', { faults: [deny] });
  expect(run.code).toBe(75);
  expect(run.stdout).toBe('');
  expect(run.stderr).toContain('The service accepts no requests for now. Waiting.');
  expect(run.stderr).toContain('accepts no more requests for now');
  const tookMs = world.clock.now() - startMs;
  expect(tookMs).toBeGreaterThan(2 * minuteMs);
  expect(tookMs).toBeLessThan(2.5 * minuteMs);
  expect(run.requests.length).toBeLessThan(150);
});

test('--retries 0 sends no request twice, for any response', async () => {
  const world = await openWorld();
  const run = await world.telctl('users list --retries 0', { faults: [deny] });
  expect(run.code).toBe(75);
  expect(run.requests).toHaveLength(1);
});

test('sign-in and token renewal wait for the rate limit', async () => {
  const world = await openWorld({ signIn: 'none' });
  const slowSignIn = () => [{ ...deny, path: /\/(?:api_auth|auth)$/, times: 5 }];
  const login = await world.telctl(
    ['login', '--profile', world.profile, '--base-url', world.url, '--api-key-stdin'],
    { stdin: world.seed.apiKey, faults: slowSignIn() },
  );
  expect(login.code, login.stderr).toBe(0);
  world.clock.turn(55 * minuteMs);
  const renewed = await world.telctl('users list -o name', { faults: slowSignIn() });
  expect(renewed.code, renewed.stderr).toBe(0);
  expect(renewed.requests.map(({ path }) => path)).toContain('/v2/auth');
  world.clock.turn(120 * minuteMs);
  const anew = await world.telctl('users list -o name', { faults: slowSignIn() });
  expect(anew.code, anew.stderr).toBe(0);
});

const runBounded = (world: World, line: string, options = {}): Promise<Run> =>
  world.telctl(line, { faults: [rateLimited(world.clock, { size: 20, perSecond: 2 })], ...options });

test('--deadline ends a waiting command with code 75', async () => {
  const world = await openWorld();
  await fillAccount(world, 60);
  const startMs = world.clock.now();
  const run = await runBounded(world, 'export --deadline 10s');
  expect(run.code, run.stderr).toBe(75);
  expect(run.stderr).toContain('The command took longer than 10 seconds (--deadline).');
  expect(world.clock.now() - startMs).toBeLessThan(11_000);
});

test('--deadline completes requests in flight and lists the unsent ones', async () => {
  const world = await openWorld();
  const files = { 'office.yaml': formatManifest(30) };
  const run = await runBounded(world, 'apply -f office.yaml --yes --deadline 10s -o json', { files });
  expect(run.code, run.stderr).toBe(75);
  expect(run.stderr).toContain('--deadline');
  const done = await world.telctl('menus list -o name');
  expect(done.stdout.split('\n').length).toBeGreaterThan(10);
  const rest = await world.telctl('apply -f office.yaml --yes', { files });
  expect(rest.code, rest.stderr).toBe(0);
});

test('--deadline does not affect a command that ends in time', async () => {
  const world = await openWorld();
  expect((await world.telctl('users list --deadline 2m -o name')).code).toBe(0);
});

test.each([
  ['soon', '--deadline must be a duration, not "soon".'],
  ['5 minuets', 'Did you mean 5m?'],
  ['0s', '--deadline must be between 1ms and 24d, not "0s".'],
  ['99d', '--deadline must be between 1ms and 24d, not "99d".'],
])('--deadline "%s" is refused', async (text, expected) => {
  const world = await openWorld();
  const run = await world.telctl(['users', 'list', '--deadline', text]);
  expect(run.code).toBe(2);
  expect(run.stderr).toContain(expected);
  expect(run.requests).toEqual([]);
});

test('Ctrl-C interrupts a wait for the rate limit', async () => {
  const world = await openWorld();
  const interrupted = new AbortController();
  const clock: Clock = {
    now: () => world.clock.now(),
    async sleep(ms, signal) {
      if (ms > 5000) interrupted.abort();
      await world.clock.sleep(ms, signal);
    },
  };
  const asksToWait = { ...deny.fault, headers: { 'retry-after': '60' } } as const;
  const startMs = world.clock.now();
  const run = await world.telctl('users list', {
    clock,
    interrupted: interrupted.signal,
    faults: [{ fault: asksToWait }],
  });
  expect(run.code).toBe(130);
  expect(run.stderr).toContain('The service accepts no requests for 60 s. Waiting.');
  expect(world.clock.now()).toBe(startMs);
});

test('many sign-ins succeed on a service that limits only anonymous requests', async () => {
  const world = await openWorld({ like: 'kazoo', signIn: 'none' });
  const startMs = world.clock.now();
  const login = ['login', '--profile', world.profile, '--base-url', world.url, '--api-key-stdin'];
  for (let at = 0; at < 70; at += 1) {
    const run = await world.telctl(login, { stdin: world.seed.apiKey });
    expect(run.code, run.stderr).toBe(0);
  }
  // Each request costs 2 of 100 tokens, and 10 are refilled per second.
  expect(world.clock.now() - startMs).toBeGreaterThan(2000);
  expect(world.clock.now() - startMs).toBeLessThan(20_000);
});
