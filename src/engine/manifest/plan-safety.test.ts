import { expect, test } from 'vitest';
import type { Action, Plan } from './plan.ts';
import { planSafety } from './plan-safety.ts';

const limits = { maxDeletes: 3, maxDeletesTotal: 10, maxChangePercent: 30 };

/** A plan with so many steps of each action. */
const planOf = (counts: Partial<Record<Action, number>>): Plan => ({
  version: 1,
  account: { id: 'a', name: 'acme', origin: 'http://127.0.0.1:1' },
  set: 'office',
  steps: Object.entries(counts).flatMap(([action, count]) =>
    Array.from({ length: count }, (_, index) => ({
      key: `users.${action}-${index}`,
      kind: 'users' as const,
      name: `${action}-${index}`,
      label: `user ${action}-${index}`,
      action: action === 'create' || action === 'update' || action === 'delete' ? action : 'unchanged',
      changes: [],
      after: [],
      notes: [],
      managed: {},
      protect: false,
    })),
  ),
});

test('more deletes than asked for are refused, naming the option', () => {
  expect(planSafety(planOf({ delete: 3 }), limits)).toBeUndefined();
  expect(planSafety(planOf({ delete: 4 }), limits)).toMatchObject({
    kind: 'refused',
    message: 'The plan deletes 4 objects of acme. The limit is 3.',
    hint: 'To allow this, pass --max-deletes 4.',
  });
  expect(planSafety(planOf({ delete: 4 }), { ...limits, maxDeletes: 4 })).toBeUndefined();
  expect(planSafety(planOf({ delete: 1 }), { ...limits, maxDeletes: 0 })?.kind).toBe('refused');
});

test('from ten existing objects up, changing more than a share of them is refused', () => {
  expect(planSafety(planOf({ update: 9 }), limits)).toBeUndefined();
  expect(planSafety(planOf({ update: 3, unchanged: 7 }), limits)).toBeUndefined();
  expect(planSafety(planOf({ update: 2, delete: 2, unchanged: 6 }), limits)).toMatchObject({
    kind: 'refused',
    message: 'The plan changes or deletes 4 of 10 existing objects of acme (40 %). The limit is 30 %.',
    hint: 'To allow this, pass --max-change-percent 40.',
  });
});

test('a share is counted to the percent', () => {
  expect(planSafety(planOf({ update: 30, unchanged: 70 }), limits)).toBeUndefined();
  expect(planSafety(planOf({ update: 31, unchanged: 69 }), limits)?.kind).toBe('refused');
  expect(planSafety(planOf({ update: 301, unchanged: 699 }), limits)?.kind).toBe('refused');
});

test('a plan that goes beyond both says both options at once', () => {
  expect(planSafety(planOf({ delete: 5, unchanged: 5 }), limits)).toMatchObject({
    kind: 'refused',
    hint: 'To allow this, pass --max-deletes 5 --max-change-percent 50.',
  });
});

test('new objects do not count', () => {
  expect(planSafety(planOf({ create: 500, update: 3, unchanged: 6 }), limits)).toBeUndefined();
  expect(planSafety(planOf({ create: 500, update: 5, unchanged: 5 }), limits)?.kind).toBe('refused');
});
