import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import { resourceOf } from '../../contract/resource.ts';
import type { Operation } from '../../contract/types.ts';
import { type ChargedChange, sendCharged } from './accept-charges.ts';
import { countryReader, withNationalNumbers } from './account-country.ts';
import {
  type Api,
  type ApiParts,
  type ApiRequest,
  fileWords,
  type GuardedRequest,
  type RawCall,
  type Reply,
} from './api.ts';
import { buildRequest, rawSending } from './build-request.ts';
import { answerTo, holdBack, type Sending, sendOne } from './client.ts';
import { absence, refuseAbsent, withStored } from './doubtful-replies.ts';
import { eachPage } from './each-page.ts';
import { noteRead, type Recording, recorded, recordedAnswer, recordedRaw } from './recorder.ts';
import { otherRecord } from './reply-identity.ts';
import { guardUpdates, readOf, withoutEmptyMerges } from './revisions.ts';
import { type Expected, replyTimeMs, type Unwrapped } from './unwrap.ts';

const json = 'application/json';

export function expectedOf({ operation, accept = json }: Pick<ApiRequest, 'operation' | 'accept'>): Expected {
  const { reply, resource } = operation;
  return {
    mayBeEmpty: operation.reply.kind === 'empty' || operation.method === 'DELETE',
    mayBeText: accept !== json,
    isFile: operation.reply.kind === 'file',
    isRecord:
      accept === json &&
      operation.reply.kind === 'record' &&
      operation.reply.orOther !== true &&
      operation.method !== 'DELETE',
    isList: operation.reply.kind === 'list',
    idElsewhere: resourceOf({ resource }).idElsewhere,
    ...(reply.kind === 'record' && reply.orBare !== undefined
      ? {
          bare: {
            field: reply.orBare,
            fields: Object.keys(resourceOf({ resource }).schema.properties ?? {}),
          },
        }
      : {}),
  };
}

function sendingOf(parts: ApiParts, call: ApiRequest): Sending {
  const { operation, file } = call;
  const accept = call.accept ?? (operation.reply.kind === 'file' ? '*/*' : json);
  const { path, search, body } = buildRequest(call, parts);
  return {
    method: operation.method,
    path,
    search,
    body,
    file,
    headers: accept === json ? {} : { accept },
    effect: operation.effect,
    repeat: operation.repeat,
    authenticated: operation.authenticated,
    expected: expectedOf(call),
    operation,
  };
}

/** The parts that record changes. The record before a change is read without the guard against lost updates. */
function recordingOf(parts: ApiParts): Recording | undefined {
  const { recorder, accountId, prefix, retries, notOffered } = parts;
  if (recorder === undefined) return undefined;
  const plain: ApiParts = {
    ...parts,
    recorder: undefined,
    revisions: undefined,
    retries: Math.min(1, retries),
    notOffered,
  };
  return { recorder, accountId, prefix, read: (call) => createApi(plain).call(call) };
}

/** Returns true for skippable operations: only reads that are not in the specification. */
const isSkipped = ({ source, method }: Operation): boolean => source === 'convention' && method === 'GET';

/** Returns whether a new record got the id that the request contained, or `undefined` for other calls. */
function ownIdTaken({ operation, data }: ApiRequest, { data: record }: Reply): boolean | undefined {
  const { verb, resource } = operation;
  if (verb !== 'create' || !resourceOf({ resource }).takesOwnId) return undefined;
  if (!isObject(data) || typeof data.id !== 'string') return undefined;
  return isObject(record) && typeof record.id === 'string' ? record.id === data.id : undefined;
}

