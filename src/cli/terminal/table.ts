import Table from 'cli-table3';
import type { Style } from './style.ts';
import { joinColumns, type Measure, measureFor } from './width.ts';

const gap = 2;
const narrowest = 6;
/** Factor by which a wide column gets more space than others. */
const roomyShare = 3;
/** Least space, in cells, for a sentence next to the other columns. With less space, it is printed below its row. */
const narrowestSentence = 28;
const indent = '    ';

/** Most rows for the table package, whose time grows quadratically. */
const fewRows = 200;

const borders = Object.fromEntries(Object.keys(new Table().options.chars).map((name) => [name, '']));

type Rows = readonly (readonly string[])[];

export interface TableView {
  /** `undefined` in a pipe, which does not cut text. */
  readonly columns: number | undefined;
  readonly style: Style;
  /** Columns that are useless when cut, such as ids. */
  readonly whole?: ReadonlySet<number>;
  readonly roomy?: ReadonlySet<number>;
  /**
   * Content of the last column, which is not cut. Sentences are wrapped, and printed below the row if there is little
   * space.
   */
  readonly below?: 'sentence' | 'word' | undefined;
  /** Right-aligned columns of numbers. Texts of digits, such as phone numbers, are not numbers. */
  readonly numeric?: ReadonlySet<number>;
}

function shrinkWidths(
  widths: readonly number[],
  available: number,
  { whole, roomy }: Pick<TableView, 'roomy'> & { readonly whole: ReadonlySet<number> },
): readonly number[] {
  const result = [...widths];
  let over = result.reduce((sum, width) => sum + width, 0) - available;
  // Without enough space, roomy columns become as narrow as the others. Then all become hard to read.
  for (const [more, least] of [[roomyShare, narrowest] as const, [1, narrowest] as const, [1, 3] as const]) {
    const share = (width: number, index: number): number =>
      whole.has(index) ? 0 : roomy?.has(index) ? width / more : width;
    while (over > 0) {
      const shares = result.map(share);
      const widest = Math.max(...shares);
      if (widest <= least) break;
      const at = shares.indexOf(widest);
      result[at] = (result[at] ?? 0) - 1;
      over -= 1;
    }
  }
  return result;
}

function fitCell(cell: string, width: number, measure: Measure, isNumber: boolean): string {
  const text = measure.cut(cell, width);
  return isNumber ? ' '.repeat(Math.max(0, width - measure.width(text))) + text : text;
}

/** Wraps a sentence between words. Longer words are not split. */
function wrapSentence(sentence: string, width: number, measure: Measure): readonly string[] {
  return sentence.split('\n').flatMap((line) => {
    const lines: string[] = [];
    for (const word of line.split(' ')) {
      const longer = `${lines.at(-1)} ${word}`;
      if (lines.length > 0 && measure.width(longer) <= width) lines[lines.length - 1] = longer;
      else lines.push(word);
    }
    return lines;
  });
}

/**
 * Lays out headings and first rows in columns without borders. At a terminal, the widest columns are cut with `…`,
 * and sentences in the last column are wrapped or printed below the row. In a pipe, longer cells shift the rest of
 * their line. `more` formats a further row in the same columns.
 */
export async function startTable(headers: readonly string[], rows: Rows, view: TableView) {
  const measure = await measureFor([...headers, ...rows.flat()]);
  const last = headers.length - 1;
  const isBelow = needsLineBelow(headers, rows, view, measure);
  const withoutSentence = (row: readonly string[]) => (isBelow ? row.slice(0, last) : row);
  const kind = isBelow ? undefined : view.below;
  const { lines, widths } = layOut(
    withoutSentence(headers),
    rows.map(withoutSentence),
    { ...view, below: kind },
    measure,
  );
  const below = (row: readonly string[] = []): readonly string[] => {
    const { [last]: sentence = '' } = row;
    if (!isBelow || sentence === '') return [];
    return wrapSentence(sentence, (view.columns ?? 0) - indent.length, measure).map(
      (line) => `${indent}${line}\n`,
    );
  };
  return {
    text: lines.flatMap((line, index) => [line, ...below(rows[index - 1])]).join(''),
    more: async (row: readonly string[]): Promise<string> =>
      [nextLine(withoutSentence(row), widths, view, await measureFor(row)), ...below(row)].join(''),
  };
}

