/**
 * Matches patterns of services on short numbers. Every change of a callflow is tested with a few short numbers, and
 * the engine of `call-patterns.ts` has 150 kB and no conditions inside a pattern. This matcher runs in polynomial
 * time for any pattern, because it caches results by position.
 */

/** A position in the text, with the first groups. Begin and end of an unset group are -1. */
interface Place {
  readonly at: number;
  readonly spans: readonly number[];
}

/** Returns all possible ends of a part, in the service's order of preference. */
type Part = (text: string, from: Place) => readonly Place[];

/** Longest number to match. More repetitions make no difference. */
const longest = 8;
const keptGroups = 2;

/** Returns the groups of a match, or `undefined` if the number does not match or the pattern is not supported. */
export function shortMatch(pattern: string, text: string): readonly string[] | undefined {
  const part = text.length > longest ? undefined : compilePart(pattern);
  if (part === undefined) return undefined;
  for (let at = 0; at <= text.length; at += 1) {
    const [found] = part(text, { at, spans: [] });
    if (found === undefined) continue;
    const taken = [];
    for (let group = 0; group < keptGroups; group += 1) {
      const begin = found.spans[2 * group] ?? -1;
      if (begin >= 0) taken.push(text.slice(begin, found.spans[2 * group + 1]));
    }
    return taken;
  }
  return undefined;
}

const known = new Map<string, Part | undefined>();

function compilePart(pattern: string): Part | undefined {
  if (known.size > 1000) known.clear();
  if (!known.has(pattern)) known.set(pattern, parsePattern(pattern));
  return known.get(pattern);
}

