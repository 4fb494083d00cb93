import { diffArrays } from 'diff';

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

/** Lines that both have, as few others as can be; `undefined` where there are more than `mostEdits` others. */
function commonLines(one: readonly string[], other: readonly string[]): Pairs | undefined {
  const pairs: (readonly [number, number])[] = [];
  let [at, otherAt] = [0, 0];
  const parts = diffArrays([...one], [...other], { maxEditLength: mostEdits });
  for (const { added, removed, count } of parts ?? []) {
    if (!added && !removed)
      for (let index = 0; index < count; index += 1) pairs.push([at + index, otherAt + index]);
    if (!added) at += count;
    if (!removed) otherAt += count;
  }
  return parts && pairs;
}
