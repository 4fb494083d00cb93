import type { DocumentNode, Entry, MapNode, Source } from '../../input/document.ts';
import { cellNode } from './cell-node.ts';
import { cellAt } from './csv-source.ts';
import type { CsvRow } from './parse-csv.ts';
import type { CsvColumn } from './read-header.ts';

/** The fields that a row's cells give, as a manifest would hold them. Empty cells give nothing. */
export function rowFields(
  row: CsvRow,
  index: number,
  columns: readonly CsvColumn[],
  source: Source,
  head: readonly string[],
): MapNode {
  const root: MapNode = { kind: 'map', entries: [], source, at: cellAt(head, index) };
  return columns.reduce<MapNode>((fields, column) => {
    if (column.keys === undefined) return fields;
    const at = cellAt(head, index, column.index);
    const node = cellNode(row.cells[column.index] ?? '', column.shape, source, at);
    return node ? put(fields, column.keys, node) : fields;
  }, root);
}

function put(map: MapNode, [key = '', ...rest]: readonly string[], node: DocumentNode): MapNode {
  const at = map.entries.findIndex((entry) => entry.key === key);
  const before = map.entries[at]?.value;
  const inner: MapNode =
    before?.kind === 'map' ? before : { kind: 'map', entries: [], source: node.source, at: node.at };
  const value = rest.length === 0 ? node : put(inner, rest, node);
  const entry: Entry = { key, value, source: node.source, at: node.at };
  return { ...map, entries: at === -1 ? [...map.entries, entry] : map.entries.with(at, entry) };
}
