/** Words of the text formatter that manual pages are written in, with text made safe for it. */

const special: ReadonlyMap<string, string> = new Map([
  ['\\', '\\e'],
  // A bare hyphen may be set as another character, which nobody can paste into a shell; so may these.
  ['-', '\\-'],
  ["'", '\\(aq'],
  ['`', '\\(ga'],
  ['^', '\\(ha'],
  ['~', '\\(ti'],
]);

const escaped = (text: string): string =>
  [...text]
    .map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      const name = code.toString(16).toUpperCase().padStart(4, '0');
      return special.get(letter) ?? (code > 126 ? `\\[u${name}]` : letter);
    })
    .join('');

/** Text as one or more lines; one that begins with a full stop would be a request, and is kept from it. */
export const roffText = (text: string): string =>
  escaped(text)
    .split('\n')
    .map((line) => (line.startsWith('.') ? `\\&${line}` : line))
    .join('\n');

/** An argument of a macro: in quotation marks, its own written by name. */
const quoted = (text: string): string => `"${escaped(text).replaceAll('"', '\\(dq')}"`;

/**
 * The lines that a page begins with. No date stands in them, so that a build is repeatable; words are not broken at
 * hyphens, which options are full of, nor lines stretched.
 */
export const title = (name: string, section: number, version: string): readonly string[] => [
  `.TH ${quoted(name.toUpperCase())} ${section} "" ${quoted(`telctl ${version}`)} "telctl manual"`,
  '.nh',
  '.ad l',
];

/** A heading in capitals, with what stands below it. */
export const heading = (name: string, ...body: readonly string[]): readonly string[] => [
  `.SH ${quoted(name.toUpperCase())}`,
  ...body,
];

/** A heading below one of those. */
export const subheading = (name: string, ...body: readonly string[]): readonly string[] => [
  `.SS ${quoted(name)}`,
  ...body,
];

export const paragraph = (text: string): readonly string[] => ['.PP', roffText(text)];

/** Lines that stay as they are. */
export const verbatim = (lines: readonly string[]): readonly string[] => [
  '.PP',
  '.RS 4',
  '.EX',
  ...lines.map(roffText),
  '.EE',
  '.RE',
];

/** A word in bold for each row, with what it means moved in below it. */
export const definitions = (rows: readonly (readonly [string, string])[]): readonly string[] =>
  rows.flatMap(([word, meaning]) => ['.TP', `.B ${quoted(word.trim())}`, roffText(meaning)]);
