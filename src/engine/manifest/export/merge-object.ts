import { isObject, type Json, type JsonObject, same } from '../../../base/json.ts';
import { withDialledNumbers } from '../../../contract/phone-number.ts';
import { childOf, type SchemaNode } from '../../../contract/schema-node.ts';
import { canonicalAt } from '../canonical.ts';
import type { Exported, ExportedObject } from '../exported.ts';
import { entriesText, shownValue } from '../manifest-text.ts';
import { isPlaceholder } from './known-ids.ts';
import type { YamlMap, YamlValue } from './yaml-file.ts';

/** Keys by which a manifest describes an object beside its fields. */
const aboutObjects: ReadonlySet<string> = new Set(['renamed_from', 'protect', 'id', 'file']);

/** A value from outside the manifest: what it comes to is not known here, so that it stays. */
const fromOutside = /(?<!\$)\$\{\s*(?:env|file|var)\./;

/**
 * Brings the fields of an object in a file up to date: values that the account has otherwise are replaced, fields that
 * it no longer has go, new ones are put at the end. What comes from outside the manifest stays, and so does what the
 * service never shows. Gives whether anything was changed.
 */
export function mergeObject(map: YamlMap, exported: Exported, object: ExportedObject): boolean {
  const { kind } = object;
  const text = (value: JsonObject): string => entriesText(exported, object, value);
  const plain = (value: Json): Json => shownValue(exported, object, value);
  const keyText = (key: string): string => exported.shown.text(object, key);

  const mergeMap = (
    into: YamlMap,
    whole: JsonObject,
    pruned: JsonObject,
    node: SchemaNode,
    path: readonly string[],
  ): boolean => {
    let changed = false;
    const marked = new Map(Object.keys(whole).map((key) => [keyText(key), key]));
    for (const key of into.keys()) {
      const value = into.get(key);
      if (value === undefined || (path.length === 0 && aboutObjects.has(key))) continue;
      const source = marked.get(key);
      const live = source === undefined ? undefined : whole[source];
      if (source === undefined || live === undefined) {
        if (stays(value)) continue;
        into.remove(key);
        changed = true;
        continue;
      }
      const child = childOf(kind.schema, node, key) ?? {};
      const rest = pruned[source];
      const at = [...path, key];
      if (value.kind === 'map' && isObject(live)) {
        if (mergeMap(value, live, isObject(rest) ? rest : {}, child, at)) changed = true;
      } else if (!holdsOutside(value) && !isUnknown(live) && !says(value, plain(live), child, at)) {
        into.replace(key, text({ [source]: rest ?? live }));
        changed = true;
      }
    }
    const known = new Set(into.keys());
    const fresh = Object.entries(pruned).filter(([key]) => !known.has(keyText(key)));
    if (fresh.length > 0) into.add(text(Object.fromEntries(fresh)));
    return changed || fresh.length > 0;
  };

  /** Tells whether a value in the file means what the account has. */
  const says = (value: YamlValue, live: Json, node: SchemaNode, path: readonly string[]): boolean => {
    const compared = (each: Json): Json => canonicalAt(kind, node, path, each);
    return same(compared(asSent(jsonOf(value, live), path)), compared(live));
  };

  /** Returns a value of the file as it is sent: numbers without blanks and marks. */
  const asSent = (value: Json, [field = '', ...below]: readonly string[]): Json =>
    below.length > 0 ? value : (withDialledNumbers(kind.schema, { [field]: value })[field] ?? value);

  return mergeMap(map, object.whole, object.fields, kind.schema, []);
}

/** True for a value that stays although the account lacks it: it is empty, or kept elsewhere. */
const stays = (value: YamlValue): boolean => isNull(value) || holdsOutside(value) || value.kind === 'other';

const isNull = (value: YamlValue): boolean =>
  value.kind === 'scalar' && value.plain && /^(?:null|Null|NULL|~|)$/.test(value.text);

function holdsOutside(value: YamlValue): boolean {
  if (value.kind === 'scalar') return fromOutside.test(value.text);
  if (value.kind === 'list') return value.items.some(holdsOutside);
  return (
    value.kind === 'map' && value.keys().some((key) => holdsOutside(value.get(key) ?? { kind: 'other' }))
  );
}

/** A secret: the service may show it, but an export does not. */
function isUnknown(value: Json): boolean {
  if (typeof value === 'string') return isPlaceholder(value);
  return Array.isArray(value) && value.some((item: Json) => isUnknown(item));
}

/** A value of the file as the kind of value that the account has there. */
function jsonOf(value: YamlValue, like: Json | undefined): Json {
  if (value.kind === 'list') {
    const items: readonly Json[] = Array.isArray(like) ? like : [];
    return value.items.map((item, index) => jsonOf(item, items[index] ?? items[0]));
  }
  if (value.kind === 'map') {
    const inner = isObject(like) ? like : {};
    return Object.fromEntries(
      value.keys().map((key) => [key, jsonOf(value.get(key) ?? { kind: 'other' }, inner[key])]),
    );
  }
  if (value.kind === 'other' || isNull(value)) return null;
  if (!value.plain || typeof like === 'string') return value.text;
  if (/^(?:true|false)$/i.test(value.text)) return value.text.toLowerCase() === 'true';
  const number = Number(value.text);
  return typeof like === 'number' && value.text !== '' && !Number.isNaN(number) ? number : value.text;
}
