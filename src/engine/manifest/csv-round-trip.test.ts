import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeCell, encodeCell } from '../../base/neutralise.ts';
import { csvCell, csvLine } from '../../cli/terminal/render-rows.ts';
import { createShape } from '../input/read-scalar.ts';
import { csvSource } from './csv-rows.ts';
import { csvText } from './import-results.ts';
import { parseCsv } from './parse-csv.ts';
import { cellNode } from './row-template.ts';

const marks = fc.constantFrom(
  ...[
    "'",
    "''",
    '=',
    '+',
    '-',
    '@',
    '\t',
    '\r',
    '\n',
    '\r\n',
    '"',
    '""',
    ',',
    ';',
    ' ',
    '0',
    '15551230000',
    '.5',
    ...[
      '\\',
      '\\t',
      '\\u202e',
      '?',
      '\u001b[31m',
      '\u007f',
      '\u202e',
      '\u200b',
      '\ufeff',
      '\u2028',
      '\ud83d',
      '\u{e0041}',
      '\u00a0',
    ],
  ],
);
const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.array(marks, { maxLength: 6 }).map((parts) => parts.join('')),
);
const table = fc
  .integer({ min: 1, max: 5 })
  .chain((width) => fc.array(fc.array(text, { minLength: width, maxLength: width }), { maxLength: 6 }));

const titles = (width: number): readonly string[] => Array.from({ length: width }, (_, index) => `c${index}`);
const isSomething = (cells: readonly string[]): boolean => cells.some((cell) => cell.trim() !== '');

describe('a CSV cell', () => {
  it('round-trips any text and never starts a spreadsheet formula', () => {
    fc.assert(
      fc.property(text, (given) => {
        const cell = encodeCell(given);
        expect(decodeCell(cell)).toBe(given);
        expect(cell).not.toMatch(/[\p{Cc}\u200b\u202e\u2028\ufeff]/u);
        if (!/^[+-]?\d+(?:\.\d+)?$/.test(given)) expect(cell).not.toMatch(/^[=+\-@\t\r\n]/);
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps numbers as typed', () => {
    for (const number of ['+15551230000', '-3', '0100', '+3.50', '15551230000'])
      expect(encodeCell(number)).toBe(number);
    expect(encodeCell('C:\\new')).toBe('C:\\new');
    expect(decodeCell("'\\x is no escape")).toBe("'\\x is no escape");
    expect(encodeCell('a\tb')).toBe("'\\a\\tb");
    expect(encodeCell('+1 555')).toBe("'+1 555");
    expect(encodeCell('=SUM(A1)')).toBe("'=SUM(A1)");
    expect(decodeCell("'+15551230000")).toBe('+15551230000');
    expect(decodeCell("'s-Hertogenbosch")).toBe("'s-Hertogenbosch");
  });
});

describe('a CSV table', () => {
  it.each([
    [
      '-o csv',
      (rows: readonly (readonly string[])[]) => rows.map((row) => csvLine(row.map(csvCell))).join(''),
    ],
    ['results files', csvText],
  ])('of any texts survives a round trip through %s', (_, write) => {
    fc.assert(
      fc.property(table, (rows) => {
        const head = titles(rows[0]?.length ?? 1);
        const read = parseCsv({ name: 'x.csv', text: write([head, ...rows]) });
        expect(read.head?.cells).toEqual(head);
        const wanted = rows.filter((row) => isSomething(row.map(encodeCell)));
        expect(read.rows.map(({ cells }) => cells.map(decodeCell))).toEqual(wanted);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps list items separate', () => {
    const list = createShape({ type: 'array', items: { type: 'string' } });
    const source = csvSource('people.csv', ['flags'], []);
    fc.assert(
      fc.property(fc.array(text, { minLength: 1, maxLength: 4 }), (items) => {
        const node = cellNode(csvCell(items), list, source, 0);
        const read =
          node?.kind === 'list' ? node.items.map((item) => (item.kind === 'scalar' ? item.text : '')) : [];
        expect(read).toEqual(items.map((item) => item.replaceAll('${', () => '$${')));
      }),
      { numRuns: 1000 },
    );
  });
});

describe('the CSV reader', () => {
  it('detects the delimiter', () => {
    expect(parseCsv({ name: 'x.csv', text: 'a;b;c,d\n1;2' }).head?.cells).toEqual(['a', 'b', 'c,d']);
    expect(parseCsv({ name: 'x.csv', text: 'a\tb\n' }).head?.cells).toEqual(['a', 'b']);
    expect(parseCsv({ name: 'x.csv', text: '"a,b,c";d\n' }).head?.cells).toEqual(['a,b,c', 'd']);
    expect(parseCsv({ name: 'x.csv', text: 'a\n' }).head?.cells).toEqual(['a']);
    expect(parseCsv({ name: 'x.csv', text: 'sep=;\r\na;b\r\n1;2' }).rows).toEqual([
      { line: 3, cells: ['1', '2'] },
    ]);
    expect(parseCsv({ name: 'x.csv', text: 'a,b' }, ';').head?.cells).toEqual(['a,b']);
  });

  it('counts lines across quoted line breaks, empty lines and every kind of line break', () => {
    expect(parseCsv({ name: 'x.csv', text: '\r\na,b\r\n1,"x\r\ny"\r\n\r\n,\r\n2,z' }).rows).toEqual([
      { line: 3, cells: ['1', 'x\r\ny'] },
      { line: 7, cells: ['2', 'z'] },
    ]);
    expect(parseCsv({ name: 'x.csv', text: 'a,b\r1,2\r' }).rows).toEqual([{ line: 2, cells: ['1', '2'] }]);
  });

  it('reports the line of invalid CSV', () => {
    const read = (text: string) => () => parseCsv({ name: 'x.csv', text });
    expect(read('a,b\n1,x"y\n')).toThrow(/^x\.csv:2: a quote is inside a cell/);
    expect(read('a,b\n1,"x"y\n')).toThrow(/^x\.csv:2: .* follows the closing quote/);
  });
});
