import { expect, test } from 'vitest';
import { operationById, operations } from '../../contract/catalogue.ts';
import type { Operation } from '../../contract/types.ts';
import { expectedReply } from './send-call.ts';
import { unwrap } from './unwrap.ts';

const origin = 'https://api.example';
const read = (operation: Operation, text: string) =>
  unwrap(
    { status: 200, headers: { 'content-type': 'application/json' }, text },
    expectedReply({ operation }),
    origin,
  ).reply;

/** An envelope of 200 that says all the same that something failed. */
const refusal = '{"status":"error","data":{"message":"not found"}}';

const nothingDue = operations.filter(({ reply, method }) => reply.kind === 'empty' || method === 'DELETE');
const recordDue = operations.filter(({ reply, method }) => reply.kind === 'record' && method !== 'DELETE');

test.each(nothingDue.map((operation) => [operation.id, operation] as const))(
  '%s accepts every form of a success without data',
  (_, operation) => {
    for (const text of [
      '',
      '{"status":"success"}',
      '{"status":"success","request_id":"4f2a","auth_token":"t"}',
    ])
      expect(read(operation, text).data, text).toEqual({});
    expect(read(operation, '{"status":"success","data":null}').data).toBeNull();
  },
);

test.each(nothingDue.map((operation) => [operation.id, operation] as const))(
  '%s rejects a response that is not from the service',
  (_, operation) => {
    for (const text of [
      '{}',
      '[]',
      'null',
      '{"message":"maintenance"}',
      '{"status":"error"}',
      refusal,
      '<html>',
    ])
      expect(() => read(operation, text), text).toThrow(`${origin} responded with`);
  },
);

test.each(recordDue.map((operation) => [operation.id, operation] as const))(
  '%s requires a record in a success',
  (_, operation) => {
    for (const text of ['', '{"status":"success"}', refusal])
      expect(() => read(operation, text), text).toThrow(`${origin} responded with`);
    if (!('orOther' in operation.reply))
      for (const data of ['[]', '[{"id":"u1"}]', 'null', '"u1"'])
        expect(() => read(operation, `{"data":${data}}`), data).toThrow('something that is not a record');
  },
);

test('removes the echoed token from every part of a response', () => {
  const token = 'echoed-token';
  for (const operation of ['users.get', 'tokens.info'].map(operationById)) {
    const body = { status: 'success', auth_token: token, data: { id: 'u1', auth_token: token } };
    const reply = read(operation, JSON.stringify(body));
    expect(reply).toMatchObject({ data: { id: 'u1' }, envelope: {} });
    expect(JSON.stringify(reply)).not.toContain(token);
  }
});
