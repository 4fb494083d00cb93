import { tokenizer } from 'ret/dist/tokenizer.js';
import { type Token, types } from 'ret/dist/types/index.js';

/** Time that a pattern may take on an engine that backtracks, when the text does not fit. */
export type PatternCost = 'exponential' | 'polynomial' | 'unknown';

/** Most places of a pattern that are compared; larger patterns are not examined. */
const mostPlaces = 100;
const mostCompared = 50_000;
/** Counted repetitions are examined as if they ended after this many. */
const countedAtMost = 2;

/** A place of a pattern, such as one `[0-9]`: the characters that stand there, as ranges. */
interface Place {
  readonly ranges: readonly (readonly [number, number])[];
  readonly next: Set<number>;
  /** Of them, those that the pattern leads to in two ways, as `(a*)*` leads from `a` to `a`. */
  readonly twice: Set<number>;
}

/** The beginnings and ends of a part of a pattern, and whether it can be empty. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly empty: boolean;
}

class TooInvolved extends Error {}

const nothing: Part = { first: [], last: [], empty: true };
const largest = 0x10ffff;

/**
 * Says whether a text can be read by a pattern in ever more ways as it grows, which an engine that backtracks tries one
 * after another: in exponentially many where a place comes back to itself in two ways by the same text, as in
 * `([0-9]+)*`; in polynomially many where two places that repeat the same text follow each other, as in `\d*\d*`.
 * `undefined`: neither, or its notation is not known; `unknown`: it is too involved to tell.
 */
export function patternCost(pattern: string): PatternCost | undefined {
  try {
    const places = placesOf(pattern);
    const reached = reaching(places);
    if (comesBackTwice(places, reached)) return 'exponential';
    return repeatsTwice(places, reached) ? 'polynomial' : undefined;
  } catch (error) {
    if (error instanceof TooInvolved) return 'unknown';
    // Written in words that the reader of patterns does not know.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function placesOf(pattern: string): readonly Place[] {
  const places: Place[] = [];
  const add = (ranges: Place['ranges']): Part => {
    if (places.length === mostPlaces) throw new TooInvolved();
    places.push({ ranges, next: new Set(), twice: new Set() });
    return { first: [places.length - 1], last: [places.length - 1], empty: false };
  };
  const joined = (one: Part, other: Part): Part => {
    for (const end of one.last)
      for (const start of other.first) {
        const place = places[end];
        (place?.next.has(start) ? place.twice : place?.next)?.add(start);
      }
    return {
      first: one.empty ? [...one.first, ...other.first] : one.first,
      last: other.empty ? [...one.last, ...other.last] : other.last,
      empty: one.empty && other.empty,
    };
  };
  const either = (parts: readonly Part[]): Part => ({
    first: parts.flatMap(({ first }) => first),
    last: parts.flatMap(({ last }) => last),
    empty: parts.some(({ empty }) => empty),
  });
  const sequence = (tokens: readonly Token[]): Part => tokens.map(partOf).reduce(joined, nothing);

  function partOf(token: Token): Part {
    switch (token.type) {
      case types.CHAR:
        return add([[token.value, token.value]]);
      case types.SET:
        return add(rangesOf(token));
      case types.GROUP:
        // Conditions take no text; what they try is tried once for each place.
        if (token.followedBy || token.notFollowedBy || token.lookBehind) return nothing;
        return either((token.options ?? [token.stack ?? []]).map(sequence));
      case types.REPETITION:
        return repeated(token);
      case types.REFERENCE:
      case types.POSITION:
        return nothing;
    }
  }

  function repeated({ min, max, value }: Extract<Token, { type: types.REPETITION }>): Part {
    const needed = Math.min(min, countedAtMost);
    const isEndless = max === Number.POSITIVE_INFINITY;
    const copies = Math.max(needed, isEndless ? 1 : Math.min(max, countedAtMost), 1);
    const parts = Array.from({ length: copies }, (_, index) => {
      const part = partOf(value);
      return index < needed ? part : { ...part, empty: true };
    });
    const tail = parts.at(-1);
    if (isEndless && tail) joined(tail, tail);
    return max === 0 ? nothing : parts.reduce(joined, nothing);
  }

  const { stack, options } = tokenizer(pattern);
  for (const tokens of options ?? [stack ?? []]) sequence(tokens);
  return places;
}

function rangesOf(set: Extract<Token, { type: types.SET }>): Place['ranges'] {
  const found = set.set
    .flatMap((item): Place['ranges'] => {
      if (item.type === types.RANGE) return [[item.from, item.to]];
      return item.type === types.CHAR ? [[item.value, item.value]] : rangesOf(item);
    })
    .toSorted(([one], [other]) => one - other);
  if (!set.not) return found;
  const gaps: [number, number][] = [];
  let free = 0;
  for (const [from, to] of found) {
    if (from > free) gaps.push([free, from - 1]);
    free = Math.max(free, to + 1);
  }
  return free <= largest ? [...gaps, [free, largest]] : gaps;
}

const overlap = (one: Place['ranges'], other: Place['ranges']): Place['ranges'] =>
  one.flatMap(([from, to]) =>
    other.flatMap(([otherFrom, otherTo]) => {
      const start = Math.max(from, otherFrom);
      const end = Math.min(to, otherTo);
      return start <= end ? [[start, end] as const] : [];
    }),
  );

/** Walks several ways through a pattern that read the same text, from the places `start` as far as they lead. */
type Reached = (start: readonly number[]) => ReadonlySet<string>;

function reaching(places: readonly Place[]): Reached {
  const known = new Map<string, ReadonlySet<string>>();
  let compared = 0;
  return (start) => {
    const before = known.get(start.join());
    if (before) return before;
    const seen = new Set<string>();
    known.set(start.join(), seen);
    const open: (readonly number[])[] = [start];
    for (let here = open.pop(); here !== undefined; here = open.pop()) {
      for (const there of stepsFrom(places, here)) {
        compared += 1;
        if (compared > mostCompared) throw new TooInvolved();
        const key = there.join();
        if (seen.has(key)) continue;
        seen.add(key);
        open.push(there);
      }
    }
    return seen;
  };
}

/** The next places of several ways, where one character fits all of them. */
function stepsFrom(places: readonly Place[], here: readonly number[]): readonly (readonly number[])[] {
  let found: readonly { readonly to: readonly number[]; readonly common: Place['ranges'] }[] = [
    { to: [], common: [[0, largest]] },
  ];
  for (const at of here)
    found = found.flatMap(({ to, common }) =>
      [...(places[at]?.next ?? [])].flatMap((next) => {
        const both = overlap(common, places[next]?.ranges ?? []);
        return both.length > 0 ? [{ to: [...to, next], common: both }] : [];
      }),
    );
  return found.map(({ to }) => to);
}

/** Tells whether a place comes back to itself in two ways by one text. */
function comesBackTwice(places: readonly Place[], reached: Reached): boolean {
  return places.some(({ twice }, start) => {
    if ([...twice].some((next) => next === start || reached([next]).has(`${start}`))) return true;
    const back = `${start},${start}`;
    return [...reached([start, start])].some((pair) => {
      const [one, other] = pair.split(',').map(Number);
      return one !== other && reached(pair.split(',').map(Number)).has(back);
    });
  });
}

/** Tells whether one text leads from a place back to it, from there to another, and from that one back to it. */
function repeatsTwice(places: readonly Place[], reached: Reached): boolean {
  const repeating = [...places.keys()].filter((at) => reached([at]).has(`${at}`));
  return repeating.some((start) =>
    repeating.some((end) => start !== end && reached([start, start, end]).has(`${start},${end},${end}`)),
  );
}
