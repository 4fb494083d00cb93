import { expect, test } from 'vitest';
import { operations } from '../../src/contract/catalogue.ts';
import {
  charge,
  charges,
  legacyError,
  referenceError,
  successEnvelope,
} from '../../src/contract/envelope.ts';
import type { Schema } from '../../src/contract/schema-node.ts';
import { createValidator } from '../../src/contract/validate.ts';
import { behaviourOf } from '../../src/extensions/sandbox/behaviour.ts';
import { calledSandbox } from '../support/called-sandbox.ts';
import { isServedHere, mode } from '../support/mode.ts';

/** Returns the problems of a value under the rules of the specification only. */
const findProblems = (schema: Schema, value: unknown) => createValidator(schema, 'specification')(value);

async function openAccount() {
  const sandbox = await calledSandbox({ like: mode });
  const token = await sandbox.adminToken();
  return { ...sandbox, token, path: `/v2/accounts/${sandbox.seed.accountId}` };
}

test('every successful response has the envelope of the specification', async () => {
  const { call, token, path } = await openAccount();
  const reads = operations.filter((each) => each.method === 'GET' && isServedHere(each));
  for (const part of ['', '/users', '/callflows', '/limits', '/webhooks', '/api_key', '/metaflows']) {
    if (!reads.some((each) => each.path === `/accounts/{account_id}${part}`)) continue;
    const reply = await call('GET', path + part, { token });
    expect(reply.status).toBe(200);
    expect(findProblems(successEnvelope, reply.body)).toEqual([]);
  }
});

const { replies, charges: charging } = behaviourOf(mode);

test('errors of account resources have the reference shape, the envelope shape, or both', async () => {
  const { call, token, path } = await openAccount();
  const missing = await call('GET', `${path}/users/${'0'.repeat(32)}`, { token });
  const invalid = await call('PUT', `${path}/users`, { token, data: { username: 'x' } });
  for (const { status, body } of [missing, invalid]) {
    expect(status).toBeGreaterThanOrEqual(400);
    if (replies.referenceErrors !== 'envelope') expect(findProblems(referenceError, body)).toEqual([]);
    // `alone` has only the reference shape. `envelope` adds the legacy fields.
    const isWhole = replies.referenceErrors === 'envelope';
    const legacy = isWhole
      ? legacyError
      : { ...legacyError, required: ['status', 'error', 'message', 'data'] };
    if (replies.referenceErrors !== 'alone') expect(findProblems(legacy, body)).toEqual([]);
    // The legacy shape, for client libraries that read it.
    expect(body.error).toBe(replies.referenceErrors === 'alone' ? undefined : String(status));
  }
});

test('errors of sign-in and limits have the legacy shape', async () => {
  const { call, token, path } = await openAccount();
  const refused = await call('PUT', '/v2/user_auth', { data: { credentials: 'f'.repeat(32) } });
  const invalid = await call('POST', `${path}/limits`, { token, data: { calls: 'many' } });
  for (const { status, body } of [refused, invalid]) {
    expect(status).toBeGreaterThanOrEqual(400);
    expect(findProblems(legacyError, body)).toEqual([]);
    expect(body.error).toBe(String(status));
  }
});

test('a 402 response describes each charged item with all fields', async () => {
  const { call, token, path } = await openAccount();
  const { status, body, data } = await call('POST', `${path}/limits`, { token, data: { inbound_trunks: 3 } });
  expect(status).toBe(402);
  if (charging.shape === 'invoices')
    return expect(JSON.stringify(data)).toContain('"name":"limits/inbound_trunks"');
  expect(findProblems(legacyError, body)).toEqual([]);
  expect(findProblems(charges, data)).toEqual([]);
  const { limits } = Object(data);
  expect(Object.keys(limits)).toEqual(['inbound_trunks']);
  expect(findProblems(charge, limits.inbound_trunks)).toEqual([]);
});
