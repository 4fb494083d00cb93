import { neutralise } from '../../base/neutralise.ts';
import { toLines } from '../../base/wording.ts';
import type { Screen, ScreenPart } from '../command/result.ts';
import type { View } from './render-value.ts';
import { joinColumns, type Measure, measureFor } from './width.ts';

/** Switches to the alternate screen without a cursor. Each frame starts at the top. */
const openScreen = '\u001b[?1049h\u001b[?25l';
const closeScreen = '\u001b[?25h\u001b[?1049l';
const fromTop = '\u001b[H';
const toEndOfLine = '\u001b[K';
const toEndOfScreen = '\u001b[J';

/** Draws each screen over the previous one. Always restores the terminal. */
export async function drawScreens(screens: AsyncIterable<Screen>, { out }: Pick<View, 'out'>): Promise<void> {
  const { window } = out;
  if (!window) throw new Error('A screen needs a terminal.');
  await out.write(openScreen);
  try {
    for await (const screen of screens) {
      const { columns, rows } = window();
      const lines = await screenLines(screen, rows);
      const measure = await measureFor(lines);
      const drawn = lines.map((line) => `${measure.cut(line, columns)}${toEndOfLine}`);
      await out.write(`${fromTop}${drawn.join('\r\n')}${toEndOfScreen}`);
    }
  } finally {
    await out.write(closeScreen);
  }
}

const around = 2;

/** Lays out a screen of a given height. Parts share the height. A last line counts hidden rows. */
export async function screenLines({ top, parts }: Screen, height: number): Promise<readonly string[]> {
  const head = toLines(top).map(neutralise);
  const room = distributeLines(
    parts.map(({ rows }) => Math.max(1, rows.length)),
    height - head.length - around * parts.length,
  );
  const measure = await measureFor(parts.flatMap(({ rows }) => rows.flat()));
  return [
    ...head,
    ...parts.flatMap((part, index) => ['', part.title, ...partLines(part, room[index] ?? 1, measure)]),
  ];
}

/**
 * Distributes lines to parts that need different numbers. Each gets at least one. Unused lines go to the next parts.
 */
function distributeLines(wanted: readonly number[], lines: number): readonly number[] {
  const smallestFirst = wanted.map((_, index) => index).sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0));
  const room = new Map<number, number>();
  let left = lines;
  for (const [turn, index] of smallestFirst.entries()) {
    const share = Math.max(1, Math.min(wanted[index] ?? 1, Math.floor(left / (wanted.length - turn))));
    room.set(index, share);
    left -= share;
  }
  return wanted.map((_, index) => room.get(index) ?? 1);
}

function partLines({ rows, none }: ScreenPart, room: number, measure: Measure): readonly string[] {
  if (rows.length === 0) return [`  ${none}`];
  const shown = rows.length <= room ? rows : rows.slice(0, room - 1);
  const cells = shown.map((row) => row.map(neutralise));
  const widths: number[] = [];
  for (const row of cells)
    for (const [index, cell] of row.entries())
      widths[index] = Math.max(widths[index] ?? 0, measure.width(cell));
  const lines = cells.map((row) => joinColumns(row, widths, measure));
  const more = shown.length < rows.length ? [`… ${rows.length - shown.length} more`] : [];
  return [...lines, ...more].map((line) => `  ${line}`);
}
