import { expect, test } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { walkSteps } from './flow-set.ts';
import { type LeavingRecord, removeReferences } from './leaving.ts';

const user = (id: string, children = {}) => ({ module: 'user', data: { id, timeout: 20 }, children });
const device = (id: string, children = {}) => ({ module: 'device', data: { id }, children });
const voicemail = (id: string, children = {}) => ({ module: 'voicemail', data: { id }, children });
const menu = (children: JsonObject) => ({ module: 'menu', data: { id: 'm' }, children });
const hangup = { module: 'hangup', data: {}, children: {} };

const gone = (resource: LeavingRecord['resource']): LeavingRecord => ({ resource, successor: undefined });
const goes = new Map([
  ['dora', gone('users')],
  ['phone', gone('devices')],
  ['box', gone('vmboxes')],
]);
const erin = { resource: 'users', id: 'erin' } as const;
const followed = new Map<string, LeavingRecord>([
  ['dora', { resource: 'users', successor: erin }],
  ['phone', { resource: 'devices', successor: erin }],
  ['box', { resource: 'vmboxes', successor: { resource: 'vmboxes', id: 'box-of-erin' } }],
]);

test('replaces a step that rang the removed user with the next step', () => {
  const flow = menu({ 1: user('dora', { _: hangup }), 2: user('erin') });
  expect(removeReferences({ name: 'Main', flow }, goes)).toEqual({
    name: 'Main',
    flow: menu({ 1: hangup, 2: user('erin') }),
  });
});

test('removes a flow that only reached the removed user', () => {
  expect(removeReferences({ flow: user('dora', { _: voicemail('box') }) }, goes)).toBeUndefined();
  expect(
    removeReferences({ flow: menu({ 1: device('phone'), 2: user('dora') }) }, goes),
    'a menu',
  ).toBeUndefined();
});

test('rings the successor instead, also by the phone of the removed user', () => {
  const flow = user('dora', { _: device('phone', { _: voicemail('box') }) });
  expect(removeReferences({ owner_id: 'dora', flow }, followed)).toEqual({
    owner_id: 'erin',
    flow: user('erin', { _: { ...device('erin', { _: voicemail('box-of-erin') }), module: 'user' } }),
  });
});

test('removes the user from endpoint lists, and a ring group without endpoints', () => {
  const ring = (...ids: readonly string[]) => ({
    module: 'ring_group',
    data: { name: 'All', endpoints: ids.map((id) => ({ endpoint_type: 'user', id, timeout: 20 })) },
    children: { _: hangup },
  });
  expect(removeReferences({ flow: ring('dora', 'erin') }, goes)).toEqual({ flow: ring('erin') });
  expect(removeReferences({ flow: ring('dora') }, goes)).toEqual({ flow: hangup });
  expect(removeReferences({ flow: ring('dora', 'erin') }, followed)).toEqual({ flow: ring('erin') });
  expect(removeReferences({ flow: ring('dora', 'fay') }, followed)).toEqual({ flow: ring('erin', 'fay') });
  const phones = {
    module: 'ring_group',
    data: { endpoints: [{ endpoint_type: 'device', id: 'phone' }] },
    children: {},
  };
  expect(removeReferences({ flow: phones }, followed)).toEqual({
    flow: { ...phones, data: { endpoints: [{ endpoint_type: 'user', id: 'erin' }] } },
  });
});

test('removes a step restricted to the user instead of opening it to everyone', () => {
  const pickup = {
    module: 'intercept',
    data: { group_id: 'g', approved_user_id: 'dora' },
    children: { _: hangup },
  };
  expect(removeReferences({ flow: pickup }, goes)).toEqual({ flow: hangup });
  const check = { module: 'check_cid', data: { user_id: 'dora', regex: '.*' }, children: { match: hangup } };
  expect(removeReferences({ flow: check }, goes)).toEqual({
    flow: { ...check, data: { regex: '.*' } },
  });
});

test('removes group members, owners and device sign-ins', () => {
  const group = {
    name: 'Sales',
    endpoints: { dora: { type: 'user' }, phone: { type: 'device', weight: 2 } },
  };
  expect(removeReferences(group, goes)).toEqual({ name: 'Sales', endpoints: {} });
  expect(removeReferences({ ...group, endpoints: { phone: group.endpoints.phone } }, followed)).toEqual({
    name: 'Sales',
    endpoints: { erin: { type: 'user', weight: 2 } },
  });
  const phone = { id: 'x', owner_id: 'dora', hotdesk: { users: { dora: {}, fay: {} } } };
  expect(removeReferences(phone, followed)).toEqual({
    id: 'x',
    owner_id: 'erin',
    hotdesk: { users: { fay: {} } },
  });
  expect(removeReferences({ queues: ['q'], metaflows: { numbers: { 1: user('dora') } } }, goes)).toEqual({
    queues: ['q'],
    metaflows: { numbers: {} },
  });
});

test('handles flows deeper than the call stack', () => {
  let flow: JsonObject = user('dora');
  for (let depth = 0; depth < 20_000; depth += 1) flow = { ...user('erin'), children: { _: flow } };
  const left = [...walkSteps(removeReferences({ flow }, goes)?.flow)];
  expect([left.length, left.at(-1)?.step]).toEqual([20_000, user('erin')]);
});
