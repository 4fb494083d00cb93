import { Failure } from '../../base/failure.ts';
import { isEqualJson, isObject, type Json, type JsonObject, ownValue, splitPath } from '../../base/json.ts';
import { type Lines, shortId } from '../../base/wording.ts';
import type { ApiRequest, PlannedRequest } from '../../client/api/api.ts';
import { omitEmptyParts } from '../../client/api/revisions.ts';
import { isPrivateKey } from '../../contract/name-lists.ts';
import { requestSchema } from '../../contract/resource.ts';
import { isSecretPath } from '../../contract/schema.ts';
import type { Schema, SchemaNode } from '../../contract/schema-node.ts';
import { redact } from '../../contract/secrets.ts';
import type { Resource } from '../../contract/types.ts';
import type { Context } from '../command/context.ts';
import type { Result, TextResult } from '../command/result.ts';

interface ChangeFacts {
  readonly before?: JsonObject;
  readonly notes?: readonly string[];
}

export interface CallChange extends ChangeFacts {
  readonly call: ApiRequest;
}

interface PlannedChange extends ChangeFacts {
  readonly request: PlannedRequest;
  readonly schema: Schema;
}

async function planChange(context: Context, change: CallChange | PlannedChange): Promise<PlannedChange> {
  if ('request' in change) return change;
  const { call } = change;
  const { operation, path = {}, data } = call;
  // In a dry run, questions about the request are warnings.
  if (data !== undefined) await context.guard({ operation, path, data, record: change.before });
  return { ...change, request: (await context.api()).plan(call), schema: requestSchema(call.operation) };
}

/** Returns the result of `--dry-run`: changed fields for people, requests for scripts, without secrets. */
export async function dryRunResult(
  context: Context,
  planned: readonly (CallChange | PlannedChange)[],
): Promise<TextResult> {
  const changes: PlannedChange[] = [];
  for (const change of planned) changes.push(removeEmptyObjects(await planChange(context, change)));
  const shortenIds = (path: string): string =>
    context.host.stdout.isTTY ? path.replaceAll(/[0-9a-f]{32}/g, shortId) : path;
  const lines = changes.flatMap(({ request, schema, before, notes = [] }) => {
    const data = isObject(request.body) ? request.body.data : undefined;
    return [
      `Would send ${request.method} ${shortenIds(request.path)}`,
      ...(data === undefined ? [] : changedFields(schema, before, data)),
      ...notes.map((note) => `  ${note}`),
    ];
  });
  return {
    kind: 'text',
    text: [...lines, 'Nothing was sent.'],
    value: {
      dry_run: true,
      requests: changes.map(({ request: { method, path, body }, schema }) => ({
        method,
        path,
        body: maskedBody(schema, body),
      })),
    },
  };
}

/** A merge ignores empty objects. */
function removeEmptyObjects(change: PlannedChange): PlannedChange {
  const { request, before } = change;
  const { body } = request;
  if (request.method !== 'PATCH' || !before || !isObject(body) || !isObject(body.data)) return change;
  return { ...change, request: { ...request, body: { ...body, data: omitEmptyParts(body.data, before) } } };
}

function maskedBody(schema: Schema, body: Json | undefined): Json {
  if (!isObject(body) || body.data === undefined) return body ?? null;
  return { ...body, data: redact(schema, body.data) };
}

/** Formats the fields that `data` would change: `  timezone: Europe/London → Europe/Zurich`. Masks secrets. */
export function changedFields(schema: Schema, before: JsonObject | undefined, data: Json): readonly string[] {
  const old: Json | undefined = before && redact(schema, before);
  const lines: string[] = [];
  const visit = (
    was: Json | undefined,
    real: Json | undefined,
    value: Json | undefined,
    path: string,
  ): void => {
    const secret = path !== '' && isSecretPath(schema, path);
    if (!secret && isObject(value) && Object.keys(value).length > 0 && (isObject(was) || was === undefined)) {
      for (const [key, inner] of Object.entries(value)) {
        const escaped = key.replaceAll('.', '%2E');
        visit(ownValue(was, key), ownValue(real, key), inner, path === '' ? escaped : `${path}.${escaped}`);
      }
      return;
    }
    if (value === undefined || isEqualJson(real, value)) return;
    const safe = valueAtPath(redact(schema, wrapInPath(path, value)), path);
    const now = value === null ? 'removed' : secret ? (before ? 'set (changed)' : 'set') : valueText(safe);
    lines.push(`  ${path}: ${was === undefined || secret ? now : `${valueText(was)} → ${now}`}`);
  };
  visit(old, before, data, '');
  return lines;
}

const wrapInPath = (path: string, value: Json): Json =>
  splitPath(path).reduceRight<Json>((inner, key) => ({ [key]: inner }), value);

const valueAtPath = (value: Json | undefined, path: string): Json | undefined =>
  splitPath(path).reduce<Json | undefined>(ownValue, value);

const valueText = (value: Json | undefined): string =>
  typeof value === 'string' && value !== '' ? value : JSON.stringify(value ?? null);

/** Returns stored fields that a replacement lacks. Ignores values of the service, defaults and empty values. */
export function lostFields(schema: Schema, before: JsonObject, data: JsonObject): readonly string[] {
  const properties: Readonly<Record<string, SchemaNode>> = schema.properties ?? {};
  return Object.entries(before).flatMap(([key, value]) => {
    if (isPrivateKey(key) || Object.hasOwn(data, key) || isEmptyContainer(value)) return [];
    const node = Object.hasOwn(properties, key) ? properties[key] : undefined;
    const standard = node?.default ?? node?.['x-convention']?.default;
    return node?.readOnly === true || (standard !== undefined && standard === value) ? [] : [key];
  });
}

const isEmptyContainer = (value: Json | undefined): boolean =>
  Array.isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).length === 0;

/** Returns true if merging `data` changes a record. Unreadable values, such as secrets, count as changes. */
export function changesRecord(record: Json | undefined, data: Json): boolean {
  if (!isObject(data))
    return data === null ? record !== undefined && record !== null : !isEqualJson(record, data);
  return Object.entries(data).some(
    ([key, value]) => value !== undefined && changesRecord(ownValue(record, key), value),
  );
}

/** Asks for confirmation. Throws `interrupted` if the answer is no. */
export async function confirmChange(
  { ask }: Pick<Context, 'ask'>,
  question: Lines,
  otherwise = 'Nothing was changed.',
): Promise<void> {
  if (await ask.confirm(question, { option: '--yes' })) return;
  throw new Failure('interrupted', otherwise);
}

/** Returns the result of a change. `failure`: the change is incomplete. */
export const changeResult = (
  { name }: Pick<Resource, 'name'>,
  message: string,
  value: Json,
  failure?: Failure,
): Result => ({ kind: 'done', message, value, resource: name, ...(failure ? { failure } : {}) });

export const dryRunMessage = (what: string, value?: Json): Result => ({
  kind: 'done',
  message: `Would ${what}. Nothing was changed.`,
  ...(value === undefined ? {} : { value }),
});
