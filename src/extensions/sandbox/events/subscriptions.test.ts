import { expect, test } from 'vitest';
import { guardedLookup } from './sender.ts';
import { allowTargets, forbiddenReason } from './subscriptions.ts';

const targets = allowTargets(['Hooks.example', '192.0.2.7']);

test.each([
  'http://127.0.0.1:9000/',
  'http://127.9.9.9/',
  'http://[::1]/',
  'http://0x7f000001/',
  'http://hook.localhost/',
  'https://hooks.example/in',
  'http://192.0.2.7/',
])('%s is an allowed target', (uri) => {
  expect(targets.refusal(uri)).toBeUndefined();
});

test.each([
  'http://192.0.2.8/',
  'https://other.example/',
  'https://localhost.example/',
  'http://0.0.0.0/',
  'http://169.254.169.254/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://[fd00:ec2::254]/',
  'http://[64:ff9b::a9fe:a9fe]/',
])('%s is not an allowed target', (uri) => {
  expect(targets.refusal(uri)).toBeTypeOf('string');
});

test('an allowed name is checked again by its address at each connection', () => {
  expect(targets.addressRefusal('localhost', '192.0.2.8')).toContain('--allow-deliveries-to localhost');
  expect(targets.addressRefusal('hooks.example', '10.0.0.5')).toBeUndefined();
  expect(targets.addressRefusal('hooks.example', '169.254.169.254')).toContain('metadata');
});

test.each([
  '169.254.1.1',
  '169.254.169.254',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '100.100.100.200',
  '168.63.129.16',
  '192.0.0.192',
  '0.0.0.0',
  '0.1.2.3',
  '[::]',
  '224.0.0.1',
  '[ff02::1]',
  '255.255.255.255',
  '[64:ff9b::7f00:1]',
  '[2002:7f00:1::]',
  '[::ffff:169.254.169.254]',
])('%s is never an allowed target', (host) => {
  const address = host.replaceAll(/[[\]]/g, '');
  expect(forbiddenReason(`http://${host}/`)).toBeTypeOf('string');
  const allowing = allowTargets([host, 'hooks.example']);
  expect(allowing.refusal(`http://${host}/`)).toContain('unusable');
  expect(allowing.addressRefusal('hooks.example', address)).toContain('unusable');
});

/** Result of looking up a name that has these addresses: the addresses, or why not. */
function lookedUp(addresses: readonly string[], all: boolean): Promise<string> {
  const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const lookup = guardedLookup(targets, (_, __, done) => done(null, found));
  return new Promise((resolve) =>
    lookup('hook.localhost', { all }, (error, address) =>
      resolve(
        error
          ? error.message
          : typeof address === 'string'
            ? address
            : address.map((one) => one.address).join(' '),
      ),
    ),
  );
}

test('a name is refused if any of its addresses is not allowed', async () => {
  for (const all of [true, false]) {
    expect(await lookedUp(['127.0.0.1', '169.254.169.254'], all)).toContain('metadata');
    expect(await lookedUp(['169.254.169.254', '127.0.0.1'], all)).toContain('metadata');
    expect(await lookedUp(['127.0.0.1', '::1', '192.0.2.8'], all)).toContain('not this machine');
  }
  expect(await lookedUp(['127.0.0.1', '::1'], true)).toBe('127.0.0.1 ::1');
  expect(await lookedUp(['127.0.0.1', '::1'], false)).toBe('127.0.0.1');
});
