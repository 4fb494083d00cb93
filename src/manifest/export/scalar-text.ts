/**
 * Scalars as YAML text. Written here and not by a YAML library because an account of ten thousand objects is written
 * in a tenth of the time, and because every reader has to take the text for what it is: readers of YAML 1.1 too, for
 * whom `no`, `12:30` and `0100` are no text.
 */

/** Text that may stand without quotes: begins with a letter, holds nothing that YAML has a meaning for. */
const plain = /^[A-Za-z/][\w./@+-]*(?: [\w./@+-]+)*$/;
/** Words that readers of YAML 1.1 or 1.2 take for something else. */
const words = /^(?:true|false|yes|no|on|off|y|n|null|nan|inf)$/i;
/** Characters that JSON leaves as they are and YAML does not print, or that turn and hide text at a terminal. */
const hidden = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffe\uffff]|\u034f/gu;

const escaped = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff
    ? `\\U${code.toString(16).padStart(8, '0')}`
    : `\\u${code.toString(16).padStart(4, '0')}`;
};

const ascii = /^[\x20-\x7e]*$/;

/** Text in double quotes, every character that could not be seen as an escape. */
export function quoted(text: string): string {
  const json = JSON.stringify(text);
  return ascii.test(json) ? json : json.replaceAll(hidden, escaped);
}

/** Text as a value on one line, in quotes where a reader could take it for something else. */
export const textOnLine = (text: string): string =>
  plain.test(text) && !words.test(text) ? text : quoted(text);

/** The same for a value that stands alone behind its key, where a reference needs no quotes. */
export const valueOnLine = (text: string): string =>
  /^\$\{[\w.?-]+\}$/.test(text) ? text : textOnLine(text);

/** Text as a key. */
export const keyText = (key: string): string =>
  /^[A-Za-z_][\w-]*$/.test(key) && !words.test(key) ? key : quoted(key);

/**
 * Lines of text as a block (`|`), by its header and its lines; `undefined` where only quotes keep the text as it is:
 * blanks at the ends of lines, which editors cut, characters that cannot be seen, empty lines at the end.
 */
export function blockOf(
  text: string,
): { readonly header: string; readonly lines: readonly string[] } | undefined {
  const lines = text.split('\n');
  const body = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  if (body.length < 2 || /^\s|^$/.test(body[0] ?? '') || body.at(-1) === '') return undefined;
  if (body.some((line) => /\s$/.test(line) || line.search(hidden) >= 0)) return undefined;
  return { header: body === lines ? '|-' : '|', lines: body };
}

/**
 * A number as telctl's reader takes it everywhere: without exponent, and with a fraction where it is too large to be
 * counted exactly.
 */
export function numberText(value: number): string {
  const text = String(value);
  if (!text.includes('e'))
    return Number.isInteger(value) && !Number.isSafeInteger(value) ? `${text}.0` : text;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  const power = Number(exponent);
  if (power < 0) return `${sign}0.${'0'.repeat(-power - 1)}${whole}${fraction}`;
  return `${sign}${whole}${fraction.padEnd(power, '0')}.0`;
}
