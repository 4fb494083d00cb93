import { readdirSync, readFileSync } from 'node:fs';
import type { Json } from '../../src/base/json.ts';
import type { SandboxReply } from '../support/called-sandbox.ts';
import { createRecordedWorld, type Names, type RecordedWorld } from './recorded-world.ts';
import { type Shape, shapeDifferences, shapeOf, wordedValues } from './shape.ts';

/** A recorded request and its response. `{NAME}` in its texts is a value of the world. */
export interface Recording {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Name of the token. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** A body other than JSON, sent unchanged. */
  readonly raw?: string;
  /** Reads the record first, and sends it with its current revision. */
  readonly asRead?: true;
  readonly reply: RecordedReply;
}

export interface RecordedReply {
  readonly status: number;
  /** Headers to compare: `present`, or a value with `{}` for any id. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The envelope, without the keys of every envelope. */
  readonly json?: Readonly<Record<string, Shape>>;
  /** A body other than an envelope: empty, or some text. */
  readonly text?: 'empty' | 'some';
}

const folder = new URL('./groups/', import.meta.url);
/** Headers that are compared for every response. */
export const comparedHeaders: readonly string[] = [
  'content-type',
  'location',
  'etag',
  'content-disposition',
  'access-control-allow-headers',
  'access-control-allow-methods',
  'access-control-allow-origin',
  'access-control-expose-headers',
  'access-control-max-age',
];
export const everyEnvelope = ['node', 'request_id', 'status', 'timestamp', 'tokens'];

/** Returns the names of the files in `groups`. */
export const recordedGroups = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace('.json', ''))
    .sort();

// The recordings were written by a program, so their shape is trusted.
const readRecordings = (group: string): readonly Recording[] =>
  JSON.parse(readFileSync(new URL(`${group}.json`, folder), 'utf8')) as readonly Recording[];

/** Replaces names by values of the world. Throws if a previous request did not define one. */
function fillNames(text: string, names: Names): string {
  return text.replaceAll(/\{([A-Za-z]\w*)\}/g, (_, name: string) => {
    const value = names.get(name);
    if (value === undefined) throw new Error(`no earlier response defines ${name}`);
    return value;
  });
}

/** A body that the recordings describe only by its size. */
const bigBody = (): string => JSON.stringify({ data: { name: 'Big', x: 'a'.repeat(8_000_100) } });

async function sendRecording(
  { sandbox, names, tokenOf }: RecordedWorld,
  recording: Recording,
): Promise<SandboxReply> {
  const { method, path, token = '', raw, headers: sent = {} } = recording;
  const auth = token === '' ? {} : { token: tokenOf(token) };
  if (recording.asRead) {
    const url = fillNames(path, names);
    const read = await sandbox.call('GET', url, auth);
    const body = recording.body ?? { data: read.data ?? null };
    const headers = { 'if-match': String(read.headers.etag) };
    return sandbox.call(method, url, { ...auth, body: JSON.stringify(body), headers });
  }
  const { body } = recording;
  const isIncluded = (value: string): boolean => value !== '(not sent)';
  const own = Object.entries(sent).filter(([, value]) => isIncluded(value));
  const text = raw ?? (body === '{big}' ? bigBody() : body && fillNames(JSON.stringify(body), names));
  return sandbox.call(method, fillNames(path, names), {
    ...auth,
    ...(text === undefined || text === null ? {} : { body: text }),
    headers: Object.fromEntries(own.map(([name, value]) => [name, fillNames(value, names)])),
  });
}

function headerDifferences(recorded: RecordedReply, reply: SandboxReply, names: Names): readonly string[] {
  return comparedHeaders.flatMap((name) => {
    const expected = recorded.headers?.[name];
    const found = reply.headers[name];
    const said = `${name} is ${found === undefined ? 'missing' : JSON.stringify(found)}`;
    if (expected === undefined) return found === undefined ? [] : [said];
    if (name === 'etag') names.set('etag', String(found));
    if (expected === 'present') return found === undefined ? [said] : [];
    const parts = expected.replaceAll(/\{(\w+)\}/g, (all, key) => names.get(key) ?? all).split('/');
    const matches = String(found)
      .split('/')
      .every((part, index) => part === parts[index] || (parts[index] === '{}' && part !== ''));
    return matches ? [] : [`${said}, recorded ${expected}`];
  });
}

/** Compares the values at recorded words: a code must be the same text, and an id must match its earlier value. */
function wordDifferences(recorded: Shape, body: Json, names: Names): readonly string[] {
  return wordedValues(recorded, body).flatMap(([word, value]) => {
    const [, kind = '', name = ''] = /^(=|id:|new:)(.*)$/.exec(word) ?? [];
    if (kind === '' || typeof value !== 'string') return [];
    if (kind === '=') return value === name ? [] : [`${value} instead of ${name}`];
    const before = names.get(name);
    if (kind === 'new:' || before === undefined) {
      names.set(name, value);
      return [];
    }
    return before === value ? [] : [`the id ${value} instead of that of ${name}`];
  });
}

/** Describes how a response differs from the recorded one. */
function differences({ reply: recorded }: Recording, reply: SandboxReply, names: Names): readonly string[] {
  const status =
    reply.status === recorded.status ? [] : [`status ${reply.status}, recorded ${recorded.status}`];
  const ids = new Map([...names].map(([name, value]) => [value, name]));
  const keyOf = (key: string): string => {
    const name = ids.get(key);
    return name === undefined ? key : `{${name}}`;
  };
  const envelope = recorded.json && {
    ...Object.fromEntries(everyEnvelope.map((key) => [key, 'string'])),
    timestamp: 'string',
    tokens: { consumed: 'number', remaining: 'number' },
    ...recorded.json,
  };
  const body = envelope
    ? [
        ...wordDifferences(envelope, reply.body, names),
        ...shapeDifferences(envelope, shapeOf(reply.body, keyOf), ''),
      ]
    : (reply.text === '') === (recorded.text !== 'some')
      ? []
      : [`the body is ${JSON.stringify(reply.text.slice(0, 60))}`];
  return [...status, ...headerDifferences(recorded, reply, names), ...body];
}

/** Tokens that were renewed during the recording, after requests that ended them. */
const renewedAfter = new Map([
  ['token-life.account-secret-reset-by-a-plain-user', 'key'],
  ['token-life.user-secret-reset-by-a-plain-user-for-another', 'life'],
]);

/** A request with a different response than recorded, and the differences. */
export interface Deviation {
  readonly name: string;
  readonly differences: readonly string[];
}

/** Sends all requests of a group in order, and returns the deviations. */
export async function replay(group: string): Promise<readonly Deviation[]> {
  const world = await createRecordedWorld(group);
  const recordings = readRecordings(group);
  const deviations: Deviation[] = [];
  for (const [index, recording] of recordings.entries()) {
    const { name, token, reply } = recording;
    try {
      await world.makeNamed(recording.path);
      const found = differences(recording, await sendRecording(world, recording), world.names);
      if (found.length > 0) deviations.push({ name, differences: found });
    } catch (error) {
      deviations.push({ name, differences: [error instanceof Error ? error.message : String(error)] });
    }
    const ended = renewedAfter.get(`${group}.${name}`);
    if (ended !== undefined) await world.renew(ended);
    // During the recording, a token was renewed if a later request used it.
    const next = recordings.slice(index + 1).find((each) => each.token === token);
    if (token !== undefined && reply.status === 401 && next && next.reply.status !== 401)
      await world.renew(token);
  }
  await world.sandbox.app.close();
  return deviations;
}
