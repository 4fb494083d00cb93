import { splitPath } from '../../../base/json.ts';
import {
  type DocumentNode,
  type Entry,
  formatPlace,
  type Located,
  type MapNode,
  type Places,
  placesIn,
  problemAt,
  type Source,
} from '../../input/document.ts';

/** A row has the key, the offsets of key and value, and the number of rows inside the value. */
const width = 4;

/** Stores the places of fields in a tenth of the memory of their documents, so that the documents can be freed. */
export class PlaceTable {
  readonly #indexOfKey = new Map<string, number>();
  #rows = new Int32Array(1024);
  #used = 0;

  add(root: MapNode, { source, at }: Entry): Places {
    if (!isFromSource(source, root)) return placesIn(root, { source, at });
    const start = this.#used;
    this.#putInside(root);
    const end = this.#used;
    const located = (path: string | undefined): Located => ({
      source,
      at: (path === undefined ? undefined : this.#offsetAt(start, end, path)) ?? at,
    });
    return {
      place: (path) => formatPlace(located(path)),
      problem: (path, message) => problemAt(located(path), message),
    };
  }

  #put(key: string, at: number, value: DocumentNode): void {
    if (this.#used + width > this.#rows.length) {
      const larger = new Int32Array(this.#rows.length * 2);
      larger.set(this.#rows);
      this.#rows = larger;
    }
    const row = this.#used;
    this.#used += width;
    const index = this.#indexOfKey.get(key) ?? this.#indexOfKey.size;
    this.#indexOfKey.set(key, index);
    this.#rows[row] = index;
    this.#rows[row + 1] = at;
    this.#rows[row + 2] = value.at;
    this.#putInside(value);
    this.#rows[row + 3] = (this.#used - row) / width - 1;
  }

  #putInside(node: DocumentNode): void {
    if (node.kind === 'map') for (const { key, at, value } of node.entries) this.#put(key, at, value);
    if (node.kind === 'list')
      for (const [index, item] of node.items.entries()) this.#put(String(index), item.at, item);
  }

  /** Returns the offset of the value at a path, or of the nearest key around it. */
  #offsetAt(start: number, end: number, path: string): number | undefined {
    const rows = this.#rows;
    let around: number | undefined;
    let from = start;
    let to = end;
    for (const word of splitPath(path)) {
      const key = this.#indexOfKey.get(word);
      let row = from;
      while (row < to && rows[row] !== key) row += width * (1 + (rows[row + 3] ?? 0));
      if (row >= to) return around;
      around = rows[row + 1];
      from = row + width;
      to = from + width * (rows[row + 3] ?? 0);
    }
    return rows[from - width + 2];
  }
}

function isFromSource(source: Source, node: DocumentNode): boolean {
  if (node.source !== source && node.source.of !== source) return false;
  if (node.kind === 'map')
    return node.entries.every((entry) => entry.source === source && isFromSource(source, entry.value));
  return node.kind === 'scalar' || node.items.every((item) => isFromSource(source, item));
}
