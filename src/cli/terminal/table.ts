import Table from 'cli-table3';
import type { Style } from './style.ts';
import { type Measure, measureFor, sideBySide } from './width.ts';

const gap = 2;
/** Narrowest column that says something, in cells. */
const narrowest = 6;
/** Times as much room as others that a roomy column keeps. */
const roomyShare = 3;
/** With less room than this beside the other columns, a sentence stands below its row, this far in. */
const narrowestSentence = 28;
const indent = '    ';

/** Most rows that the table package lays out: its time grows with their square. */
const fewRows = 200;

/** Every border of the package, left out. */
const borders = Object.fromEntries(Object.keys(new Table().options.chars).map((name) => [name, '']));

type Rows = readonly (readonly string[])[];

export interface TableView {
  /** Width of the terminal; unknown in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  readonly style: Style;
  /** Columns that say nothing when they are cut: ids. */
  readonly whole?: ReadonlySet<number>;
  readonly roomy?: ReadonlySet<number>;
  /** Text of the last column that is not cut: sentences go on between words; both stand below where room is short. */
  readonly below?: 'sentence' | 'word' | undefined;
  /** Columns of numbers, which stand right. Digits alone are none: a telephone number is text. */
  readonly numeric?: ReadonlySet<number>;
}

/** Takes from the widest columns until all fit, but never below what can be read. */
function shrunk(
  widths: readonly number[],
  available: number,
  { whole, roomy }: Pick<TableView, 'roomy'> & { readonly whole: ReadonlySet<number> },
): readonly number[] {
  const result = [...widths];
  const share = (width: number, index: number): number =>
    whole.has(index) ? 0 : roomy?.has(index) ? width / roomyShare : width;
  let over = result.reduce((sum, width) => sum + width, 0) - available;
  while (over > 0) {
    const shares = result.map(share);
    const widest = Math.max(...shares);
    if (widest <= narrowest) break;
    const at = shares.indexOf(widest);
    result[at] = (result[at] ?? 0) - 1;
    over -= 1;
  }
  return result;
}

/** A cell at the width of its column: cut, and moved to the right where it is a number. */
function fitted(cell: string, width: number, measure: Measure, isNumber: boolean): string {
  const text = measure.cut(cell, width);
  return isNumber ? ' '.repeat(Math.max(0, width - measure.width(text))) + text : text;
}

/** A sentence in lines of a width, parted between words; a longer word is left whole. */
function wrapped(sentence: string, width: number, measure: Measure): readonly string[] {
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
 * Lays out the headings and the first rows in columns, without borders; numbers stand right. At a terminal the widest
 * columns are cut with `…` until all fit; sentences in the last one go on in a further line, below the row where there
 * is little room. `more`: a further row in the same columns; in a pipe a longer cell moves the rest of its line.
 */
export async function startTable(headers: readonly string[], rows: Rows, view: TableView) {
  const measure = await measureFor([...headers, ...rows.flat()]);
  const last = headers.length - 1;
  const isBelow = standsBelow(headers, rows, view, measure);
  const beside = (row: readonly string[]) => (isBelow ? row.slice(0, last) : row);
  const kind = isBelow ? undefined : view.below;
  const { lines, widths } = inColumns(beside(headers), rows.map(beside), { ...view, below: kind }, measure);
  const below = (row: readonly string[] = []): readonly string[] => {
    const { [last]: sentence = '' } = row;
    if (!isBelow || sentence === '') return [];
    return wrapped(sentence, (view.columns ?? 0) - indent.length, measure).map(
      (line) => `${indent}${line}\n`,
    );
  };
  return {
    // The first line holds the headings.
    text: lines.flatMap((line, index) => [line, ...below(rows[index - 1])]).join(''),
    more: async (row: readonly string[]): Promise<string> =>
      [nextLine(beside(row), widths, view, await measureFor(row)), ...below(row)].join(''),
  };
}

/** Tells whether the last column has too little room beside the others. */
function standsBelow(
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

/** The lines of a table and the widths of its columns; a row is more than one line where its sentence is. */
function inColumns(
  headers: readonly string[],
  rows: Rows,
  { columns, style, below, roomy = new Set(), whole = new Set(), numeric = new Set() }: TableView,
  measure: Measure,
): { readonly lines: readonly string[]; readonly widths: readonly number[] } {
  const all = headers.map((header, index) => [header, ...rows.map((row) => row[index] ?? '')]);
  const widths = all.map((cells) => cells.reduce((most, cell) => Math.max(most, measure.width(cell)), 0));
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - gap * (headers.length - 1);
  const last = headers.length - 1;
  // A sentence at the end goes on below; it must not take the room of what stands before it.
  const counted = widths.map((width, index) =>
    index === last && whole.has(index) ? Math.min(width, Math.floor(room / 3)) : width,
  );
  const narrowed = shrunk(counted, room, { whole, roomy }).map((width, index) =>
    index === last && whole.has(index) ? (widths[index] ?? width) : width,
  );
  const shown = all.map((cells, index) =>
    cells.map((cell) => fitted(cell, narrowed[index] ?? 0, measure, numeric.has(index))),
  );
  const others = narrowed.slice(0, last).reduce((sum, width) => sum + width, 0);
  const left = below === 'sentence' ? Math.max(room - others, narrowestSentence) : Number.POSITIVE_INFINITY;
  const cells = [headers, ...rows].map((_, row) =>
    shown.map((column, index) => {
      const cell = column[row] ?? '';
      return index === last && measure.width(cell) > left ? wrapped(cell, left, measure).join('\n') : cell;
    }),
  );
  const lines =
    rows.length > fewRows
      ? paddedLines(cells, narrowed, measure, style)
      : packageLines(cells, narrowed, style);
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
    return fitted(cell, room, measure, numeric.has(index));
  });
  return `${sideBySide(cells, widths, measure)}\n`;
}

/** The lines of few rows, the first of which holds the headings, laid out by the table package. */
function packageLines(cells: Rows, widths: readonly number[], style: Style): readonly string[] {
  const table = new Table({
    chars: borders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: widths.map((width, index) => width + (index === widths.length - 1 ? 0 : gap)),
  });
  for (const [row, texts] of cells.entries())
    table.push(row === 0 ? texts.map((text) => style.bold(text)) : [...texts]);
  return table.toString().split('\n');
}

/** The same lines, in time that grows with their number: cells fit their columns already, and are only filled up. */
const paddedLines = (cells: Rows, widths: readonly number[], measure: Measure, style: Style) =>
  cells.flatMap((texts, row) => {
    const parts = texts.map((text) => text.split('\n'));
    return Array.from({ length: Math.max(1, ...parts.map(({ length }) => length)) }, (_, line) => {
      const inLine = parts.map((part) => part[line] ?? '');
      return sideBySide(inLine, widths, measure, row === 0 ? style.bold : undefined);
    });
  });
