/** A dependency between two nodes of the import graph. */
export interface Arrow {
  readonly from: string;
  readonly to: string;
  /** An import that causes the dependency: `manifest/ledger/hashing.ts imports manifest/plan/canonical.ts`. */
  readonly because: string;
}

/** Returns a shortest path between two nodes, or `undefined` if there is none. */
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
 * Finds import cycles, shortest first. Each is the list of its arrows. A cycle made of arrows of shorter ones is left
 * out.
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
