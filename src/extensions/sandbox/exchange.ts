import type { FastifyReply, FastifyRequest } from 'fastify';
import { isObject, type Json, textAt } from '../../base/json.ts';
import type { ErrorShape, Operation } from '../../contract/types.ts';
import { notes, senderNames } from './control/request-log.ts';
import { identifyCaller, isSuper, type Principal, presentedCredentials } from './identity/principal.ts';
import { Refusal } from './refusal.ts';
import { acceptedTypes, type IncomingRequest } from './request.ts';
import { type Answered, answerRequest, type Progress } from './requests/answer-request.ts';
import {
  errorBody,
  etagOf,
  formatListAsCsv,
  matchesRevision,
  type ReplyFacts,
  successBody,
} from './requests/envelope.ts';
import { pathOf, queryOf, type Route } from './requests/routes.ts';
import type { Answer } from './requests/service-request.ts';
import type { SandboxParts, Services } from './services.ts';

export interface Exchange {
  readonly services: Services;
  readonly version: string;
  readonly node: string;
  readonly prefix: NonNullable<SandboxParts['prefix']>;
  readonly checkReplies: boolean;
  readonly newRequestId: () => string;
}

interface ErrorContext {
  readonly requestId?: string;
  readonly token?: string | undefined;
  /** False for an invalid token (default: true). */
  readonly isTokenValid?: boolean;
  /** Content type of the error, if errors are negotiated. */
  readonly type?: string | undefined;
  /** True if the error occurred after the resource was reached. */
  readonly isReached?: boolean;
}

interface Responding {
  readonly exchange: Exchange;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly requestId: string;
  readonly incoming: IncomingRequest;
  readonly progress: Progress;
}

/** Runs one of the operations of a route and sends its response. Errors become error responses. */
export async function answerExchange(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  { operations, params }: Route,
): Promise<FastifyReply> {
  const { services, checkReplies } = exchange;
  const requestId = requestIdOf(request, exchange);
  const incoming = incomingRequest(request, params);
  const progress: Progress = {
    operation: operations[0],
    principal: undefined,
    echoed: undefined,
    isReached: false,
  };
  try {
    if (services.behaviour.replies.negotiates) refuseOtherTypes(incoming, operations);
    const answered = await services.overlaps.track((refuseOverlap) =>
      answerRequest(incoming, operations, services, { checkReplies, progress, refuseOverlap }),
    );
    return sendAnswer({ exchange, request, reply, requestId, incoming, progress }, answered);
  } catch (error) {
    const { operation, isReached, principal, echoed } = progress;
    const accepted = services.behaviour.replies.negotiates ? incoming.header('accept') : undefined;
    return refuseExchange(exchange, request, reply, error, operation?.errors ?? 'legacy', {
      requestId,
      isReached,
      token: principal?.token ?? echoed,
      isTokenValid: principal !== undefined,
      type: operation?.accepts?.find((each) => each === accepted),
    });
  } finally {
    if (progress.principal) senderNames.set(request, senderName(progress.principal));
  }
}

function incomingRequest(request: FastifyRequest, params: Route['params']): IncomingRequest {
  const { body } = request;
  const header = (name: string) => headerOf(request, name);
  return {
    params,
    query: queryOf(request.url),
    header,
    address: request.ip,
    body: typeof body === 'string' ? body : '',
    file: Buffer.isBuffer(body) ? { type: mediaType(header('content-type')), bytes: body } : undefined,
  };
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}

const mediaType = (header = ''): string => header.split(';')[0]?.trim().toLowerCase() ?? '';

function requestIdOf(request: FastifyRequest, { newRequestId }: Exchange): string {
  const sent = headerOf(request, 'x-request-id');
  return sent !== undefined && /^[\w.-]{1,128}$/.test(sent) ? sent : newRequestId();
}

const offeredTypes = ['*/*', 'application/*', 'application/json', 'text/csv'];

/** Refuses (406) a request that accepts no offered content type. */
function refuseOtherTypes(incoming: IncomingRequest, operations: readonly Operation[]): void {
  const accepted = acceptedTypes(incoming);
  const types = [...offeredTypes, ...operations.flatMap(({ accepts = [] }) => accepts)];
  const isOffered = accepted.split(',').some((each) => types.includes(each.split(';')[0]?.trim() ?? ''));
  if (accepted !== '' && !isOffered)
    throw new Refusal(406, 'not_acceptable', 'The accepted content types are not supported.');
}

function sendAnswer(responding: Responding, { operation, answer, revision }: Answered): FastifyReply {
  const { exchange, request, reply, requestId, incoming, progress } = responding;
  const { replies } = exchange.services.behaviour;
  const readRevision = replies.revisions && operation.method === 'GET' ? revision : undefined;
  reply.code(operation.method === 'PUT' ? 201 : 200).header('x-request-id', requestId);
  if (readRevision !== undefined) reply.header('etag', etagOf(readRevision));
  if (answer.text) return sendText(request, reply, answer.text);
  if (replies.locations && answer.created !== undefined) {
    const id = answer.created.split('/').map(encodeURIComponent).join('/');
    reply.header('location', `${pathOf(request.url)}/${id}`);
  }
  const known = incoming.header('if-none-match');
  if (readRevision !== undefined && known !== undefined && matchesRevision(known, readRevision))
    return sendEmpty(request, reply.code(304));
  if (replies.negotiates && acceptedTypes(incoming) === 'text/csv' && Array.isArray(answer.data))
    return sendCsv(request, reply, answer.data, incoming.query.get('file_name'));
  if (replies.emptyBodies && operation.reply.kind === 'empty' && operation.reply.bare)
    return sendEmpty(request, reply);
  const facts = replyFacts(exchange, request, {
    requestId,
    token: answer.token ?? progress.principal?.token ?? progress.echoed,
    isTokenValid: progress.principal !== undefined || !operation.authenticated,
    revision: replies.revisions ? revision : undefined,
  });
  return reply
    .header('content-type', replies.contentType)
    .send(JSON.stringify(successBody(facts, answer.data, answer.envelope)));
}

