import Table from 'cli-table3';
import stringWidth from 'string-width';
import { cut } from './cut.ts';
import type { Style } from './style.ts';

const gap = 2;
/** Narrower than this, a column says nothing. */
const narrowest = 6;

const borders = Object.fromEntries(
  [
    ...['top', 'top-mid', 'top-left', 'top-right', 'bottom', 'bottom-mid', 'bottom-left', 'bottom-right'],
    ...['left', 'left-mid', 'mid', 'mid-mid', 'right', 'right-mid', 'middle'],
  ].map((name) => [name, '']),
);

/** Takes from the widest columns until all fit, but never below what can be read. */
function shrunk(widths: readonly number[], available: number): readonly number[] {
  const result = [...widths];
  let over = result.reduce((sum, width) => sum + width, 0) - available;
  while (over > 0) {
    const widest = Math.max(...result);
    if (widest <= narrowest) break;
    result[result.indexOf(widest)] = widest - 1;
    over -= 1;
  }
  return result;
}

/**
 * Lines of text in columns, without borders; columns of numbers stand right. With `columns` (a terminal's width)
 * the widest are cut with `…`; without, in a pipe, nothing is cut.
 */
export function tableText(
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  options: { readonly columns: number | undefined; readonly style: Style },
): string {
  const widths = headers.map((header, index) =>
    Math.max(stringWidth(header), ...rows.map((row) => stringWidth(row[index] ?? ''))),
  );
  const room =
    options.columns === undefined ? Number.POSITIVE_INFINITY : options.columns - gap * (headers.length - 1);
  const isNumeric = headers.map(
    (_, index) => rows.length > 0 && rows.every((row) => /^(?:-?\d+(?:\.\d+)?)?$/.test(row[index] ?? '')),
  );
  const fitted = shrunk(widths, room).map((width, index) => width + (index === headers.length - 1 ? 0 : gap));
  const table = new Table({
    chars: borders,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0, compact: true },
    colWidths: fitted,
    colAligns: headers.map(() => 'left'),
  });
  const spaced = (cell: string, index: number): string => {
    const width = (fitted[index] ?? 0) - (index === headers.length - 1 ? 0 : gap);
    const text = cut(cell, width);
    return isNumeric[index] ? ' '.repeat(Math.max(0, width - stringWidth(text))) + text : text;
  };
  table.push(
    headers.map((header, index) => options.style.bold(spaced(header, index))),
    ...rows.map((row) => headers.map((_, index) => spaced(row[index] ?? '', index))),
  );
  return table
    .toString()
    .split('\n')
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
