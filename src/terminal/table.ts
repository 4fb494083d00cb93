import Table from 'cli-table3';
import type { Style } from './style.ts';
import { type Measure, measureFor } from './width.ts';

const gap = 2;
/** Narrower than this, a column says nothing. */
const narrowest = 6;

const borders = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((name) => [name, '']),
);

/** Where a table is shown. */
export interface TableView {
  /** Width of the terminal; unknown in a pipe, where nothing is cut. */
  readonly columns: number | undefined;
  readonly style: Style;
  /** Columns that say nothing when they are cut: ids. */
  readonly whole?: ReadonlySet<number>;
  /** Columns of numbers, which stand right. Digits alone are none: a telephone number is text. */
  readonly numeric?: ReadonlySet<number>;
}

/** Takes from the widest columns until all fit, but never below what can be read. */
function shrunk(widths: readonly number[], available: number, whole: ReadonlySet<number>): readonly number[] {
  const result = [...widths];
  let over = result.reduce((sum, width) => sum + width, 0) - available;
  while (over > 0) {
    const widest = Math.max(...result.filter((_, index) => !whole.has(index)));
    if (widest <= narrowest) break;
    result[result.findIndex((width, index) => width === widest && !whole.has(index))] = widest - 1;
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

/**
 * Lines of text in columns, without borders. Numbers stand right. At a terminal the widest columns are cut with
 * `…` until all fit.
 */
export async function tableText(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, style, whole = new Set(), numeric = new Set() }: TableView,
): Promise<string> {
  const measure = await measureFor([...headers, ...rows.flat()]);
  const all = headers.map((header, index) => [header, ...rows.map((row) => row[index] ?? '')]);
  const widths = all.map((cells) => cells.reduce((most, cell) => Math.max(most, measure.width(cell)), 0));
  const room = columns === undefined ? Number.POSITIVE_INFINITY : columns - gap * (headers.length - 1);
  const last = headers.length - 1;
  // A sentence at the end goes on below; it must not take the room of what stands before it.
  const counted = widths.map((width, index) =>
    index === last && whole.has(index) ? Math.min(width, Math.floor(room / 3)) : width,
  );
  const narrowed = shrunk(counted, room, whole).map((width, index) =>
    index === last && whole.has(index) ? (widths[index] ?? width) : width,
  );
  const shown = all.map((cells, index) => fitted(cells, narrowed[index] ?? 0, measure, numeric.has(index)));
  const table = new Table({
    chars: borders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: narrowed.map((width, index) => width + (index === last ? 0 : gap)),
  });
  for (const row of [-1, ...rows.keys()]) {
    const cells = shown.map((column) => column[row + 1] ?? '');
    table.push(row === -1 ? cells.map((cell) => style.bold(cell)) : cells);
  }
  return table
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
