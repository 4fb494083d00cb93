import { type Lines, linesOf } from './wording.ts';

/**
 * Characters that a terminal obeys instead of showing, or that hide or reorder what stands beside them: controls
 * (C0, DEL, C1), format characters (bidirectional marks and overrides, zero-width ones, tags), line and
 * paragraph separators, lone surrogates, letters that are blank, and code points that are kept free for more format
 * characters.
 */
const harmful =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u2065\ufff0-\ufff8\u{e0000}-\u{e007f}\u115f\u1160\u17b4\u17b5\u3164\uffa0]|\u034f/gu;

/** Those that a terminal obeys or that turn text around; a joiner makes one sign of several, and may stay. */
const obeyed = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const obeyedInDocument = new RegExp(`\\r(?!\\n)|(?![\\r\\n\\t])${obeyed.source}`, 'gu');

/** True for plain text, as most text is: far faster than looking for harmful characters. */
const isPlain = (text: string): boolean => !/[^ -~]/.test(text);

const escapeOf = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

const short = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

const shownCharacter = (character: string): string => short.get(character) ?? escapeOf(character);

/** Text from outside, made harmless for one line of a terminal: what could do harm is shown as its escape. */
export function neutralise(text: string): string {
  return isPlain(text) ? text : text.replaceAll(harmful, shownCharacter);
}

/** Returns what telctl says, with each line made harmless. */
export const neutraliseLines = (said: Lines): string => linesOf(said).map(neutralise).join('\n');

/** A document of several lines, made harmless: line ends stay, tabs become blanks. */
export function neutraliseDocument(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => neutralise(line.replaceAll('\t', '    ')))
    .join('\n');
}

/** A document for a file or another program, which may show it at a terminal: line ends and tabs stay. */
export const neutralisePiped = (text: string): string => text.replaceAll(obeyedInDocument, shownCharacter);

export const neutralisePipedLine = (text: string): string =>
  isPlain(text) ? text : text.replaceAll(obeyed, shownCharacter);

/** The same for JSON, in which such characters stand only inside strings; its meaning stays as it is. */
export function neutraliseJson(text: string): string {
  if (isPlain(text)) return text;
  return text.replaceAll(harmful, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => escapeOf(character.charAt(index))).join(''),
  );
}

/** Tells whether a text holds something that would be neutralised. */
export function isHarmful(text: string): boolean {
  return text.search(harmful) >= 0;
}

/** Beginnings of text that a spreadsheet would run; some take wide characters for the plain ones. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;
/** Phone numbers and plain numbers, which a spreadsheet may read as it likes: they come to nothing else. */
const isNumber = /^[+-]?\d+(?:\.\d+)?$/;
/** Text that would be read as protected or escaped, and a text `?`, which stands for a value that is not known. */
const isProtected = /^'+[=+\-@\t\r\n＝＋－＠\\]|^'*\?$/;
/** Characters that travel as escapes in a cell. Joiners make one sign of several, and stay. */
const hidden = new RegExp(`(?![\\u200c\\u200d])(?:${harmful.source})`, 'gu');
/** Begins a cell with escapes. */
const escapedMark = "'\\";

/**
 * Text for a cell of a file that a spreadsheet may open, or a terminal may show. What a spreadsheet would run as a
 * formula gets an apostrophe before it; so does text that already begins like that. Text with control, direction or
 * invisible characters begins with `'\`, and has them as escapes (`\t`, `\u202e`) and each backslash twice. `fromCell`
 * returns every text unchanged. Numbers with and without a sign (`+15551230000`, `-3.5`) are not changed.
 */
export function toCell(text: string): string {
  if (!isPlain(text) && text.search(hidden) >= 0)
    return escapedMark + text.replaceAll('\\', '\\\\').replaceAll(hidden, shownCharacter);
  return isProtected.test(text) || (beginsFormula.test(text) && !isNumber.test(text)) ? `'${text}` : text;
}

/** Escapes of a cell: those that `toCell` writes. */
const escapes = /\\(?:([\\ntr])|u([0-9a-f]{4})|u\{([0-9a-f]{5,6})\})/g;
const unescaped = new Map([
  ['\\', '\\'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** The text that `toCell` made a cell of. A person's cell that only looks escaped is returned unchanged. */
export function fromCell(cell: string): string {
  if (!cell.startsWith(escapedMark)) return isProtected.test(cell) && cell !== '?' ? cell.slice(1) : cell;
  const body = cell.slice(escapedMark.length);
  const rest = body.replaceAll(escapes, '');
  if (rest === body || rest.includes('\\')) return cell;
  return body.replaceAll(
    escapes,
    (_, short: string | undefined, unit: string | undefined, point: string | undefined) =>
      (short === undefined ? undefined : unescaped.get(short)) ??
      String.fromCodePoint(Number.parseInt(unit ?? point ?? '0', 16)),
  );
}

/** Cell of a list for what the service did not say of a record. */
export const unknownValue = '?';
