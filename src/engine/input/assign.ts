import { Failure } from '../../base/failure.ts';
import type { Schema } from '../../contract/schema-node.ts';
import { type DocumentNode, type MapNode, optionSource, type ScalarNode, type Source } from './document.ts';
import { JsonError, readJson } from './json-document.ts';
import { createShape, type Shape } from './read-scalar.ts';

export interface Assignment {
  /** Name in messages: `--set first_name`, `--email`. */
  readonly option: string;
  readonly keys: readonly string[];
  readonly value: DocumentNode;
}

/** Splits a dotted path. `\.` is a dot within a key. */
const splitKeys = (path: string): readonly string[] =>
  path.split(/(?<!\\)\./).map((key) => key.replaceAll('\\.', '.'));

/** Throws `Failure` of kind `usage` if the path is missing. */
function splitAssignment(option: string, text: string): readonly [path: string, value: string] {
  const at = text.indexOf('=');
  const path = text.slice(0, Math.max(at, 0));
  if (splitKeys(path).includes(''))
    throw new Failure('usage', `${option} must be path=value, not ${JSON.stringify(text)}.`, {
      hint: `For example: ${option} caller_id.internal.name=Alice`,
    });
  return [path, text.slice(at + 1)];
}

/** Returns text even if it looks like a number. */
export const textNode = (source: Source, text: string): ScalarNode => ({
  kind: 'scalar',
  text,
  plain: false,
  source,
  at: 0,
});

export const setText = (argument: string): Assignment => textAssignment('--set', argument);

export function textAssignment(flag: string, argument: string): Assignment {
  const [path, text] = splitAssignment(flag, argument);
  const option = `${flag} ${path}`;
  return { option, keys: splitKeys(path), value: textNode(optionSource(option), text) };
}

/** Reads `--set-json path=JSON`. Throws `Failure` of kind `usage` if the value is not JSON. */
export function setJson(argument: string): Assignment {
  const [path, text] = splitAssignment('--set-json', argument);
  const option = `--set-json ${path}`;
  try {
    return { option, keys: splitKeys(path), value: readJson(optionSource(option), text) };
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    throw new Failure('usage', `${option}: the value is not JSON: ${error.message}.`, {
      hint: `Put text in quotes: --set-json '${path}="…"'. Or use --set ${path}=….`,
      cause: error,
    });
  }
}

export function assign(
  root: MapNode,
  resource: { readonly schema: Schema },
  assignments: readonly Assignment[],
): MapNode {
  const shape = createShape(resource.schema);
  return assignments.reduce<MapNode>((record, { option, keys, value }) => {
    const next = setValue(record, keys, value, shape, option);
    return next.kind === 'map' ? next : record;
  }, root);
}

function setValue(
  node: DocumentNode | undefined,
  keys: readonly string[],
  value: DocumentNode,
  shape: Shape | undefined,
  option: string,
): DocumentNode {
  const [key, ...rest] = keys;
  if (key === undefined) return value;
  const { source } = value;
  const isList = node?.kind === 'list' || (node === undefined && takesOnlyLists(shape));
  if (isList) {
    const items = node?.kind === 'list' ? node.items : [];
    const index = Number(key);
    if (!/^\d+$/.test(key) || index > items.length)
      throw new Failure('usage', `${option}: "${key}" is not a position in a list of ${items.length}.`);
    const item = setValue(items[index], rest, value, shape?.items(), option);
    return { kind: 'list', items: items.toSpliced(index, 1, item), source, at: 0 };
  }
  const entries = node?.kind === 'map' ? node.entries : [];
  const at = entries.findIndex((entry) => entry.key === key);
  const inner = setValue(entries[at]?.value, rest, value, shape?.under(key), option);
  const entry = { key, value: inner, source, at: 0 };
  return {
    kind: 'map',
    entries: at === -1 ? [...entries, entry] : entries.with(at, entry),
    source: node?.source ?? source,
    at: node?.at ?? 0,
  };
}

const takesOnlyLists = (shape: Shape | undefined): boolean =>
  shape?.types.size === 1 ? shape.types.has('array') : false;

/** Returns the path of the first secret field that would be visible in the process list. */
export function findSecretAssignment(
  resource: { readonly schema: Schema },
  { keys, value }: Assignment,
): string | undefined {
  let shape: Shape | undefined = createShape(resource.schema);
  for (const [index, key] of keys.entries()) {
    shape = shape && takesOnlyLists(shape) ? shape.items() : shape?.under(key);
    if (shape?.secret && !shape.open.includes(keys[index + 1] ?? ''))
      return keys.slice(0, index + 1).join('.');
  }
  return shape && secretWithin(value, shape, keys.join('.'));
}

function secretWithin(node: DocumentNode, shape: Shape, path: string): string | undefined {
  if (shape.secret) return path;
  if (node.kind === 'list')
    return node.items
      .map((item, index) => secretWithin(item, shape.items(), `${path}.${index}`))
      .find((found) => found !== undefined);
  if (node.kind === 'scalar') return undefined;
  return node.entries
    .map(({ key, value }) => {
      const inner = shape.under(key);
      return inner && secretWithin(value, inner, `${path}.${key}`);
    })
    .find((found) => found !== undefined);
}
