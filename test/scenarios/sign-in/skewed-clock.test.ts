import { expect, test } from 'vitest';
import type { Clock } from '../../../src/base/host/host.ts';
import { minuteMs } from '../../support/clock.ts';
import { isSignIn, openWorld, type Run, type World } from '../../support/world.ts';

const hourMs = 60 * minuteMs;

/** The clock of a machine that differs from that of the service. */
const skewed = ({ clock }: World, hours: number): Clock => ({
  now: () => clock.now() + hours * hourMs,
  sleep: (ms, signal) => clock.sleep(ms, signal),
});

const signIns = ({ requests }: Run): number => requests.filter(isSignIn).length;
const others = ({ requests }: Run): number => requests.filter((each) => !isSignIn(each)).length;

test.each([-5, 5])('a clock that is wrong by %d hours does not repeat sign-ins', async (hours) => {
  const world = await openWorld({ signIn: 'none' });
  const clock = skewed(world, hours);
  const list = () => world.telctl('users list -o name', { clock });
  const login = ['login', '--base-url', world.url, '--api-key-stdin'];
  expect((await world.telctl(login, { stdin: world.seed.apiKey, clock })).code).toBe(0);
  for (const run of [await list(), await list()])
    expect([run.code, signIns(run)], run.stderr).toEqual([0, 0]);
  world.clock.turn(61 * minuteMs);
  const expired = await list();
  expect([expired.code, signIns(expired)], expired.stderr).toEqual([0, 1]);
  const next = await list();
  expect([next.code, signIns(next)], next.stderr).toEqual([0, 0]);
});

test.each([
  ['set back', 5, 0],
  ['set forward', -5, 0],
])('an expired token is replaced once after the clock is %s', async (_, before, after) => {
  const world = await openWorld({ signIn: 'none' });
  const login = ['login', '--base-url', world.url, '--api-key-stdin'];
  await world.telctl(login, { stdin: world.seed.apiKey, clock: skewed(world, before) });
  world.clock.turn(61 * minuteMs);
  const list = () => world.telctl('users list -o name', { clock: skewed(world, after) });
  const first = await list();
  // Without a hint from the clock, the service rejects the token once.
  expect([first.code, signIns(first)], first.stderr).toEqual([0, 1]);
  expect(others(first)).toBeLessThanOrEqual(2);
  const next = await list();
  expect([next.code, signIns(next), others(next)], next.stderr).toEqual([0, 0, 1]);
});

test.each([-5, 5])(
  'a token of the environment is used with a clock that is wrong by %d hours',
  async (hours) => {
    const world = await openWorld({ signIn: 'none' });
    const env = { TELCTL_BASE_URL: world.url, TELCTL_TOKEN: await world.sandbox.adminToken() };
    const clock = skewed(world, hours);
    const run = await world.telctl('users list -o name', { env, clock });
    expect([run.code, signIns(run)], run.stderr).toEqual([0, 0]);
    world.clock.turn(61 * minuteMs);
    const late = await world.telctl('users list -o name', { env, clock });
    expect([late.code, signIns(late), others(late) < 4], late.stderr).toEqual([4, 0, true]);
  },
);
