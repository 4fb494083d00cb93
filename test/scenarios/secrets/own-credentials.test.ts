import { expect, test } from 'vitest';
import { isSignIn, openWorld } from '../../support/world.ts';

test('changing the own password does not end the session', async () => {
  const world = await openWorld({ signIn: 'password' });
  const run = await world.telctl('users password admin --password-stdin', { stdin: 'A-new-secret-1' });
  expect(run.code, run.stderr).toBe(0);
  const after = await world.telctl('users list -o name');
  expect(after.code, after.stderr).toBe(0);
  expect(after.requests.filter(isSignIn)).toEqual([]);
});

test('resetting the own signature secret does not end a session with a key', async () => {
  const world = await openWorld();
  const run = await world.telctl('tokens revoke-all --scope account --yes');
  expect(run.code, run.stderr).toBe(0);
  const after = await world.telctl('users list -o name');
  expect(after.code, after.stderr).toBe(0);
});

test('rotating the API key stores the new key and verifies that the old one is invalid', async () => {
  const world = await openWorld();
  const run = await world.telctl('accounts api-key rotate --yes');
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout + run.stderr).not.toContain(world.seed.apiKey);
  const proofs = run.requests.filter(
    ({ path, body }) => path === '/v2/api_auth' && JSON.stringify(body).includes(world.seed.apiKey),
  );
  expect(proofs).toHaveLength(1);
  world.clock.turn(2 * 3_600_000);
  const after = await world.telctl('users list -o name');
  expect(after.code, after.stderr).toBe(0);
});
