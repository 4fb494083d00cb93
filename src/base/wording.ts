/** Joins the lines of a text into one. */
export const toOneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

/** Formats a name for a sentence: unchanged if it is a plain word, otherwise quoted and on one line. */
export const quoteName = (text: string): string => (/^[\w.@+-]+$/.test(text) ? text : JSON.stringify(text));

/** Formats an API name for a sentence: `temporal rules` for `temporal_rules`. */
export const humanize = (name: string): string =>
  name.replace('rules_sets', 'rule_sets').replaceAll('_', ' ');

/** Joins alternatives: `user, device or group`. */
export const joinWithOr = (words: readonly string[]): string =>
  words.join(', ').replace(/, ([^,]*)$/, ' or $1');

/** The words of a text, separated by commas. */
export const splitCommas = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

/** Converts a name for the command line or a file name: `temporal-rules`. */
export const hyphenate = (name: string): string => name.replaceAll(/[_ ]/g, '-');

/** Adds the article to a noun: `a user`, `an app`, `an SSO link`. */
export const withArticle = (noun: string): string =>
  `${/^(?:[aeio]|SSO )/.test(noun) ? 'an' : 'a'} ${humanize(noun)}`;

/** The plural of a regular noun: `entries`, `boxes`, `days`. */
const pluralOf = (one: string): string =>
  /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}${/(?:s|x|ch|sh)$/.test(one) ? 'es' : 's'}`;

/** The singular of a regular noun: `entry`, `box`, `day`. */
export const singularOf = (many: string): string =>
  many.endsWith('ies') ? `${many.slice(0, -3)}y` : many.replace(/(?<=ss|us|x|ch|sh)es$|s$/, '');

/** A count with its noun: `1 object`, `2 objects`, `2 entries`. */
export const formatCount = (count: number, one: string, many = pluralOf(one)): string =>
  `${count} ${humanize(count === 1 ? one : many)}`;

/** Returns the suggestion for a mistyped word: ` Did you mean "users"?`. Empty if no word is similar. */
export const didYouMean = (near: string | undefined): string =>
  near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;

/** Returns the message of any thrown value. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Quotes a word for a POSIX shell: `alice`, `'Main line'`. */
export const shellWord = (text: string): string =>
  /^[\w.@+=:/,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Shortens an id for people. Every command accepts the short form. */
export const shortId = (id: string): string => (/^[0-9a-f]{32}$/i.test(id) ? `${id.slice(0, 8)}…` : id);

/** Text that replaces the name of a deleted record. */
export const missingName = (id: string): string => `(missing: ${shortId(id)})`;

/** Shortens the ids in a message for a terminal. */
export const shortIds = (line: string): string => line.replaceAll(/\b[0-9a-f]{32}\b/gi, shortId);

export const idToken = String.raw`\b(?:\d{6}-)?[0-9a-f]{32}\b`;

export const replaceIds = (text: string, names: ReadonlyMap<string, string>): string =>
  names.size === 0 ? text : text.replaceAll(new RegExp(idToken, 'g'), (id) => names.get(id) ?? id);

/** Returns true if the text of a variable is not empty, 0, false, no or off. */
export const isOn = (text: string): boolean => !/^(?:|0|false|no|off)$/i.test(text);

/** Name of a doubt about a field of one of several records. */
export const doubtKey = (place: string, field: string): string => `${place}\n${field}`;

/**
 * One or several lines for people. A string is always one line. A line break in it comes from other people's text and
 * is shown as an escape, so that it cannot pass for a line of telctl.
 */
export type Lines = string | readonly string[];

export const linesOf = (said: Lines): readonly string[] => (typeof said === 'string' ? [said] : said);

/** Adds a heading to the first line: `acme: Created user alice`. */
export function withHeading(heading: string, said: Lines): Lines {
  const [first = '', ...others] = linesOf(said);
  return [`${heading}: ${first}`, ...others];
}

/** Lists names in a sentence, and counts the rest: `a, b and 3 more`. */
export const joinUpTo = (names: readonly string[], atMost: number): string =>
  names.length > atMost
    ? `${names.slice(0, atMost).join(', ')} and ${names.length - atMost} more`
    : names.join(', ');

/** Most lines of a report for people. Scripts get all of them. */
export const shownAtMost = 20;

/** The first lines of a report, and the number of the rest: `… and 3 more of that kind`. */
export function firstLines(lines: readonly string[], rest = '', atMost = shownAtMost): readonly string[] {
  const more = lines.length - atMost;
  return more > 0 ? [...lines.slice(0, atMost), `… and ${more} more${rest}`] : lines;
}

/** Decodes a part of a URL. Returns it unchanged if an escape in it is malformed. */
export function decodeUrlPart(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Characters that are always one cell wide. Other characters take at most two cells. */
const narrow = /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff…→│█░]$/;

/** The largest width of a text in cells, because terminals differ. */
export function displayWidth(text: string): number {
  let cells = 0;
  for (const character of text) cells += narrow.test(character) ? 1 : 2;
  return cells;
}

/** Cuts a text to a width in cells, and marks its end with `…`. */
export function truncateToWidth(text: string, cells: number): string {
  if (displayWidth(text) <= cells) return text;
  let kept = '';
  let used = 0;
  for (const character of text) {
    used += displayWidth(character);
    if (used > cells - 1) break;
    kept += character;
  }
  return `${kept}…`;
}
