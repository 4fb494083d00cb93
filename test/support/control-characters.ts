const isAllowed = (code: number): boolean => code === 0x0a || code === 0x09 || code === 0x0d;
const isControl = (code: number): boolean => code < 0x20 || (code >= 0x7f && code <= 0x9f);
const isBidirectional = (code: number): boolean =>
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069) ||
  code === 0x200e ||
  code === 0x200f ||
  code === 0x061c;
const isLineEnd = (code: number): boolean => code === 0x2028 || code === 0x2029;

/** Returns characters that can control a terminal or reorder text, as hexadecimal codes. */
export function controlCharacters(text: string): readonly string[] {
  return [...text]
    .map((character) => character.codePointAt(0) ?? 0)
    .filter((code) => (isControl(code) && !isAllowed(code)) || isBidirectional(code) || isLineEnd(code))
    .map((code) => code.toString(16));
}
