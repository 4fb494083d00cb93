import { type Lines, toLines } from './wording.ts';

/**
 * Characters that a terminal executes instead of showing, or that hide or reorder text: controls (C0, DEL, C1), format
 * characters (bidirectional marks and overrides, zero-width characters, tags), line and paragraph separators, lone
 * surrogates, blank letters, and code points reserved for format characters.
 */
const harmful =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u2065\ufff0-\ufff8\u{e0000}-\u{e007f}\u115f\u1160\u17b4\u17b5\u3164\uffa0]|\u034f/gu;

/**
 * Characters that a terminal executes or that reorder text. Joiners are allowed, because they combine several
 * characters into one symbol.
 */
const obeyed = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const obeyedInDocument = new RegExp(`\\r(?!\\n)|(?![\\r\\n\\t])${obeyed.source}`, 'gu');

/** Much faster than searching for harmful characters. */
const isPlain = (text: string): boolean => !/[^ -~]/.test(text);

const escapeCharacter = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

const short = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

const shownCharacter = (character: string): string => short.get(character) ?? escapeCharacter(character);

export function neutralise(text: string): string {
  return isPlain(text) ? text : text.replaceAll(harmful, shownCharacter);
}

export const neutraliseLines = (said: Lines): string => toLines(said).map(neutralise).join('\n');

/** Keeps line ends, and replaces tabs with spaces. */
export function neutraliseDocument(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => neutralise(line.replaceAll('\t', '    ')))
    .join('\n');
}

/** Escapes a document for a file or another program, whose output may reach a terminal. Keeps line ends and tabs. */
export const neutralisePiped = (text: string): string => text.replaceAll(obeyedInDocument, shownCharacter);

export const neutralisePipedLine = (text: string): string =>
  isPlain(text) ? text : text.replaceAll(obeyed, shownCharacter);

/** Escapes JSON text, in which such characters only occur inside strings. Its meaning is unchanged. */
export function neutraliseJson(text: string): string {
  if (isPlain(text)) return text;
  return text.replaceAll(harmful, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => escapeCharacter(character.charAt(index))).join(
          '',
        ),
  );
}

export function isHarmful(text: string): boolean {
  return text.search(harmful) >= 0;
}

/**
 * Prefixes of text that a spreadsheet would run as a formula. Some programs treat wide characters like the plain ones.
 */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;
const isNumber = /^[+-]?\d+(?:\.\d+)?$/;
/** Text that looks protected or escaped, and the text `?`, which means an unknown value. */
const isProtected = /^'+[=+\-@\t\r\n＝＋－＠\\]|^'*\?$/;
/** Characters that are escaped in a cell. Joiners are kept, because they combine several characters into one symbol. */
const hidden = new RegExp(`(?![\\u200c\\u200d])(?:${harmful.source})`, 'gu');
const escapedMark = "'\\";

/**
 * Encodes text for a cell of a file that a spreadsheet or a terminal may show. Formulas, and text that looks
 * protected, get an apostrophe. Text with control, direction or invisible characters starts with `'\` and contains
 * escapes (`\t`, `\u202e`) and doubled backslashes. Numbers (`+15551230000`, `-3.5`) are unchanged. `decodeCell`
 * returns the original text.
 */
export function encodeCell(text: string): string {
  if (!isPlain(text) && text.search(hidden) >= 0)
    return escapedMark + text.replaceAll('\\', '\\\\').replaceAll(hidden, shownCharacter);
  return isProtected.test(text) || (beginsFormula.test(text) && !isNumber.test(text)) ? `'${text}` : text;
}

const escapes = /\\(?:([\\ntr])|u([0-9a-f]{4})|u\{([0-9a-f]{5,6})\})/g;
const unescaped = new Map([
  ['\\', '\\'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
]);

/** Decodes a cell from `encodeCell`. A cell that only looks escaped is unchanged. */
export function decodeCell(cell: string): string {
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

/** Cell text for a value that the service did not send. */
export const unknownValue = '?';
