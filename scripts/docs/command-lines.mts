/** Splits a line like a shell: quotes, and an end at `|`, `>`, `&&` or `#`. */
export function shellWords(line: string): readonly string[] {
  const words: string[] = [];
  let word: string | undefined;
  for (const [token, single, double] of line.matchAll(/'([^']*)'|"([^"]*)"|\s+|[^\s'"]+/g)) {
    if (/^\s/.test(token)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (word === undefined && /^(?:\||>|<|&&|;|#|2>)/.test(token)) {
      return words;
    } else {
      word = (word ?? '') + (single ?? double ?? token);
    }
  }
  return word === undefined ? words : [...words, word];
}

/** A telctl command line in a page: the words after `telctl`. */
export interface CommandLine {
  readonly words: readonly string[];
  /** Only mentioned in a sentence, so arguments can be missing. */
  readonly mentioned: boolean;
}

/** Returns true for a placeholder (`telctl <noun> <verb>`). */
const isShape = (line: string): boolean =>
  /<\w|\[|…|\.\.\.|\b(?:ID|SHELL|FILE|METHOD|NAME|COMMAND)\b/.test(line);

const afterTelctl = (line: string): string | undefined => /^\s*(?:\$ )?telctl (.*)$/.exec(line)?.[1];

/** Returns every telctl command line in code blocks and in code marks. */
export function telctlLines(page: string): readonly CommandLine[] {
  const blocks = [...page.matchAll(/^ *```[^\n]*\n([\s\S]*?)^ *```/gm)].map(([, body = '']) => body);
  const prose = page.replaceAll(/^ *```[\s\S]*?^ *```/gm, '');
  const typed = [
    ...blocks.flatMap((body) => body.replaceAll(/\\\n\s*/g, '').split('\n')),
    ...prose.split('\n').filter((line) => /^ {4}\$ telctl /.test(line)),
  ];
  const marks = [...prose.matchAll(/`(telctl [^`]+)`/g)].map(([, line = '']) => line);
  const found = (lines: readonly string[], mentioned: boolean): readonly CommandLine[] =>
    lines
      .map(afterTelctl)
      .filter((line) => line !== undefined && !isShape(line))
      .map((line) => ({ words: shellWords(line ?? ''), mentioned }));
  return [...found(typed, false), ...found(marks, true)];
}
