/**
 * Creates groups of `test/recordings` from a file of recorded requests and replies: `npm run recordings -- FILE
 * GROUP…`. Uses requests with a path in the contract, and keeps what the replay compares: status, headers, keys and
 * types, codes, and equal ids. Values that the recording omits must be added by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { isObject, type Json } from '../src/base/json.ts';
import { operations } from '../src/contract/catalogue.ts';
import {
  comparedHeaders,
  everyEnvelope,
  type RecordedReply,
  type Recording,
} from '../test/recordings/replay.ts';
import { isListShape, joinShapes, type Shape, wordType } from '../test/recordings/shape.ts';

/**
 * A recorded request with its reply. Placeholders such as `<id:A>` and `<time>` replace values that differ between
 * runs.
 */
interface Recorded {
  readonly id: string;
  readonly request: {
    readonly method: string;
    readonly path_template: string;
    readonly params?: Readonly<Record<string, string>>;
    readonly query?: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Json;
  };
  readonly response: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Json;
  };
}

const wholeGroups = ['envelope', 'path'];
const numbers = ['<time>', '<n>'];
const varying = ['etag', 'content-disposition'];

const groupOf = ({ id }: Recorded): string => (id.split('.')[0] ?? '').replaceAll('_', '-');
const nameOf = ({ id }: Recorded): string => id.slice(id.indexOf('.') + 1);

/** Returns method and path without ids. */
const routeOf = (method: string, path: string): string =>
  `${method} ${path
    .replace(/^\/v2(?=\/)/, '')
    .replace(/\/$/, '')
    .replaceAll(/\{\w+\}/g, '{}')}`;
const routes = new Set(operations.map(({ method, path }) => routeOf(method, path)));

/** Request values that the recording omits. */
const inRequests = new Map([
  ['id', '0'.repeat(32)],
  ['month-id', `209901-${'0'.repeat(32)}`],
  ['time', '64900000000'],
  ['token', '{tok_admin}'],
  ['key', '{api_key}'],
  ['hash', '{sha_boss}'],
  ['cut', '{long}'],
  ['ip', '127.0.0.1'],
  ['version', '4.0.0'],
]);

/** Replaces placeholders by names of the replay world, or by `values`. */
const replacePlaceholders = (text: string, values: ReadonlyMap<string, string> = new Map()): string =>
  text.replaceAll(/<(token:|id:)?([A-Za-z][\w-]*)>/g, (_, kind: string | undefined, name: string) => {
    const value = kind === undefined ? values.get(name) : undefined;
    return value ?? `{${kind === 'token:' ? 'tok_' : ''}${name}}`;
  });

let mailbox = 7000;

/** Returns the body of a request without placeholders. */
function fillBody(body: Json): Json {
  const text = JSON.stringify(body)
    .replaceAll('"credentials":"<id>"', '"credentials":"{md5_boss}"')
    .replaceAll('<mailbox>', () => String(++mailbox))
    .replaceAll('"<time>"', '64900000000');
  return JSON.parse(replacePlaceholders(text, inRequests));
}

