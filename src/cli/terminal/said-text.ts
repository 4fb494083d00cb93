import { neutralise } from '../../base/neutralise.ts';
import { cellsOf, cutTo, type Lines, linesOf } from '../../base/wording.ts';
import type { SaidTable } from '../command/context.ts';
import { spokenText } from './output.ts';

/** Stands before what goes on from the row above, and before rows that the service filled. */
export const serviceMark = '│ ';
/** The same for people who listen to the terminal. */
const spokenMark = '... ';

/** Narrowest room for text, in cells; a narrower terminal breaks lines by itself. */
const narrowest = 12;

export interface SaidView {
  /** Width of the terminal; unknown in a pipe, where nothing is broken. */
  readonly columns: number | undefined;
  /** Cells that telctl itself fills before the first row. */
  readonly before?: number;
  /** Blanks before the mark of further rows. */
  readonly indent?: number;
  /** Cells that stay free in the last row. */
  readonly after?: number;
  readonly spoken?: boolean | undefined;
}

/**
 * What telctl says as text. Text of the service is somewhere in it: it obeys nothing, runs of blanks are one, and no row
 * of the terminal begins with it, since what goes on in a further row stands behind a mark there.
 */
export function saidText(said: Lines, view: SaidView): string {
  const lines = linesOf(said);
  return lines
    .flatMap((line, index) => {
      const safe = collapsed(neutralise(line));
      const after = index === lines.length - 1 ? view.after : 0;
      const before = index === 0 ? view.before : 0;
      return saidRows(view.spoken ? spokenText(safe) : safe, {
        ...view,
        before: before ?? 0,
        after: after ?? 0,
      });
    })
    .join('\n');
}

/** Text without runs of blanks. Up to three of them are telctl's own gap; those at the beginning stay up to a few. */
export const collapsed = (text: string): string =>
  text.replaceAll(/(?<=\S)\s{4,}/gu, ' ').replace(/^\s{8,}/u, ' '.repeat(8));

/** A harmless line in the rows that it takes at a terminal. */
export function saidRows(line: string, view: SaidView): readonly string[] {
  const { columns, before = 0, after = 0, indent = 0, spoken = false } = view;
  if (columns === undefined || columns < narrowest || before + cellsOf(line) + after <= columns)
    return [line];
  const mark = ' '.repeat(indent) + (spoken ? spokenMark : serviceMark);
  const rows: string[] = [];
  let row = '';
  let used = before;
  const goOn = (): void => {
    rows.push(row.trimEnd());
    row = mark;
    used = mark.length;
  };
  for (const word of line.split(/(?<=\s)(?=\S)/u)) {
    const cells = cellsOf(word.trimEnd());
    if (
      used + cells > columns &&
      used > mark.length &&
      (cells <= columns - mark.length || columns - used < 2)
    )
      goOn();
    for (const part of word) {
      const more = cellsOf(part);
      if (used + more > columns && part !== ' ') goOn();
      row += part;
      used += more;
    }
  }
  if (used + after > columns) goOn();
  return [...rows, row.trimEnd()];
}

/** Widest cell of text; numbers and times are shorter. */
const widestCell = 48;
/** Narrowest column that says something, in cells. */
const narrowestCell = 6;
const gap = '  ';

/**
 * A table that a question is about, each row behind the mark and each cell within its column. Where the terminal is
 * narrower, headings are shortened, then texts; numbers never are.
 */
export function saidTable({ columns: heads, rows }: SaidTable, view: SaidView): readonly string[] {
  const mark = view.columns === undefined || view.spoken ? '  ' : serviceMark;
  const cells = rows.map((row) => row.map((cell) => cutTo(collapsed(neutralise(cell)), widestCell)));
  const widthsWith = (head: readonly string[]): number[] =>
    head.map((text, index) => Math.max(cellsOf(text), ...cells.map((row) => cellsOf(row[index] ?? ''))));
  const room = (view.columns ?? Number.POSITIVE_INFINITY) - mark.length - gap.length * (heads.length - 1);
  const sum = (widths: readonly number[]): number => widths.reduce((all, width) => all + width, 0);
  const long = heads.map(({ head }) => head);
  const head = sum(widthsWith(long)) > room ? heads.map(({ head: text, short = text }) => short) : long;
  const widths = widthsWith(head);
  for (let over = sum(widths) - room; over > 0; over -= 1) {
    const widest = widths.reduce(
      (best, width, index) => (heads[index]?.isNumber || width <= (widths[best] ?? 0) ? best : index),
      heads.findIndex(({ isNumber }) => !isNumber),
    );
    const width = widths[widest] ?? 0;
    if (width <= narrowestCell) break;
    widths[widest] = width - 1;
  }
  return [head, ...cells].flatMap((row) => {
    const texts = row.map((cell, index) => {
      const width = widths[index] ?? 0;
      const text = cutTo(cell, width);
      const space = ' '.repeat(Math.max(0, width - cellsOf(text)));
      return heads[index]?.isNumber ? space + text : text + space;
    });
    return saidRows(mark + texts.join(gap).trimEnd(), view);
  });
}
