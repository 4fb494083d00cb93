import { expect, test } from 'vitest';
import { Failure } from '../../base/failure.ts';
import { operationById } from '../../contract/catalogue.ts';
import { buildRequest } from './build-request.ts';

const place = { prefix: '/v2', accountId: 'acc' };
const getUser = operationById('users.get');

test.each([
  ['a/b', 'a%2Fb'],
  ['../limits', '..%2Flimits'],
  ['%2e%2e', '%252e%252e'],
  ['two words', 'two%20words'],
  ['q?x=1#f', 'q%3Fx%3D1%23f'],
  ['ü', '%C3%BC'],
])('the id %j is one segment of the path', (id, segment) => {
  const { path } = buildRequest({ operation: getUser, path: { user_id: id } }, place);
  expect(path).toBe(`/v2/accounts/acc/users/${segment}`);
  expect(new URL(`http://service.example${path}`).pathname).toBe(path);
});

test.each(['', '.', '..', '\ud800'])('the id %j cannot stand in a path and is refused', (id) => {
  expect(() => buildRequest({ operation: getUser, path: { user_id: id } }, place)).toThrow(
    expect.objectContaining({ kind: 'invalid' }),
  );
});

test('another account can be named', () => {
  const { path } = buildRequest(
    { operation: operationById('users.list'), path: { account_id: 'other' } },
    place,
  );
  expect(path).toBe('/v2/accounts/other/users');
});

test('without an account the option that names one is named', () => {
  const build = () =>
    buildRequest({ operation: operationById('users.list') }, { ...place, accountId: undefined });
  expect(build).toThrow(Failure);
  expect(build).toThrow('--account');
});

test('the prefix is that of the profile, but for what the specification writes with one', () => {
  const bare = { ...place, prefix: '' };
  expect(buildRequest({ operation: operationById('users.list') }, bare).path).toBe('/accounts/acc/users');
  expect(buildRequest({ operation: operationById('limits.get') }, bare).path).toBe('/v2/accounts/acc/limits');
});

test('data goes in the envelope, beside the action where there is one', () => {
  const data = { first_name: 'Ann' };
  expect(buildRequest({ operation: operationById('users.create'), data }, place).body?.envelope).toEqual({
    data,
  });
  expect(buildRequest({ operation: operationById('tokens.refresh') }, place).body?.envelope).toEqual({
    action: 'refresh_token',
    data: {},
  });
  expect(buildRequest({ operation: operationById('users.list') }, place).body).toBeUndefined();
});

test('query values are encoded, repeated names stay, absent ones go', () => {
  const query = { filter_name: 'a&b=c', type: ['x', 'y'], nothing: undefined };
  const { search } = buildRequest({ operation: operationById('users.list'), query }, place);
  expect(search).toBe('?filter_name=a%26b%3Dc&type=x&type=y');
});
