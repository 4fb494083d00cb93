import { isDeepStrictEqual } from 'node:util';
import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { childOf, resolved, type Schema, type SchemaNode } from './schema-node.ts';

/** A write of one record: what stood there, what was sent, and what the service answered, where these are known. */
export interface Written {
  /** A patch leaves what is not sent; a replacement takes it away. */
  readonly by: string | undefined;
  readonly before: JsonObject | undefined;
  readonly sent: Json | undefined;
  readonly after: JsonObject | undefined;
}

/** Side effects of a write, as dotted paths. */
export interface WriteEffect {
  /** Values that were sent and had no effect: the record has what it had before, and a new record has none. */
  readonly untaken: readonly string[];
  /** Values that were sent, and that the record has in another form than they were sent, and than it had before. */
  readonly altered: readonly string[];
  /** Values that the record had, that were not sent, and that are gone. */
  readonly lost: readonly string[];
}

const nothing = (value: Json | undefined): boolean =>
  value === undefined || value === null || (isObject(value) && Object.keys(value).length === 0);

/** The form in which scalars are compared: services may write `Ann` as `ann`, and `10` as `"10"`. */
const loosely = (value: Json): string =>
  String(value)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');

/** True where a value has all that was sent; what a service fills in beside it counts as taken. */
export function holds(value: Json | undefined, sent: Json | undefined): boolean {
  if (nothing(sent)) return nothing(value);
  if (isObject(sent))
    return isObject(value) && Object.entries(sent).every(([key, each]) => holds(value[key], each));
  if (Array.isArray(sent))
    return (
      Array.isArray(value) &&
      value.length === sent.length &&
      sent.every((each: Json, index) => holds(value[index], each))
    );
  if (value === undefined || value === null || typeof value === 'object') return false;
  return isDeepStrictEqual(value, sent) || loosely(value) === loosely(sent ?? null);
}

/** True for a sent value that a service may leave out of a new record: an empty one, or the default of the field. */
const mayBeLeftOut = (node: SchemaNode | undefined, value: Json): boolean =>
  nothing(value) ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  isDeepStrictEqual(value, node?.default);

/** True for the reply to a create that shows the record. Some services answer with its id only. */
const showsRecord = (after: JsonObject, sent: JsonObject): boolean =>
  after.id !== undefined && Object.keys(sent).some((key) => key !== 'id' && !nothing(after[key]));

/** Compares the reply to a write with what was sent and was there before; reports only what is certain. */
export function effectOf(schema: Schema, written: Written): Partial<WriteEffect> {
  const { by, sent, after } = written;
  const isNew = by === 'create';
  const before = isNew ? {} : written.before;
  if (!isNew && by !== 'patch' && by !== 'replace') return {};
  if (!before || !after || !isObject(sent) || (isNew && !showsRecord(after, sent))) return {};
  const isUnchanged = (old: Json | undefined, now: Json | undefined, wanted: Json): boolean =>
    !nothing(old) && !holds(now, wanted) && isDeepStrictEqual(now, old);
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
      const child = node && childOf(schema, node, key);
      const found = child && resolved(schema, child);
      if (found?.['x-secret'] === true || found?.writeOnly === true || found?.readOnly === true) continue;
      const here = [...path, key];
      const [old, now] = [was[key], is[key]];
      if (isObject(wanted) && isObject(now) && Object.keys(wanted).length > 0)
        visit(found, here, isObject(old) ? old : {}, now, wanted);
      else if (
        isNew && nothing(now) ? !mayBeLeftOut(found, wanted ?? null) : isUnchanged(old, now, wanted ?? null)
      )
        untaken.push(here.join('.'));
      else if (!nothing(now) && !nothing(wanted) && !holds(now, wanted)) altered.push(here.join('.'));
    }
    // A service may leave fields out of its reply; what stands beside what it shows of an object is not left out.
    if (path.length === 0) return;
    for (const [key, old] of Object.entries(was))
      if (!nothing(old) && is[key] === undefined && !Object.hasOwn(want, key))
        lost.push([...path, key].join('.'));
  };
  visit(resolved(schema, schema), [], before, after, sent);
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
  ...(untaken.length > 0 ? [`${label}: ${untaken.join(', ')} not taken by the service`] : []),
  ...(altered.length > 0 ? [`${label}: ${altered.join(', ')} kept by the service in another form`] : []),
  ...(lost.length > 0 ? [`${label}: the service dropped ${lost.join(', ')} beside what was sent`] : []),
];
