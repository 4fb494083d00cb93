import type { Json } from '../base/json.ts';
import type { DocumentNode } from './document.ts';
import { readScalar } from './read-scalar.ts';
import { shapeOf } from './shape.ts';

const anything = shapeOf(undefined);

/** The value of a document about whose fields nothing is known. */
export function plainValue(node: DocumentNode): Json {
  if (node.kind === 'list') return node.items.map(plainValue);
  if (node.kind === 'map')
    return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainValue(value)]));
  const reading = readScalar(node, anything);
  return 'value' in reading ? reading.value : node.text;
}