function needsLineBelow(
  headers: readonly string[],
  rows: Rows,
  { columns, below: kind }: TableView,
  measure: Measure,
): boolean {
  const last = headers.length - 1;
  if (columns === undefined || !kind || last === 0) return false;
  const widest = (index: number): number =>
    [headers, ...rows].reduce((most, row) => Math.max(most, measure.width(row[index] ?? '')), 0);
  const room = columns - gap * last;
  const left = room - headers.slice(0, last).reduce((sum, _, index) => sum + widest(index), 0);
  return kind === 'word'
    ? left < widest(last)
    : Math.max(left, Math.floor(room / 3)) < Math.min(narrowestSentence, widest(last));
}

function layOut(
  headers: readonly string[],
  rows: Rows,
  { columns, style, below, roomy = new Set(), whole = new Set(), numeric = new Set() }: TableView,
  measure: Measure,
): { readonly lines: readonly string[]; readonly widths: readonly number[] } {
  const all = headers.map((header, index) => [header, ...rows.map((row) => row[index] ?? '')]);
  const widths = all.map((cells) => cells.reduce((most, cell) => Math.max(most, measure.width(cell)), 0));
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - gap * (headers.length - 1);
  const last = headers.length - 1;
  // The last sentence is wrapped, so it must not take space from other columns.
  const counted = widths.map((width, index) =>
    index === last && whole.has(index) ? Math.min(width, Math.floor(room / 3)) : width,
  );
  const narrowed = shrinkWidths(counted, room, { whole, roomy }).map((width, index) =>
    index === last && whole.has(index) ? (widths[index] ?? width) : width,
  );
  const shown = all.map((cells, index) =>
    cells.map((cell) => fitCell(cell, narrowed[index] ?? 0, measure, numeric.has(index))),
  );
  const others = narrowed.slice(0, last).reduce((sum, width) => sum + width, 0);
  const left = below === 'sentence' ? Math.max(room - others, narrowestSentence) : Number.POSITIVE_INFINITY;
  const cells = [headers, ...rows].map((_, row) =>
    shown.map((column, index) => {
      const cell = column[row] ?? '';
      return index === last && measure.width(cell) > left
        ? wrapSentence(cell, left, measure).join('\n')
        : cell;
    }),
  );
  const lines =
    rows.length > fewRows
      ? layOutByPadding(cells, narrowed, measure, style)
      : layOutWithPackage(cells, narrowed, style);
  return { lines: lines.map((line) => `${line.trimEnd()}\n`), widths: narrowed };
}

function nextLine(
  row: readonly string[],
  widths: readonly number[],
  { columns, whole = new Set(), numeric = new Set() }: TableView,
  measure: Measure,
): string {
  const cells = widths.map((width, index) => {
    const cell = row[index] ?? '';
    const room = columns === undefined || whole.has(index) ? Math.max(width, measure.width(cell)) : width;
    return fitCell(cell, room, measure, numeric.has(index));
  });
  return `${joinColumns(cells, widths, measure)}\n`;
}

function layOutWithPackage(cells: Rows, widths: readonly number[], style: Style): readonly string[] {
  const table = new Table({
    chars: borders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: widths.map((width, index) => width + (index === widths.length - 1 ? 0 : gap)),
  });
  for (const [row, texts] of cells.entries())
    table.push(row === 0 ? texts.map((text) => style.bold(text)) : [...texts]);
  return table.toString().split('\n');
}

/** Lays out rows in linear time. The cells already fit their columns and only need padding. */
const layOutByPadding = (cells: Rows, widths: readonly number[], measure: Measure, style: Style) =>
  cells.flatMap((texts, row) => {
    const parts = texts.map((text) => text.split('\n'));
    return Array.from({ length: Math.max(1, ...parts.map(({ length }) => length)) }, (_, line) => {
      const inLine = parts.map((part) => part[line] ?? '');
      return joinColumns(inLine, widths, measure, row === 0 ? style.bold : undefined);
    });
  });
