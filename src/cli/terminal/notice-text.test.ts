import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ReportLine } from '../command/result.ts';
import { reportMarkdown, reportText } from './notice-text.ts';
import { plainStyle, styleFor } from './style.ts';

const lines: readonly ReportLine[] = [
  [{ text: 'acme', mark: 'bold' }],
  {
    sign: { text: '~', mark: 'careful' },
    text: 'user alice',
    right: 'a note that is long enough to be folded',
    folds: true,
  },
  { text: 'first_name', right: 'Alice → 日本日本日本日本日本日本日本日本日本', mark: 'dim' },
  [],
  { text: 'x', right: 'y' },
];

test('aligns consecutive rows in two columns', async () => {
  expect(await reportText(lines, { columns: undefined, style: plainStyle })).toBe(
    [
      'acme',
      '~ user alice    a note that is long enough to be folded',
      '    first_name  Alice → 日本日本日本日本日本日本日本日本日本',
      '',
      '    x  y',
      '',
    ].join('\n'),
  );
});

test('cuts or wraps long text in a terminal, and counts wide characters as two columns', async () => {
  const text = await reportText(lines, { columns: 40, style: await styleFor(true) });
  expect(text).toContain('\u001b[33m~\u001b[39m user alice');
  expect(stripVTControlCharacters(text).split('\n').slice(1, 4)).toEqual([
    '~ user alice    a note that is long',
    '              │ enough to be folded',
    '    first_name  Alice → 日本日本日本日…',
  ]);
});

test('escapes text from the service', async () => {
  const evil: readonly ReportLine[] = [
    { text: 'a\u001b[2Jb', right: 'c\nd\u202e' },
    [{ text: '\u001b]0;t\u0007' }],
  ];
  expect(await reportText(evil, { columns: undefined, style: plainStyle })).toBe(
    '    a\\u001b[2Jb  c\\nd\\u202e\n\\u001b]0;t\\u0007\n',
  );
});

test('report text cannot close the code block of a comment', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('```', '\n```\n', '````', '\r```\u2028```', '</code>', '\n\n# x', '@team', '[a](b)'),
  );
  await fc.assert(
    fc.asyncProperty(text, async (evil) => {
      const comment = await reportMarkdown([
        [{ text: evil }],
        { text: evil, right: evil },
        { text: evil, below: true },
        [{ text: 'end' }],
      ]);
      const [fence = ''] = /^`+/.exec(comment) ?? [];
      expect(fence.length).toBeGreaterThanOrEqual(3);
      const rows = comment.split(/\r\n|[\n\r\u2028\u2029]/);
      expect(rows.filter((row) => new RegExp(`^ {0,3}${fence}`).test(row))).toHaveLength(2);
      expect(rows.slice(-3)).toEqual(['end', fence, '']);
    }),
  );
});

test('shortens a comment to the limit of code hosts, and keeps the totals at the end', async () => {
  const rows = Array.from({ length: 2000 }, (_, index) => ({ text: `user ${index} ${'x'.repeat(500)}` }));
  const comment = await reportMarkdown([...rows, [{ text: '2000 to update' }]]);
  expect(comment.length).toBeLessThan(65_000);
  expect(comment).toMatch(/\n… [\d,]+ more lines …\n.*\n2000 to update\n```\n$/s);
});
