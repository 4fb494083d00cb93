import fc from 'fast-check';
import { expect, test } from 'vitest';
import { screenLines } from './screens.ts';

const rows = (count: number, text: string) =>
  Array.from({ length: count }, (_, index) => [text, String(index)]);

test('sections share the window, count hidden rows, and align cells', async () => {
  const parts = [
    {
      title: 'Calls',
      rows: [
        ['in', '5'],
        ['outbound', '12'],
        ['in', '7'],
        ['in', '9'],
      ],
      none: 'nobody',
    },
    { title: 'Webhooks', rows: [], none: 'none' },
  ];
  expect(await screenLines({ top: 'now', parts }, 9)).toEqual([
    'now',
    '',
    'Calls',
    '  in        5',
    '  outbound  12',
    '  … 2 more',
    '',
    'Webhooks',
    '  none',
  ]);
  expect(await screenLines({ top: 'now', parts }, 40)).toContain('  in        9');
});

test('a screen uses every line of its window and never exceeds it', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat({ max: 60 }), { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 16, max: 80 }),
      async (counts, height) => {
        const parts = counts.map((count, index) => ({
          title: `T${index}`,
          rows: rows(count, 'x'),
          none: '-',
        }));
        const lines = await screenLines({ top: 'now', parts }, height);
        const whole = 1 + counts.reduce((sum, count) => sum + 2 + Math.max(1, count), 0);
        expect(lines).toHaveLength(Math.min(height, whole));
      },
    ),
    { numRuns: 200 },
  );
});
