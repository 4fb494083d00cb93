/** A piece of a page of help, as data: the pages of all commands are kept in the package. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** A line that is never broken. */
  | { readonly kind: 'line'; readonly text: string }
  /** Rows of a word and what it means; `least` is the narrowest that the first column may be. */
  | {
      readonly kind: 'rows';
      readonly heading?: string;
      readonly rows: readonly (readonly [string, string])[];
      readonly least?: number;
    }
  /** Lines that are typed as they stand. */
  | { readonly kind: 'lines'; readonly heading?: string; readonly lines: readonly string[] };

/** Width of the terminal; unknown in a pipe, where nothing is broken. */
export type Columns = number | undefined;

const indent = 2;
const gap = 2;
const leastRight = 24;
/** Indent of a second column that goes below the first. */
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

const paragraph = (text: string, columns: Columns): string =>
  columns === undefined ? text : broken(text, columns).join('\n');

/**
 * Two columns of text, the first as wide as its widest entry (at least `least`), moved in by two blanks. At a terminal
 * the second is broken inside its column, or below the first where little room is left.
 */
function twoColumns(rows: readonly (readonly [string, string])[], columns: Columns, least = 0): string {
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

function section(heading: string, body: string): string {
  return `${heading}\n${body}\n`;
}

function partText(part: Part, columns: Columns): string {
  if (part.kind === 'text') return `${paragraph(part.text, columns)}\n`;
  if (part.kind === 'line') return `${part.text}\n`;
  const body =
    part.kind === 'rows'
      ? twoColumns(part.rows, columns, part.least)
      : part.lines.map((line) => `  ${line}`.trimEnd()).join('\n');
  return part.heading === undefined ? `${body}\n` : section(part.heading, body);
}

/** The text of a page, broken between words where the width is known. */
export const pageText = (parts: readonly Part[], columns: Columns): string =>
  parts.map((part) => partText(part, columns)).join('\n');
