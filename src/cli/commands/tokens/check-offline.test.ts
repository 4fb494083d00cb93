import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const keyId = async (world: World) => (await world.telctl('keys list -o name')).stdout.trim();
const pem = async (world: World) => (await world.telctl(['keys', 'get', await keyId(world), '--pem'])).stdout;
const ownToken = async (world: World) => (await world.telctl('tokens show')).stdout.trim();

test('checks a token with the public key of the service', async () => {
  const world = await openWorld();
  const run = await world.telctl('tokens info --offline -o json');
  expect(run.code, run.stderr).toBe(0);
  expect(JSON.parse(run.stdout)).toMatchObject({
    valid: true,
    signature: 'valid',
    expired: false,
    algorithm: 'RS256',
    key_id: await keyId(world),
    key_fingerprint: expect.stringMatching(/^SHA256:[\w+/]{43}$/),
    claims: { account_id: world.seed.accountId, identity_sig: expect.stringMatching(/^\W+$/) },
  });
  expect(run.requests.filter(({ path }) => path.includes('tokeninfo'))).toEqual([]);
});

test('sends no requests with a key file, and reports an expired token', async () => {
  const world = await openWorld();
  const files = { 'key.pem': await pem(world) };
  const token = await ownToken(world);
  const line = 'tokens info --offline --token-stdin --key-file key.pem -o json';
  const fresh = await world.telctl(line, { files, stdin: token });
  expect(fresh.code, fresh.stderr).toBe(0);
  expect(fresh.requests).toEqual([]);
  world.clock.turn(2 * 3_600_000);
  const stale = await world.telctl(line, { files, stdin: token });
  expect(stale.code).toBe(4);
  expect(JSON.parse(stale.stdout)).toMatchObject({ valid: false, signature: 'valid', expired: true });
  expect(stale.stderr).toContain('The token has expired.');
});

test('rejects a tampered token and one with another signature', async () => {
  const world = await openWorld();
  const files = { 'key.pem': await pem(world) };
  const [header = '', claims = '', signature = ''] = (await ownToken(world)).split('.');
  const shared = `${part({ alg: 'HS256', typ: 'JWT' })}.${claims}`;
  const forged = [
    `${header}.${part({ account_id: 'f'.repeat(32) })}.${signature}`,
    `${part({ alg: 'none' })}.${claims}.AA`,
    `${shared}.${createHmac('sha256', files['key.pem']).update(shared).digest('base64url')}`,
  ];
  for (const token of forged) {
    const run = await world.telctl('tokens info --offline --token-stdin --key-file key.pem -o json', {
      files,
      stdin: token,
    });
    expect(run.code).toBe(4);
    expect(JSON.parse(run.stdout)).toMatchObject({ valid: false, signature: 'invalid' });
  }
});

test('distinguishes an invalid token from an invalid key', async () => {
  const world = await openWorld();
  const files = { 'key.pem': 'nothing' };
  const line = 'tokens info --offline --token-stdin';
  const noToken = await world.telctl(line, { stdin: 'opaque' });
  expect([noToken.code, noToken.stderr]).toEqual([10, expect.stringContaining('not a signed token')]);
  const noKey = await world.telctl(`${line} --key-file key.pem`, { files, stdin: await ownToken(world) });
  expect([noKey.code, noKey.stderr]).toEqual([
    10,
    expect.stringContaining('key.pem does not contain a public key'),
  ]);
  expect((await world.telctl('tokens info --key-file key.pem', { files })).code).toBe(2);
});
