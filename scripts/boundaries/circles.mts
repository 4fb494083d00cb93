/** An import of one thing by another, with the files that it stands for. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** One import that makes it: `manifest/ledger/hashing.ts imports manifest/plan/canonical.ts`. */
  readonly because: string;
}

/** A shortest way from one node to another along the arrows; `undefined` where there is none. */
function wayBetween(
  arrows: ReadonlyMap<string, readonly Arrow[]>,
  start: string,
  end: string,
): readonly Arrow[] | undefined {
  const cameBy = new Map<string, Arrow | undefined>([[start, undefined]]);
  for (const node of cameBy.keys()) {
    for (const arrow of arrows.get(node) ?? []) {
      if (!cameBy.has(arrow.to)) cameBy.set(arrow.to, arrow);
    }
  }
  const way: Arrow[] = [];
  for (let arrow = cameBy.get(end); arrow; arrow = cameBy.get(arrow.from)) way.unshift(arrow);
  return way.length === 0 ? undefined : way;
}

/**
 * Finds circles: one for each arrow that closes one, shortest first, and none that is made of arrows of another. Each is
 * the list of its arrows.
 */
export function circlesOf(arrows: readonly Arrow[]): readonly (readonly Arrow[])[] {
  const byStart = Map.groupBy(arrows, ({ from }) => from);
  const closed = arrows.flatMap((arrow) => {
    const back = wayBetween(byStart, arrow.to, arrow.from);
    return back ? [[arrow, ...back]] : [];
  });
  const seen = new Set<Arrow>();
  const circles: (readonly Arrow[])[] = [];
  for (const circle of closed.toSorted((one, other) => one.length - other.length)) {
    if (circle.every((arrow) => seen.has(arrow)) || circle.some((arrow) => seen.has(arrow))) continue;
    for (const arrow of circle) seen.add(arrow);
    circles.push(circle);
  }
  return circles;
}
