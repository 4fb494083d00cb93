import type { Api, Call } from '../api/api.ts';
import type { Context } from '../cli/context.ts';
import { isObject, type Json, type JsonObject } from '../contract/json.ts';
import { isSecretPath } from '../contract/schema.ts';
import type { Schema } from '../contract/schema-node.ts';
import { masked, redact } from '../contract/secrets.ts';
import type { Result } from '../terminal/result.ts';
import { shortId } from './labels.ts';

/** A call that would change something, with what is known of the record as it stands. */
export interface Change {
  readonly call: Call;
  /** Shape of what is sent: says which fields are secret. */
  readonly schema: Schema;
  /** The record before; left out for a create, or where it cannot be read. */
  readonly before?: JsonObject;
}

/**
 * What `--dry-run` gives instead of doing: for people each request with the fields that would change, for
 * scripts the requests themselves. Secrets are masked in both. Every changing command goes through here.
 */
export async function wouldSend(context: Context, changes: readonly Change[]): Promise<Result> {
  const api: Api = await context.api();
  const planned = changes.map((change) => ({ ...change, request: api.plan(change.call) }));
  const lines = planned.flatMap(({ request, schema, before, call }) => [
    `Would send ${request.method} ${shortened(context, request.path)}`,
    ...(call.data === undefined ? [] : changedFields(schema, before, call.data)),
  ]);
  return {
    kind: 'text',
    text: `${[...lines, 'Nothing was sent.'].join('\n')}\n`,
    value: {
      dry_run: true,
      requests: planned.map(({ request, schema }) => ({
        method: request.method,
        path: request.path,
        body: maskedBody(schema, request.body) ?? null,
      })),
    },
  };
}

const shortened = ({ host }: Context, path: string): string =>
  host.stdout.isTTY ? path.replaceAll(/[0-9a-f]{32}/g, shortId) : path;

/** The body with the secrets of its `data` masked. */
function maskedBody(schema: Schema, body: Json | undefined): Json | undefined {
  if (!isObject(body) || body.data === undefined) return body;
  return { ...body, data: redact(schema, body.data) };
}

/** A line for each field that a body would set to something else: `  timezone: Europe/London → Europe/Zurich`. */
export function changedFields(schema: Schema, before: JsonObject | undefined, data: Json): readonly string[] {
  const lines: string[] = [];
  const visit = (old: Json | undefined, value: Json | undefined, path: string): void => {
    if (isObject(value) && (isObject(old) || old === undefined) && !isSecretPath(schema, path || '_')) {
      for (const [key, inner] of Object.entries(value))
        visit(
          isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined,
          inner,
          path ? `${path}.${key}` : key,
        );
      return;
    }
    if (same(old, value)) return;
    if (isSecretPath(schema, path)) {
      lines.push(`  ${path}: ${value === null ? 'removed' : before ? 'set (changed)' : 'set'}`);
      return;
    }
    const now = value === null ? 'removed' : shown(schema, path, value);
    lines.push(`  ${path}: ${old === undefined ? now : `${shown(schema, path, old)} → ${now}`}`);
  };
  visit(before, data, '');
  return lines;
}

/** The fields of a stored record that a replacement does not carry, dotted; what the service makes is left out. */
export function lostFields(schema: Schema, before: JsonObject, data: JsonObject): readonly string[] {
  const properties = schema.properties;
  return Object.keys(before).filter((key) => {
    if (key.startsWith('_') || Object.hasOwn(data, key)) return false;
    const field = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
    return !(isObject(field) && field.readOnly === true);
  });
}

function shown(schema: Schema, path: string, value: Json | undefined): string {
  const [key = ''] = path.split('.');
  const outer: JsonObject = path.includes('.') ? {} : { [key]: value };
  const safe = path.includes('.') ? value : (redact(schema, outer) as JsonObject)[key];
  if (safe === undefined) return masked;
  return typeof safe === 'string' ? safe : JSON.stringify(safe);
}

/** Whether two JSON values say the same; the order of keys does not matter. */
export function same(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((item, index) => same(item, right[index]));
  if (!isObject(left) || !isObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && same(left[key], right[key]))
  );
}
