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
])('encodes the id %j as one path segment', (id, segment) => {
  const { path } = buildRequest({ operation: getUser, path: { user_id: id } }, place);
  expect(path).toBe(`/v2/accounts/acc/users/${segment}`);
  expect(new URL(`http://service.example${path}`).pathname).toBe(path);
});

test.each(['', '.', '..', '\ud800'])('rejects the id %j', (id) => {
  expect(() => buildRequest({ operation: getUser, path: { user_id: id } }, place)).toThrow(
    expect.objectContaining({ kind: 'invalid' }),
  );
});

test('uses the account id of the call instead of the default', () => {
  const { path } = buildRequest(
    { operation: operationById('users.list'), path: { account_id: 'other' } },
    place,
  );
  expect(path).toBe('/v2/accounts/other/users');
});

test('names --account if no account is set', () => {
  const build = () =>
    buildRequest({ operation: operationById('users.list') }, { ...place, accountId: undefined });
  expect(build).toThrow(Failure);
  expect(build).toThrow('--account');
});

test('uses the prefix of the profile, except for paths documented with a prefix', () => {
  const bare = { ...place, prefix: '' };
  expect(buildRequest({ operation: operationById('users.list') }, bare).path).toBe('/accounts/acc/users');
  expect(buildRequest({ operation: operationById('limits.get') }, bare).path).toBe('/v2/accounts/acc/limits');
});

test('puts data in the envelope, next to the action if any', () => {
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

test('encodes query values, repeats list values and drops undefined ones', () => {
  const query = { filter_name: 'a&b=c', type: ['x', 'y'], nothing: undefined };
  const { search } = buildRequest({ operation: operationById('users.list'), query }, place);
  expect(search).toBe('?filter_name=a%26b%3Dc&type=x&type=y');
});
