// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Plan } from '../../../../engine/manifest/plan.ts';
import { kindsOfPlan } from './plan-lines.ts';
import { planMarkdown } from './plan-markdown.ts';

const planWith = (text: string, count = 1): Plan => ({
  version: 1,
  account: { id: 'a', name: text, origin: text },
  set: text,
  steps: Array.from({ length: count }, (_, index) => ({
    key: `users.${index}`,
    kind: 'users',
    name: text,
    label: `user ${text}`,
    action: 'update',
    changes: [{ path: `custom.${text}`, how: 'changed', before: text, after: [text, { [text]: text }] }],
    after: [],
    notes: [text],
    managed: {},
    protect: false,
  })),
});

const shown = (plan: Plan): string =>
  planMarkdown(
    kindsOfPlan([{ plan, refusal: undefined, inUse: undefined, createdBy: undefined }], { verbose: false }),
  );

/** The lines around the texts of a plan. */
const frame = (markdown: string): string =>
  markdown.replaceAll(/<code>(?:[\p{L}\p{N} ,.;=→…"'()+/%?-]|&#\d+;)*<\/code>|`[^`|\\\p{Cc}]+`/gu, '<code/>');

test('names, addresses and references are there to read as they are', () => {
  const text = 'first_name of ${users.alice} at http://crm.example/?a=1&b=<c> @team *';
  expect(shown(planWith(text))).toContain(`| update | \`user ${text}\` |`);
});

test('whatever a text holds, what stands around it is the same', () => {
  const usual = frame(shown(planWith('x')));
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom(
      '|',
      '`',
      '</code>',
      '\n\n# x',
      '@team',
      '<!--',
      '&lt;',
      '[a](b)',
      '\r\n| --- |',
      '**',
      '~~',
      '\\',
    ),
  );
  fc.assert(
    fc.property(text, (evil) => {
      expect(frame(shown(planWith(evil)))).toBe(usual);
    }),
  );
});

test('a comment is never longer than hosts of repositories take', () => {
  const plan = planWith('x'.repeat(500), 500);
  const steps = plan.steps.map((step, index) => ({ ...step, notes: [`no ${index}`] }));
  const long = shown({ ...plan, steps });
  expect(long.length).toBeLessThan(65_000);
  expect(long).toMatch(/… and \d+ more objects/);
});

test('a fleet fits into a comment, and accounts with the same plan stand together', () => {
  const fleet = (text: (index: number) => string): string =>
    planMarkdown(
      kindsOfPlan(
        Array.from({ length: 2000 }, (_, index) => ({
          plan: {
            ...planWith(text(index)),
            account: { id: `${index}`, name: `branch-${index}`, origin: 'x' },
          },
          ...{ refusal: undefined, inUse: undefined, createdBy: undefined },
        })),
        { verbose: false },
      ),
    );
  const different = fleet((index) => `text ${index}`);
  expect(different.length).toBeLessThan(65_000);
  expect(different).toMatch(/… and \d+ more accounts\. In all: 0 to create, 2000 to update/);
  const alike = fleet(() => 'text');
  expect(alike).toContain('### Plan for `2000 accounts: branch-0, branch-1,');
  expect(alike.match(/\| update \|/g)).toHaveLength(1);
});

test('objects that change alike stand in one row', () => {
  const plan = planWith('x', 7);
  const steps = plan.steps.map((step, index) => ({ ...step, label: `user u${index}` }));
  expect(shown({ ...plan, steps })).toContain('| update | `7 users: u0, u1, u2, u3, u4, u5, u6` |');
});