/** Creates the API of a service over a transport. Methods throw `Failure` unless they succeed. */
export function createApi(parts: ApiParts): Api {
  const { clock } = parts;
  let aheadMs: number | undefined;
  const recording = recordingOf(parts);
  const guarded = async (sending: Sending, { path, ...request }: GuardedRequest): Promise<void> => {
    const { guard, approve } = parts;
    if (sending.effect === 'read' || (guard ?? approve) === undefined || parts.dryRun) return;
    holdBack(parts, sending);
    const own = parts.accountId === undefined ? {} : { account_id: parts.accountId };
    const guardedRequest = { ...request, path: { ...own, ...path } };
    await guard?.(guardedRequest);
    await approve?.(guardedRequest);
  };
  const call = async (asked: ApiRequest): Promise<Reply> => {
    const read = await withNationalNumbers(asked, country, parts.unreadNumber);
    const one = await withoutEmptyMerges(read, call, parts.learned?.mergesOneLevel);
    const { operation, path = {}, data } = one;
    if (parts.notOffered?.has(operation.id) && isSkipped(operation))
      throw (await import('./reply-failure.ts')).knownMissing(operation);
    const change = { operation, path, data, read: call };
    const first = sendingOf(parts, one);
    await guarded(first, { operation, path, data, confirm: one.confirm, record: one.record });
    const send = () => {
      if (operation.effect !== 'read') parts.sends?.();
      return guardedUpdate(one, first, async (sending) =>
        refuseOther(one, (await sendCharged(parts, sending, change)).reply),
      ).catch(async (error: unknown) => {
        if (!(error instanceof Failure)) throw error;
        if (recording) noteRead(recording.recorder, one, first.path, { failure: error });
        const reading = readOf(operation);
        throw await withStored(one, await absence(one, error, reading, call), reading, call);
      });
    };
    const reply = await (recording ? recorded(recording, one, first.path, send) : send());
    if (recording) noteRead(recording.recorder, one, first.path, { reply });
    await refuseAbsent(one, reply, call);
    const isOwnIdTaken = ownIdTaken(one, reply);
    if (isOwnIdTaken !== undefined) await parts.sawOwnId?.(isOwnIdTaken);
    const theirs = replyTimeMs(reply);
    if (theirs !== undefined) aheadMs = theirs - clock.now();
    return reply;
  };
  const refuseOther = (one: ApiRequest, reply: Reply): Reply => {
    const failure = otherRecord(one, reply, parts.accountId);
    if (failure) throw failure;
    return reply;
  };
  const guardedUpdate = guardUpdates(parts, call);
  const country = countryReader(parts, call);
  return {
    call,
    country,
    pages(one, heard) {
      const send = async (page: ApiRequest): Promise<Reply> => {
        const reply = await call(page);
        heard?.(reply);
        return reply;
      };
      return eachPage(send, one, parts.moved);
    },
    apart({ timeoutMs = parts.timeoutMs, retries = parts.retries, signal, agreement }) {
      const signals = [parts.signal, signal].filter((each) => each !== undefined);
      const charges = agreement && parts.charges ? { ...parts.charges, agreement } : parts.charges;
      return createApi({ ...parts, timeoutMs, retries, signal: AbortSignal.any(signals), charges });
    },
    plan(one) {
      const { path, search, body } = buildRequest(one, parts);
      const sent = one.file ? fileWords(one.file) : body?.envelope;
      return { method: one.operation.method, path: path + search, body: sent };
    },
    async raw(one: RawCall) {
      const sending = rawSending(parts.baseUrl, one);
      let change: ChargedChange = { operation: undefined, path: {}, data: undefined, read: call };
      if (sending.effect !== 'read') {
        // Requests by path require all resources.
        const { operationOfRequest } = await import('../../contract/paths.ts');
        const meant = operationOfRequest(one.method, sending.path + sending.search, one.body);
        if (meant) await guarded(sending, { ...meant, confirm: one.confirm });
        change = { ...change, ...meant };
      }
      const send = async () => {
        if (sending.effect !== 'read') parts.sends?.();
        return (await sendCharged(parts, sending, change)).reply;
      };
      return recording ? recordedRaw(recording, one, sending.path, send) : send();
    },
    answer(one, headers = {}) {
      const sending = sendingOf(parts, { ...one, isVerbatim: true });
      if (one.operation.effect !== 'read') parts.sends?.();
      const send = () => answerTo(parts, { ...sending, headers: { ...sending.headers, ...headers } });
      return recording ? recordedAnswer(recording, one, sending.path, send) : send();
    },
    serviceNowMs: () => (aheadMs === undefined ? undefined : clock.now() + aheadMs),
    close: () => parts.transport.close(),
  };
}

/** Sends a sign-in or refresh, and returns the response with its token, which other calls drop. */
export function callForToken(parts: ApiParts, call: ApiRequest): Promise<Unwrapped> {
  return sendOne(parts, sendingOf(parts, call));
}