function sendText(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, body, fileName }: NonNullable<Answer['text']>,
): FastifyReply {
  if (fileName) reply.header('content-disposition', `attachment; filename=${fileName}`);
  if (type === undefined) untyped.add(request);
  else reply.header('content-type', type);
  return reply.send(body);
}

/** Sends a list as CSV. An empty list is an empty response (204). */
function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  items: readonly Json[],
  fileName: string | null,
): FastifyReply {
  if (items.length === 0) return sendEmpty(request, reply.code(204));
  const name = (fileName ?? 'list.csv').replaceAll(/[^\w.-]/g, '_');
  return reply
    .header('content-disposition', `attachment; filename="${name}"`)
    .header('content-type', 'text/csv')
    .send(formatListAsCsv(items));
}

function sendEmpty(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  untyped.add(request);
  return reply.send('');
}

function replyFacts(
  { services, node, version }: Exchange,
  request: FastifyRequest,
  {
    isTokenValid = true,
    ...known
  }: Pick<ReplyFacts, 'requestId' | 'token' | 'revision'> & Pick<ErrorContext, 'isTokenValid'>,
): ReplyFacts {
  const { clock, behaviour, unauthenticatedBuckets } = services;
  const { showsRateLimit, versionFor } = behaviour.replies;
  const showsVersion = versionFor === 'everybody' || (isTokenValid && known.token !== undefined);
  const tokensLeft = showsRateLimit ? unauthenticatedBuckets.remaining(request.ip) : undefined;
  return { clock, node, version: showsVersion ? version : undefined, tokensLeft, ...known };
}

/** Statuses whose responses have no body (`If-Match` and content negotiation). */
const bodilessStatuses = [406, 412];

/** Sends an error response in the format of the operation. */
export function refuseExchange(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  shape: ErrorShape,
  context: ErrorContext = {},
): FastifyReply {
  const refusal = toRefusal(error);
  if (!notes.has(request)) notes.set(request, describeRefusal(refusal));
  const requestId = context.requestId ?? requestIdOf(request, exchange);
  const { referenceErrors, contentType, earlyErrorsUntyped } = exchange.services.behaviour.replies;
  reply.code(refusal.status).header('x-request-id', requestId);
  if (bodilessStatuses.includes(refusal.status)) return sendEmpty(request, reply);
  if (earlyErrorsUntyped && !(refusal.facts.isReached ?? context.isReached)) untyped.add(request);
  const { token, isTokenValid = true } = context;
  const facts = replyFacts(exchange, request, { requestId, token, isTokenValid });
  return reply
    .header('content-type', context.type ?? contentType)
    .send(JSON.stringify(errorBody(facts, refusal, shape, referenceErrors)));
}

/** Converts any error to an error response. An unexpected error is a bug of the sandbox (500). */
function toRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const { statusCode: status = 500, message = 'unknown' } =
    error instanceof Error ? (error as Error & { readonly statusCode?: number }) : {};
  if (status === 413) {
    return new Refusal(413, 'request_too_large', 'The request body is too large.', {
      file: { maxSize: { message: 'is too large' } },
    });
  }
  return status >= 400 && status < 500
    ? new Refusal(status, 'faulty_request', message)
    : new Refusal(500, 'unspecified_fault', `The sandbox failed: ${message}`);
}

/** Maximum length of a reason in the log, because callers choose the names of unknown fields. */
const maxReasonLength = 200;

/** Returns the reason of a refusal for the log: its code, and the fields and rules of invalid data. */
function describeRefusal({ code, data }: Refusal): string {
  const fields = Object.entries(code === 'validation_error' && isObject(data) ? data : {}).flatMap(
    ([field, rules]) => (isObject(rules) ? [`${field} ${Object.keys(rules).join(' ')}`] : []),
  );
  return fields.length === 0 ? code : `${code}: ${fields.join(', ')}`.slice(0, maxReasonLength);
}

const senderName = ({ user, account }: Principal): string =>
  user
    ? (textAt(user.body, 'username') ?? user.id)
    : `API key of ${textAt(account.body, 'name') ?? account.id}`;

/** Requests whose responses are sent without a content type. */
const untyped = new WeakSet<FastifyRequest>();

/** Sets the content type of the service. Fastify adds a type to any text, and a charset to JSON. */
export const setContentTypes =
  (contentType: string) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (untyped.has(request)) reply.removeHeader('content-type');
    else if (String(reply.getHeader('content-type')).startsWith('application/json')) {
      reply.header('content-type', contentType);
    }
  };

/** Identifies the sender of a request without a route, for its error response. */
export async function senderFacts(
  request: FastifyRequest,
  { services }: Exchange,
): Promise<Pick<ErrorContext, 'token' | 'isTokenValid'> & { readonly isSuper?: boolean }> {
  if (!services.behaviour.replies.echoesAnyToken) return {};
  const sender = incomingRequest(request, {});
  const presented = presentedCredentials(sender, services, undefined);
  const token = presented.token ?? presented.authorization;
  if (token === undefined) return {};
  const principal = await identifyCaller(presented, sender, services).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  return principal
    ? { token, isTokenValid: true, isSuper: isSuper(principal) }
    : { token, isTokenValid: false };
}
