import { expect, test } from 'vitest';
import { redactTarget } from '../../contract/secrets.ts';
import { buildRawRequest } from './build-request.ts';

const base = 'https://api.example/tel';

test('keeps the path as typed, relative to the service address', () => {
  const { path, search } = buildRawRequest(base, {
    method: 'get',
    path: '/v2/accounts/a%2Fb?x=1',
    query: { y: '2' },
  });
  expect(path).toBe('/v2/accounts/a%2Fb');
  expect(search).toBe('?x=1&y=2');
});

test.each([
  'users',
  '//elsewhere.example/x',
  'https://elsewhere.example/x',
  '/v2/../admin',
  '/v2/%2e%2e/admin',
  '/v2/./x',
])('rejects the path %s', (path) => {
  expect(() => buildRawRequest(base, { method: 'GET', path })).toThrow(
    expect.objectContaining({ kind: 'usage' }),
  );
});

test('marks only reads as safe to repeat', () => {
  expect(buildRawRequest(base, { method: 'get', path: '/x' })).toMatchObject({
    effect: 'read',
    repeat: 'safe',
  });
  expect(buildRawRequest(base, { method: 'post', path: '/x' })).toMatchObject({
    effect: 'write',
    repeat: 'never',
  });
  expect(buildRawRequest(base, { method: 'delete', path: '/x' })).toMatchObject({ effect: 'destructive' });
});

test('redacts tokens and keys in traces', () => {
  const token = 'eyJhbGciOiJSUzI1NiJ9.eyJhY2NvdW50X2lkIjoiYSJ9.c2lnbmF0dXJl';
  const key = 'ab'.repeat(32);
  const shown = redactTarget(`/v2/user_auth/${token}/${key}`, `?token=${token}&page_size=5&api_key=${key}`);
  expect(shown).not.toContain(token);
  expect(shown).not.toContain(key);
  expect(shown).toContain('page_size=5');
  // However the name is written, and whatever it filters by.
  expect(redactTarget('/v2/users', `?%74oken=${token}&filter_pin=4711&spin=1&%=2`)).toBe(
    '/v2/users?%74oken=••••••&filter_pin=••••••&spin=1&%=2',
  );
  expect(
    redactTarget('/v2/webhooks', '?filter_custom_data.key=x&filter_bill.account_number=7&filter_bill.pin=1'),
  ).toBe(
    '/v2/webhooks?filter_custom_data.key=••••••&filter_bill.account_number=••••••&filter_bill.pin=••••••',
  );
});
