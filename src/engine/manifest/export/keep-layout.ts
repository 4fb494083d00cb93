/** Most changes that are looked for line by line; a text with more is taken as it was written anew. */
const mostEdits = 1500;

/** Lines of one text that are lines of another: pairs of positions, both growing. */
type Pairs = readonly (readonly [number, number])[];

/**
 * A text as its owner laid it out, with the changes that were made to it. `before` and `after` are the same text as a
 * program writes it, without and with the changes: where they agree the owner's lines stay, elsewhere those of `after`
 * stand. `undefined` where the texts differ too much to be compared.
 */
export function keepLayout(original: string, before: string, after: string): string | undefined {
  const [theirs, base, ours] = [original, before, after].map((text) => text.split('\n'));
  if (!theirs || !base || !ours) return undefined;
  const toTheirs = commonLines(base.map(bare), theirs.map(bare));
  const toOurs = commonLines(base, ours);
  if (!toTheirs || !toOurs) return undefined;
  const theirPlace = new Map(toTheirs);
  const lines: string[] = [];
  const at = { base: 0, theirs: 0, ours: 0 };
  const upTo = (end: { readonly base: number; readonly theirs: number; readonly ours: number }): void => {
    const isOurs =
      end.ours - at.ours !== end.base - at.base || !sameLines(base, at.base, ours, at.ours, end.base);
    lines.push(...(isOurs ? ours.slice(at.ours, end.ours) : theirs.slice(at.theirs, end.theirs)));
  };
  for (const [place, ourPlace] of toOurs) {
    const layout = theirPlace.get(place);
    if (layout === undefined) continue;
    upTo({ base: place, theirs: layout, ours: ourPlace });
    lines.push(theirs[layout] ?? '');
    at.base = place + 1;
    at.theirs = layout + 1;
    at.ours = ourPlace + 1;
  }
  upTo({ base: base.length, theirs: theirs.length, ours: ours.length });
  return lines.join('\n');
}

/** A line without blanks, since a program and a person may lay it out differently. */
const bare = (line: string): string => line.replaceAll(/\s+/g, '');

function sameLines(
  one: readonly string[],
  from: number,
  other: readonly string[],
  otherFrom: number,
  end: number,
): boolean {
  for (let index = from; index < end; index += 1)
    if (one[index] !== other[otherFrom + index - from]) return false;
  return true;
}

/** Longest common lines (Myers' algorithm); `undefined` where there are more than `mostEdits` others. */
function commonLines(one: readonly string[], other: readonly string[]): Pairs | undefined {
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let [endOne, endOther] = [one.length, other.length];
  while (endOne > start && endOther > start && one[endOne - 1] === other[endOther - 1]) {
    endOne -= 1;
    endOther -= 1;
  }
  const inner = edited(one.slice(start, endOne), other.slice(start, endOther));
  if (!inner) return undefined;
  return [
    ...Array.from({ length: start }, (_, index) => [index, index] as const),
    ...inner.map(([a, b]) => [a + start, b + start] as const),
    ...Array.from({ length: one.length - endOne }, (_, index) => [endOne + index, endOther + index] as const),
  ];
}

function edited(one: readonly string[], other: readonly string[]): Pairs | undefined {
  /** Distance that each diagonal reached, for each number of edits. */
  const reached: ReadonlyMap<number, number>[] = [];
  const furthest = new Map<number, number>([[1, 0]]);
  for (let edits = 0; edits <= Math.min(one.length + other.length, mostEdits); edits += 1) {
    reached.push(new Map(furthest));
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const down =
        diagonal === -edits ||
        (diagonal !== edits && (furthest.get(diagonal - 1) ?? 0) < (furthest.get(diagonal + 1) ?? 0));
      let x = down ? (furthest.get(diagonal + 1) ?? 0) : (furthest.get(diagonal - 1) ?? 0) + 1;
      while (x < one.length && x - diagonal < other.length && one[x] === other[x - diagonal]) x += 1;
      furthest.set(diagonal, x);
      if (x >= one.length && x - diagonal >= other.length) return walkBack(reached, one.length, other.length);
    }
  }
  return undefined;
}

function walkBack(
  reached: readonly ReadonlyMap<number, number>[],
  length: number,
  otherLength: number,
): Pairs {
  const pairs: (readonly [number, number])[] = [];
  let [x, y] = [length, otherLength];
  for (let edits = reached.length - 1; edits >= 0; edits -= 1) {
    const furthest = reached[edits] ?? new Map<number, number>();
    const diagonal = x - y;
    const down =
      diagonal === -edits ||
      (diagonal !== edits && (furthest.get(diagonal - 1) ?? 0) < (furthest.get(diagonal + 1) ?? 0));
    const before = down ? diagonal + 1 : diagonal - 1;
    const fromX = furthest.get(before) ?? 0;
    const fromY = fromX - before;
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      x -= 1;
      y -= 1;
      pairs.push([x, y]);
    }
    if (edits > 0) [x, y] = [fromX, fromY];
  }
  return pairs.reverse();
}
