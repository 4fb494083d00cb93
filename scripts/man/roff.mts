/** Markup of manual pages. Text is escaped. */

const special: ReadonlyMap<string, string> = new Map([
  ['\\', '\\e'],
  // A bare hyphen can be printed as another character, which cannot be pasted into a shell.
  ['-', '\\-'],
  ["'", '\\(aq'],
  ['`', '\\(ga'],
  ['^', '\\(ha'],
  ['~', '\\(ti'],
]);

const escapeRoff = (text: string): string =>
  [...text]
    .map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      const name = code.toString(16).toUpperCase().padStart(4, '0');
      return special.get(letter) ?? (code > 126 ? `\\[u${name}]` : letter);
    })
    .join('');

/** Escapes text. A line that starts with a period would be a request. */
export const roffText = (text: string): string =>
  escapeRoff(text)
    .split('\n')
    .map((line) => (line.startsWith('.') ? `\\&${line}` : line))
    .join('\n');

const quoteArgument = (text: string): string => `"${escapeRoff(text).replaceAll('"', '\\(dq')}"`;

/**
 * Returns the first lines of a page. They contain no date, so that builds are reproducible. Hyphenation and
 * justification are off, because options contain hyphens.
 */
export const title = (name: string, section: number, version: string): readonly string[] => [
  `.TH ${quoteArgument(name.toUpperCase())} ${section} "" ${quoteArgument(`telctl ${version}`)} "telctl manual"`,
  '.nh',
  '.ad l',
];

export const heading = (name: string, ...body: readonly string[]): readonly string[] => [
  `.SH ${quoteArgument(name.toUpperCase())}`,
  ...body,
];

export const subheading = (name: string, ...body: readonly string[]): readonly string[] => [
  `.SS ${quoteArgument(name)}`,
  ...body,
];

export const paragraph = (text: string): readonly string[] => ['.PP', roffText(text)];

/** Returns lines without filling. */
export const verbatim = (lines: readonly string[]): readonly string[] => [
  '.PP',
  '.RS 4',
  '.EX',
  ...lines.map(roffText),
  '.EE',
  '.RE',
];

/** Returns a definition list: terms in bold, with indented definitions. */
export const definitions = (rows: readonly (readonly [string, string])[]): readonly string[] =>
  rows.flatMap(([word, meaning]) => ['.TP', `.B ${quoteArgument(word.trim())}`, roffText(meaning)]);
