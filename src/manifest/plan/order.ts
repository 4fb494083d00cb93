/** Something that has its place in an order. */
export interface Ordered {
  readonly key: string;
  /** Keys of what must come before, if it is there at all. */
  readonly after: readonly string[];
  /** Keys of what should come before, as far as that is possible. */
  readonly rather: readonly string[];
}

/**
 * The same things, each after what it must follow and, where that makes no circle, after what it should follow.
 * Otherwise the order stays as it was.
 */
export function inOrder<T extends Ordered>(things: readonly T[]): readonly T[] {
  const byKey = new Map(things.map((thing) => [thing.key, thing]));
  const done = new Set<string>();
  const result: T[] = [];
  const above = new Set<string>();
  /** Tells whether a thing has its place now: not while something that it must follow still waits for its turn. */
  const visit = (thing: T): boolean => {
    if (done.has(thing.key)) return true;
    if (above.has(thing.key)) return false;
    const before = (keys: readonly string[]): readonly T[] => keys.flatMap((key) => byKey.get(key) ?? []);
    above.add(thing.key);
    const isFree = before(thing.after).every(visit);
    if (isFree) {
      for (const other of before(thing.rather)) visit(other);
      done.add(thing.key);
      result.push(thing);
    }
    above.delete(thing.key);
    return isFree;
  };
  for (const thing of things) visit(thing);
  return result;
}

/** Tells whether one thing comes after another, directly or through others, by what each must follow. */
export function follows(afterOf: (key: string) => readonly string[], key: string, other: string): boolean {
  const seen = new Set<string>();
  const visit = (here: string): boolean => {
    if (here === other) return true;
    if (seen.has(here)) return false;
    seen.add(here);
    return afterOf(here).some(visit);
  };
  return visit(key);
}
