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

test('refuses more deletes than the limit and names the option', () => {
  expect(planSafety(planOf({ delete: 3 }), limits)).toBeUndefined();
  expect(planSafety(planOf({ delete: 4 }), limits)).toMatchObject({
    kind: 'refused',
    message: 'The plan deletes 4 objects of acme. The limit is 3.',
    hint: 'To allow this, pass --max-deletes 4.',
  });
  expect(planSafety(planOf({ delete: 4 }), { ...limits, maxDeletes: 4 })).toBeUndefined();
  expect(planSafety(planOf({ delete: 1 }), { ...limits, maxDeletes: 0 })?.kind).toBe('refused');
});

test('refuses changes above the percentage limit from ten existing objects on', () => {
  expect(planSafety(planOf({ update: 9 }), limits)).toBeUndefined();
  expect(planSafety(planOf({ update: 3, unchanged: 7 }), limits)).toBeUndefined();
  expect(planSafety(planOf({ update: 2, delete: 2, unchanged: 6 }), limits)).toMatchObject({
    kind: 'refused',
    message: 'The plan changes or deletes 4 of 10 existing objects of acme (40 %). The limit is 30 %.',
    hint: 'To allow this, pass --max-change-percent 40.',
  });
});

test('compares the exact percentage with the limit', () => {
  expect(planSafety(planOf({ update: 30, unchanged: 70 }), limits)).toBeUndefined();
  expect(planSafety(planOf({ update: 31, unchanged: 69 }), limits)?.kind).toBe('refused');
  expect(planSafety(planOf({ update: 301, unchanged: 699 }), limits)?.kind).toBe('refused');
});

test('names both options if a plan exceeds both limits', () => {
  expect(planSafety(planOf({ delete: 5, unchanged: 5 }), limits)).toMatchObject({
    kind: 'refused',
    hint: 'To allow this, pass --max-deletes 5 --max-change-percent 50.',
  });
});

test('ignores new objects', () => {
  expect(planSafety(planOf({ create: 500, update: 3, unchanged: 6 }), limits)).toBeUndefined();
  expect(planSafety(planOf({ create: 500, update: 5, unchanged: 5 }), limits)?.kind).toBe('refused');
});
