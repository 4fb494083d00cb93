/** Splits a line as a shell would, as far as the documentation needs: quotes, and an end at `|`, `>`, `&&`, `#`. */
export function shellWords(line: string): readonly string[] {
  const words: string[] = [];
  for (const [token, single, double] of line.matchAll(/'([^']*)'|"([^"]*)"|(?:\\.|[^\s'"])+/g)) {
    if (/^(?:\||>|<|&&|;|#|2>)/.test(token)) break;
    words.push(single ?? double ?? token);
  }
  return words;
}

/** Whether a line is a shape to fill in (`telctl <noun> <verb>`) and not a command. */
const isShape = (line: string): boolean => /<\w|\[|…|\.\.\.|\bID\b|\bSHELL\b|\bFILE\b|\bMETHOD\b/.test(line);

/** Every telctl command line of a page, in code blocks and in code marks, as the words after `telctl`. */
export function telctlLines(page: string): readonly (readonly string[])[] {
  const blocks = [...page.matchAll(/^```[^\n]*\n([\s\S]*?)^```/gm)].map(([, body = '']) => body);
  const joined = blocks.flatMap((body) => body.replaceAll(/\\\n\s*/g, '').split('\n'));
  const indented = page.split('\n').filter((line) => /^ {4}\$? ?telctl /.test(line));
  const marks = [...page.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/`(telctl [^`]+)`/g)];
  return [...joined, ...indented, ...marks.map(([, line = '']) => line)]
    .map((line) => /^\s*(?:\$ )?telctl (.*)$/.exec(line)?.[1])
    .filter((line) => line !== undefined)
    .filter((line) => !isShape(line))
    .map(shellWords);
}
