import type { ChargedChange } from './accept-charges.ts';
import { sendCharged } from './accept-charges.ts';
import { createCountryReader } from './account-country.ts';
import { type Api, type ApiParts, type ApiRequest, describeFile, type RawCall, type Reply } from './api.ts';
import { buildRawRequest, buildRequest } from './build-request.ts';
import { sendOne, sendUnchecked } from './client.ts';
import { eachPage } from './each-page.ts';
import { type Recording, recordProbe, recordRawCall } from './recorder.ts';
import { createUpdateGuard } from './revisions.ts';
import { type CallContext, confirmRequest, sendCall, toSending } from './send-call.ts';
import type { Unwrapped } from './unwrap.ts';

export function createApi(parts: ApiParts): Api {
  const { clock } = parts;
  let aheadMs: number | undefined;
  const call = (request: ApiRequest): Promise<Reply> => sendCall(context, request);
  const recording = createRecording(parts);
  const country = createCountryReader(parts, call);
  const context: CallContext = {
    parts,
    recording,
    call,
    country,
    guardUpdate: createUpdateGuard(parts, call),
    onServiceTime(ms) {
      aheadMs = ms - clock.now();
    },
  };
  return {
    call,
    country,
    pages(request, onReply) {
      const send = async (page: ApiRequest): Promise<Reply> => {
        const reply = await call(page);
        onReply?.(reply);
        return reply;
      };
      return eachPage(send, request, parts.onRepeats);
    },
    withTerms({ timeoutMs = parts.timeoutMs, retries = parts.retries, signal, agreement }) {
      const signals = [parts.signal, signal].filter((each) => each !== undefined);
      const charges = agreement && parts.charges ? { ...parts.charges, agreement } : parts.charges;
      return createApi({ ...parts, timeoutMs, retries, signal: AbortSignal.any(signals), charges });
    },
    plan(request) {
      const { path, search, body } = buildRequest(request, parts);
      const sent = request.file ? describeFile(request.file) : body?.envelope;
      return { method: request.operation.method, path: path + search, body: sent };
    },
    raw: (request) => sendRaw(context, request),
    probe(request, headers = {}) {
      const sending = toSending(parts, { ...request, isVerbatim: true });
      if (request.operation.effect !== 'read') parts.onChange?.();
      const send = () => sendUnchecked(parts, { ...sending, headers: { ...sending.headers, ...headers } });
      return recording ? recordProbe(recording, request, sending.path, send) : send();
    },
    serviceNowMs: () => (aheadMs === undefined ? undefined : clock.now() + aheadMs),
    close: () => parts.transport.close(),
  };
}

/** Reads the record before a change without the guard against lost updates. */
function createRecording(parts: ApiParts): Recording | undefined {
  const { recorder, accountId, prefix, retries } = parts;
  if (recorder === undefined) return undefined;
  const plain = { ...parts, recorder: undefined, revisions: undefined, retries: Math.min(1, retries) };
  return { recorder, accountId, prefix, read: (call) => createApi(plain).call(call) };
}

/** Uses the guards of the matching operation, if there is one. */
async function sendRaw({ parts, recording, call }: CallContext, request: RawCall): Promise<Reply> {
  const sending = buildRawRequest(parts.baseUrl, request);
  let change: ChargedChange = { operation: undefined, path: {}, data: undefined, read: call };
  if (sending.effect !== 'read') {
    // Requests by path require all resources.
    const { operationOfRequest } = await import('../../contract/paths.ts');
    const meant = operationOfRequest(request.method, sending.path + sending.search, request.body);
    if (meant) await confirmRequest(parts, sending, { ...meant, confirm: request.confirm });
    change = { ...change, ...meant };
  }
  const send = async () => {
    if (sending.effect !== 'read') parts.onChange?.();
    return (await sendCharged(parts, sending, change)).reply;
  };
  return recording ? recordRawCall(recording, request, sending.path, send) : send();
}

/** Returns the response with its token, which other calls remove. */
export function callForToken(parts: ApiParts, call: ApiRequest): Promise<Unwrapped> {
  return sendOne(parts, toSending(parts, call));
}
