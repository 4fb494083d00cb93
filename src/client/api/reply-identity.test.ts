import { expect, test } from 'vitest';
import { operations } from '../../contract/catalogue.ts';
import { resourceOf } from '../../contract/resource.ts';
import type { Operation } from '../../contract/types.ts';
import type { ApiRequest, Reply } from './api.ts';
import { otherRecordFailure } from './reply-identity.ts';

const own = 'a1'.repeat(16);
const foreign = 'b2'.repeat(16);
const accountId = 'c3'.repeat(16);

const replyWith = (data: Reply['data']): Reply => ({
  ...{ status: 200, requestId: undefined, envelope: {}, headers: {} },
  data,
});

/** A call of an operation, with an id at every place of its path. */
function callOf(operation: Operation): ApiRequest {
  const names = [...operation.path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  return { operation, path: Object.fromEntries(names.map((name) => [name, own])) };
}

/** Operations that return the record whose id ends their path, or precedes the last word of it. */
const byId = operations.filter((operation) => {
  const { idParameter, oneOfEach } = resourceOf(operation);
  return (
    operation.reply.kind === 'record' &&
    !operation.reply.isNew &&
    operation.id !== 'accounts.create' &&
    (operation.reply.resource ?? operation.resource) === operation.resource &&
    oneOfEach === undefined &&
    idParameter !== undefined &&
    operation.path.includes(`{${idParameter}}`)
  );
});

test('every operation on a record rejects a response about another record and names both', () => {
  expect(byId.length).toBeGreaterThan(120);
  for (const operation of byId) {
    const call = callOf(operation);
    expect(otherRecordFailure(call, replyWith({ id: own }), accountId), operation.id).toBeUndefined();
    expect(otherRecordFailure(call, replyWith({}), accountId), operation.id).toBeUndefined();
    const failure = otherRecordFailure(call, replyWith({ id: foreign }), accountId);
    expect(failure, operation.id).toMatchObject({
      kind: 'failed',
      details: { asked: own, answered: foreign },
    });
  }
});

test('every create rejects a response with a different natural key, but accepts another form of it', () => {
  const creates = operations.filter(
    ({ resource, verb, reply }) =>
      verb === 'create' && reply.kind === 'record' && resourceOf({ resource }).naturalKeys.length > 0,
  );
  expect(creates.length).toBeGreaterThan(15);
  for (const operation of creates) {
    const { naturalKeys } = resourceOf(operation);
    const having = (value: string) => Object.fromEntries(naturalKeys.map((key) => [key, value]));
    const call = { ...callOf(operation), data: having('Front Desk 1') };
    const answer = (data: Reply['data']) => otherRecordFailure(call, replyWith(data), accountId);
    expect(answer({ id: foreign, ...having('front desk 1') }), operation.id).toBeUndefined();
    expect(answer({ id: foreign }), operation.id).toBeUndefined();
    expect(answer({ id: foreign, ...having('Back door 2') }), operation.id).toMatchObject({
      details: { asked: 'Front Desk 1', answered: 'Back door 2' },
    });
  }
});

test.each([
  ['vmboxes.create', { mailbox: '0300' }, { mailbox: '300' }],
  ['devices.create', { mac_address: '00:04:F2:AB:7E:FD' }, { mac_address: '0004f2ab7efd' }],
  ['callflows.create', { numbers: ['3125550100'] }, { numbers: ['+13125550100', '300'] }],
  ['users.update', { username: 'ann' }, { username: 'Ann' }],
])('accepts the normalised key in a response to %s', (id, sent, answered) => {
  const operation = operations.find((each) => each.id === id);
  if (operation === undefined) throw new Error(id);
  const call = { ...callOf(operation), data: sent };
  expect(otherRecordFailure(call, replyWith(answered), accountId)).toBeUndefined();
});
