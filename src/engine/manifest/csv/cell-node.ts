import { fromCell, unknownValue } from '../../../base/formula-text.ts';
import type { DocumentNode, Source } from '../../input/document.ts';
import { JsonError, readJson } from '../../input/json-document.ts';
import type { Shape } from '../../input/shape.ts';

/** Text that stands for itself in a manifest: nothing in it is filled in. */
export const literal = (text: string): string => text.replaceAll('${', () => '$${');

const takes = (shape: Shape | undefined, type: 'string' | 'array' | 'object'): boolean =>
  shape?.types.has(type) === true;

/**
 * Returns the value of a column's cell: text where the field takes text, and otherwise what is typed there. Lists are
 * items between commas, or JSON; maps are JSON. `undefined` for an empty cell, and for the
 * `?` of a list that could not say what there is: nothing is given.
 */
export function cellNode(
  cell: string,
  shape: Shape | undefined,
  source: Source,
  at: number,
): DocumentNode | undefined {
  const text = fromCell(cell);
  if (text === '' || cell === unknownValue) return undefined;
  const isList = takes(shape, 'array');
  if ((isList && text.startsWith('[')) || (takes(shape, 'object') && text.startsWith('{')))
    return json(text, source, at) ?? scalar(text, shape, source, at);
  if (!isList || takes(shape, 'string')) return scalar(text, shape, source, at);
  const items = text.split(',').map((item) => scalar(item.trim(), shape?.items(), source, at));
  return { kind: 'list', items, source, at };
}

const scalar = (text: string, shape: Shape | undefined, source: Source, at: number): DocumentNode => ({
  kind: 'scalar',
  text: literal(text),
  // A surname may be Null: only where no text may stand is a word more than its letters.
  plain: shape !== undefined && shape.types.size > 0 && !shape.types.has('string'),
  source,
  at,
});

/** JSON with all of it at the cell's place; `undefined` where it is none. */
function json(text: string, source: Source, at: number): DocumentNode | undefined {
  try {
    return placed(readJson({ ...source, typed: true }, text), { ...source, typed: true }, at);
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    return undefined;
  }
}

function placed(node: DocumentNode, source: Source, at: number): DocumentNode {
  if (node.kind === 'scalar') return { ...node, text: literal(node.text), source, at };
  if (node.kind === 'list')
    return { ...node, items: node.items.map((item) => placed(item, source, at)), source, at };
  const entries = node.entries.map((entry) => ({
    ...entry,
    key: literal(entry.key),
    value: placed(entry.value, source, at),
    source,
    at,
  }));
  return { ...node, entries, source, at };
}