/** Encodes a part of a path or query. */
const encodePart = (text: string): string =>
  replacePlaceholders(text, inRequests).replaceAll(
    /[+* ()]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

/** Returns true for requests with a path in the contract, for refused methods, and for general groups. */
const isImported = (recorded: Recorded): boolean => {
  const { method, path_template: path, query } = recorded.request;
  if (query?.startsWith('(')) return false;
  const isRefused = recorded.response.status === 405;
  return isRefused || wholeGroups.includes(groupOf(recorded)) || routes.has(routeOf(method, path));
};

/** Returns the shape of a recorded value. List items have a shape only if the list has one item. */
function recordedShape(value: Json | undefined): Shape {
  if (Array.isArray(value)) {
    const all: readonly Json[] = value;
    const [first, ...others] = all.filter((item) => item !== '<more>').map(recordedShape);
    if (first === undefined) return [];
    const item = others.length === 0 ? first : [first, ...others].map(withoutIds).reduce(joinShapes);
    return others.length + 1 < all.length ? [item, 'more'] : [item];
  }
  if (isObject(value)) {
    const entries = Object.entries(value).map(
      ([key, inner]) => [replacePlaceholders(key), recordedShape(inner)] as const,
    );
    return Object.fromEntries(entries);
  }
  if (typeof value !== 'string') return value === null ? 'null' : typeof value;
  const [, id] = /^<id:(\w+)>$/.exec(value) ?? [];
  if (id !== undefined) return `id:${id}`;
  return numbers.includes(value) ? 'number' : 'string';
}

function withoutIds(shape: Shape): Shape {
  if (typeof shape === 'string') return wordType(shape);
  if (isListShape(shape)) return shape.map(withoutIds);
  return Object.fromEntries(Object.entries(shape).map(([key, inner]) => [key, withoutIds(inner)]));
}

function replyOf({ response }: Recorded, nextPage: string | undefined): RecordedReply {
  const { status, body } = response;
  const headers = Object.entries(response.headers)
    .filter(([name]) => comparedHeaders.includes(name))
    .map(([name, value]) => {
      const text = replacePlaceholders(value).replaceAll(/\{(?:id|month-id)\}/g, '{}');
      return [name, varying.includes(name) ? 'present' : text] as const;
    });
  const sentHeaders = headers.length === 0 ? {} : { headers: Object.fromEntries(headers) };
  if (!isObject(body)) return { status, ...sentHeaders, text: body ? 'some' : 'empty' };
  const shapeAt = (key: string, value: Json | undefined): Shape => {
    if (key === 'message' && value !== '<text>') return `=${value}`;
    return key === 'next_start_key' && nextPage !== undefined ? `new:${nextPage}` : recordedShape(value);
  };
  const json = Object.entries(body)
    .filter(([key]) => !everyEnvelope.includes(key))
    .map(([key, value]) => [key, shapeAt(key, value)] as const);
  return { status, ...sentHeaders, json: Object.fromEntries(json) };
}

function recordingOf(recorded: Recorded, nextPage: string | undefined): Recording {
  const { method, path_template: template, params = {}, query, headers, body } = recorded.request;
  const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodePart(params[name] ?? '{A}'));
  const { 'X-Auth-Token': given = '', ...others } = headers;
  const [, token] = /^<token:(\w+)>$/.exec(given) ?? [];
  const own = Object.entries(token === undefined ? headers : others).map(
    ([name, value]) => [name.toLowerCase(), replacePlaceholders(value, inRequests)] as const,
  );
  const isRaw = typeof body === 'string' && body.startsWith('<raw> ');
  return {
    name: nameOf(recorded),
    method,
    path: query === undefined ? path : `${path}?${encodePart(query)}`,
    ...(token === undefined ? {} : { token }),
    ...(own.length === 0 ? {} : { headers: Object.fromEntries(own) }),
    ...(isRaw ? { raw: body.slice('<raw> '.length) } : body === undefined ? {} : { body: fillBody(body) }),
    reply: replyOf(recorded, nextPage),
  };
}

const [, , file, ...wanted] = process.argv;
if (file === undefined || wanted.length === 0) {
  console.error('Usage: npm run recordings -- FILE GROUP…');
  process.exit(2);
}
// The recording was written by a program, so its shape is trusted.
const all = JSON.parse(readFileSync(file, 'utf8')) as readonly Recorded[];
for (const group of wanted) {
  const taken = all.filter((each) => groupOf(each) === group && isImported(each));
  const [, nextPage] = /\{(nk_\w+)\}/.exec(JSON.stringify(taken)) ?? [];
  const lines = taken.map((each) => JSON.stringify(recordingOf(each, nextPage)));
  writeFileSync(
    new URL(`../test/recordings/groups/${group}.json`, import.meta.url),
    `[\n${lines.join(',\n')}\n]\n`,
  );
  console.log(`${group}: ${lines.length} requests`);
}
