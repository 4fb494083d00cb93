import { decoded } from '../base/decoded.ts';
import { operations } from './catalogue.ts';
import type { Operation } from './types.ts';

/** A place in the tree of paths: what goes on by a word, or by any text, and the operations that end there. */
interface Place {
  readonly words: Map<string, Place>;
  any?: Place;
  readonly operations: Operation[];
}

const emptyPlace = (): Place => ({ words: new Map(), operations: [] });
const isParameter = (segment: string): boolean => segment.startsWith('{');

/** The place that a segment of a path leads to, made where there is none yet. */
function placeBelow(place: Place, segment: string): Place {
  if (isParameter(segment)) {
    place.any ??= emptyPlace();
    return place.any;
  }
  const known = place.words.get(segment);
  if (known) return known;
  const made = emptyPlace();
  place.words.set(segment, made);
  return made;
}

let tree: Place | undefined;

function grownTree(): Place {
  const root = emptyPlace();
  for (const operation of operations) {
    const place = operation.path.split('/').slice(1).reduce(placeBelow, root);
    place.operations.push(operation);
  }
  return root;
}

/** The segments of a path, decoded; one with no proper escape stays as it is, and names no operation. */
export const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1).map(decoded);

/** Adds the operations at a path of these segments, from one of them on, below a place. */
function collect(
  { words, any, operations: here }: Place,
  segments: readonly string[],
  from: number,
  found: Operation[],
): void {
  const segment = segments[from];
  if (segment === undefined) {
    for (const operation of here) found.push(operation);
    return;
  }
  const byWord = words.get(segment);
  if (byWord) collect(byWord, segments, from + 1, found);
  if (any && segment !== '') collect(any, segments, from + 1, found);
}

/** Every operation of any method at a path of so many segments; where words and a parameter fit, by words first. */
export function operationsAt(segments: readonly string[]): readonly Operation[] {
  tree ??= grownTree();
  const found: Operation[] = [];
  collect(tree, segments, 0, found);
  return found;
}

/** Names of the parameters of a path, each with its place among the segments. */
const parameters = new Map<string, readonly (readonly [name: string, index: number])[]>();

function parametersOf(path: string): readonly (readonly [name: string, index: number])[] {
  const known = parameters.get(path);
  if (known) return known;
  const made = path
    .split('/')
    .slice(1)
    .flatMap((name, index) => (isParameter(name) ? [[name.slice(1, -1), index] as const] : []));
  parameters.set(path, made);
  return made;
}

/** Parameters of an operation's path, by name, as they stand in the segments of a path that leads to it. */
export const parametersIn = (
  { path }: Operation,
  segments: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(parametersOf(path).map(([name, index]) => [name, segments[index] ?? '']));
