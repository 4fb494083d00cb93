import { type DocumentNode, type Entry, type MapNode, problemAt, type Source } from '../../input/document.ts';
import { type Places, placesIn } from '../../input/read-fields.ts';

/** Numbers kept for a value: its key, where the key stands, where the value stands, how many rows are inside it. */
const width = 4;

/**
 * Remembers where the fields of many objects stand in a tenth of the room that their documents take, so that those can
 * be let go. An object whose fields come from several files keeps its document.
 */
export function createPlaceTable(): { add(root: MapNode, entry: Entry): Places } {
  const keys: string[] = [];
  const indexOf = new Map<string, number>();
  let rows = new Int32Array(1024);
  let used = 0;

  function indexFor(key: string): number {
    const known = indexOf.get(key);
    if (known !== undefined) return known;
    indexOf.set(key, keys.length);
    return keys.push(key) - 1;
  }

  function put(key: string, at: number, value: DocumentNode): void {
    if (used + width > rows.length) {
      const larger = new Int32Array(rows.length * 2);
      larger.set(rows);
      rows = larger;
    }
    const row = used;
    used += width;
    rows[row] = indexFor(key);
    rows[row + 1] = at;
    rows[row + 2] = value.at;
    putInside(value);
    rows[row + 3] = (used - row) / width - 1;
  }

  function putInside(node: DocumentNode): void {
    if (node.kind === 'map') for (const { key, at, value } of node.entries) put(key, at, value);
    if (node.kind === 'list')
      for (const [index, item] of node.items.entries()) put(String(index), item.at, item);
  }

  /** As `nodeAt`: the value at a path, or the key of the nearest thing around it. `undefined`: there is none. */
  function offsetAt(start: number, end: number, path: string): number | undefined {
    let around: number | undefined;
    let from = start;
    let to = end;
    for (const word of path.split('.')) {
      const key = indexOf.get(word.replaceAll('%2E', '.'));
      let row = from;
      while (row < to && rows[row] !== key) row += width * (1 + (rows[row + 3] ?? 0));
      if (row >= to) return around;
      around = rows[row + 1];
      from = row + width;
      to = from + width * (rows[row + 3] ?? 0);
    }
    return rows[from - width + 2];
  }

  function add(root: MapNode, { source, at }: Entry): Places {
    if (!isOf(source, root)) return placesIn(root, { kind: 'scalar', text: '', plain: true, source, at });
    const start = used;
    putInside(root);
    const end = used;
    const node = (path: string | undefined): DocumentNode => ({
      kind: 'scalar',
      text: '',
      plain: true,
      source,
      at: (path === undefined ? undefined : offsetAt(start, end, path)) ?? at,
    });
    return {
      place: (path) => problemAt(node(path), '').place,
      problem: (path, message) => problemAt(node(path), message),
    };
  }

  return { add };
}

function isOf(source: Source, node: DocumentNode): boolean {
  if (node.source !== source && node.source.of !== source) return false;
  if (node.kind === 'map')
    return node.entries.every((entry) => entry.source === source && isOf(source, entry.value));
  return node.kind === 'scalar' || node.items.every((item) => isOf(source, item));
}
