import fc from 'fast-check';
import { expect, test } from 'vitest';
import { processorMs } from '../../../test/support/clock.ts';
import type { Json } from '../../base/json.ts';
import { changeLines } from './change-lines.ts';

const between = (before: Json, after: Json) => changeLines({ path: 'x', how: 'changed', before, after });

const signs = (before: Json, after: Json): string =>
  between(before, after)
    .below.map(({ sign }) => sign)
    .join('');

test('compares list items by their key, field by field', () => {
  const before = [
    { id: 'user alice', timeout: 20, delay: 0 },
    { id: 'user bob', timeout: 20 },
  ];
  const after = [
    { id: 'user carol', timeout: 20 },
    { delay: 0, timeout: 30, id: 'user alice' },
  ];
  expect(between(before, after).below).toEqual([
    { sign: '+', text: 'id user carol, timeout 20' },
    { sign: '~', text: 'user alice: timeout 20 → 30' },
    { sign: '-', text: 'id user bob, timeout 20' },
  ]);
});

test('compares list items without a key by position', () => {
  const steps = [{ wait: 1 }, { wait: 1 }, { wait: 2, loud: true }];
  expect(between(steps, [{ wait: 5 }, ...steps]).below).toEqual([{ sign: '+', text: 'wait 5' }]);
  expect(between(steps, steps.with(2, { loud: true, wait: 9 })).below).toEqual([
    { sign: '~', text: 'wait 2 → 9' },
  ]);
});

test('reports reordered items as one change', () => {
  const list = [{ id: 'a' }, { id: 'b' }];
  expect(between(list, list.toReversed()).below).toEqual([
    { sign: '-', text: 'in this order: a, b' },
    { sign: '+', text: 'in this order: b, a' },
  ]);
});

const record = fc.record({ timeout: fc.integer({ min: 0, max: 3 }), name: fc.constantFrom('a', 'b') });
const list = fc
  .dictionary(fc.constantFrom('u1', 'u2', 'u3', 'u4', 'u5'), record)
  .map((byId) => Object.entries(byId).map(([id, rest]) => ({ id, ...rest })));

test('reports each item of two lists once and ignores the order of keys', () => {
  fc.assert(
    fc.property(list, list, (before, after) => {
      const turned = after.map((item) => Object.fromEntries(Object.entries(item).toReversed()));
      const old = new Map(before.map((item) => [item.id, item]));
      const now = new Set(after.map(({ id }) => id));
      const expected = [
        ...after.map((item) => {
          const was = old.get(item.id);
          return was === undefined ? '+' : was.timeout === item.timeout && was.name === item.name ? '' : '~';
        }),
        ...before.map(({ id }) => (now.has(id) ? '' : '-')),
      ].join('');
      fc.pre(expected !== '');
      expect(signs(before, turned)).toBe(expected);
    }),
  );
});

test('shows long texts completely except for the change marks', () => {
  const words = fc.array(
    fc.constantFrom('we', 'are', 'open', 'from', 'nine', 'to', 'six.', '\n', 'ünd', '👋'),
    {
      minLength: 25,
      maxLength: 60,
    },
  );
  const text = words.map((all) => all.join(' '));
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      const { below } = between(before, after);
      const said = (sign: string): string =>
        below
          .filter((line) => line.sign === sign)
          .map((line) => line.text)
          .join('\n')
          .replaceAll(/[[\]]/g, '');
      expect([said('-'), said('+')]).toEqual([before, after]);
    }),
  );
});

test('compares huge values quickly', () => {
  const text = Array.from({ length: 100_000 }, (_, index) => `word${index % 977}`);
  const other = text.map((word, index) => (index % 3 === 0 ? `other${index}` : word));
  const items = text.slice(0, 20_000).map((word, index) => ({ word, index }));
  const began = processorMs();
  const lines = [
    ...between(text.join(' '), other.join(' ')).below,
    ...between(items, items.toReversed()).below,
  ];
  expect(lines.length).toBeGreaterThan(2);
  expect(processorMs() - began).toBeLessThan(4000);
});
