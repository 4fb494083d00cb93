import {
  isEqualJson,
  isObject,
  type Json,
  type JsonObject,
  joinPath,
  mapTexts,
  omitUndefined,
} from '../../../base/json.ts';
import { mapValue } from '../../../contract/map-value.ts';
import { findChildNode, resolveReference, type SchemaNode } from '../../../contract/schema-node.ts';
import { masked, maskUrl } from '../../../contract/secrets.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import {
  type DesiredAccount,
  type DesiredObject,
  desiredLabel,
  isNamedOutside,
  shownReferences,
} from '../desired.ts';
import { type Kind, kindByName } from '../kinds.ts';
import type { Change, Observed } from '../plan.ts';
import { type FieldChange, isFlow } from './merge-fields.ts';

export interface Showing {
  readonly kind: Kind;
  readonly naming: ReferenceNames;
  readonly confidential: ReadonlySet<string>;
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** Dotted paths that others changed since telctl last wrote them. */
  readonly drifted: readonly string[];
}

export const areNested = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

/** Returns `caller_id.external.name`, or `flow/2/_.timeout` in a flow. */
function shownPath({ kind, naming }: Pick<Showing, 'kind' | 'naming'>, keys: readonly string[]): string {
  let path = '';
  let node: SchemaNode = resolveReference(kind.schema, kind.schema);
  let parent: 'record' | 'step' | 'children' | 'data' = 'record';
  for (const key of keys) {
    const text = naming.text(key);
    const name = text.startsWith('${') ? text : text.replaceAll('.', '%2E');
    if (parent === 'step' && (key === 'children' || key === 'data')) parent = key;
    else {
      path += parent === 'children' ? `/${name.replaceAll('/', '%2F')}` : path === '' ? name : `.${name}`;
      parent = 'record';
    }
    node = findChildNode(kind.schema, node, key) ?? {};
    if (isFlow(node)) parent = 'step';
  }
  return path;
}

const isConfidential = ({ confidential }: Showing, isThere: (hidden: string) => boolean): boolean => {
  for (const hidden of confidential) if (isThere(hidden)) return true;
  return false;
};

/** Returns the sources of a value and its parts, except `--var`, whose values are shown. */
function findSources({ sources }: Showing, path: string): readonly string[] {
  const found = new Set<string>();
  for (const [other, from] of sources) if (areNested(path, other)) for (const each of from) found.add(each);
  return [...found].filter((source) => !source.startsWith('var.'));
}

/** Replaces a value from outside with its source, or with a mask if the source is unknown. */
function findSource({ sources }: Showing, path: string): string {
  const [source, ...others] = sources.get(path) ?? [];
  return source === undefined || others.length > 0 ? masked : `\${${source}}`;
}

/** Hides secrets, and replaces ids and references with names. */
export function shownChange(showing: Showing, change: FieldChange): Change {
  const { keys, how, before, after, from } = change;
  const path = joinPath(keys);
  const sources = findSources(showing, path);
  const isDrifted = showing.drifted.some((other) => areNested(path, other));
  const marks = omitUndefined({
    sources: sources.length > 0 && how !== 'removed' ? sources : undefined,
    drift: isDrifted ? (true as const) : undefined,
    from: from && shownPath(showing, from),
  });
  const head = { path: shownPath(showing, keys), how };
  const nodes = nodesOnPath(showing.kind, keys);
  if (
    nodes.some((node) => node['x-secret'] === true) ||
    isConfidential(showing, (hidden) => path === hidden || path.startsWith(`${hidden}.`))
  )
    return { ...head, secret: true, ...marks };
  const place = { node: nodes.at(-1) ?? {}, path };
  const old = before === undefined ? undefined : maskValue(showing, place, before);
  const now = after === undefined ? undefined : maskValue(showing, place, after);
  // Only hidden parts differ.
  if (old !== undefined && now !== undefined && isEqualJson(old, now))
    return { ...head, secret: true, ...marks };
  const { shown } = showing.naming;
  // Objects with the same name are distinguished by their ids.
  const isClear = old === undefined || now === undefined || !isEqualJson(shown(old), shown(now));
  const showValue = (value: Json | undefined) => (isClear && value !== undefined ? shown(value) : value);
  return { ...head, ...omitUndefined({ before: showValue(old), after: showValue(now) }), ...marks };
}

