import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Operation } from '../../contract/types.ts';
import { type ApiRequest, fileWords, type RawCall, type Reply } from './api.ts';
import { headerOf, type IncomingReply } from './exchange.ts';
import { readOf } from './revisions.ts';

/** A change before it is sent. */
export interface Write {
  /** Omitted for requests by path that are not in the contract. */
  readonly operation: Operation | undefined;
  readonly method: string;
  /** Path without query. */
  readonly address: string;
  /** Path parameters, including the account. */
  readonly path: Readonly<Record<string, string>>;
  readonly data: Json | undefined;
  /** The record before the change: from this run's reads, or read now. `undefined` if it is unknown. */
  before(): Promise<JsonObject | undefined>;
}

export type WriteEnd = { readonly reply: Reply } | { readonly failure: Failure };

/** Records changes in the log: each before it is sent, and again when it has ended. */
export interface Recorder {
  begin(write: Write): Promise<(end: WriteEnd) => Promise<void>>;
  /** Last read records of this run, by address. `undefined` if the service refused the read. */
  readonly seen: Map<string, JsonObject | undefined>;
}

export interface Recording {
  readonly recorder: Recorder;
  readonly accountId: string | undefined;
  /** Prefix of paths, such as `/v2`. */
  readonly prefix: string;
  /** Reads a record without the guard against lost updates. Throws `Failure`. */
  read(call: ApiRequest): Promise<Reply>;
}

/** Statuses that mean that the caller can never read the record, so it is not read again. */
const lasting: ReadonlySet<number | undefined> = new Set([403, 404, 405, 410, 501]);

/** Stores the result of a read. Ignores temporary failures, so that the log reads the record itself. */
export function noteRead(
  { seen }: Recorder,
  { operation, accept }: Pick<ApiRequest, 'operation' | 'accept'>,
  address: string,
  end: WriteEnd,
): void {
  const isRecord = operation.method === 'GET' && operation.reply.kind === 'record' && accept === undefined;
  const data = 'reply' in end ? end.reply.data : undefined;
  if (!isRecord || !(isObject(data) || ('failure' in end && lasting.has(end.failure.status)))) return;
  const [oldest] = seen.keys();
  if (seen.size >= seenAtMost && oldest !== undefined) seen.delete(oldest);
  seen.set(address, isObject(data) ? data : undefined);
}

/** Most records to remember. A command reads a record shortly before it changes it. */
const seenAtMost = 500;

/** Sends a call with `send`, and records it if it is a change. */
export async function recorded(
  recording: Recording,
  one: ApiRequest,
  address: string,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const { operation } = one;
  const data = one.file ? { file: fileWords(one.file) } : one.data;
  if (operation.effect === 'read') return send();
  const path = {
    ...(recording.accountId === undefined ? {} : { account_id: recording.accountId }),
    ...one.path,
  };
  return noted(recording, { operation, method: operation.method, address, path, data }, send);
}

/** The same for a call that accepts any response. */
export async function recordedAnswer(
  recording: Recording,
  one: ApiRequest,
  address: string,
  send: () => Promise<IncomingReply>,
): Promise<IncomingReply> {
  let incoming: IncomingReply | undefined;
  const reply = async (): Promise<Reply> => {
    incoming = await send();
    const { status, headers } = incoming;
    const requestId = headerOf(headers, 'x-request-id');
    if (status < 300) return { status, data: {}, requestId, envelope: {}, headers };
    throw new Failure('failed', `The service answered ${status}.`, { status, requestId });
  };
  try {
    await recorded(recording, one, address, reply);
  } catch (error) {
    if (incoming === undefined) throw error;
  }
  if (incoming === undefined) throw new Error(`${one.operation.id} gave no reply.`);
  return incoming;
}

/** The same for a request by path. */
export async function recordedRaw(
  recording: Recording,
  { method, body }: RawCall,
  address: string,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const verb = method.toUpperCase();
  if (verb === 'GET' || verb === 'HEAD') return send();
  const { operation, path } = await operationAt(verb, address, recording.prefix);
  return noted(recording, { operation, method: verb, address, path, data: body?.data }, send);
}

async function noted(
  { recorder, read }: Recording,
  write: Omit<Write, 'before'>,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const { operation, address, path } = write;
  const before = async (): Promise<JsonObject | undefined> => {
    const reading = operation && operation.verb !== 'create' ? readOf(operation) : undefined;
    if (reading?.reply.kind !== 'record') return undefined;
    if (!recorder.seen.has(address))
      noteRead(recorder, { operation: reading }, address, await recordAt(read, { operation: reading, path }));
    return recorder.seen.get(address);
  };
  const end = await recorder.begin({ ...write, before });
  recorder.seen.delete(address);
  try {
    const reply = await send();
    if (
      operation?.reply.kind === 'record' &&
      operation.method !== 'PUT' &&
      isObject(reply.data) &&
      'id' in reply.data
    )
      recorder.seen.set(address, reply.data);
    await end({ reply });
    return reply;
  } catch (failure) {
    if (failure instanceof Failure) await end({ failure });
    throw failure;
  }
}

/** Reads a record for the log only. The change is made even if this fails. */
async function recordAt(read: Recording['read'], call: ApiRequest): Promise<WriteEnd> {
  try {
    return { reply: await read(call) };
  } catch (failure) {
    if (failure instanceof Failure && failure.kind !== 'interrupted') return { failure };
    throw failure;
  }
}

/** Finds the operation and path parameters of a request by path. */
async function operationAt(
  method: string,
  address: string,
  prefix: string,
): Promise<Pick<Write, 'operation' | 'path'>> {
  // Requests by path require all resources.
  const { operationsAt, parametersIn, segmentsOf } = await import('../../contract/paths.ts');
  const bare = [prefix, '/v2'].find((each) => each !== '' && address.startsWith(`${each}/`)) ?? '';
  const segments = segmentsOf(address.slice(bare.length));
  const operation = operationsAt(segments).find((each) => each.method === method);
  return { operation, path: operation ? parametersIn(operation, segments) : {} };
}
