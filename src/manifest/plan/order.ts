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
  const visit = (thing: T, above: ReadonlySet<string>): void => {
    if (done.has(thing.key) || above.has(thing.key)) return;
    const path = new Set(above).add(thing.key);
    for (const key of [...thing.after, ...thing.rather]) {
      const before = byKey.get(key);
      if (before !== undefined) visit(before, path);
    }
    if (done.has(thing.key)) return;
    done.add(thing.key);
    result.push(thing);
  };
  for (const thing of things) visit(thing, new Set());
  return result;
}

/** Whether one thing comes after another, directly or through others, by what each must follow. */
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
