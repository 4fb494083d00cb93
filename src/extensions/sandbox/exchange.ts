import type { FastifyReply, FastifyRequest } from 'fastify';
import { isObject, type Json, textAt } from '../../base/json.ts';
import type { ErrorShape, Operation } from '../../contract/types.ts';
import { notes, senderNames } from './control/request-log.ts';
import { identifyCaller, isSuper, type Principal, presentedCredentials } from './identity/principal.ts';
import { Refusal } from './refusal.ts';
import { answerRequest, type Progress } from './requests/answering.ts';
import {
  csvOf,
  errorBody,
  etagOf,
  matchesRevision,
  type ReplyFacts,
  successBody,
} from './requests/envelope.ts';
import type { Route } from './requests/routes.ts';
import type { Services } from './services.ts';

/** The means with which every request is answered. */
export interface Exchange {
  readonly services: Services;
  readonly version: string;
  readonly node: string;
  readonly checkReplies: boolean;
  readonly newRequestId: () => string;
}

/** The id that the caller gave the request, or a new one; the same for all that is said of the request. */
function requestIdOf({ headers }: FastifyRequest, { newRequestId }: Exchange): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : newRequestId();
}

function factsOf(
  { services, node, version }: Exchange,
  request: FastifyRequest,
  {
    isKnown = true,
    ...known
  }: Pick<ReplyFacts, 'requestId' | 'token' | 'revision'> & {
    /** The token is good. */
    readonly isKnown?: boolean;
  },
): ReplyFacts {
  const { clock, behaviour, unauthenticatedBuckets } = services;
  const { tellsTokens, versionFor } = behaviour.replies;
  const isTold = versionFor === 'everybody' || (isKnown && known.token !== undefined);
  const tokensLeft = tellsTokens ? unauthenticatedBuckets.remaining(request.ip) : undefined;
  return { clock, node, version: isTold ? version : undefined, tokensLeft, ...known };
}

/** Anything thrown, as what the caller is told. What nobody foresaw is a bug of the sandbox, and says so. */
function refusalOf(error: unknown): Refusal {
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

/** Longest reason in the log, which is kept in memory: callers choose the names of unknown fields. */
const maxReasonLength = 200;

/** The reason of a refusal in the log's words: the code, and fields and rules, never values. */
function reasonOf({ code, data }: Refusal): string {
  const fields = Object.entries(code === 'validation_error' && isObject(data) ? data : {}).flatMap(
    ([field, rules]) => (isObject(rules) ? [`${field} ${Object.keys(rules).join(' ')}`] : []),
  );
  return fields.length === 0 ? code : `${code}: ${fields.join(', ')}`.slice(0, maxReasonLength);
}

const senderOf = ({ user, account }: Principal): string =>
  user
    ? (textAt(user.body, 'username') ?? user.id)
    : `API key of ${textAt(account.body, 'name') ?? account.id}`;

/** Statuses whose replies have no body, where revisions are heeded or content types negotiated. */
const bodilessStatuses = [406, 412];

/** Sends an error reply in the given shape. */
export function refuseExchange(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  shape: ErrorShape,
  known: {
    readonly requestId?: string;
    readonly token?: string | undefined;
    readonly isKnown?: boolean;
    /** The content type that was asked for and is offered, where refusals have that, too. */
    readonly type?: string | undefined;
    /** The resource was asked before the error was found. */
    readonly isReached?: boolean;
  } = {},
): FastifyReply {
  const refusal = refusalOf(error);
  if (!notes.has(request)) notes.set(request, reasonOf(refusal));
  const requestId = known.requestId ?? requestIdOf(request, exchange);
  const { referenceErrors, contentType, earlyErrorsUntyped } = exchange.services.behaviour.replies;
  reply.code(refusal.status).header('x-request-id', requestId);
  const isBodiless = bodilessStatuses.includes(refusal.status);
  if (isBodiless || (earlyErrorsUntyped && !(refusal.facts.isReached ?? known.isReached)))
    untyped.add(request);
  if (isBodiless) return reply.send('');
  const facts = factsOf(exchange, request, { ...known, requestId });
  return reply
    .header('content-type', known.type ?? contentType)
    .send(JSON.stringify(errorBody(facts, refusal, shape, referenceErrors)));
}

/** Requests whose replies go out without a content type. */
const untyped = new WeakSet<FastifyRequest>();

/** Gives replies the content type of the service's: Fastify sets one for any text, and a charset for JSON. */
export const setContentTypes =
  (contentType: string) =>
  async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (untyped.has(request)) reply.removeHeader('content-type');
    else if (String(reply.getHeader('content-type')).startsWith('application/json')) {
      reply.header('content-type', contentType);
    }
  };

const mediaType = (header = ''): string => header.split(';')[0]?.trim().toLowerCase() ?? '';

const successStatus = (method: string): number => (method === 'PUT' ? 201 : 200);

