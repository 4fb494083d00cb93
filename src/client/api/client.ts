import { createHint, Failure, nextStep } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import { redactTarget } from '../../contract/secrets.ts';
import type { Effect, Operation, Repeat } from '../../contract/types.ts';
import type { ApiParts, SentFile } from './api.ts';
import type { RequestBody } from './build-request.ts';
import { exchange, type FinalReply, type IncomingReply, type Outgoing } from './exchange.ts';
import { markInDoubt } from './transport.ts';
import { type Expected, type Unwrapped, unwrap } from './unwrap.ts';

export interface Sending {
  readonly method: string;
  readonly path: string;
  readonly search: string;
  readonly body: RequestBody | undefined;
  /** Replaces the body. */
  readonly file?: SentFile | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly effect: Effect;
  readonly repeat: Repeat;
  /** Set if the request accepts charges. It is then sent once, and not again after a 401 or 429. */
  readonly accepts?: true;
  readonly authenticated: boolean;
  readonly expected: Expected;
  readonly operation?: Operation;
}

/** Renews the token once after a 401. Throws `Failure` unless the request succeeds. */
export async function sendOne(parts: ApiParts, sending: Sending): Promise<Unwrapped> {
  refuseForbidden(parts, sending);
  const outgoing = toOutgoing(parts, sending);
  const first = await sendAuthorized(parts, sending.authenticated, outgoing);
  const { origin } = outgoing.url;
  let incoming: FinalReply = first;
  if (isSuccess(first)) {
    try {
      return noteRemaining(unwrap(first, sending.expected, origin), first);
    } catch (error) {
      if (!(error instanceof Failure) || sending.repeat !== 'idempotent') throw withDoubt(error, sending);
    }
    // An unreadable response counts as lost. Requests that are safe to repeat are sent again.
    incoming = { ...(await sendAuthorized(parts, sending.authenticated, outgoing)), afterLoss: true };
    if (isSuccess(incoming)) return readSuccess(incoming, sending, origin);
  }
  if (incoming.status === 404 && incoming.afterLoss && sending.method === 'DELETE')
    return deletedReply(incoming);
  const { replyFailure } = await import('./reply-failure.ts');
  throw replyFailure(incoming, {
    method: sending.method,
    shown: outgoing.shown,
    origin,
    operation: sending.operation,
    repeat: sending.repeat,
    afterLoss: incoming.afterLoss,
    profile: parts.profile,
  });
}

/** Returns any response unchanged. Does not renew the token or accept charges. */
export async function sendUnchecked(parts: ApiParts, sending: Sending): Promise<IncomingReply> {
  refuseForbidden(parts, sending);
  const { authorizer } = parts;
  const outgoing = { ...toOutgoing(parts, sending), keepsStatus: true };
  if (!sending.authenticated || authorizer === undefined) return exchange(parts, outgoing);
  return exchange(parts, withToken(outgoing, await authorizer.token()));
}

export function refuseForbidden({ readOnly, dryRun, forbids }: ApiParts, sending: Sending): void {
  const { effect, method, path } = sending;
  const forbidden = forbids?.(sending);
  if (forbidden) throw forbidden;
  if (effect === 'read') return;
  if (dryRun) throw new Error(`${method} ${path} would be sent in a dry run.`);
  if (readOnly !== undefined) {
    throw new Failure('refused', `Profile "${readOnly}" is read-only; nothing was sent.`, {
      hint: createHint`To allow changes: ${nextStep`profiles set ${readOnly} --protect none`}`,
    });
  }
}

const roots = new WeakMap<ApiParts, string>();

function serviceRoot(parts: ApiParts): string {
  const known = roots.get(parts);
  if (known !== undefined) return known;
  const { origin, pathname } = new URL(parts.baseUrl);
  const root = `${origin}${pathname.replace(/\/$/, '')}`;
  roots.set(parts, root);
  return root;
}

function toOutgoing(parts: ApiParts, sending: Sending): Outgoing {
  const { method, path, search, body, file, operation, accepts } = sending;
  const url = new URL(`${serviceRoot(parts)}${path}${search}`);
  return {
    method,
    url,
    headers: {
      accept: 'application/json',
      'user-agent': parts.userAgent,
      ...parts.headers,
      ...(file ? { 'content-type': file.type } : body && { 'content-type': 'application/json' }),
      ...sending.headers,
    },
    body: file ? file.bytes : body && JSON.stringify(body.envelope),
    keepsBytes: sending.expected.isFile === true,
    ...(accepts ? { isSentOnce: true } : {}),
    repeat: sending.repeat,
    shown: redactTarget(path, search, operation),
  };
}

async function sendAuthorized(
  parts: ApiParts,
  authenticated: boolean,
  outgoing: Outgoing,
): Promise<FinalReply> {
  const { authorizer } = parts;
  if (!authenticated || authorizer === undefined) return exchange(parts, outgoing);
  const sendWithToken = (token: string) => exchange(parts, withToken(outgoing, token));
  const token = await authorizer.token();
  const incoming = await sendWithToken(token);
  if (outgoing.isSentOnce) return incoming;
  return incoming.status === 401 ? sendWithToken(await authorizer.renew(token)) : incoming;
}

const withToken = (outgoing: Outgoing, token: string): Outgoing => ({
  ...outgoing,
  headers: { ...outgoing.headers, 'x-auth-token': token },
});

const isSuccess = ({ status }: IncomingReply): boolean => status >= 200 && status < 300;

function readSuccess(incoming: FinalReply, sending: Sending, origin: string): Unwrapped {
  try {
    return noteRemaining(unwrap(incoming, sending.expected, origin), incoming);
  } catch (error) {
    throw withDoubt(error, sending);
  }
}

/** Passes the remaining requests in a response to the rate limiter (Conventions, Rate limiting). */
function noteRemaining(unwrapped: Unwrapped, { limiter }: FinalReply): Unwrapped {
  const { tokens } = unwrapped.reply.envelope;
  if (isObject(tokens) && typeof tokens.remaining === 'number') limiter.setRemaining(tokens.remaining);
  return unwrapped;
}

/** Marks the failure of an unreadable success as in doubt, because the request may have changed something. */
const withDoubt = (error: unknown, { authenticated, repeat }: Sending): unknown =>
  authenticated && error instanceof Failure ? markInDoubt(error, repeat) : error;

/** A delete has succeeded if its first response was lost and the second one is 404. */
const deletedReply = ({ status, headers }: IncomingReply): Unwrapped => ({
  reply: { status, data: {}, requestId: undefined, envelope: {}, headers },
  token: undefined,
});
