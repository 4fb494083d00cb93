/** Least space for the last column. With less space, it is printed below the others, indented by four more spaces. */
const leastRight = 20;

/**
 * Wraps lines that are wider than a terminal between words. Further lines start below the last column, that is, after
 * the last gap of two or more spaces. Longer words are not split.
 */
export const wrapColumns = (text: string, columns: number): string =>
  text
    .split('\n')
    .flatMap((line) => (line.length <= columns ? [line] : wrapLine(line, columns)))
    .join('\n');

function wrapLine(line: string, columns: number): readonly string[] {
  const start = [...line.matchAll(/ {2,}(?=\S)/g)].at(-1);
  const column = start === undefined ? 0 : start.index + start[0].length;
  const isBeside = columns - column >= leastRight;
  const hanging = ' '.repeat(isBeside ? column : line.search(/\S/) + 4);
  const left = line.slice(0, column);
  const [first = '', ...words] = line.slice(column).split(' ');
  const lines = isBeside ? [left + first] : [left.trimEnd(), hanging + first];
  for (const word of words) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length <= columns) lines[lines.length - 1] = longer;
    else lines.push(hanging + word);
  }
  return lines;
}
