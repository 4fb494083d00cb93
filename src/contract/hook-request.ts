import { createHash, timingSafeEqual } from 'node:crypto';
import { isDeeperThan, isObject, type Json, type JsonObject, maxDepth } from '../base/json.ts';

/** Methods of a delivery (Resources and their fields, Webhook subscription). */
export const hookVerbs = ['get', 'post', 'put'] as const;
export const hookFormats = ['form-data', 'json'] as const;

export interface HookTarget {
  readonly uri: string;
  readonly verb: (typeof hookVerbs)[number];
  readonly format: (typeof hookFormats)[number];
  readonly customData?: JsonObject | undefined;
  readonly hookId: string;
  readonly accountId: string;
}

export interface HookRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  /** Names are in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** These keys of `custom_data` select events. They do not overwrite keys of the payload. */
const modifiers = new Set(['type', 'action']);

/** Overwrites the payload with the subscription's own properties (Events, delivery rule 2; Conventions, payloads). */
const mergedPayload = (payload: JsonObject, customData: JsonObject = {}): JsonObject => ({
  ...payload,
  ...Object.fromEntries(
    Object.entries(customData).filter(([key]) => !modifiers.has(key) || !Object.hasOwn(payload, key)),
  ),
});

const methods = { get: 'GET', post: 'POST', put: 'PUT' } as const;

/** Returns the request that delivers an event (Events, delivery rules 1 and 2). With GET the payload is the query. */
export function hookRequest(target: HookTarget, event: JsonObject): HookRequest {
  const { uri, verb, format, customData, hookId, accountId } = target;
  const payload = mergedPayload(event, customData);
  const method = methods[verb];
  const headers = { 'x-hook-id': hookId, 'x-account-id': accountId };
  if (method === 'GET') {
    const url = new URL(uri);
    url.search = [url.search.slice(1), encodeForm(payload)].filter((part) => part !== '').join('&');
    return { method, url: url.href, headers };
  }
  const isJson = format === 'json';
  const type = isJson ? 'application/json' : 'application/x-www-form-urlencoded';
  return {
    method,
    url: uri,
    headers: { ...headers, 'content-type': type },
    body: isJson ? JSON.stringify(payload, null, 2) : encodeForm(payload),
  };
}

/** Encodes objects as `key[sub]=value`, lists as `key[]=value`, and `null` as an empty value. */
function encodeForm(payload: JsonObject): string {
  const form = new URLSearchParams();
  const add = (name: string, value: Json | undefined): void => {
    if (value === undefined) return;
    if (Array.isArray(value)) for (const item of value) add(`${name}[]`, item);
    else if (isObject(value)) for (const [key, item] of Object.entries(value)) add(`${name}[${key}]`, item);
    else form.append(name, value === null ? '' : String(value));
  };
  for (const [key, value] of Object.entries(payload)) add(key, value);
  return form.toString();
}

/** Nesting of a payload. Deeper keys are read as one name. */
const longestWay = 16;

/** A partially read value: a text, a list (`[]`), or named values. */
interface Names {
  readonly names: Map<string, Names>;
  readonly values: string[];
}

const emptyNames = (): Names => ({ names: new Map(), values: [] });

/** Splits `a[b][]` into a, b and the sign of a list. */
function splitFormName(name: string): readonly string[] {
  const first = name.indexOf('[');
  if (first < 1 || !/^(?:\[[^[\]]*\])+$/.test(name.slice(first))) return [name];
  const way = [name.slice(0, first), ...name.slice(first + 1, -1).split('][')];
  return way.length > longestWay ? [name] : way;
}

/** Returns a payload of texts. Inverse of `encodeForm`. */
function decodeForm(form: URLSearchParams): JsonObject {
  const root = emptyNames();
  for (const [name, value] of form) {
    let here = root;
    for (const key of splitFormName(name)) {
      const next = here.names.get(key) ?? emptyNames();
      here.names.set(key, next);
      here = next;
    }
    here.values.push(value);
  }
  return namesToObject(root);
}

const namesToObject = ({ names }: Names): JsonObject =>
  Object.fromEntries([...names].map(([key, inner]) => [key, namesToJson(inner)]));

function namesToJson({ names, values }: Names): Json {
  if (names.size === 0) return values.length === 1 ? (values[0] ?? '') : values;
  const list = names.get('');
  if (list && names.size === 1 && list.names.size === 0) return list.values;
  return namesToObject({ names, values });
}

export interface Delivered {
  readonly payload: JsonObject;
  readonly format: (typeof hookFormats)[number];
}

/** Returns `undefined` for an unreadable delivery. Inverse of `hookRequest`. */
export function deliveredPayload(
  method: string,
  url: URL,
  contentType: string | undefined,
  body: string,
): Delivered | undefined {
  if (method.toUpperCase() === 'GET') return { payload: decodeForm(url.searchParams), format: 'form-data' };
  const [type = ''] = (contentType ?? '').toLowerCase().split(';', 1);
  if (type.trim() === 'application/x-www-form-urlencoded')
    return { payload: decodeForm(new URLSearchParams(body)), format: 'form-data' };
  try {
    const value: unknown = JSON.parse(body);
    return isObject(value) && !isDeeperThan(value, maxDepth) ? { payload: value, format: 'json' } : undefined;
  } catch {
    // The status reports the problem to the sender.
    return undefined;
  }
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Compares in constant time. */
export const isSameSecret = (given: unknown, secret: string): boolean =>
  timingSafeEqual(sha256(typeof given === 'string' ? given : ''), sha256(secret)) &&
  typeof given === 'string';
