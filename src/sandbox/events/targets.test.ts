import { expect, test } from 'vitest';
import { targetsAllowing } from './targets.ts';

const targets = targetsAllowing(['Hooks.example', '192.0.2.7']);

test.each([
  'http://127.0.0.1:9000/',
  'http://127.9.9.9/',
  'http://[::1]/',
  'http://0x7f000001/',
  'http://hook.localhost/',
  'https://hooks.example/in',
  'http://192.0.2.7/',
])('%s may be sent to', (uri) => {
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
])('%s may not', (uri) => {
  expect(targets.refusal(uri)).toBeTypeOf('string');
});

test('a name is held to the addresses that it has when the connection is made', () => {
  expect(targets.addressRefusal('localhost', '192.0.2.8')).toContain('--allow-deliveries-to localhost');
  expect(targets.addressRefusal('hooks.example', '10.0.0.5')).toBeUndefined();
  expect(targets.addressRefusal('hooks.example', '169.254.169.254')).toContain('metadata');
});
