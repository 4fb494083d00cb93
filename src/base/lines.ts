/**
 * Text that telctl says to people: one line, or several. A string is one line, whatever stands in it: a line break
 * inside it came with somebody else's text and is shown as its escape, so that no such text can pass for a line of
 * telctl's own.
 */
export type Lines = string | readonly string[];

export const linesOf = (said: Lines): readonly string[] => (typeof said === 'string' ? [said] : said);

/** The same under a heading of its first line: `acme: Created user alice`. */
export function headed(heading: string, said: Lines): Lines {
  const [first = '', ...others] = linesOf(said);
  return [`${heading}: ${first}`, ...others];
}
