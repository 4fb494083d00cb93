import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Step } from '../plan.ts';
import { runSteps } from './run-steps.ts';

const step = (
  key: string,
  by: 'create' | 'patch' | 'delete',
  after: readonly string[],
  more: Partial<Step> = {},
): Step => ({
  key,
  kind: 'users',
  name: key,
  label: key,
  action: by === 'patch' ? 'update' : by,
  changes: [],
  by,
  after,
  notes: [],
  managed: {},
  protect: false,
  ...more,
});

/** Runs steps; those named fail. Gives what was begun, in order, and what was skipped. */
async function run(steps: readonly Step[], failing: ReadonlySet<string> = new Set(), atOnce = 3) {
  const begun: string[] = [];
  const skipped: string[] = [];
  let running = 0;
  let most = 0;
  await runSteps(steps, {
    atOnce,
    async work({ key }) {
      begun.push(key);
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return !failing.has(key);
    },
    skip: ({ key }) => void skipped.push(key),
    stopped: () => false,
  });
  return { begun, skipped, most };
}

test('runs each step after its dependencies, and starts or skips every step once', async () => {
  const arbitrary = fc.array(
    fc.record({
      by: fc.constantFrom<'create' | 'patch' | 'delete'>('create', 'patch', 'delete'),
      back: fc.array(fc.nat({ max: 8 }), { maxLength: 3 }),
      fails: fc.boolean(),
    }),
    { maxLength: 25 },
  );
  await fc.assert(
    fc.asyncProperty(arbitrary, fc.integer({ min: 1, max: 5 }), async (drafts, atOnce) => {
      const steps = drafts.map(({ by, back }, index) => {
        const after = [...new Set(back.map((by) => index - 1 - by).filter((at) => at >= 0))];
        return step(
          `s${index}`,
          by,
          after.map((at) => `s${at}`),
        );
      });
      const failing = new Set(drafts.flatMap(({ fails }, index) => (fails ? [`s${index}`] : [])));
      const { begun, skipped, most } = await run(steps, failing, atOnce);
      expect(most).toBeLessThanOrEqual(atOnce);
      expect([...begun, ...skipped].toSorted()).toEqual(steps.map(({ key }) => key).toSorted());
      for (const { key, after } of steps) {
        const at = begun.indexOf(key);
        if (at < 0) continue;
        for (const other of after) {
          expect(begun.indexOf(other)).toBeLessThan(at);
          expect(begun.indexOf(other)).toBeGreaterThanOrEqual(0);
          expect(failing.has(other)).toBe(false);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('runs deletes last, except those that other steps wait for', async () => {
  const { begun } = await run([
    step('gone', 'delete', []),
    step('frees', 'delete', []),
    step('takes', 'create', ['frees']),
    step('late', 'create', ['takes']),
    step('below', 'delete', ['gone']),
  ]);
  expect(begun).toEqual(['frees', 'takes', 'late', 'gone', 'below']);
});

test('runs steps that may cost money first and one at a time', async () => {
  const { begun, most } = await run([
    step('one', 'create', []),
    step('limits', 'patch', [], { mayCost: true }),
    step('two', 'create', []),
  ]);
  expect(begun[0]).toBe('limits');
  expect(most).toBe(2);
});
