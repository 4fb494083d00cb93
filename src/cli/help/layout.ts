/** Width of the terminal; unknown in a pipe, where nothing is broken. */
export type Columns = number | undefined;

const indent = 2;
const gap = 2;
/** A second column narrower than this goes below the first. */
const leastRight = 24;
/** How far it is moved in there. */
const belowIndent = 8;

/** Breaks a text between words; what is too long by itself stays whole. */
function broken(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A text of one paragraph. */
export const paragraph = (text: string, columns: Columns): string =>
  columns === undefined ? text : broken(text, columns).join('\n');

/**
 * Two columns of text, the first as wide as its widest entry (at least `least`), moved in by two blanks. At a terminal
 * the second is broken inside its column, or below the first where little room is left.
 */
export function twoColumns(
  rows: readonly (readonly [string, string])[],
  columns: Columns,
  least = 0,
): string {
  const width = Math.max(least, ...rows.map(([left]) => left.length));
  const beside = indent + width + gap;
  if (columns === undefined || columns - beside >= leastRight) {
    const right = columns === undefined ? Number.POSITIVE_INFINITY : columns - beside;
    return rows
      .map(([left, text]) => {
        const hanging = broken(text, right).join(`\n${' '.repeat(beside)}`);
        return `${' '.repeat(indent)}${left.padEnd(width)}${' '.repeat(gap)}${hanging}`.trimEnd();
      })
      .join('\n');
  }
  const margin = ' '.repeat(belowIndent);
  return rows
    .map(([left, text]) => {
      const below = broken(text, columns - belowIndent).map((line) => `\n${margin}${line}`);
      return `${' '.repeat(indent)}${left}${text === '' ? '' : below.join('')}`;
    })
    .join('\n');
}

/** A heading with what stands below it. */
export function section(heading: string, body: string): string {
  return `${heading}\n${body}\n`;
}
