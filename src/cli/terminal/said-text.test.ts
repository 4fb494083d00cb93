import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import type { ReportLine } from '../command/result.ts';
import { reportText } from './said-text.ts';
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

test('rows that follow one another stand in two columns', async () => {
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

test('at a terminal what is long is cut or folded, wide characters counted twice', async () => {
  const text = await reportText(lines, { columns: 40, style: await styleFor(true) });
  expect(text).toContain('\u001b[33m~\u001b[39m user alice');
  expect(stripVTControlCharacters(text).split('\n').slice(1, 4)).toEqual([
    '~ user alice    a note that is long',
    '              │ enough to be folded',
    '    first_name  Alice → 日本日本日本日…',
  ]);
});

test('text from the service is shown, not obeyed', async () => {
  const evil: readonly ReportLine[] = [
    { text: 'a\u001b[2Jb', right: 'c\nd\u202e' },
    [{ text: '\u001b]0;t\u0007' }],
  ];
  expect(await reportText(evil, { columns: undefined, style: plainStyle })).toBe(
    '    a\\u001b[2Jb  c\\nd\\u202e\n\\u001b]0;t\\u0007\n',
  );
});