function parsePattern(pattern: string): Part | undefined {
  try {
    return new PatternReader(pattern).read();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Caches the results for one text. */
function cacheResults(part: Part): Part {
  let last: string | undefined;
  const results = new Map<string, readonly Place[]>();
  return (text, from) => {
    if (text !== last) results.clear();
    last = text;
    const key = `${from.at} ${from.spans.join()}`;
    const found = results.get(key) ?? unique(part(text, from));
    results.set(key, found);
    return found;
  };
}

function unique(places: readonly Place[]): readonly Place[] {
  if (places.length < 2) return places;
  const seen = new Set<string>();
  return places.filter(({ at, spans }) => {
    const key = `${at} ${spans.join()}`;
    return !seen.has(key) && seen.add(key);
  });
}

const matchEmpty: Part = (_, from) => [from];
const matchCharacter =
  (fits: (sign: string) => boolean): Part =>
  (text, { at, spans }) => {
    const sign = text[at];
    return sign !== undefined && fits(sign) ? [{ at: at + 1, spans }] : [];
  };
/** Later parts are not tested if the first ones do not match. */
const matchSequence = (parts: readonly Part[]): Part =>
  cacheResults((text, from) => {
    let places: readonly Place[] = [from];
    for (const part of parts) {
      if (places.length === 0) break;
      places = unique(places.flatMap((place) => part(text, place)));
    }
    return places;
  });
const either = (first: Part, second: Part): Part =>
  cacheResults((text, from) => [...first(text, from), ...second(text, from)]);
const matchCondition =
  (part: Part, isNegative: boolean): Part =>
  (text, from) =>
    part(text, from).length > 0 === isNegative ? [] : [from];
const group =
  (part: Part, number: number): Part =>
  (text, from) =>
    part(text, from).map(({ at, spans }) => {
      const kept = Array.from({ length: 2 * keptGroups }, (_, index) => spans[index] ?? -1);
      if (number <= keptGroups) kept.splice(2 * (number - 1), 2, from.at, at);
      return { at, spans: kept };
    });

function matchRepeated(part: Part, least: number, most: number, isLazy: boolean): Part {
  if (most <= 0) return matchEmpty;
  const rest: Part = cacheResults((text, from) =>
    part(text, from).flatMap((place) =>
      // An empty repetition counts once.
      place.at === from.at && least <= 1
        ? [place]
        : matchRepeated(part, least - 1, most - 1, isLazy)(text, place),
    ),
  );
  if (least > 0) return rest;
  return isLazy ? either(matchEmpty, rest) : either(rest, matchEmpty);
}

const classes: Readonly<Record<string, (sign: string) => boolean>> = {
  d: (sign) => /\d/.test(sign),
  D: (sign) => /\D/.test(sign),
  w: (sign) => /\w/.test(sign),
  W: (sign) => /\W/.test(sign),
  s: (sign) => /\s/.test(sign),
  S: (sign) => /\S/.test(sign),
};

const begin: Part = (_, from) => (from.at === 0 ? [from] : []);
const end: Part = (text, from) => (from.at === text.length ? [from] : []);

/** Throws `SyntaxError` for unsupported syntax, such as back references. */
class PatternReader {
  #at = 0;
  #groups = 0;

  readonly pattern: string;

  constructor(pattern: string) {
    this.pattern = pattern;
  }

  read(): Part {
    this.#take(/^\(\?[ims]+\)/);
    const part = this.#alternatives();
    if (this.#at < this.pattern.length) throw new SyntaxError(this.pattern);
    return part;
  }

  #take(expected: RegExp): RegExpExecArray | undefined {
    const found = expected.exec(this.pattern.slice(this.#at)) ?? undefined;
    this.#at += found?.[0].length ?? 0;
    return found;
  }

  #alternatives(): Part {
    let part = this.#sequence();
    while (this.#take(/^\|/)) part = either(part, this.#sequence());
    return part;
  }

  #sequence(): Part {
    const parts: Part[] = [];
    while (this.#at < this.pattern.length && !/[|)]/.test(this.pattern[this.#at] ?? ''))
      parts.push(this.#quantified());
    return matchSequence(parts);
  }

  #quantified(): Part {
    const part = this.#atom();
    const found = this.#take(/^(?:([*+?])|\{(\d+)(,?)(\d*)\})([?+]?)/);
    if (!found) return part;
    const [, sign, from = '0', comma, to = '', mode] = found;
    const least = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
    const exact = comma === '' ? least : to === '' ? longest : Number(to);
    const most = sign === undefined ? exact : sign === '?' ? 1 : longest;
    const bounded = (count: number): number => Math.min(count, longest + 1);
    return matchRepeated(part, bounded(least), bounded(Math.max(most, least)), mode === '?');
  }

  #atom(): Part {
    if (this.#take(/^\^|^\\A/)) return begin;
    if (this.#take(/^\$|^\\[zZ]/)) return end;
    if (this.#take(/^\./)) return matchCharacter(() => true);
    if (this.#take(/^\[/)) return matchCharacter(this.#class());
    if (this.#take(/^\(/)) return this.#group();
    const [, escaped] = this.#take(/^\\(.)/) ?? [];
    if (escaped !== undefined) return matchCharacter(this.#escaped(escaped));
    const [literal] = this.#take(/^[^*+?{}()|\]\\]/) ?? [];
    if (literal === undefined) throw new SyntaxError(this.pattern);
    return matchCharacter((sign) => sign === literal);
  }

  #escaped(letter: string): (sign: string) => boolean {
    const found = Object.hasOwn(classes, letter) ? classes[letter] : undefined;
    if (found) return found;
    if (/[A-Za-z0-9]/.test(letter)) throw new SyntaxError(this.pattern);
    return (sign) => sign === letter;
  }

  #group(): Part {
    const [, kind] = this.#take(/^\?(:|>|=|!|<[=!]|P?<\w+>|[ims]+:)/) ?? [];
    if (kind === undefined && this.pattern[this.#at] === '?') throw new SyntaxError(this.pattern);
    const isKept = kind === undefined || kind.endsWith('>') ? kind !== '>' : false;
    const number = isKept ? ++this.#groups : 0;
    const part = this.#alternatives();
    if (!this.#take(/^\)/)) throw new SyntaxError(this.pattern);
    if (kind === '=' || kind === '!') return matchCondition(part, kind === '!');
    // Ignores lookbehinds, so that the pattern matches too many numbers rather than too few.
    if (kind === '<=' || kind === '<!') return matchEmpty;
    return isKept ? group(part, number) : part;
  }

  #class(): (sign: string) => boolean {
    const isNegative = this.#take(/^\^/) !== undefined;
    const members: ((sign: string) => boolean)[] = [];
    for (let first = true; first || !this.#take(/^\]/); first = false) {
      if (this.#take(/^\[:digit:\]/)) {
        members.push((sign) => /\d/.test(sign));
        continue;
      }
      const [, escaped, plain] = this.#take(/^(?:\\(.)|([^\\]))/) ?? [];
      if (escaped === undefined && plain === undefined) throw new SyntaxError(this.pattern);
      const [, to] = this.#take(/^-([^\]\\])/) ?? [];
      const from = escaped ?? plain ?? '';
      if (to !== undefined) members.push((sign) => sign >= from && sign <= to);
      else members.push(escaped === undefined ? (sign) => sign === plain : this.#escaped(escaped));
    }
    return (sign) => members.some((fits) => fits(sign)) !== isNegative;
  }
}