function nodesOnPath(kind: Kind, keys: readonly string[]): readonly SchemaNode[] {
  let node: SchemaNode = resolveReference(kind.schema, kind.schema);
  return keys.map((key) => {
    node = findChildNode(kind.schema, node, key) ?? {};
    return node;
  });
}

const hidesValues = (node: SchemaNode): boolean =>
  node['x-secret'] === true || node['x-secret-bearing'] === true;

function hiddenAt(node: SchemaNode, value: Json): Json | undefined {
  if (node['x-secret'] === true) return value === null || value === '' ? value : masked;
  return typeof value === 'string' && node['x-secret-bearing'] === true ? maskUrl(value) : undefined;
}

/** The values that contain it must not be secret. */
function maskValue(
  showing: Showing,
  { node: start, path }: { readonly node: SchemaNode; readonly path: string },
  value: Json,
): Json {
  const { schema } = showing.kind;
  if (!isConfidential(showing, (hidden) => hidden.startsWith(`${path}.`)))
    return mapValue(schema, value, hiddenAt, hidesValues, start);
  const visit = (node: SchemaNode, here: string, part: Json): Json => {
    if (showing.confidential.has(here))
      return part === null || part === '' ? part : findSource(showing, here);
    const instead = hiddenAt(node, part);
    if (instead !== undefined) return instead;
    const visitInner = (key: string, item: Json): Json =>
      visit(findChildNode(schema, node, key) ?? {}, `${here}.${key.replaceAll('.', '%2E')}`, item);
    if (Array.isArray(part)) return part.map((item: Json, index) => visitInner(String(index), item));
    if (!isObject(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [key, item === undefined ? item : visitInner(key, item)]),
    );
  };
  return visit(start, path, value);
}

export interface ReferenceNames {
  /** Returns `${users.alice}` for objects of the manifest, `user bob` for others. */
  shown(value: Json): Json;
  text(text: string): string;
}

export function labelOfObject(object: DesiredObject, record: JsonObject | undefined): string {
  const kind = kindByName(object.kind);
  const isHidden = isNamedOutside(kind, object);
  return desiredLabel(kind, object.name, isHidden ? [] : [object.fields, ...(record ? [record] : [])]);
}

/** Phone numbers are their own names. */
const hasIds = ({ shape, keys }: Kind): boolean => shape === 'many' && !keys.includes('id');

/** `others` contains entries of the ledger for other objects. */
export function createNaming(
  desired: DesiredAccount,
  observed: Observed,
  others: readonly Pick<LedgerEntry, 'kind' | 'id' | 'key'>[] = [],
): ReferenceNames {
  const references = new Map(
    desired.objects.flatMap(({ key, kind }) => {
      const live = observed.matches.get(key);
      return live === undefined || !hasIds(kindByName(kind)) ? [] : [[live.id, `\${${key}}`] as const];
    }),
  );
  const noted = new Map(
    others.flatMap(({ kind, id, key }) => (hasIds(kindByName(kind)) ? [[id, `\${${key}}`] as const] : [])),
  );
  const listed = new Map<string, () => string>();
  for (const [name, records] of observed.listed) {
    const kind = kindByName(name);
    if (!hasIds(kind)) continue;
    for (const record of records)
      if (typeof record.id === 'string')
        listed.set(record.id, () => desiredLabel(kind, String(record.id), [record]));
  }
  const text = (value: string): string =>
    references.get(value) ?? listed.get(value)?.() ?? noted.get(value) ?? shownReferences(value);
  return { shown: (value) => mapTexts(value, text), text };
}
