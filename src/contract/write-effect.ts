import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { findChildNode, resolveReference, type Schema, type SchemaNode } from './schema-node.ts';

/** The record before a write, the sent data, and the response, if known. */
export interface Written {
  /** A patch keeps fields that are not sent. A replacement removes them. */
  readonly by: string | undefined;
  readonly before: JsonObject | undefined;
  readonly sent: Json | undefined;
  readonly after: JsonObject | undefined;
}

/** Fields are lists of dotted paths. */
export interface WriteEffect {
  /** Values without effect. The record is unchanged, or the new record lacks them. */
  readonly untaken: readonly string[];
  /** Sent values that the service stored in another form. */
  readonly altered: readonly string[];
  /** Values that were not sent and that the record no longer has. */
  readonly lost: readonly string[];
}

const isEmptyValue = (value: Json | undefined): boolean =>
  value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);

/** Services may return `Ann` as `ann`, and `10` as `"10"`. */
const normaliseScalar = (value: Json): string =>
  String(value)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** Allows additional fields of the service. */
export function containsSent(value: Json | undefined, sent: Json | undefined): boolean {
  if (isEmptyValue(sent)) return isEmptyValue(value);
  if (isObject(sent))
    return isObject(value) && Object.entries(sent).every(([key, each]) => containsSent(value[key], each));
  if (Array.isArray(sent))
    return (
      Array.isArray(value) &&
      value.length === sent.length &&
      sent.every((each: Json, index) => containsSent(value[index], each))
    );
  if (value === undefined || value === null || typeof value === 'object') return false;
  return isDeepStrictEqual(value, sent) || normaliseScalar(value) === normaliseScalar(sent ?? null);
}

/** Returns true for an empty value or the field's default, which a service may omit from a new record. */
const canBeOmitted = (node: SchemaNode | undefined, value: Json): boolean =>
  isEmptyValue(value) ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  isDeepStrictEqual(value, node?.default);

/** Some services only return the id of a created record. */
const showsRecord = (after: JsonObject, sent: JsonObject): boolean =>
  after.id !== undefined && Object.keys(sent).some((key) => key !== 'id' && !isEmptyValue(after[key]));

/** Compares the response with the sent data and the record before. Reports only certain differences. */
export function compareWrite(schema: Schema, written: Written): Partial<WriteEffect> {
  const { by, sent, after } = written;
  const isNew = by === 'create';
  const before = isNew ? {} : written.before;
  if (!isNew && by !== 'patch' && by !== 'replace') return {};
  if (!before || !after || !isObject(sent) || (isNew && !showsRecord(after, sent))) return {};
  const isUnchanged = (old: Json | undefined, now: Json | undefined, wanted: Json): boolean =>
    !isEmptyValue(old) && !containsSent(now, wanted) && isDeepStrictEqual(now, old);
  const untaken: string[] = [];
  const altered: string[] = [];
  const lost: string[] = [];
  const visit = (
    node: SchemaNode | undefined,
    path: readonly string[],
    was: JsonObject,
    is: JsonObject,
    want: JsonObject,
  ): void => {
    for (const [key, wanted] of Object.entries(want)) {
      const child = node && findChildNode(schema, node, key);
      const found = child && resolveReference(schema, child);
      if (found?.['x-secret'] === true || found?.writeOnly === true || found?.readOnly === true) continue;
      const here = [...path, key];
      const [old, now] = [was[key], is[key]];
      if (isObject(wanted) && isObject(now) && Object.keys(wanted).length > 0)
        visit(found, here, isObject(old) ? old : {}, now, wanted);
      else if (
        isNew && isEmptyValue(now)
          ? !canBeOmitted(found, wanted ?? null)
          : isUnchanged(old, now, wanted ?? null)
      )
        untaken.push(here.join('.'));
      else if (!isEmptyValue(now) && !isEmptyValue(wanted) && !containsSent(now, wanted))
        altered.push(here.join('.'));
    }
    // A service may omit top-level fields from its response, but not parts of a nested object.
    if (path.length === 0) return;
    for (const [key, old] of Object.entries(was))
      if (!isEmptyValue(old) && is[key] === undefined && !Object.hasOwn(want, key))
        lost.push([...path, key].join('.'));
  };
  visit(resolveReference(schema, schema), [], before, after, sent);
  return {
    ...(untaken.length > 0 ? { untaken } : {}),
    ...(altered.length > 0 ? { altered } : {}),
    ...(lost.length > 0 && by === 'patch' ? { lost } : {}),
  };
}

export const effectWords = (
  label: string,
  { untaken = [], altered = [], lost = [] }: Partial<WriteEffect>,
): readonly string[] => [
  ...(untaken.length > 0 ? [`${label}: ${untaken.join(', ')} ignored by the service`] : []),
  ...(altered.length > 0 ? [`${label}: ${altered.join(', ')} stored by the service in another form`] : []),
  ...(lost.length > 0 ? [`${label}: the service also dropped ${lost.join(', ')}`] : []),
];
