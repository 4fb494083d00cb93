import { expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { isLoopback, refusePlainHttp } from './transport.ts';

test.each(['localhost', 'LOCALHOST', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])(
  'treats %s as the local machine',
  (hostname) => {
    expect(isLoopback(hostname)).toBe(true);
    expect(() => refusePlainHttp(new URL(`http://${hostname}:8000`), false)).not.toThrow();
  },
);

test.each([
  'localhost.evil.example',
  'localhost.example',
  'evil-localhost',
  'notlocalhost',
  'localhost.localhost.example',
  '127.0.0.1.evil.example',
  '127.evil.example',
  '128.0.0.1',
  '0.0.0.0',
  '[::2]',
  '[::ffff:10.0.0.1]',
  'a127.0.0.1.example',
])('requires --allow-http for plain http to %s', async (hostname) => {
  const url = new URL(`http://${hostname}`);
  expect(isLoopback(hostname)).toBe(false);
  const refused = (async () => refusePlainHttp(url, false))();
  expect((await failureOf(refused)).kind).toBe('refused');
  expect(() => refusePlainHttp(url, true)).not.toThrow();
  expect(() => refusePlainHttp(new URL(`https://${hostname}`), false)).not.toThrow();
});
