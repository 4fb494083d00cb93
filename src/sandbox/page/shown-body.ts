import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import { masked, redact } from '../../contract/secrets.ts';
import type { Resource } from '../../contract/types.ts';
import type { StoredRecord } from '../store/store.ts';

/** Keys that sound like secrets, for what the contract does not describe. */
const secretKey =
  /(?:^|_)(?:pass|passwd|password|secret|secrets|token|tokens|pin|pins|pincode|credential|credentials|signature|authorization)$|api_?key|private_?key/i;

function maskKeys(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => maskKeys(item));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secretKey.test(key) && !isEmpty(inner) ? masked : inner === undefined ? inner : maskKeys(inner),
    ]),
  );
}

const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || value === null || value === '' || typeof value === 'boolean';

/** What the page shows of a record: what callers may see, without its secrets. */
export function shownBody({ schema }: Resource, { body }: Pick<StoredRecord, 'body'>): JsonObject {
  const shown = maskKeys(redact(schema, body));
  return isObject(shown) ? shown : {};
}

/** The same of those fields alone that dotted paths begin with: a list shows few of them, and of many records. */
export function shownPart(
  resource: Resource,
  { body }: Pick<StoredRecord, 'body'>,
  paths: readonly string[],
): JsonObject {
  const keys = new Set(paths.map((path) => path.split('.', 1)[0] ?? path));
  const part = Object.fromEntries(
    [...keys].flatMap((key) => (Object.hasOwn(body, key) ? [[key, body[key]]] : [])),
  );
  return shownBody(resource, { body: part });
}
