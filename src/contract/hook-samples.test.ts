import { expect, test } from 'vitest';
import { payloadProblems } from '../../test/support/payload-problems.ts';
import { resourceByWord } from './catalogue.ts';
import { sampledHooks, samplePayload } from './hook-samples.ts';
import { notificationKeys, objectModifiers, objectTypes } from './hooks.ts';
import { findSilentType } from './webhook-findings.ts';

const facts = { accountId: 'a'.repeat(32), timestamp: 63_870_000_000, newId: () => 'b'.repeat(32) };

test.each(sampledHooks)('the sample of %s has the types of real payloads', (hook) => {
  expect(payloadProblems(hook, samplePayload(hook, facts))).toEqual([]);
});

test.each([...notificationKeys.keys()])(
  'the sample of the notification %s has all keys with the right types',
  (type) => {
    const sample = samplePayload('notifications', { ...facts, type });
    expect(Object.keys(sample)).toEqual(expect.arrayContaining([...(notificationKeys.get(type) ?? [])]));
    expect(payloadProblems('notifications', sample)).toEqual([]);
  },
);

test('samples contain numbers, lists and objects', () => {
  const items = samplePayload('notifications', { ...facts, type: 'service_added' });
  expect(items).toMatchObject({ timestamp: facts.timestamp, items: [{ quantity: 1 }], audit_log: {} });
  expect(samplePayload('parking', facts)).toMatchObject({ event_name: 'PARK_PARKED', parking_slot: '101' });
});

test('reports object webhooks whose type never fires events', () => {
  for (const [resource, type] of objectTypes) {
    expect(resourceByWord(resource)?.operations.length).toBeGreaterThan(0);
    expect(objectModifiers.type).toContain(type);
  }
  const isSilent = (type: string) => findSilentType({ hook: 'object', custom_data: { type } }) !== undefined;
  expect(['all', ...objectModifiers.type, 'queue'].filter(isSilent)).toEqual(['queue']);
});
