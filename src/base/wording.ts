export const toOneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, ' ');

/** Quotes a name unless it is a plain word. */
export const quoteName = (text: string): string => (/^[\w.@+-]+$/.test(text) ? text : JSON.stringify(text));

/** Formats an API name for a sentence: `temporal rules` for `temporal_rules`. */
export const humanize = (name: string): string =>
  name.replace('rules_sets', 'rule_sets').replaceAll('_', ' ');

export const joinWithOr = (words: readonly string[]): string =>
  words.join(', ').replace(/, ([^,]*)$/, ' or $1');

export const splitCommas = (text: string): readonly string[] =>
  text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');

export const hyphenate = (name: string): string => name.replaceAll(/[_ ]/g, '-');

/** Returns `a user`, `an app` or `an SSO link`. */
export const withArticle = (noun: string): string =>
  `${/^(?:[aeio]|SSO )/.test(noun) ? 'an' : 'a'} ${humanize(noun)}`;

const pluralize = (one: string): string =>
  /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}${/(?:s|x|ch|sh)$/.test(one) ? 'es' : 's'}`;

export const singularize = (many: string): string =>
  many.endsWith('ies') ? `${many.slice(0, -3)}y` : many.replace(/(?<=ss|us|x|ch|sh)es$|s$/, '');

export const formatCount = (count: number, one: string, many = pluralize(one)): string =>
  `${count} ${humanize(count === 1 ? one : many)}`;

/** Returns ` Did you mean "users"?`, or an empty text if no word is similar. */
export const didYouMean = (near: string | undefined): string =>
  near === undefined ? '' : ` Did you mean ${JSON.stringify(near)}?`;

export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Quotes a word for a POSIX shell: `alice`, `'Main line'`. */
export const shellWord = (text: string): string =>
  /^[\w.@+=:/,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

/** Shortens an id for people. Every command accepts the short form. */
export const shortId = (id: string): string => (/^[0-9a-f]{32}$/i.test(id) ? `${id.slice(0, 8)}…` : id);

/** Text that replaces the name of a deleted record. */
export const missingName = (id: string): string => `(missing: ${shortId(id)})`;

export const shortIds = (line: string): string => line.replaceAll(/\b[0-9a-f]{32}\b/gi, shortId);

export const idToken = String.raw`\b(?:\d{6}-)?[0-9a-f]{32}\b`;

export const replaceIds = (text: string, names: ReadonlyMap<string, string>): string =>
  names.size === 0 ? text : text.replaceAll(new RegExp(idToken, 'g'), (id) => names.get(id) ?? id);

/** Returns true if the text of a variable is not empty, 0, false, no or off. */
export const isTruthyText = (text: string): boolean => !/^(?:|0|false|no|off)$/i.test(text);

/** Returns the key of a warning about a field of one of several records. */
export const doubtKey = (place: string, field: string): string => `${place}\n${field}`;

/**
 * A string is always one line. A line break in it comes from other people's text and is escaped, so that it cannot
 * look like a line of telctl.
 */
export type Lines = string | readonly string[];

export const toLines = (said: Lines): readonly string[] => (typeof said === 'string' ? [said] : said);

/** Prefixes the first line: `acme: Created user alice`. */
export function withHeading(heading: string, said: Lines): Lines {
  const [first = '', ...others] = toLines(said);
  return [`${heading}: ${first}`, ...others];
}

/** Returns `a, b and 3 more`. */
export const joinUpTo = (names: readonly string[], atMost: number): string =>
  names.length > atMost
    ? `${names.slice(0, atMost).join(', ')} and ${names.length - atMost} more`
    : names.join(', ');

/** Longest report for people, in lines. Scripts get all lines. */
export const shownAtMost = 20;

/** Returns the first lines and the number of the rest: `… and 3 more of that kind`. */
export function firstLines(lines: readonly string[], rest = '', atMost = shownAtMost): readonly string[] {
  const more = lines.length - atMost;
  return more > 0 ? [...lines.slice(0, atMost), `… and ${more} more${rest}`] : lines;
}

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

/** Returns the largest possible width in cells, because terminals differ. */
export function displayWidth(text: string): number {
  let cells = 0;
  for (const character of text) cells += narrow.test(character) ? 1 : 2;
  return cells;
}

/** Marks a cut end with `…`. The width is in cells. */
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
