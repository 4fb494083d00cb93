import { expect, test } from 'vitest';
import type { Json } from '../../base/json.ts';
import { operationById } from '../../contract/catalogue.ts';
import { replyFailure } from './reply-failure.ts';

function failure(status: number, body: Json | string, operationId = 'users.update', repeated = true) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const operation = operationById(operationId);
  return replyFailure(
    { status, headers: { 'x-request-id': 'from-header' }, text },
    {
      method: operation.method,
      shown: operation.path,
      origin: 'http://service.example',
      operation,
      repeat: repeated ? 'idempotent' : 'never',
    },
  );
}

const reference = { code: 'bad_identifier', message: 'bad identifier', request_id: 'r1' };
const legacy = {
  status: 'error',
  error: '404',
  message: 'bad_identifier',
  data: { message: 'no such thing' },
  request_id: 'r2',
};

test.each([
  [401, 'auth'],
  [402, 'charges'],
  [403, 'auth'],
  [404, 'not_found'],
  [409, 'conflict'],
  [413, 'invalid'],
  [429, 'unavailable'],
  [503, 'unavailable'],
  [501, 'failed'],
  [418, 'failed'],
])('maps a %i to the kind %s', (status, kind) => {
  expect(failure(status, reference).kind).toBe(kind);
});

test('maps a 500 to `unavailable` if retries ran out and to `failed` if it could not be retried', () => {
  expect(failure(500, reference).kind).toBe('unavailable');
  expect(failure(500, reference, 'users.create', false)).toMatchObject({ kind: 'failed' });
  expect(failure(500, reference, 'users.create', false).hint).toContain('may have been carried out');
});

test('reads code, message and request id from both error shapes', () => {
  expect(failure(404, reference)).toMatchObject({ code: 'bad_identifier', requestId: 'r1' });
  expect(failure(404, reference).message).toContain('bad identifier');
  expect(failure(404, legacy)).toMatchObject({ code: 'bad_identifier', requestId: 'r2' });
  expect(failure(404, legacy).message).toContain('no such thing');
});

test('describes an error without a JSON body by its status and header', () => {
  expect(failure(502, '<html>Bad gateway</html>')).toMatchObject({
    kind: 'unavailable',
    requestId: 'from-header',
  });
});

test('names the fields of a 400 and omits the values that were sent', () => {
  const data = {
    'caller_id.external.number': { minLength: { message: 'must not be empty', target: 1, value: 'a-value' } },
    password: { minLength: { message: 'is too short', target: 8, value: 'hunter2', cause: 'hunter2' } },
  };
  const found = failure(400, { ...reference, data });
  expect(found.kind).toBe('invalid');
  expect(found.message).toContain('caller_id.external.number: must not be empty');
  expect(found.details).toEqual({
    fields: [
      { field: 'caller_id.external.number', rule: 'minLength', message: 'must not be empty', target: 1 },
      { field: 'password', rule: 'minLength', message: 'is too short', target: 8 },
    ],
  });
  expect(JSON.stringify(found.details)).not.toContain('hunter2');
});

test('maps a 400 for a unique field to `conflict` and names the field', () => {
  const data = { username: { unique: { message: 'already used', cause: 'alice' } } };
  expect(failure(400, { ...reference, data })).toMatchObject({
    kind: 'conflict',
    details: { fields: [{ field: 'username', rule: 'unique', cause: 'alice' }] },
  });
});

test('omits the credentials of a failed sign-in', () => {
  const data = {
    api_key: { minLength: { message: 'secret-key is too short', target: 64, cause: 'secret-key' } },
  };
  const found = failure(400, { ...legacy, message: 'validation error', data }, 'tokens.api-auth');
  expect(JSON.stringify([found.message, found.details])).not.toContain('secret-key');
});

test('puts the charges of a 402 into the details', () => {
  const limits = { twoway_trunks: { quantity: 8, rate: 25 } };
  const found = failure(402, { ...legacy, error: '402', data: { limits } }, 'limits.set');
  expect(found.details).toEqual({ limits });
});

test('names a phone number that the account does not have', () => {
  const message = 'The account has no number +13125550177.';
  const unknown = {
    ...legacy,
    message: 'not_found',
    data: { code: 404, error: 'not_found', cause: '+13125550177', message },
  };
  const missing = failure(404, unknown, 'numbers.get');
  expect(missing.message).toContain(message);
  expect([missing.kind, missing.message.includes('does not offer')]).toEqual(['not_found', false]);
});

test('reports an unsupported convention and the documented alternative', () => {
  const nothing = { code: 'not_found', message: 'no such path', request_id: 'r3' };
  const refused = failure(404, nothing, 'users.list');
  expect(refused.kind).toBe('not_found');
  expect(refused.message).toContain('does not offer "List users"');
  expect(refused.hint).toContain('PATCH /accounts/{account_id}/users/{user_id}');
  expect(refused.hint).toContain('Use ids to name records');
  expect(failure(404, nothing, 'groups.list').hint).toContain('GET /accounts/{account_id}/groups/{group_id}');
  expect(failure(404, reference, 'users.get').message).toContain('There is no user');
  expect(failure(404, nothing, 'users.patch').message).not.toContain('does not offer');
});
