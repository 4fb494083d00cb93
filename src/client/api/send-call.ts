import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import { resourceOf } from '../../contract/resource.ts';
import { sendCharged } from './accept-charges.ts';
import { withNationalNumbers } from './account-country.ts';
import type { Api, ApiParts, ApiRequest, GuardedRequest, Reply } from './api.ts';
import { buildRequest } from './build-request.ts';
import { refuseForbidden, type Sending } from './client.ts';
import { explainMissingRecord, explainStoredChange, refuseAbsent } from './doubtful-replies.ts';
import { type Recording, recordCall, rememberRead } from './recorder.ts';
import { otherRecordFailure } from './reply-identity.ts';
import { completeMerges, type createUpdateGuard, readOperationOf } from './revisions.ts';
import { type Expected, replyTimeMs } from './unwrap.ts';

export interface CallContext {
  readonly parts: ApiParts;
  readonly recording: Recording | undefined;
  readonly call: Api['call'];
  readonly country: Api['country'];
  readonly guardUpdate: ReturnType<typeof createUpdateGuard>;
  onServiceTime(ms: number): void;
}

/** `sending` is built when the first step needs it. */
class Outbound {
  readonly request: ApiRequest;
  readonly #parts: ApiParts;
  #sending: Sending | undefined;

  constructor(parts: ApiParts, request: ApiRequest, sending?: Sending) {
    this.#parts = parts;
    this.request = request;
    this.#sending = sending;
  }

  get sending(): Sending {
    this.#sending ??= toSending(this.#parts, this.request);
    return this.#sending;
  }

