import Table from 'cli-table3';
import type { Style } from './style.ts';
import { type Measure, measureFor } from './width.ts';

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

const borders = Object.fromEntries(
  [
    'top',
    'top-mid',
    'top-left',
    'top-right',
    'bottom',
    'bottom-mid',
    'bottom-left',
    'bottom-right',
    'left',
    'left-mid',
    'mid',
    'mid-mid',
    'right',
    'right-mid',
    'middle',
  ].map((name) => [name, '']),
);

export interface TableView {
  /** Width of the terminal; unknown in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  readonly style: Style;
  /** Columns that say nothing when they are cut: ids. */
  readonly whole?: ReadonlySet<number>;
  /** Columns that are cut last. */
  readonly roomy?: ReadonlySet<number>;
  /**
   * Kind of text in the last column that is not cut: sentences go on in a further line between two words; either stands
   * below its row where there is too little room.
   */
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

/** A column's cells at its width: cut, and moved to the right where they are numbers. */
function fitted(
  cells: readonly string[],
  width: number,
  measure: Measure,
  moved: boolean,
): readonly string[] {
  return cells.map((cell) => {
    const text = measure.cut(cell, width);
    return moved ? ' '.repeat(Math.max(0, width - measure.width(text))) + text : text;
  });
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
 * Lines of text in columns, without borders. Numbers stand right. At a terminal the widest columns are cut with
 * `…` until all fit; sentences in the last one go on in a further line, below the row where there is little room.
 */
export async function tableText(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  view: TableView,
): Promise<string> {
  return (await startTable(headers, rows, view)).text;
}

/** A table whose first rows are laid out, and that takes more. */
export interface StartedTable {
  /** The headings and the first rows. */
  readonly text: string;
  /** A further row in the same columns: cut to them at a terminal; elsewhere a longer cell moves the rest of its line. */
  readonly more: (row: readonly string[]) => Promise<string>;
}

/** Lays out the headings and the first rows as `tableText` does; the columns keep their widths for the rows that follow. */
export async function startTable(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  view: TableView,
): Promise<StartedTable> {
  const measure = await measureFor([...headers, ...rows.flat()]);
  const { columns, below: kind } = view;
  const last = headers.length - 1;
  const widest = (index: number): number =>
    [headers, ...rows].reduce((most, row) => Math.max(most, measure.width(row[index] ?? '')), 0);
  const started = (lines: readonly string[], widths: readonly number[]): StartedTable => ({
    text: lines.join(''),
    more: async (row) => nextLine(row, widths, view, await measureFor(row)),
  });
  if (columns === undefined || !kind || last === 0) {
    const { lines, widths } = inColumns(headers, rows, view, measure);
    return started(lines, widths);
  }
  const room = columns - gap * last;
  const others = headers.slice(0, last).reduce((sum, _, index) => sum + widest(index), 0);
  const beside = kind === 'word' ? room - others : Math.max(room - others, Math.floor(room / 3));
  if (beside >= Math.min(kind === 'word' ? widest(last) : narrowestSentence, widest(last))) {
    const { lines, widths } = inColumns(headers, rows, view, measure);
    return started(lines, widths);
  }
  const { lines: inRows, widths } = inColumns(
    headers.slice(0, last),
    rows.map((row) => row.slice(0, last)),
    { ...view, below: undefined },
    measure,
  );
  const [head = '', ...lines] = inRows;
  const below = (sentence: string): readonly string[] =>
    sentence === ''
      ? []
      : wrapped(sentence, columns - indent.length, measure).map((line) => `${indent}${line}\n`);
  const { text, more } = started(
    [head, ...lines.flatMap((line, index) => [line, ...below(rows[index]?.[last] ?? '')])],
    widths,
  );
  return {
    text,
    more: async (row) => [await more(row.slice(0, last)), ...below(row[last] ?? '')].join(''),
  };
}

/** The lines of a table and the widths of its columns; a row is more than one line where its sentence is. */
function inColumns(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
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
  const shown = all.map((cells, index) => fitted(cells, narrowed[index] ?? 0, measure, numeric.has(index)));
  const others = narrowed.slice(0, last).reduce((sum, width) => sum + width, 0);
  const left = below === 'sentence' ? Math.max(room - others, narrowestSentence) : Number.POSITIVE_INFINITY;
  const cells = [headers, ...rows].map((_, row) =>
    shown.map((column, index) => {
      const cell = column[row] ?? '';
      return index === last && measure.width(cell) > left ? wrapped(cell, left, measure).join('\n') : cell;
    }),
  );
  const lines = (rows.length > fewRows ? paddedLines : packageLines)(cells, narrowed, { measure, style });
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
    const text = columns === undefined || whole.has(index) ? cell : measure.cut(cell, width);
    const padding = ' '.repeat(Math.max(0, width - measure.width(text)));
    return numeric.has(index) ? padding + text : text + padding;
  });
  return `${cells.join(' '.repeat(gap)).trimEnd()}\n`;
}

/** Turns cells that fit their columns into lines; the first row holds the headings. */
type Layout = (
  cells: readonly (readonly string[])[],
  widths: readonly number[],
  how: { readonly measure: Measure; readonly style: Style },
) => readonly string[];

/** The lines of few rows, laid out by the table package. */
const packageLines: Layout = (cells, widths, { style }) => {
  const table = new Table({
    chars: borders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: widths.map((width, index) => width + (index === widths.length - 1 ? 0 : gap)),
  });
  for (const [row, texts] of cells.entries())
    table.push(row === 0 ? texts.map((text) => style.bold(text)) : [...texts]);
  return table.toString().split('\n');
};

/** The same lines, in time that grows with their number: cells fit their columns already, and are only padded. */
const paddedLines: Layout = (cells, widths, { measure, style }) =>
  cells.flatMap((texts, row) => {
    const parts = texts.map((text) => text.split('\n'));
    return Array.from({ length: Math.max(1, ...parts.map(({ length }) => length)) }, (_, line) =>
      parts
        .map((part, index) => {
          const text = part[line] ?? '';
          const padding = ' '.repeat(Math.max(0, (widths[index] ?? 0) - measure.width(text)));
          return `${row === 0 ? style.bold(text) : text}${padding}`;
        })
        .join(' '.repeat(gap)),
    );
  });