/** Answers a request by one of the operations of its method and path. */
export async function answerExchange(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  { operations: candidates, params }: Route,
): Promise<FastifyReply> {
  const requestId = requestIdOf(request, exchange);
  const progress: Progress = {
    operation: candidates[0],
    principal: undefined,
    echoed: undefined,
    isReached: false,
  };
  const { behaviour } = exchange.services;
  const { contentType, revisions, locations, negotiates } = behaviour.replies;
  const mark = request.url.indexOf('?');
  try {
    const query = new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1));
    if (negotiates && !acceptsOfferedType(query.get('accept') ?? headerOf(request, 'accept'), candidates)) {
      throw new Refusal(406, 'not_acceptable', 'No such content type is offered.');
    }
    const incoming = {
      params,
      query,
      header: (name: string) => headerOf(request, name),
      address: request.ip,
      body: typeof request.body === 'string' ? request.body : '',
      file: Buffer.isBuffer(request.body)
        ? { type: mediaType(headerOf(request, 'content-type')), bytes: request.body }
        : undefined,
    };
    const { checkReplies, services } = exchange;
    const { operation, answer, revision } = await services.overlaps.track((refuseOverlap) =>
      answerRequest(incoming, candidates, services, { checkReplies, progress, refuseOverlap }),
    );
    reply.code(successStatus(operation.method)).header('x-request-id', requestId);
    const isTold = revisions && revision !== undefined && operation.method === 'GET';
    if (isTold) reply.header('etag', etagOf(revision));
    if (answer.text) {
      const { type, body, fileName } = answer.text;
      if (fileName) reply.header('content-disposition', `attachment; filename=${fileName}`);
      if (type === undefined) untyped.add(request);
      else reply.header('content-type', type);
      return reply.send(body);
    }
    const [path = ''] = request.url.split('?');
    if (locations && answer.created !== undefined) {
      const words = answer.created.split('/').map(encodeURIComponent);
      reply.header('location', `${path}/${words.join('/')}`);
    }
    if (isTold) {
      const known = headerOf(request, 'if-none-match');
      if (known !== undefined && matchesRevision(known, revision)) {
        untyped.add(request);
        return reply.code(304).send('');
      }
    }
    const accepted = query.get('accept') ?? headerOf(request, 'accept') ?? '';
    if (negotiates && accepted === 'text/csv' && Array.isArray(answer.data)) {
      return sendCsv(request, reply, answer.data, query.get('file_name'));
    }
    if (behaviour.replies.emptyBodies && operation.reply.kind === 'empty' && operation.reply.bare) {
      untyped.add(request);
      return reply.send('');
    }
    const token = answer.token ?? progress.principal?.token ?? progress.echoed;
    const isKnown = progress.principal !== undefined || !operation.authenticated;
    const known = { requestId, token, isKnown, ...(revisions ? { revision } : {}) };
    const facts = factsOf(exchange, request, known);
    return reply
      .header('content-type', contentType)
      .send(JSON.stringify(successBody(facts, answer.data, answer.envelope)));
  } catch (error) {
    const shape = progress.operation?.errors ?? 'legacy';
    const { isReached, principal, echoed } = progress;
    const wanted = negotiates ? headerOf(request, 'accept') : undefined;
    const type = progress.operation?.accepts?.find((each) => each === wanted);
    const token = principal?.token ?? echoed;
    const known = { requestId, isReached, token, isKnown: principal !== undefined, type };
    return refuseExchange(exchange, request, reply, error, shape, known);
  } finally {
    if (progress.principal) senderNames.set(request, senderOf(progress.principal));
  }
}

const offeredTypes = ['*/*', 'application/*', 'application/json', 'text/csv'];

/** True where one of the content types that a caller would take is offered. */
function acceptsOfferedType(accept: string | undefined, candidates: readonly Operation[]): boolean {
  if (!accept) return true;
  const types = [...offeredTypes, ...candidates.flatMap(({ accepts = [] }) => accepts)];
  return accept.split(',').some((wanted) => types.includes(wanted.split(';')[0]?.trim() ?? ''));
}

/** Sends a list as CSV; an empty one as nothing (204). */
function sendCsv(
  request: FastifyRequest,
  reply: FastifyReply,
  items: readonly Json[],
  fileName: string | null,
): FastifyReply {
  if (items.length > 0) {
    const name = fileName ?? 'list.csv';
    return reply
      .header('content-disposition', `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}"`)
      .header('content-type', 'text/csv')
      .send(csvOf(items));
  }
  untyped.add(request);
  return reply.code(204).send('');
}

/** Facts about the sender of a request that no operation answers, for its refusal. */
export async function senderFacts(
  request: FastifyRequest,
  { services }: Exchange,
): Promise<{ readonly token?: string; readonly isKnown?: boolean; readonly isSuper?: boolean }> {
  if (!services.behaviour.replies.echoesAnyToken) return {};
  const query = new URLSearchParams(request.url.split('?')[1]);
  const sender = { query, header: (name: string) => headerOf(request, name) };
  const presented = presentedCredentials(sender, services, undefined);
  const token = presented.token ?? presented.authorization;
  if (token === undefined) return {};
  const principal = await identifyCaller(presented, sender, services).catch((error: unknown) => {
    if (error instanceof Refusal) return undefined;
    throw error;
  });
  return principal ? { token, isKnown: true, isSuper: isSuper(principal) } : { token, isKnown: false };
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
