import type { JsonObject } from '../base/json.ts';
import type { Column } from '../contract/types.ts';
import { cellText } from './cells.ts';
import type { View } from './view.ts';
import { measureFor } from './width.ts';

const gap = '  ';

/**
 * Shows records in columns while they come: each as a line at once, in columns of known widths. What is longer moves
 * the rest of its line; only the last column is cut, to the width of the terminal.
 */
export async function renderLive(
  records: AsyncIterable<JsonObject>,
  columns: readonly Column[],
  widths: readonly number[],
  { out, style }: Pick<View, 'out' | 'style'>,
): Promise<void> {
  const line = async (cells: readonly string[]): Promise<string> => {
    const measure = await measureFor(cells);
    const padded = cells.map((cell, index) =>
      index === cells.length - 1
        ? cell
        : cell + ' '.repeat(Math.max(0, (widths[index] ?? 0) - measure.width(cell))),
    );
    const text = padded.join(gap).trimEnd();
    return out.columns === undefined ? text : measure.cut(text, out.columns);
  };
  let isFirst = true;
  for await (const record of records) {
    if (isFirst) await out.write(`${style.bold(await line(columns.map(({ header }) => header)))}\n`);
    isFirst = false;
    await out.write(`${await line(columns.map((column) => cellText(record, column, !out.terminal)))}\n`);
  }
}
