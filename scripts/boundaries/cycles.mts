export interface Dependency {
  readonly from: string;
  readonly to: string;
  /** An import that causes the dependency: `manifest/ledger/hashing.ts imports manifest/plan/canonical.ts`. */
  readonly because: string;
}

/** Returns a shortest path between two nodes, or `undefined` if there is none. */
function shortestPath(
  arrows: ReadonlyMap<string, readonly Dependency[]>,
  start: string,
  end: string,
): readonly Dependency[] | undefined {
  const cameBy = new Map<string, Dependency | undefined>([[start, undefined]]);
  for (const node of cameBy.keys()) {
    for (const arrow of arrows.get(node) ?? []) {
      if (!cameBy.has(arrow.to)) cameBy.set(arrow.to, arrow);
    }
  }
  const way: Dependency[] = [];
  for (let arrow = cameBy.get(end); arrow; arrow = cameBy.get(arrow.from)) way.unshift(arrow);
  return way.length === 0 ? undefined : way;
}

/**
 * Finds import cycles, shortest first. Each is the list of its arrows. A cycle made of arrows of shorter ones is left
 * out.
 */
export function findCycles(arrows: readonly Dependency[]): readonly (readonly Dependency[])[] {
  const byStart = Map.groupBy(arrows, ({ from }) => from);
  const closed = arrows.flatMap((arrow) => {
    const back = shortestPath(byStart, arrow.to, arrow.from);
    return back ? [[arrow, ...back]] : [];
  });
  const seen = new Set<Dependency>();
  const circles: (readonly Dependency[])[] = [];
  for (const circle of closed.toSorted((one, other) => one.length - other.length)) {
    if (circle.every((arrow) => seen.has(arrow)) || circle.some((arrow) => seen.has(arrow))) continue;
    for (const arrow of circle) seen.add(arrow);
    circles.push(circle);
  }
  return circles;
}
