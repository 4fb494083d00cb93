/** A piece of a help page, as data, because the package contains the pages of all commands. */
export type HelpPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'line'; readonly text: string }
  /** Terms and their meanings. `least` is the minimum width of the first column. */
  | {
      readonly kind: 'rows';
      readonly heading?: string;
      readonly rows: readonly (readonly [string, string])[];
      readonly least?: number;
    }
  /** Lines that users type unchanged. */
  | { readonly kind: 'lines'; readonly heading?: string; readonly lines: readonly string[] };

/** Width of the terminal; `undefined` in a pipe, which does not wrap text. */
export type Columns = number | undefined;

const indent = 2;
const gap = 2;
const leastRight = 24;
const belowIndent = 8;

/** Wraps a text between words. Longer words are not split. */
function wrapText(text: string, width: number): readonly string[] {
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
  columns === undefined ? text : wrapText(text, columns).join('\n');

/** At a terminal, wraps the second column, or prints it below the first if little space is left. */
function twoColumns(rows: readonly (readonly [string, string])[], columns: Columns, least = 0): string {
  const width = Math.max(least, ...rows.map(([left]) => left.length));
  const beside = indent + width + gap;
  if (columns === undefined || columns - beside >= leastRight) {
    const right = columns === undefined ? Number.POSITIVE_INFINITY : columns - beside;
    return rows
      .map(([left, text]) => {
        const hanging = wrapText(text, right).join(`\n${' '.repeat(beside)}`);
        return `${' '.repeat(indent)}${left.padEnd(width)}${' '.repeat(gap)}${hanging}`.trimEnd();
      })
      .join('\n');
  }
  const margin = ' '.repeat(belowIndent);
  return rows
    .map(([left, text]) => {
      const below = wrapText(text, columns - belowIndent).map((line) => `\n${margin}${line}`);
      return `${' '.repeat(indent)}${left}${text === '' ? '' : below.join('')}`;
    })
    .join('\n');
}

function section(heading: string, body: string): string {
  return `${heading}\n${body}\n`;
}

function partText(part: HelpPart, columns: Columns): string {
  if (part.kind === 'text') return `${paragraph(part.text, columns)}\n`;
  if (part.kind === 'line') return `${part.text}\n`;
  const body =
    part.kind === 'rows'
      ? twoColumns(part.rows, columns, part.least)
      : part.lines.map((line) => `  ${line}`.trimEnd()).join('\n');
  return part.heading === undefined ? `${body}\n` : section(part.heading, body);
}

export const pageText = (parts: readonly HelpPart[], columns: Columns): string =>
  parts.map((part) => partText(part, columns)).join('\n');
