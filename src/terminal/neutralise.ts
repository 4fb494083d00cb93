/**
 * Characters that a terminal obeys instead of showing, or that hide or reorder what stands beside them: controls
 * (C0, DEL, C1), format characters (bidirectional marks and overrides, zero-width ones, tags), line and
 * paragraph separators, lone surrogates, letters that are blank, and code points that are kept free for more format
 * characters.
 */
const harmful =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u2065\ufff0-\ufff8\u{e0000}-\u{e007f}\u115f\u1160\u17b4\u17b5\u3164\uffa0]|\u034f/gu;

const escaped = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
};

const short = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

/** Text from outside, made harmless for one line of a terminal: what could do harm is shown as its escape. */
export function neutralise(text: string): string {
  return text.replaceAll(harmful, (character) => short.get(character) ?? escaped(character));
}

/** The same for text of several lines: line ends stay, tabs become blanks. */
export function neutraliseLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => neutralise(line.replaceAll('\t', '    ')))
    .join('\n');
}

/**
 * The same for a text that is JSON, or another one in which such characters stand only inside strings with JSON's
 * escapes. Its meaning stays as it is.
 */
export function neutraliseJson(text: string): string {
  return text.replaceAll(harmful, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => escaped(character.charAt(index))).join(''),
  );
}

/** Whether a text holds something that would be neutralised. */
export function isHarmful(text: string): boolean {
  return text.search(harmful) >= 0;
}
