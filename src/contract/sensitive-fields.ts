import { isObject, type Json } from '../base/json.ts';
import { stopsCalls } from './guards.ts';
import { stepNode } from './module-data.ts';
import { requestSchema } from './resource.ts';
import { findChildNode, resolveReference, type Schema, type SchemaNode } from './schema-node.ts';
import type { Operation } from './types.ts';

/** A value that sends data or calls out of the account, or changes how users sign in. */
export interface SensitiveField {
  readonly path: string;
  readonly value: Json;
}

/**
 * Settings of callflow modules that send calls, recordings or messages out of the account, or let others listen. `*`
 * means all settings of the module. Settings in the format of an address need no entry.
 */
const outwardSettings: ReadonlyMap<string, readonly string[]> = new Map([
  ['eavesdrop', ['*']],
  ['eavesdrop_feature', ['*']],
  ['missed_call_alert', ['recipients']],
  ['notification', ['recipients']],
  ['pivot', ['voice_url', 'cdr_url']],
  ['record_call', ['url']],
  ['webhook', ['uri']],
]);

/** Returns true for the format of an address, and for fields that the contract marks. */
const isSensitive = (node: SchemaNode): boolean =>
  node['x-outward'] === true ||
  node['x-sign-in'] === true ||
  (['uri', 'email'].includes(node.format ?? '') && node.readOnly !== true);

/**
 * Returns the sensitive fields that a request sets, in the order of its `data`. Includes removals (`null`), and a
 * limit of 0 calls, which stops every call of the account.
 */
export function sensitiveFields(operation: Operation, data: Json | undefined): readonly SensitiveField[] {
  if (operation.effect === 'read' || data === undefined) return [];
  const root = requestSchema(operation);
  const stop = stopsCalls(operation, data) ? [{ path: 'calls', value: 0 }] : [];
  return [...findSensitive(root, root, data, []), ...stop];
}

function* findSensitive(
  root: Schema,
  reference: SchemaNode,
  value: Json,
  path: readonly string[],
): Generator<SensitiveField> {
  const plain = resolveReference(root, reference);
  if (isSensitive(plain)) {
    yield { path: path.join('.'), value };
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* findSensitive(root, findChildNode(root, plain, String(index)) ?? {}, item, [
        ...path,
        String(index),
      ]);
    return;
  }
  if (!isObject(value)) return;
  const node = stepNode(root, plain, value.module);
  const settings = outwardSettings.get(typeof value.module === 'string' ? value.module : '') ?? [];
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined) continue;
    const at = [...path, key];
    if (key === 'data' && settings.length > 0 && isObject(inner)) {
      for (const [name, setting] of Object.entries(inner))
        if (setting !== undefined && (settings.includes('*') || settings.includes(name)))
          yield { path: [...at, name].join('.'), value: setting };
    } else yield* findSensitive(root, findChildNode(root, node, key) ?? {}, inner, at);
  }
}
