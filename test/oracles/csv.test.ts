import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from '../../src/engine/manifest/parse-csv.ts';
import { papaparse } from '../support/outside-libraries.ts';
import { openWorld } from '../support/world.ts';

type Rows = readonly (readonly string[])[];

/** Returns the rows that contain text. telctl skips the others. */
const nonEmptyRows = (rows: Rows): Rows => rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));

/** Returns the rows of the other parser, or `undefined` if it finds invalid quotes. */
function parseWithOther(text: string, delimiter: string, newline: string): Rows | undefined {
  const { data, errors } = papaparse.parse(text, { delimiter, newline });
  return errors.some(({ code }) => code === 'MissingQuotes' || code === 'InvalidQuotes')
    ? undefined
    : nonEmptyRows(data);
}

/** Returns the rows of telctl, or `undefined` if it refuses the text. */
function parseWithTelctl(text: string, delimiter: string): Rows | undefined {
  try {
    const { head, rows } = parseCsv({ name: 'x.csv', text }, delimiter);
    return head ? [head.cells, ...rows.map(({ cells }) => cells)] : [];
  } catch (error) {
    expect(String(error)).toMatch(/x\.csv:\d+: /);
    return undefined;
  }
}

const quoteCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const piece = fc.constantFrom(
  'a',
  'Zoë',
  '日本',
  ' ',
  '\t',
  ',',
  ';',
  '"',
  "'",
  '\\',
  '=1+1',
  '👩‍👧',
  '0',
  'x\ny',
  'x\r\ny',
  '',
  '#',
  '|',
);
const cell = fc.array(piece, { maxLength: 4 }).map((parts) => parts.join(''));

test.each([
  [',', '\n'],
  [';', '\r\n'],
  ['\t', '\n'],
] as const)(
  'files with cells between %j and lines ended by %j are read as another reader reads them',
  (delimiter, newline) => {
    const written = fc
      .tuple(cell, fc.boolean())
      .map(([text, always]) => (always || /[,;\t"\r\n]/.test(text) ? quoteCell(text) : text));
    const row = fc.array(written, { minLength: 1, maxLength: 5 }).map((cells) => cells.join(delimiter));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1, maxLength: 8 }), fc.boolean(), (rows, ended) => {
        const text = rows.join(newline) + (ended ? newline : '');
        expect(parseWithTelctl(text, delimiter), JSON.stringify(text)).toEqual(
          parseWithOther(text, delimiter, newline),
        );
      }),
      { numRuns: 200 },
    );
  },
);

test('text with stray quotes is refused, or read as another reader reads it', () => {
  let [refused, read] = [0, 0];
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('a', ',', '"', '\n', ' ', '""'), { minLength: 1, maxLength: 12 }),
      (parts) => {
        const text = parts.join('');
        const ours = parseWithTelctl(text, ',');
        if (ours === undefined) refused += 1;
        else {
          read += 1;
          expect(ours, JSON.stringify(text)).toEqual(parseWithOther(text, ',', '\n'));
        }
      },
    ),
    { numRuns: 600 },
  );
  expect([refused > 60, read > 60], `${refused} ${read}`).toEqual([true, true]);
});

test('-o csv is read by another reader as the records that -o json prints', async () => {
  const world = await openWorld();
  const texts = [
    'plain',
    'a,b;c',
    'say "hi"',
    "it's",
    'Zoë 日本',
    ' lead and trail ',
    'back\\slash',
    '#1',
    '|',
  ];
  for (const [index, name] of texts.entries())
    await world.service('PUT', 'menus', { name, retries: index + 1 });
  const listMenus = async (format: string) => {
    const run = await world.telctl(`menus list --limit 0 --fields name,retries -o ${format}`);
    expect(run.code, run.stderr).toBe(0);
    return run.stdout;
  };
  const records: readonly { readonly name: string; readonly retries: number }[] = JSON.parse(
    await listMenus('json'),
  );
  expect(records).toHaveLength(texts.length);
  expect(parseWithOther(await listMenus('csv'), ',', '\n')?.slice(1)).toEqual(
    records.map(({ name, retries }) => [name, String(retries)]),
  );
});
