import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Operation } from '../../contract/types.ts';
import { type ApiRequest, describeFile, type RawCall, type Reply } from './api.ts';
import { firstHeader, type IncomingReply } from './exchange.ts';
import { readOperationOf } from './revisions.ts';

export interface Write {
  readonly operation: Operation | undefined;
  readonly method: string;
  /** Path without the query. */
  readonly address: string;
  readonly path: Readonly<Record<string, string>>;
  readonly data: Json | undefined;
  /** Returns the record before the change from this run's reads, or reads it. Returns `undefined` if it is unknown. */
  before(): Promise<JsonObject | undefined>;
}

export type WriteEnd = { readonly reply: Reply } | { readonly failure: Failure };

/** Logs each change before it is sent, and its result. */
export interface Recorder {
  begin(write: Write): Promise<(end: WriteEnd) => Promise<void>>;
  /** By address. `undefined` if the service refused the read. */
  readonly seen: Map<string, JsonObject | undefined>;
}

export interface Recording {
  readonly recorder: Recorder;
  readonly accountId: string | undefined;
  /** Prefix of paths: `/v2` or empty. */
  readonly prefix: string;
  read(call: ApiRequest): Promise<Reply>;
}

/** After these statuses, the record is not read again. */
const permanentRefusals: ReadonlySet<number | undefined> = new Set([403, 404, 405, 410, 501]);

/** Ignores temporary failures, so that the log reads the record itself. */
export function rememberRead(
  { seen }: Recorder,
  { operation, accept }: Pick<ApiRequest, 'operation' | 'accept'>,
  address: string,
  end: WriteEnd,
): void {
  const isRecord = operation.method === 'GET' && operation.reply.kind === 'record' && accept === undefined;
  const data = 'reply' in end ? end.reply.data : undefined;
  if (!isRecord || !(isObject(data) || ('failure' in end && permanentRefusals.has(end.failure.status))))
    return;
  const [oldest] = seen.keys();
  if (seen.size >= rememberedAtMost && oldest !== undefined) seen.delete(oldest);
  seen.set(address, isObject(data) ? data : undefined);
}

/** A command reads a record shortly before it changes it, so a few are enough. */
const rememberedAtMost = 500;

export async function recordCall(
  recording: Recording,
  request: ApiRequest,
  address: string,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const { operation } = request;
  const data = request.file ? { file: describeFile(request.file) } : request.data;
  if (operation.effect === 'read') return send();
  const path = {
    ...(recording.accountId === undefined ? {} : { account_id: recording.accountId }),
    ...request.path,
  };
  return recordWrite(recording, { operation, method: operation.method, address, path, data }, send);
}

export async function recordProbe(
  recording: Recording,
  request: ApiRequest,
  address: string,
  send: () => Promise<IncomingReply>,
): Promise<IncomingReply> {
  let incoming: IncomingReply | undefined;
  const reply = async (): Promise<Reply> => {
    incoming = await send();
    const { status, headers } = incoming;
    const requestId = firstHeader(headers, 'x-request-id');
    if (status < 300) return { status, data: {}, requestId, envelope: {}, headers };
    throw new Failure('failed', `The service responded with ${status}.`, { status, requestId });
  };
  try {
    await recordCall(recording, request, address, reply);
  } catch (error) {
    if (incoming === undefined) throw error;
  }
  if (incoming === undefined) throw new Error(`${request.operation.id} gave no reply.`);
  return incoming;
}

export async function recordRawCall(
  recording: Recording,
  { method, body }: RawCall,
  address: string,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const verb = method.toUpperCase();
  if (verb === 'GET' || verb === 'HEAD') return send();
  const { operation, path } = await operationAt(verb, address, recording.prefix);
  return recordWrite(recording, { operation, method: verb, address, path, data: body?.data }, send);
}

async function recordWrite(
  { recorder, read }: Recording,
  write: Omit<Write, 'before'>,
  send: () => Promise<Reply>,
): Promise<Reply> {
  const { operation, address, path } = write;
  const readBefore = async (): Promise<JsonObject | undefined> => {
    const reading = operation && operation.verb !== 'create' ? readOperationOf(operation) : undefined;
    if (reading?.reply.kind !== 'record') return undefined;
    if (!recorder.seen.has(address))
      rememberRead(
        recorder,
        { operation: reading },
        address,
        await readForLog(read, { operation: reading, path }),
      );
    return recorder.seen.get(address);
  };
  const end = await recorder.begin({ ...write, before: readBefore });
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
async function readForLog(read: Recording['read'], call: ApiRequest): Promise<WriteEnd> {
  try {
    return { reply: await read(call) };
  } catch (failure) {
    if (failure instanceof Failure && failure.kind !== 'interrupted') return { failure };
    throw failure;
  }
}

async function operationAt(
  method: string,
  address: string,
  prefix: string,
): Promise<Pick<Write, 'operation' | 'path'>> {
  // Requests by path require all resources.
  const { operationsAt, parametersIn, splitSegments: segmentsOf } = await import('../../contract/paths.ts');
  const bare = [prefix, '/v2'].find((each) => each !== '' && address.startsWith(`${each}/`)) ?? '';
  const segments = segmentsOf(address.slice(bare.length));
  const operation = operationsAt(segments).find((each) => each.method === method);
  return { operation, path: operation ? parametersIn(operation, segments) : {} };
}
