import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import { stepNode } from '../../../contract/module-data.ts';
import { resolved, type SchemaNode, stepKind } from '../../../contract/schema-node.ts';
import type { Kind, KindName } from '../kinds.ts';

/**
 * Fields without those that say nothing: a value that the service gives by itself, an object or a list with nothing in
 * it, since compatible services fill empty lists in where a record has none (Conventions, Values that are filled in).
 * Left out they are left alone, so that applying is no change. Lists and maps are compared as a whole and stay as they
 * are. What an account has once exists before a manifest is applied, so that a default has to be said there.
 */
export function withoutDefaults(kind: Kind, fields: JsonObject): JsonObject {
  const needed = neededBy(kind);
  const visit = (reference: SchemaNode, value: JsonObject, top: boolean): JsonObject => {
    const plain = resolved(kind.schema, reference);
    const isStep = stepKind(plain) !== undefined;
    const node = stepNode(kind.schema, plain, value.module);
    const kept: (readonly [string, Json])[] = [];
    for (const key of Object.keys(value)) {
      const inner = value[key];
      if (inner === undefined) continue;
      const child = node.properties && Object.hasOwn(node.properties, key) ? node.properties[key] : undefined;
      if (!child || (top && needed.has(key))) kept.push([key, inner]);
      else if (isStep && key === 'children' && isObject(inner)) kept.push(...branches(plain, inner));
      else {
        const field = resolved(kind.schema, child);
        const isNeeded = node.required?.includes(key) === true;
        if (kind.shape === 'many' && (isDefault(field, inner) || (isEmptyList(field, inner) && !isNeeded)))
          continue;
        const rest = isObject(inner) ? visit(field, inner, false) : inner;
        if (!isObject(rest) || isStep || Object.keys(rest).length > 0) kept.push([key, rest]);
      }
    }
    return Object.fromEntries(kept);
  };
  /** Returns the steps that follow a step; nothing where the flow ends. */
  const branches = (node: SchemaNode, children: JsonObject): readonly (readonly [string, Json])[] => {
    const entries = Object.entries(children).map(([key, step]) => [
      key,
      isObject(step) ? visit(node, step, false) : (step ?? null),
    ]);
    return entries.length === 0 ? [] : [['children', Object.fromEntries(entries)]];
  };
  return visit(kind.schema, fields, true);
}

const neededFields = new WeakMap<Kind, ReadonlySet<string>>();

function neededBy(kind: Kind): ReadonlySet<string> {
  const needed = neededFields.get(kind) ?? new Set(kind.resource.required.flatMap((rule) => rule.fields));
  neededFields.set(kind, needed);
  return needed;
}

const defaultOf = (node: SchemaNode): unknown => node.default ?? node['x-convention']?.default;

const isEmptyList = (node: SchemaNode, value: Json): boolean =>
  Array.isArray(value) && value.length === 0 && defaultOf(node) === undefined;

function isDefault(node: SchemaNode, value: Json): boolean {
  const given = defaultOf(node);
  if (given === undefined || typeof given !== 'object') return given === value;
  return isDeepStrictEqual(given, value);
}

/**
 * A record without what is no setting, or stands in another section: the name and the realm of the account itself,
 * which no other may have; its metaflows, where they are exported too; comments on port requests, which would be made
 * anew; what an upload sets.
 */
export function settingsOnly(kind: Kind, record: JsonObject, exported: ReadonlySet<KindName>): JsonObject {
  if (kind.name === 'ports') return without(record, ['comments']);
  if (kind.calls.upload) return without(record, ['content_type', 'content_length']);
  if (kind.name !== 'account_settings') return record;
  const own = kind.resource.unique.filter(({ within }) => within === 'service').map(({ field }) => field);
  return without(record, exported.has('metaflows') ? [...own, 'metaflows'] : own);
}

/**
 * Tells whether the members of a directory are only what the service works out from the directories that its users
 * name (Conventions, directories): said twice, users and directories would refer to each other.
 */
export function isWorkedOut(
  directoryId: string,
  members: Json | undefined,
  places: ReadonlyMap<string, Json>,
): boolean {
  return (
    Array.isArray(members) &&
    members.every((member: unknown) => {
      if (!isObject(member)) return false;
      const named = typeof member.user_id === 'string' ? places.get(member.user_id) : undefined;
      return (
        isObject(named) && Object.hasOwn(named, directoryId) && named[directoryId] === member.callflow_id
      );
    })
  );
}

export const without = (record: JsonObject, keys: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(record).filter(([key]) => !keys.includes(key)));

/** A reference that a manifest cannot hold, since it would close a circle. */
interface Cut {
  readonly from: string;
  readonly to: string;
}

/**
 * The references to leave out so that none leads back to where it came from, found by one walk. `keys` says where the
 * walk begins, and so what is cut: an object that comes early keeps its references to the later ones.
 */
export function cutsOf(
  keys: readonly string[],
  refersTo: (key: string) => readonly string[],
): readonly Cut[] {
  const cuts: Cut[] = [];
  const state = new Map<string, 'open' | 'done'>();
  for (const root of keys) {
    if (state.has(root)) continue;
    // A stack of its own: flows can lead through more flows than calls may be nested.
    const stack = [{ key: root, rest: [...refersTo(root)] }];
    state.set(root, 'open');
    for (let top = stack.at(-1); top; top = stack.at(-1)) {
      const next = top.rest.shift();
      if (next === undefined) {
        state.set(top.key, 'done');
        stack.pop();
        continue;
      }
      const known = state.get(next);
      if (known === 'open') cuts.push({ from: top.key, to: next });
      if (known !== undefined) continue;
      state.set(next, 'open');
      stack.push({ key: next, rest: [...refersTo(next)] });
    }
  }
  return cuts;
}
