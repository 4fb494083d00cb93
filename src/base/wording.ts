/** Text of several lines in one, for a place that has room for a line. */
export const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

/** A name in a sentence: as it is where it is a plain word, else in quotes, on one line. */
export const quoted = (text: string): string => (/^[\w.@+-]+$/.test(text) ? text : JSON.stringify(text));

/** A name of the API in a sentence: `temporal rules` for `temporal_rules`. */
export const inWords = (name: string): string => name.replace('rules_sets', 'rule_sets').replaceAll('_', ' ');

/** Words of which one is meant: `user, device or group`. */
export const eitherOf = (words: readonly string[]): string =>
  words.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** The words of a text with commas between them. */
export const commaSeparated = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** A name as a word of the command line or of a file's name: `temporal-rules`. */
export const hyphenated = (name: string): string => name.replaceAll(/[_ ]/g, '-');

/** A noun with its article: `a user`, `an app`, `an SSO link`. */
export const oneOf = (noun: string): string =>
  `${/^(?:[aeio]|SSO )/.test(noun) ? 'an' : 'a'} ${inWords(noun)}`;

/** Plural of a word whose plural is regular: `entries`, `boxes`, `days`. */
const pluralOf = (one: string): string =>
  /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}${/(?:s|x|ch|sh)$/.test(one) ? 'es' : 's'}`;

/** Singular of a word whose plural is regular: `entry`, `box`, `day`. */
export const singularOf = (many: string): string =>
  many.endsWith('ies') ? `${many.slice(0, -3)}y` : many.replace(/(?<=ss|us|x|ch|sh)es$|s$/, '');

/** So many of something: `1 object`, `2 objects`, `2 entries`. */
export const counted = (count: number, one: string, many = pluralOf(one)): string =>
  `${count} ${inWords(count === 1 ? one : many)}`;

/** Returns the text after a sentence about a mistyped word: ` Did you mean "users"?`; nothing if no word is near. */
export const didYouMean = (near: string | undefined): string =>
  near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;

/** Returns the message of something that was thrown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** A word as a POSIX shell takes it: `alice`, `'Main line'`. */
export const shellWord = (text: string): string =>
  /^[\w.@+=:/,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** An id as people see it where there is little room: its beginning, by which every command knows the record. */
export const shortId = (id: string): string => (/^[0-9a-f]{32}$/i.test(id) ? `${id.slice(0, 8)}…` : id);

/** Words in place of the name of a record that is no longer there. */
export const missingName = (id: string): string => `(missing: ${shortId(id)})`;

/** A message with its ids shortened, for a terminal. */
export const shortIds = (line: string): string => line.replaceAll(/\b[0-9a-f]{32}\b/gi, shortId);

export const idToken = String.raw`\b(?:\d{6}-)?[0-9a-f]{32}\b`;

export const namedIds = (text: string, names: ReadonlyMap<string, string>): string =>
  names.size === 0 ? text : text.replaceAll(new RegExp(idToken, 'g'), (id) => names.get(id) ?? id);

/** Tells whether the text of a variable switches something on: it does, unless it is empty, 0, false, no or off. */
export const isOn = (text: string): boolean => !/^(?:|0|false|no|off)$/i.test(text);

/** Name of a doubt about a field of one of several records. */
export const doubtOf = (place: string, field: string): string => `${place}\n${field}`;

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

/** Names in one sentence, the first of many: `a, b and 3 more`. */
export const andMore = (names: readonly string[], atMost: number): string =>
  names.length > atMost
    ? `${names.slice(0, atMost).join(', ')} and ${names.length - atMost} more`
    : names.join(', ');

/** Lines of a report that people see; scripts get all of them. */
export const shownAtMost = 20;

/** The first lines of a report and, where it has more, how many: `… and 3 more of that kind`. */
export function firstLines(lines: readonly string[], rest = '', atMost = shownAtMost): readonly string[] {
  const more = lines.length - atMost;
  return more > 0 ? [...lines.slice(0, atMost), `… and ${more} more${rest}`] : lines;
}

/** Decodes a part of an address; returns it unchanged if an escape in it is malformed. */
export function decoded(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Characters of one cell at every terminal. Of others, two cells are the most that one takes. */
const narrow = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff…→│█░]$/;

/** Cells of a terminal that a text takes at most. Terminals differ in what they draw, so that none of them takes more. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const character of text) cells += narrow.test(character) ? 1 : 2;
  return cells;
}

/** A text cut to so many cells at most, its end marked by `…`. */
export function cutTo(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += cellsOf(character);
    if (used > cells - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