  withRequest(request: ApiRequest): Outbound {
    return request === this.request ? this : new Outbound(this.#parts, request);
  }

  withSending(sending: Sending): Outbound {
    return new Outbound(this.#parts, this.request, sending);
  }
}

type Next = (call: Outbound) => Promise<Reply>;
type Step = (call: Outbound, next: Next, context: CallContext) => Promise<Reply>;

/**
 * In order from the outside in. Each step can change the request, and the response or failure. Then `sendCharged`
 * accepts charges, `sendOne` adds the token, and `exchange` waits for the rate limit and retries.
 */
const steps: readonly Step[] = [
  convertNumbers, // Services only understand international numbers.
  makeMergePortable, // Services differ in what a merge removes, so some merges need the record.
  refuseMissingRead, // A read that the service is known not to offer costs no request.
  confirmChange, // Guards and approvers agree before a change is logged or sent.
  learnFromReply, // Only replies that pass all checks below count as facts about the service.
  refuseForeignRecord, // Some services return records of other accounts.
  recordChange, // The log has a change before it is sent, and its final result.
  announceChange, // From here on, the change may reach the service.
  explainRefusal, // Some refusals hide the real reason, or a change that was stored. The log gets the real one.
  rememberRecord, // The log takes the record before a change from the reads of this run.
  guardAgainstLostUpdate, // A change does not overwrite changes by others since the record was read.
  refuseOtherRecord, // A response about another record than the requested one is an error.
];

export function sendCall(context: CallContext, request: ApiRequest): Promise<Reply> {
  const send: Next = async ({ request: { operation, path = {}, data }, sending }) =>
    (await sendCharged(context.parts, sending, { operation, path, data, read: context.call })).reply;
  const first = steps.reduceRight<Next>((next, step) => (call) => step(call, next, context), send);
  return first(new Outbound(context.parts, request));
}

async function convertNumbers(call: Outbound, next: Next, { parts, country }: CallContext): Promise<Reply> {
  return next(call.withRequest(await withNationalNumbers(call.request, country, parts.onUnreadNumber)));
}

async function makeMergePortable(call: Outbound, next: Next, context: CallContext): Promise<Reply> {
  const { learned } = context.parts;
  return next(call.withRequest(await completeMerges(call.request, context.call, learned?.mergesOneLevel)));
}

async function refuseMissingRead(call: Outbound, next: Next, { parts }: CallContext): Promise<Reply> {
  const { operation } = call.request;
  const isConventionalRead = operation.source === 'convention' && operation.method === 'GET';
  if (isConventionalRead && parts.notOffered?.has(operation.id))
    throw (await import('./reply-failure.ts')).notOfferedFailure(operation);
  return next(call);
}

async function confirmChange(call: Outbound, next: Next, { parts }: CallContext): Promise<Reply> {
  const { operation, path = {}, data, confirm, record } = call.request;
  await confirmRequest(parts, call.sending, { operation, path, data, confirm, record });
  return next(call);
}

/** Throws `Failure` if a guard or approver refuses the change. */
export async function confirmRequest(
  parts: ApiParts,
  sending: Sending,
  { path, ...request }: GuardedRequest,
): Promise<void> {
  const { guard, approve, accountId } = parts;
  if (sending.effect === 'read' || (guard ?? approve) === undefined || parts.dryRun) return;
  refuseForbidden(parts, sending);
  const own = accountId === undefined ? {} : { account_id: accountId };
  const guarded = { ...request, path: { ...own, ...path } };
  await guard?.(guarded);
  await approve?.(guarded);
}

async function learnFromReply(call: Outbound, next: Next, { parts, onServiceTime }: CallContext) {
  const reply = await next(call);
  const isOwnIdTaken = readOwnIdTaken(call.request, reply);
  if (isOwnIdTaken !== undefined) await parts.onOwnId?.(isOwnIdTaken);
  const serviceMs = replyTimeMs(reply);
  if (serviceMs !== undefined) onServiceTime(serviceMs);
  return reply;
}

/**
 * Returns true if the service used the id of a create. Returns `undefined` for other calls, and if the response has
 * no id.
 */
function readOwnIdTaken({ operation, data }: ApiRequest, { data: record }: Reply): boolean | undefined {
  const { verb, resource } = operation;
  if (verb !== 'create' || !resourceOf({ resource }).takesOwnId) return undefined;
  if (!isObject(data) || typeof data.id !== 'string') return undefined;
  return isObject(record) && typeof record.id === 'string' ? record.id === data.id : undefined;
}

async function refuseForeignRecord(call: Outbound, next: Next, context: CallContext): Promise<Reply> {
  const reply = await next(call);
  await refuseAbsent(call.request, reply, context.call);
  return reply;
}

async function recordChange(call: Outbound, next: Next, { recording }: CallContext): Promise<Reply> {
  return recording === undefined
    ? next(call)
    : recordCall(recording, call.request, call.sending.path, () => next(call));
}

async function announceChange(call: Outbound, next: Next, { parts }: CallContext): Promise<Reply> {
  if (call.request.operation.effect !== 'read') parts.onChange?.();
  return next(call);
}

async function explainRefusal(call: Outbound, next: Next, context: CallContext): Promise<Reply> {
  try {
    return await next(call);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const reading = readOperationOf(call.request.operation);
    const refusal = await explainMissingRecord(call.request, error, reading, context.call);
    throw await explainStoredChange(call.request, refusal, reading, context.call);
  }
}

async function rememberRecord(call: Outbound, next: Next, { recording }: CallContext): Promise<Reply> {
  if (recording === undefined) return next(call);
  const { request, sending } = call;
  try {
    const reply = await next(call);
    rememberRead(recording.recorder, request, sending.path, { reply });
    return reply;
  } catch (error) {
    if (error instanceof Failure) rememberRead(recording.recorder, request, sending.path, { failure: error });
    throw error;
  }
}

async function guardAgainstLostUpdate(call: Outbound, next: Next, { guardUpdate }: CallContext) {
  return guardUpdate(call.request, call.sending, (sending) => next(call.withSending(sending)));
}

async function refuseOtherRecord(call: Outbound, next: Next, { parts }: CallContext): Promise<Reply> {
  const reply = await next(call);
  const failure = otherRecordFailure(call.request, reply, parts.accountId);
  if (failure) throw failure;
  return reply;
}

const json = 'application/json';

export function toSending(parts: ApiParts, call: ApiRequest): Sending {
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
    expected: expectedReply(call),
    operation,
  };
}

export function expectedReply({
  operation,
  accept = json,
}: Pick<ApiRequest, 'operation' | 'accept'>): Expected {
  const { reply, resource, method } = operation;
  const { idElsewhere, schema } = resourceOf({ resource });
  const isDelete = method === 'DELETE';
  return {
    mayBeEmpty: reply.kind === 'empty' || isDelete,
    mayBeText: accept !== json,
    isFile: reply.kind === 'file',
    isRecord: accept === json && reply.kind === 'record' && reply.orOther !== true && !isDelete,
    isList: reply.kind === 'list',
    idElsewhere,
    ...(reply.kind === 'record' && reply.orBare !== undefined
      ? { bare: { field: reply.orBare, fields: Object.keys(schema.properties ?? {}) } }
      : {}),
  };
}
