import type { FastifyReply, FastifyRequest } from 'fastify';
import { isObject } from '../../contract/json.ts';
import type { ErrorShape, Operation } from '../../contract/types.ts';
import { notes, senders } from '../control/note-requests.ts';
import { textAt } from '../fields.ts';
import type { Principal } from '../identity/principal.ts';
import type { Services } from '../parts.ts';
import { answerRequest, type Progress } from './answering.ts';
import { errorBody, type ReplyFacts, successBody } from './envelope.ts';
import { Refusal } from './refusal.ts';

/** What every request is answered with. */
export interface Exchange {
  readonly services: Services;
  readonly version: string;
  readonly node: string;
  readonly checkReplies: boolean;
  readonly newRequestId: () => string;
}

const json = 'application/json; charset=utf-8';

/** The id that the caller gave the request, or a new one; the same for all that is said of the request. */
function requestIdOf({ headers }: FastifyRequest, { newRequestId }: Exchange): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,128}$/.test(given) ? given : newRequestId();
}

const factsOf = (exchange: Exchange, requestId: string, token: string | undefined): ReplyFacts => ({
  clock: exchange.services.clock,
  node: exchange.node,
  version: exchange.version,
  requestId,
  token,
});

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

/** The log is kept in memory, and fields that nobody knows are named by who sends them. */
const reasonAtMost = 200;

/** Why a request was refused, in the log's words: the code, and of what was invalid the fields and rules. No values. */
function reasonOf({ code, data }: Refusal): string {
  const fields = Object.entries(code === 'validation_error' && isObject(data) ? data : {}).flatMap(
    ([field, rules]) => (isObject(rules) ? [`${field} ${Object.keys(rules).join(' ')}`] : []),
  );
  return fields.length === 0 ? code : `${code}: ${fields.join(', ')}`.slice(0, reasonAtMost);
}

const senderOf = ({ user, account }: Principal): string =>
  user
    ? (textAt(user.body, 'username') ?? user.id)
    : `API key of ${textAt(account.body, 'name') ?? account.id}`;

/** Sends an error reply in the given shape. */
export function refuseExchange(
  exchange: Exchange,
  request: FastifyRequest,
  reply: FastifyReply,
  error: unknown,
  shape: ErrorShape,
  known: { readonly requestId?: string; readonly token?: string | undefined } = {},
): FastifyReply {
  const refusal = refusalOf(error);
  if (!notes.has(request)) notes.set(request, reasonOf(refusal));
  const requestId = known.requestId ?? requestIdOf(request, exchange);
  return reply
    .code(refusal.status)
    .header('content-type', json)
    .header('x-request-id', requestId)
    .send(JSON.stringify(errorBody(factsOf(exchange, requestId, known.token), refusal, shape)));
}

const successStatus = (method: string): number => (method === 'PUT' ? 201 : 200);

/** Answers a request by one of the operations of its method and path. */
export async function answerExchange(
  exchange: Exchange,
  request: FastifyRequest<{ Params: Record<string, string> }>,
  reply: FastifyReply,
  candidates: readonly Operation[],
): Promise<FastifyReply> {
  const requestId = requestIdOf(request, exchange);
  const seen: Progress = { operation: candidates[0], principal: undefined };
  const mark = request.url.indexOf('?');
  try {
    const { operation, answer } = await answerRequest(
      {
        params: request.params,
        query: new URLSearchParams(mark < 0 ? '' : request.url.slice(mark + 1)),
        header: (name) => headerOf(request, name),
        body: typeof request.body === 'string' ? request.body : '',
      },
      candidates,
      exchange.services,
      { checkReplies: exchange.checkReplies, seen },
    );
    reply.code(successStatus(operation.method)).header('x-request-id', requestId);
    if (answer.text) {
      const { type, body, fileName } = answer.text;
      if (fileName) reply.header('content-disposition', `attachment; filename=${fileName}`);
      return reply.header('content-type', type).send(body);
    }
    const facts = factsOf(exchange, requestId, answer.token ?? seen.principal?.token);
    return reply
      .header('content-type', json)
      .send(JSON.stringify(successBody(facts, answer.data, answer.envelope)));
  } catch (error) {
    const shape = seen.operation?.errors ?? 'legacy';
    const token = seen.principal?.token;
    return refuseExchange(exchange, request, reply, error, shape, { requestId, token });
  } finally {
    if (seen.principal) senders.set(request, senderOf(seen.principal));
  }
}

function headerOf({ headers }: FastifyRequest, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value[0] : value;
}
