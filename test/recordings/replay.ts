import { readdirSync, readFileSync } from 'node:fs';
import type { Json } from '../../src/base/json.ts';
import type { SandboxReply } from '../support/called-sandbox.ts';
import { type Names, type RecordedWorld, recordedWorld } from './recorded-world.ts';
import { type Shape, shapeDifferences, shapeOf, wordedValues } from './shape.ts';

/** A request as it was recorded, and what the reply was. `{NAME}` in its texts stands for a value of the world. */
export interface Recording {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  /** Whose token it carries. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** A body that is not the usual JSON, sent as it is. */
  readonly raw?: string;
  /** The record is read just before, and sent back or changed with the revision that it has then. */
  readonly asRead?: true;
  readonly reply: RecordedReply;
}

export interface RecordedReply {
  readonly status: number;
  /** Headers of interest: `present`, or the value; `{}` in it stands for an id. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The envelope, without the keys that each one has. */
  readonly json?: Readonly<Record<string, Shape>>;
  /** A body that is no envelope: there is none, or some text. */
  readonly text?: 'empty' | 'some';
}

const folder = new URL('./groups/', import.meta.url);
/** Headers that every recorded reply was looked at for. */
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
/** Keys of every envelope. */
export const everyEnvelope = ['node', 'request_id', 'status', 'timestamp', 'tokens'];

/** The recorded groups: the names of the files in `groups`. */
export const recordedGroups = (): readonly string[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.replace('.json', ''))
    .sort();

// The one parse of the recordings, which were made by a program.
const recordingsOf = (group: string): readonly Recording[] =>
  JSON.parse(readFileSync(new URL(`${group}.json`, folder), 'utf8')) as readonly Recording[];

/** A text with the world's values for its names. Throws where a request before did not give one. */
function filled(text: string, names: Names): string {
  return text.replaceAll(/\{([A-Za-z]\w*)\}/g, (_, name: string) => {
    const value = names.get(name);
    if (value === undefined) throw new Error(`no reply before has shown ${name}`);
    return value;
  });
}

/** A body that the recordings name by its size. */
const bigBody = (): string => JSON.stringify({ data: { name: 'Big', x: 'a'.repeat(8_000_100) } });

/** Sends a recorded request. */
async function send({ sandbox, names, tokenOf }: RecordedWorld, recording: Recording): Promise<SandboxReply> {
  const { method, path, token = '', raw, headers: sent = {} } = recording;
  const auth = token === '' ? {} : { token: tokenOf(token) };
  if (recording.asRead) {
    const url = filled(path, names);
    const read = await sandbox.call('GET', url, auth);
    const body = recording.body ?? { data: read.data ?? null };
    const headers = { 'if-match': String(read.headers.etag) };
    return sandbox.call(method, url, { ...auth, body: JSON.stringify(body), headers });
  }
  const { body } = recording;
  const isSent = (value: string): boolean => value !== '(not sent)';
  const own = Object.entries(sent).filter(([, value]) => isSent(value));
  const text = raw ?? (body === '{big}' ? bigBody() : body && filled(JSON.stringify(body), names));
  return sandbox.call(method, filled(path, names), {
    ...auth,
    ...(text === undefined || text === null ? {} : { body: text }),
    headers: Object.fromEntries(own.map(([name, value]) => [name, filled(value, names)])),
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

/** Compares what stands at recorded words: a code is the same text, an id the same one as before. */
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

/** Says in what a reply differs from the recorded one. */
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

/** Tokens that were renewed after requests which end them, before they were used again. */
const renewedAfter = new Map([
  ['token-life.account-secret-reset-by-a-plain-user', 'key'],
  ['token-life.user-secret-reset-by-a-plain-user-for-another', 'life'],
]);

/** A request whose reply is not as recorded, and in what. */
export interface Deviation {
  readonly name: string;
  readonly differences: readonly string[];
}

/** Sends all requests of a group, in order, and says which replies are not as recorded. */
export async function replay(group: string): Promise<readonly Deviation[]> {
  const world = await recordedWorld(group);
  const recordings = recordingsOf(group);
  const deviations: Deviation[] = [];
  for (const [index, recording] of recordings.entries()) {
    const { name, token, reply } = recording;
    try {
      await world.makeNamed(recording.path);
      const found = differences(recording, await send(world, recording), world.names);
      if (found.length > 0) deviations.push({ name, differences: found });
    } catch (error) {
      deviations.push({ name, differences: [error instanceof Error ? error.message : String(error)] });
    }
    const ended = renewedAfter.get(`${group}.${name}`);
    if (ended !== undefined) await world.renew(ended);
    // Whoever recorded signed in anew where a token had ended and was used again.
    const next = recordings.slice(index + 1).find((each) => each.token === token);
    if (token !== undefined && reply.status === 401 && next && next.reply.status !== 401)
      await world.renew(token);
  }
  await world.sandbox.app.close();
  return deviations;
}
