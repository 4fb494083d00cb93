import { tokenizer } from 'ret/dist/tokenizer.js';
import { type Token, types } from 'ret/dist/types/index.js';

/** How long a backtracking engine may take for a text that does not match. */
export type PatternCost = 'exponential' | 'polynomial' | 'unknown';

const positionsAtMost = 100;
const comparedAtMost = 50_000;
/** Counted repetitions are examined as if they ended after this many. */
const countedAtMost = 2;

/** A position in a pattern, such as `[0-9]`, with the ranges of characters that it matches. */
interface Position {
  readonly ranges: readonly (readonly [number, number])[];
  readonly next: Set<number>;
  /** The positions of `next` that can be reached in two ways. For example, `(a*)*` leads from `a` to `a` twice. */
  readonly twice: Set<number>;
}

/** The first and last positions of a part of a pattern, and whether it can be empty. */
interface Part {
  readonly first: readonly number[];
  readonly last: readonly number[];
  readonly empty: boolean;
}

class TooComplex extends Error {}

const nothing: Part = { first: [], last: [], empty: true };
const largest = 0x10ffff;

/**
 * Returns how the number of ways to match a text can grow with its length. It grows exponentially if a position can
 * return to itself in two ways for the same text, as in `([0-9]+)*`. It grows polynomially if two positions repeat
 * the same text, as in `\d*\d*`. Returns `undefined` for harmless or unsupported patterns, and `unknown` for patterns
 * that are too large to examine.
 */
export function patternCost(pattern: string): PatternCost | undefined {
  try {
    const positions = positionsOf(pattern);
    const reached = reachableFrom(positions);
    if (returnsTwice(positions, reached)) return 'exponential';
    return repeatsTwice(positions, reached) ? 'polynomial' : undefined;
  } catch (error) {
    if (error instanceof TooComplex) return 'unknown';
    // The parser does not support the syntax of this pattern.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Returns the positions of a pattern, each with those that can follow it. Throws `TooComplex`. */
function positionsOf(pattern: string): readonly Position[] {
  const positions: Position[] = [];
  const { stack, options } = tokenizer(pattern);
  for (const tokens of options ?? [stack ?? []]) addSequence(positions, tokens);
  return positions;
}

function addPosition(positions: Position[], ranges: Position['ranges']): Part {
  if (positions.length === positionsAtMost) throw new TooComplex();
  positions.push({ ranges, next: new Set(), twice: new Set() });
  return { first: [positions.length - 1], last: [positions.length - 1], empty: false };
}

function joinParts(positions: readonly Position[], one: Part, other: Part): Part {
  for (const end of one.last)
    for (const start of other.first) {
      const position = positions[end];
      (position?.next.has(start) ? position.twice : position?.next)?.add(start);
    }
  return {
    first: one.empty ? [...one.first, ...other.first] : one.first,
    last: other.empty ? [...one.last, ...other.last] : other.last,
    empty: one.empty && other.empty,
  };
}

const addSequence = (positions: Position[], tokens: readonly Token[]): Part =>
  tokens
    .map((token) => addToken(positions, token))
    .reduce((one, other) => joinParts(positions, one, other), nothing);

function addToken(positions: Position[], token: Token): Part {
  switch (token.type) {
    case types.CHAR:
      return addPosition(positions, [[token.value, token.value]]);
    case types.SET:
      return addPosition(positions, rangesOf(token));
    case types.GROUP: {
      // Lookarounds consume no text.
      if (token.followedBy || token.notFollowedBy || token.lookBehind) return nothing;
      const parts = (token.options ?? [token.stack ?? []]).map((tokens) => addSequence(positions, tokens));
      return {
        first: parts.flatMap(({ first }) => first),
        last: parts.flatMap(({ last }) => last),
        empty: parts.some(({ empty }) => empty),
      };
    }
    case types.REPETITION:
      return addRepetition(positions, token);
    case types.REFERENCE:
    case types.POSITION:
      return nothing;
  }
}

function addRepetition(
  positions: Position[],
  { min, max, value }: Extract<Token, { type: types.REPETITION }>,
): Part {
  const needed = Math.min(min, countedAtMost);
  const isEndless = max === Number.POSITIVE_INFINITY;
  const copies = Math.max(needed, isEndless ? 1 : Math.min(max, countedAtMost), 1);
  const parts = Array.from({ length: copies }, (_, index) => {
    const part = addToken(positions, value);
    return index < needed ? part : { ...part, empty: true };
  });
  const tail = parts.at(-1);
  if (isEndless && tail) joinParts(positions, tail, tail);
  return max === 0 ? nothing : parts.reduce((one, other) => joinParts(positions, one, other), nothing);
}

function rangesOf(set: Extract<Token, { type: types.SET }>): Position['ranges'] {
  const found = set.set
    .flatMap((item): Position['ranges'] => {
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

const overlap = (one: Position['ranges'], other: Position['ranges']): Position['ranges'] =>
  one.flatMap(([from, to]) =>
    other.flatMap(([otherFrom, otherTo]) => {
      const start = Math.max(from, otherFrom);
      const end = Math.min(to, otherTo);
      return start <= end ? [[start, end] as const] : [];
    }),
  );

/**
 * Follows several ways through a pattern for the same text. Returns all combinations of positions that can be reached
 * from `start`.
 */
type Reached = (start: readonly number[]) => ReadonlySet<string>;

function reachableFrom(positions: readonly Position[]): Reached {
  const known = new Map<string, ReadonlySet<string>>();
  let compared = 0;
  return (start) => {
    const before = known.get(start.join());
    if (before) return before;
    const seen = new Set<string>();
    known.set(start.join(), seen);
    const open: (readonly number[])[] = [start];
    for (let here = open.pop(); here !== undefined; here = open.pop()) {
      for (const there of nextCombinations(positions, here)) {
        compared += 1;
        if (compared > comparedAtMost) throw new TooComplex();
        const key = there.join();
        if (seen.has(key)) continue;
        seen.add(key);
        open.push(there);
      }
    }
    return seen;
  };
}

/** Returns the next positions of several ways, if a single character matches all of them. */
function nextCombinations(
  positions: readonly Position[],
  here: readonly number[],
): readonly (readonly number[])[] {
  let found: readonly { readonly to: readonly number[]; readonly common: Position['ranges'] }[] = [
    { to: [], common: [[0, largest]] },
  ];
  for (const at of here)
    found = found.flatMap(({ to, common }) =>
      [...(positions[at]?.next ?? [])].flatMap((next) => {
        const both = overlap(common, positions[next]?.ranges ?? []);
        return both.length > 0 ? [{ to: [...to, next], common: both }] : [];
      }),
    );
  return found.map(({ to }) => to);
}

/** Returns true if a position can return to itself in two ways for the same text. */
function returnsTwice(positions: readonly Position[], reached: Reached): boolean {
  return positions.some(({ twice }, start) => {
    if ([...twice].some((next) => next === start || reached([next]).has(`${start}`))) return true;
    const back = `${start},${start}`;
    return [...reached([start, start])].some((pair) => {
      const [one, other] = pair.split(',').map(Number);
      return one !== other && reached(pair.split(',').map(Number)).has(back);
    });
  });
}

/** Returns true if the same text leads from a position to itself, to a second position, and from there to itself. */
function repeatsTwice(positions: readonly Position[], reached: Reached): boolean {
  const repeating = [...positions.keys()].filter((at) => reached([at]).has(`${at}`));
  return repeating.some((start) =>
    repeating.some((end) => start !== end && reached([start, start, end]).has(`${start},${end},${end}`)),
  );
}
