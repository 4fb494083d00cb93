import { createPublicKey } from 'node:crypto';
import { expect, test } from 'vitest';
import { openWorld, type World } from '../../../../test/support/world.ts';
import { readPublicKey } from './commands.ts';

const asSuper = ({ url, seed }: World) => ({
  TELCTL_BASE_URL: url,
  TELCTL_USERNAME: 'super',
  TELCTL_PASSWORD: seed.superPassword,
  TELCTL_ACCOUNT_NAME: 'platform',
});
const keyId = async (world: World) => (await world.telctl('keys list -o name')).stdout.trim();

test('shows a key with its fingerprint, and the same key as PEM and JWK', async () => {
  const world = await openWorld();
  const id = await keyId(world);
  const shown = JSON.parse((await world.telctl(['keys', 'get', id, '-o', 'json'])).stdout);
  const { stdout: pem } = await world.telctl(['keys', 'get', id, '--pem']);
  expect(pem).toMatch(/^-----BEGIN .*PUBLIC KEY-----\n/);
  const jwk = JSON.parse((await world.telctl(['keys', 'get', id, '--jwk'])).stdout);
  expect(jwk).toMatchObject({ kid: id, use: 'sig', kty: 'RSA', alg: 'RS256' });
  const spki = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  expect(readPublicKey(String(spki))?.fingerprint).toBe(shown.fingerprint);
  expect((await world.telctl(['keys', 'get', id, '--jwk', '--pem'])).code).toBe(2);
});

test('reads a PEM key with a mismatched header, and ignores text without a key', async () => {
  const world = await openWorld();
  const { stdout: pem } = await world.telctl(['keys', 'get', await keyId(world), '--pem']);
  const key = createPublicKey(pem);
  const spki = String(key.export({ type: 'spki', format: 'pem' }));
  const fingerprints = [pem, spki, spki.replaceAll('PUBLIC KEY', 'RSA PUBLIC KEY')].map(
    (text) => readPublicKey(text)?.fingerprint,
  );
  expect(new Set(fingerprints).size).toBe(1);
  expect(readPublicKey('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n')).toBeUndefined();
});

test('a reset lists its consequences and requires the host name, even with --yes', async () => {
  const world = await openWorld();
  const env = asSuper(world);
  const id = await keyId(world);
  const before = (await world.telctl(['keys', 'get', id, '-o', 'json'])).stdout;
  for (const [more, code] of [
    [['--yes'], 2],
    [['--confirm', 'localhost'], 9],
  ] as const) {
    const run = await world.telctl(['keys', 'reset', id, ...more], { env });
    expect(run.code).toBe(code);
    expect(run.stderr).toContain('This signs out every user of every account at 127.0.0.1');
    expect(run.requests.filter(({ path, method }) => method === 'PUT' && path.includes('/keys/'))).toEqual(
      [],
    );
  }
  const run = await world.telctl(['keys', 'reset', id, '--confirm', '127.0.0.1'], { env });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toMatch(/The public one is now SHA256:/);
  const after = await world.telctl(['keys', 'get', id, '-o', 'json']);
  expect(after.code, after.stderr).toBe(0);
  expect(JSON.parse(after.stdout).fingerprint).not.toBe(JSON.parse(before).fingerprint);
});

test('refuses a reset by an account administrator', async () => {
  const world = await openWorld();
  const run = await world.telctl(['keys', 'reset', await keyId(world), '--confirm', '127.0.0.1']);
  expect(run.code).toBe(4);
});

for (const status of [401, 403, 404, 500]) {
  test(`reports a reset as done if its result cannot be read (${status})`, async () => {
    const world = await openWorld();
    const env = asSuper(world);
    const id = await keyId(world);
    let isReset = false;
    const faults = [
      { method: 'PUT', path: /keys/, fault: { kind: 'pass' }, met: () => (isReset = true) },
      {
        method: 'GET',
        path: /keys/,
        when: () => isReset,
        fault: { kind: 'answer', status, body: '{"message":"not offered"}' },
      },
    ] as const;
    const run = await world.telctl(['keys', 'reset', id, '--confirm', '127.0.0.1', '-o', 'json'], {
      env,
      faults,
    });
    expect(run.code, run.stderr).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual({ id, host: '127.0.0.1', signed_in: true });
    expect(run.stderr).toContain(`Replaced the private key ${id} of 127.0.0.1. Checking the result failed`);
    expect(run.stderr).not.toContain('Not signed in');
  });
}
