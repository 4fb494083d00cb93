/** Columns of text, each as wide as its widest cell, moved in by two blanks. */
export function rows(cells: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of cells) {
    for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  }
  return cells
    .map((row) => `  ${row.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ')}`.trimEnd())
    .join('\n');
}

/** Two columns, without the rows that have nothing to say. */
export const labelled = (pairs: readonly (readonly [string, string | undefined])[]): string =>
  rows(pairs.flatMap(([label, text]) => (text === undefined || text === '' ? [] : [[label, text]])));

/** A heading with what stands below it. */
export const section = (heading: string, body: string): string => `${heading}\n${body}\n`;

/** A description with its full stop. */
export const sentence = (text: string): string => (/[.…]$/.test(text) ? text : `${text}.`);
