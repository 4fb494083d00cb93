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
import { childOf, resolved, type SchemaNode } from '../../../contract/schema-node.ts';
import { masked, maskedUrl } from '../../../contract/secrets.ts';
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

/** Settings that decide how changes are shown. */
export interface Showing {
  readonly kind: Kind;
  readonly naming: ReferenceNames;
  /** Dotted paths whose values came from the environment or from files. */
  readonly confidential: ReadonlySet<string>;
  /** Sources of values that were filled in from outside, by dotted path. */
  readonly sources: ReadonlyMap<string, readonly string[]>;
  /** Dotted paths that others changed since telctl last wrote them. */
  readonly drifted: readonly string[];
}

/** Tells whether one of two dotted paths leads to the other. */
export const onOnePath = (one: string, other: string): boolean =>
  one === other || one.startsWith(`${other}.`) || other.startsWith(`${one}.`);

/** Path of a value for people and scripts: `caller_id.external.name`, and in a flow `flow/2/_.timeout`. */
function shownPath({ kind, naming }: Pick<Showing, 'kind' | 'naming'>, keys: readonly string[]): string {
  let path = '';
  let node: SchemaNode = resolved(kind.schema, kind.schema);
  let parent: 'record' | 'step' | 'children' | 'data' = 'record';
  for (const key of keys) {
    const text = naming.text(key);
    const name = text.startsWith('${') ? text : text.replaceAll('.', '%2E');
    if (parent === 'step' && (key === 'children' || key === 'data')) parent = key;
    else {
      path += parent === 'children' ? `/${name.replaceAll('/', '%2F')}` : path === '' ? name : `.${name}`;
      parent = 'record';
    }
    node = childOf(kind.schema, node, key) ?? {};
    if (isFlow(node)) parent = 'step';
  }
  return path;
}

/** Tells whether something of this must not be shown: it stands in the value, or the value in it. */
const isConfidential = ({ confidential }: Showing, isThere: (hidden: string) => boolean): boolean => {
  for (const hidden of confidential) if (isThere(hidden)) return true;
  return false;
};

/** The sources of a value or of its parts. Variables of the command line are shown as they are. */
function sourcesAt({ sources }: Showing, path: string): readonly string[] {
  const found = new Set<string>();
  for (const [other, from] of sources) if (onOnePath(path, other)) for (const each of from) found.add(each);
  return [...found].filter((source) => !source.startsWith('var.'));
}

/** Stands for a value from outside: its source, or a mask for the one of a former manifest. */
function sourceAt({ sources }: Showing, path: string): string {
  const [source, ...others] = sources.get(path) ?? [];
  return source === undefined || others.length > 0 ? masked : `\${${source}}`;
}

/** A change as the plan holds it: secrets away, ids and references by name. */
export function shownChange(showing: Showing, change: FieldChange): Change {
  const { keys, how, before, after, from } = change;
  const path = joinPath(keys);
  const sources = sourcesAt(showing, path);
  const isDrifted = showing.drifted.some((other) => onOnePath(path, other));
  const marks = omitUndefined({
    sources: sources.length > 0 && how !== 'removed' ? sources : undefined,
    drift: isDrifted ? (true as const) : undefined,
    from: from && shownPath(showing, from),
  });
  const head = { path: shownPath(showing, keys), how };
  const nodes = nodesTo(showing.kind, keys);
  if (
    nodes.some((node) => node['x-secret'] === true) ||
    isConfidential(showing, (hidden) => path === hidden || path.startsWith(`${hidden}.`))
  )
    return { ...head, secret: true, ...marks };
  const place = { node: nodes.at(-1) ?? {}, path };
  const old = before === undefined ? undefined : safe(showing, place, before);
  const now = after === undefined ? undefined : safe(showing, place, after);
  // Where only hidden parts differ there is nothing to show.
  if (old !== undefined && now !== undefined && isEqualJson(old, now))
    return { ...head, secret: true, ...marks };
  const { shown } = showing.naming;
  // Two objects of one name are told apart by their ids.
  const isClear = old === undefined || now === undefined || !isEqualJson(shown(old), shown(now));
  const named = (value: Json | undefined) => (isClear && value !== undefined ? shown(value) : value);
  return { ...head, ...omitUndefined({ before: named(old), after: named(now) }), ...marks };
}

/** The schemas on the way to a value, from the top. */
function nodesTo(kind: Kind, keys: readonly string[]): readonly SchemaNode[] {
  let node: SchemaNode = resolved(kind.schema, kind.schema);
  return keys.map((key) => {
    node = childOf(kind.schema, node, key) ?? {};
    return node;
  });
}

const hidesValues = (node: SchemaNode): boolean =>
  node['x-secret'] === true || node['x-secret-bearing'] === true;

function hiddenAt(node: SchemaNode, value: Json): Json | undefined {
  if (node['x-secret'] === true) return value === null || value === '' ? value : masked;
  return typeof value === 'string' && node['x-secret-bearing'] === true ? maskedUrl(value) : undefined;
}

/** A value with its secrets masked. That nothing around it is secret was looked at before. */
function safe(
  showing: Showing,
  { node: start, path }: { readonly node: SchemaNode; readonly path: string },
  value: Json,
): Json {
  const { schema } = showing.kind;
  if (!isConfidential(showing, (hidden) => hidden.startsWith(`${path}.`)))
    return mapValue(schema, value, hiddenAt, hidesValues, start);
  const visit = (node: SchemaNode, here: string, part: Json): Json => {
    if (showing.confidential.has(here)) return part === null || part === '' ? part : sourceAt(showing, here);
    const instead = hiddenAt(node, part);
    if (instead !== undefined) return instead;
    const inner = (key: string, item: Json): Json =>
      visit(childOf(schema, node, key) ?? {}, `${here}.${key.replaceAll('.', '%2E')}`, item);
    if (Array.isArray(part)) return part.map((item: Json, index) => inner(String(index), item));
    if (!isObject(part)) return part;
    return Object.fromEntries(
      Object.entries(part).map(([key, item]) => [key, item === undefined ? item : inner(key, item)]),
    );
  };
  return visit(start, path, value);
}

/** Puts names in the place of references and ids. */
export interface ReferenceNames {
  /** A value as people and scripts see it: `${users.alice}` for what the manifest holds, `user bob` for the rest. */
  shown(value: Json): Json;
  text(text: string): string;
}

export function labelOfObject(object: DesiredObject, record: JsonObject | undefined): string {
  const kind = kindByName(object.kind);
  const isHidden = isNamedOutside(kind, object);
  return desiredLabel(kind, object.name, isHidden ? [] : [object.fields, ...(record ? [record] : [])]);
}

/** Tells whether objects of a kind have ids that say nothing: phone numbers are their own names. */
const hasIds = ({ shape, keys }: Kind): boolean => shape === 'many' && !keys.includes('id');

/** Names for all that is known of an account; `others`, of the ledger, name what else there is. */
export function namingOf(
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
