import type { DocumentNode, Entry, MapNode } from '../../input/document.ts';
import { isNothing } from '../../input/read-scalar.ts';

/**
 * A value laid over another: maps are merged key by key, lists and scalars replace what was there, and so does
 * `null`, which removes the field at the service. Each value keeps the place where it was written.
 */
export function overlay(below: DocumentNode, above: DocumentNode): DocumentNode {
  return below.kind === 'map' && above.kind === 'map' ? overlayMap(below, above) : above;
}

/** As `overlay`, of two maps. Keys keep the order in which they first stood. */
export function overlayMap(below: MapNode, above: MapNode): MapNode {
  const entries = new Map<string, Entry>(below.entries.map((entry) => [entry.key, entry]));
  for (const entry of above.entries) {
    const before = entries.get(entry.key);
    entries.set(entry.key, before ? { ...entry, value: overlay(before.value, entry.value) } : entry);
  }
  return { ...above, entries: [...entries.values()] };
}

/** Tells whether a node was written as `null` or `~`, not just left empty. */
export const isNull = (node: DocumentNode): boolean =>
  node.kind === 'scalar' && node.text !== '' && isNothing(node);
