import { type DocumentNode, type Entry, placeOf, problemAt, type Source } from '../../input/document.ts';
import type { Report } from '../../input/read-fields.ts';
import { isNothing } from '../../input/read-scalar.ts';

/** Values by the names of their columns, or parameters. */
export interface Cells {
  readonly cells: ReadonlyMap<string, DocumentNode>;
  /** Their origin, for places: `row people.csv:3`. */
  readonly where: string;
}

/** Facts about all rows: the names of their cells, and what to say of a name that none has. */
interface Names {
  readonly columns: ReadonlySet<string>;
  readonly report: Report;
  unknown(column: string): string;
}

/**
 * Fills values into nodes in place of `${WORD.NAME}`. What holds none is shared by all rows. A parameter (`with`) that stands
 * alone keeps the place that it was written at, so that paths in it start from there.
 */
export function cellFiller(word: 'each' | 'with', { columns, report, unknown }: Names) {
  const any = new RegExp(`(?<!\\$)\\$\\{\\s*${word}\\.([^}]*?)\\s*\\}`, 'g');
  const whole = new RegExp(`^\\$\\{\\s*${word}\\.([^}]*?)\\s*\\}$`);
  const holdsAny = (text: string): boolean => text.includes('${') && text.search(any) !== -1;
  const sizes = new Map<DocumentNode, number>();

  /** Number of values inside a node that are made anew for each row. */
  function size(node: DocumentNode): number {
    const known = sizes.get(node);
    if (known !== undefined) return known;
    const inside =
      node.kind === 'scalar'
        ? Number(holdsAny(node.text))
        : node.kind === 'list'
          ? node.items.reduce((sum, item) => sum + size(item), 0)
          : node.entries.reduce((sum, { key, value }) => sum + size(value) + Number(holdsAny(key)), 0);
    const count = inside === 0 || node.kind === 'scalar' ? inside : inside + childrenOf(node);
    sizes.set(node, count);
    return count;
  }

  function cellAt(at: DocumentNode | Entry, column: string, { cells }: Cells): DocumentNode | undefined {
    const cell = cells.get(column);
    if (cell === undefined && !columns.has(column)) report.problem(problemAt(at, unknown(column)));
    return cell;
  }

  function textIn(at: DocumentNode | Entry, text: string, row: Cells): string {
    return text.replaceAll(any, (_, column: string) => {
      const cell = cellAt(at, column, row);
      if (cell === undefined) return '';
      if (cell.kind === 'scalar') return isNothing(cell) ? '' : cell.text;
      report.problem(problemAt(at, `${JSON.stringify(column)} is a ${cell.kind}, which no text can hold`));
      return '';
    });
  }

  /** `undefined`: the row has nothing there, and the field is left alone. */
  function fill(node: DocumentNode, row: Cells): DocumentNode | undefined {
    if (size(node) === 0) return node;
    const source = rowSource(node.source, row);
    if (node.kind === 'list')
      return { ...node, source, items: node.items.flatMap((item) => fill(item, row) ?? []) };
    if (node.kind === 'map')
      return {
        ...node,
        source,
        entries: node.entries.flatMap((entry): readonly Entry[] => {
          const value = fill(entry.value, row);
          return value === undefined ? [] : [{ ...entry, key: textIn(entry, entry.key, row), value }];
        }),
      };
    const [, column] = whole.exec(node.text) ?? [];
    if (column === undefined) return { ...node, source, text: textIn(node, node.text, row) };
    const cell = cellAt(node, column, row);
    if (cell === undefined || (cell.kind === 'scalar' && cell.plain && cell.text === '')) return undefined;
    return cell.kind === 'scalar' && word === 'each' ? { ...cell, source, at: node.at } : cell;
  }

  return { size, fill };
}

const childrenOf = (node: DocumentNode): number =>
  node.kind === 'list' ? node.items.length : node.kind === 'map' ? node.entries.length : 0;

function rowSource(source: Source, { where }: Cells): Source {
  const known = rowSources.get(source) ?? new Map<string, Source>();
  rowSources.set(source, known);
  const of = source.of ?? source;
  const made = known.get(where) ?? {
    ...source,
    of,
    place: (at: number) => `${placeOf({ source: of, at })} (${where})`,
  };
  known.set(where, made);
  return made;
}

const rowSources = new WeakMap<Source, Map<string, Source>>();
