import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { decodeUrlPart } from '../base/wording.ts';
import { operations } from './catalogue.ts';
import type { Operation } from './types.ts';

/** Path segment in a tree of all paths. */
interface Place {
  readonly words: Map<string, Place>;
  any?: Place;
  readonly operations: Operation[];
}

const emptyPlace = (): Place => ({ words: new Map(), operations: [] });
const isParameter = (segment: string): boolean => segment.startsWith('{');

function findOrAddPlace(place: Place, segment: string): Place {
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

function buildPathTree(): Place {
  const root = emptyPlace();
  for (const operation of operations) {
    const place = operation.path.split('/').slice(1).reduce(findOrAddPlace, root);
    place.operations.push(operation);
  }
  return root;
}

/** Keeps invalid escapes, which match no operation. */
export const splitSegments = (path: string): readonly string[] => path.split('/').slice(1).map(decodeUrlPart);

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

/** Returns operations with any method. Literal segments come before parameters. */
export function operationsAt(segments: readonly string[]): readonly Operation[] {
  tree ??= buildPathTree();
  const found: Operation[] = [];
  collect(tree, segments, 0, found);
  return found;
}

/** These segments after a collection are not ids, and have no operation here (Conventions, words of paths). */
const otherWords: Readonly<Record<string, readonly string[]>> = {
  phone_numbers: ['prefix'],
  port_requests: ['lnp_lookup'],
  faxes: ['incoming', 'outgoing', 'smtplog'],
  ips: ['assigned', 'hosts', 'zones'],
};

/** Returns true for names of operations: `fix` in `phone_numbers/fix` is not a number. */
export function namesWords({ path }: Pick<Operation, 'path'>, segments: readonly string[]): boolean {
  tree ??= buildPathTree();
  let place: Place | undefined = tree;
  const parts = path.split('/').slice(1);
  for (const [index, part] of parts.entries()) {
    const segment = segments[index] ?? '';
    const known = otherWords[segments[index - 1] ?? ''] ?? [];
    if (isParameter(part) && (place?.words.has(segment) || known.includes(segment))) return true;
    place = isParameter(part) ? place?.any : place?.words.get(part);
  }
  return false;
}

const parameters = new Map<string, readonly (readonly [name: string, index: number])[]>();

function pathParameters(path: string): readonly (readonly [name: string, index: number])[] {
  const known = parameters.get(path);
  if (known) return known;
  const made = path
    .split('/')
    .slice(1)
    .flatMap((name, index) => (isParameter(name) ? [[name.slice(1, -1), index] as const] : []));
  parameters.set(path, made);
  return made;
}

export const parametersIn = (
  { path }: Operation,
  segments: readonly string[],
): Readonly<Record<string, string>> =>
  Object.fromEntries(pathParameters(path).map(([name, index]) => [name, segments[index] ?? '']));

/** The operation of a request, with its path parameters and data. */
export interface Meant {
  readonly operation: Operation;
  readonly path: Readonly<Record<string, string>>;
  readonly data: Json | undefined;
}

/** Services ignore the case of an envelope's keys (Conventions, API conventions). */
const lowerCaseKeys = (envelope: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(envelope).map(([key, value]) => [key.toLowerCase(), value]));

/**
 * Finds the operation of a request. Accepts all variants that a service accepts: with or without a version, empty
 * segments, escapes, any case, and `action` and the tunneled `verb` in the body or query. Returns `undefined` for
 * unknown paths.
 */
export function operationOfRequest(method: string, target: string, body: JsonObject = {}): Meant | undefined {
  const [, address = '', query = ''] = /^([^?#]*)(?:\?([^#]*))?/.exec(target) ?? [];
  const envelope = lowerCaseKeys(body);
  const { data } = envelope;
  const inQuery = new URLSearchParams(query);
  const findParameter = (name: string): string | undefined =>
    [envelope[name], isObject(data) ? lowerCaseKeys(data)[name] : undefined, inQuery.get(name)].find(
      (each): each is string => typeof each === 'string',
    );
  const asked = method.toUpperCase();
  const verb = asked === 'POST' ? (findParameter('verb')?.toUpperCase() ?? asked) : asked;
  const all = address
    .split('/')
    .filter((part) => part !== '')
    .map(decodeUrlPart);
  const segments = /^v\d+$/i.test(all[0] ?? '') ? all.slice(1) : all;
  const findOperation = (path: readonly string[]): Operation | undefined => {
    const found = operationsAt(path).filter((each) => each.method === verb);
    const action = findParameter('action');
    return found.find(({ body: taken }) => taken?.kind !== 'action' || taken.action === action);
  };
  const operation = findOperation(segments) ?? findOperation(segments.map((part) => part.toLowerCase()));
  return operation && { operation, path: parametersIn(operation, segments), data };
}
