import { createHint, Failure, type FailureKind, type HintSource, nextStep } from '../../base/failure.ts';
import { isDeeperThan, isObject, type Json, type JsonObject, maxDepth } from '../../base/json.ts';
import { formatDuration } from '../../base/moment.ts';
import { humanize } from '../../base/wording.ts';
import { resourceOf } from '../../contract/resource.ts';
import { isSecretPath } from '../../contract/schema.ts';
import type { Operation, Repeat } from '../../contract/types.ts';
import { firstHeader, type IncomingReply } from './exchange.ts';
import { maxWaitMs } from './rate-limiter.ts';
import { finalRefusal, isUnexplained } from './retry.ts';
import { doubtHints, proxyPasswordFailure } from './transport.ts';

export interface FailedRequest {
  readonly method: string;
  readonly shown: string;
  readonly origin: string;
  readonly operation?: Operation | undefined;
  readonly repeat: Repeat;
  /** An earlier attempt had no clear result and may have been carried out. */
  readonly afterLoss?: boolean;
  readonly profile?: string | undefined;
}

type ErrorBody = ReturnType<typeof errorBody>;

const nonEmptyText = (body: JsonObject, key: string): string | undefined => {
  const value = Object.hasOwn(body, key) ? body[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
};

function errorBody({ text, headers }: IncomingReply) {
  const body = parseBody(text);
  const data = body.data;
  const sentence = isObject(data) ? nonEmptyText(data, 'message') : undefined;
  const word = nonEmptyText(body, 'message');
  return {
    code:
      nonEmptyText(body, 'code') ??
      (body.status === 'error' ? word : undefined) ??
      nonEmptyText(body, 'error'),
    message: sentence ?? word,
    requestId: nonEmptyText(body, 'request_id') ?? firstHeader(headers, 'x-request-id'),
    data,
  };
}

function parseBody(text: string): JsonObject {
  try {
    const body: unknown = JSON.parse(text);
    return isObject(body) && !isDeeperThan(body, maxDepth) ? body : {};
  } catch {
    // Only the status describes the error.
    return {};
  }
}

/** The kind of the failure follows from the status and the broken rules. */
export function replyFailure(incoming: IncomingReply, asked: FailedRequest): Failure {
  const { status } = incoming;
  if (status >= 300 && status < 400) return redirectFailure(incoming, asked);
  const elsewhere = gatewayFailure(incoming, asked);
  if (elsewhere) return elsewhere;
  const body = errorBody(incoming);
  if (isUnexplained(incoming, asked.shown)) return unexplainedFailure(incoming, asked);
  const fields = status < 500 ? fieldErrors(body.data, asked.operation) : [];
  const final = finalRefusal(incoming);
  const kind = final?.kind ?? failureKind(status, fields, asked);
  return new Failure(kind, final?.message ?? failureMessage(incoming, body, fields, asked), {
    status,
    code: body.code,
    requestId: body.requestId,
    details: failureDetails(status, body, fields),
    hint:
      final?.hint ??
      (isNotOffered(status, body, asked)
        ? documentedAlternatives(asked.operation)
        : failureHint(status, incoming, asked)),
    // A lost earlier attempt may have caused the refusal.
    inDoubt:
      isInDoubt(status, asked) ||
      (asked.afterLoss === true && (status === 412 || (status === 403 && asked.method === 'DELETE'))),
  });
}

/** Returns the failure of a proxy or gateway that responded with a page, or `undefined` if the service responded. */
function gatewayFailure(incoming: IncomingReply, { origin, repeat }: FailedRequest): Failure | undefined {
  const { status, text, headers } = incoming;
  if (status === 407) return proxyPasswordFailure(origin);
  const isPage = /html/i.test(firstHeader(headers, 'content-type') ?? '') || /^\s*</.test(text);
  if (!isPage || (status !== 401 && status !== 403 && status < 500)) return undefined;
  const [, title = ''] = /<title[^>]*>([^<]*)/i.exec(text) ?? [];
  const said = title.trim() === '' ? '' : `: ${JSON.stringify(title.trim().slice(0, 200))}`;
  return new Failure(
    status < 500 ? 'failed' : failureKind(status, [], { repeat }),
    `A gateway, web filter or proxy in front of ${origin} responded with a page (${status})${said}. The service did not respond.`,
    {
      status,
      requestId: firstHeader(headers, 'x-request-id'),
      details: { answered_by: 'gateway' },
      hint:
        repeat !== 'safe' && isInDoubt(status, { repeat })
          ? doubtHints[repeat]
          : 'Ask the operator of the network or gateway to allow requests of telctl.',
      inDoubt: isInDoubt(status, { repeat }),
    },
  );
}

function unexplainedFailure(incoming: IncomingReply, { operation, afterLoss }: FailedRequest): Failure {
  const { message, code, requestId } = errorBody(incoming);
  const said = message === undefined || message === code ? '' : ` It says: ${message}`;
  return new Failure('failed', `The service refused this for the number and gave no reason (500).${said}`, {
    status: 500,
    code,
    requestId,
    hint:
      operation?.verb === 'create'
        ? 'The number may exist already, belong to another account, not be a public number, or need more rights.'
        : 'The number may be unknown here, in a state that does not allow it, or need more rights.',
    // A lost earlier attempt may be the reason.
    inDoubt: afterLoss === true,
  });
}

/**
 * Returns true if the service does not have the path. A 404 with a cause is about a missing record, such as a phone
 * number that the account does not have (Conventions, Phone numbers).
 */
const isNotOffered = (status: number, { code, data }: ErrorBody, { operation }: FailedRequest): boolean =>
  status === 404 &&
  code === 'not_found' &&
  operation?.source === 'convention' &&
  !(isObject(data) && Object.hasOwn(data, 'cause'));

const notOfferedMessage = (operation: Operation | undefined): string =>
  `This service does not offer "${operation?.summary}": that is a convention of compatible services, which the specification does not document.`;

/** For a read that was not sent, because the service is known not to offer it. */
export function notOfferedFailure(operation: Operation): Failure {
  const asksAgain = createHint`${nextStep`conformance`} detected that. Run it again to check.`;
  return new Failure('not_found', notOfferedMessage(operation), {
    status: 404,
    code: 'not_found',
    hint: createHint`${documentedAlternatives(operation) ?? ''} ${asksAgain}`,
  });
}

/** Lists the documented operations of the same resource, which every service has. */
function documentedAlternatives(operation: Operation | undefined): string | undefined {
  if (operation === undefined) return undefined;
  const { name, operations } = resourceOf(operation);
  const documented = operations.filter(({ source }) => source === 'specification');
  const ways = documented.map(({ method, path, summary }) => `${summary} (${method} ${path})`);
  const byId = operation.verb === 'list' && documented.length > 0 ? ' Use ids to name records.' : '';
  return ways.length === 0
    ? `The specification documents nothing for ${name}.`
    : `The specification documents: ${ways.join('; ')}.${byId}`;
}

function failureKind(
  status: number,
  fields: readonly FieldError[],
  { repeat }: Pick<FailedRequest, 'repeat'>,
): FailureKind {
  switch (status) {
    case 401:
    case 403:
      return 'auth';
    case 402:
      return 'charges';
    case 404:
      return 'not_found';
    case 409:
    case 412:
      return 'conflict';
    case 400:
    case 422:
      return fields.some(({ rule }) => rule === 'unique') ? 'conflict' : 'invalid';
    case 413:
      return 'invalid';
    case 429:
    case 502:
    case 503:
    case 504:
      return 'unavailable';
    case 500:
      return repeat === 'never' ? 'failed' : 'unavailable';
    default:
      return 'failed';
  }
}

function failureMessage(
  { status, headers }: IncomingReply,
  body: ErrorBody,
  fields: readonly FieldError[],
  asked: FailedRequest,
): string {
  const said = body.message === undefined ? '' : `: ${body.message}`;
  if (fields.length > 0) {
    return `The service refused the input: ${fields.map(({ field, message }) => `${field}: ${message}`).join('; ')}`;
  }
  if (isNotOffered(status, body, asked)) {
    return notOfferedMessage(asked.operation);
  }
  switch (status) {
    case 401:
      return `The service refused the ${takesThirdPartyInput(asked.operation) ? 'code or token that it was given' : 'sign-in'}${said}`;
    case 402:
      return `The service requires consent to charges first${said}`;
    case 403:
      return `The service does not allow this${said}`;
    case 404:
      return `${missingMessage(asked)}${said}`;
    case 409:
      return `The service refused this because of a conflict${said}`;
    case 412:
      return `The ${asked.operation ? resourceOf(asked.operation).singular : 'record'} was changed since it was read; nothing was changed${said}`;
    case 429:
      return `${asked.origin} accepts no more requests for now${longWaitText(firstHeader(headers, 'retry-after'))}${said}`;
    case 501:
      return `The service does not support ${asked.operation?.id ?? `${asked.method} ${asked.shown}`} yet${said}`;
    default:
      return `The service responded with ${status}${said}`;
  }
}

function longWaitText(seconds: string | undefined): string {
  const ms = Number(seconds) * 1000;
  return ms > maxWaitMs ? `, and asks to wait for ${formatDuration(ms)}` : '';
}

/** Names the record with the id at the end of the path, or the path. */
function missingMessage({ operation, shown }: FailedRequest): string {
  const resource = operation && resourceOf(operation);
  const id = shown.split('?')[0]?.split('/').at(-1);
  if (!resource?.idParameter || !operation?.path.endsWith(`{${resource.idParameter}}`) || id === undefined)
    return `The service has nothing at ${shown}`;
  return `There is no ${humanize(resource.singular)} ${JSON.stringify(decodeURIComponent(id))}`;
}

/** Returns the charges of a 402 response, or else the refused fields without the sent values. */
function failureDetails(
  status: number,
  { data }: ErrorBody,
  fields: readonly FieldError[],
): Json | undefined {
  // Complete, because scripts that read the charges need all fields.
  if (status === 402 && (isObject(data) || Array.isArray(data))) return data;
  if (fields.length === 0) return undefined;
  return { fields: fields.map((each) => ({ ...each })) };
}

function failureHint(
  status: number,
  { headers }: IncomingReply,
  asked: FailedRequest,
): HintSource | undefined {
  const { repeat, operation, profile } = asked;
  if (status === 429) {
    const after = firstHeader(headers, 'retry-after');
    return after === undefined
      ? 'Try again in a minute.'
      : `Try again after ${after}${/^\d+$/.test(after) ? ' s' : ''}.`;
  }
  if (status === 401 && takesThirdPartyInput(operation)) return undefined;
  if (status === 401)
    return createHint`Sign in again: ${profile ? nextStep`login --profile ${profile}` : nextStep`login`}`;
  return repeat === 'safe' || !isInDoubt(status, asked) ? undefined : doubtHints[repeat];
}

/** Returns true if a change may have been made despite a server error. */
const isInDoubt = (status: number, { repeat }: Pick<FailedRequest, 'repeat'>): boolean =>
  repeat !== 'safe' && status >= 500 && status !== 501;

/** Returns true if the input comes from other people. Then a refusal is not about the session. */
const takesThirdPartyInput = (operation: Operation | undefined): boolean =>
  operation?.id === 'tokens.callback' || operation?.id === 'tokens.authorize';

function redirectFailure({ status, headers }: IncomingReply, { origin, shown }: FailedRequest): Failure {
  const location = firstHeader(headers, 'location');
  const target = location === undefined ? undefined : URL.parse(location, origin);
  return new Failure(
    'failed',
    `${origin} redirects ${shown} to ${target?.origin ?? 'nowhere'}. telctl does not follow redirects, because it would send the token there.`,
    {
      status,
      hint:
        !target || target.origin === origin
          ? undefined
          : createHint`If that is the address of the service: ${nextStep`login --base-url ${target.origin}`}`,
    },
  );
}

export interface FieldError {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
  readonly target?: Json;
  /** The conflicting value, except for secret fields. */
  readonly cause?: Json;
}

/** The service's messages may repeat the sent value. */
const ruleMessages: ReadonlyMap<string, string> = new Map([
  ['required', 'is missing'],
  ['minLength', 'is too short'],
  ['maxLength', 'is too long'],
  ['type', 'is of the wrong type'],
]);

export function fieldErrors(data: Json | undefined, operation: Operation | undefined): readonly FieldError[] {
  if (!isObject(data)) return [];
  const bare = operation?.authenticated === false;
  return Object.entries(data).flatMap(([key, rules]) => {
    if (!isObject(rules)) return [];
    // Some services write the dots of a path as %2E, and use an empty path for the whole record.
    const field = key === '' ? 'record' : key.replaceAll('%2E', '.');
    return Object.entries(rules).flatMap(([rule, facts]) => {
      if (!isObject(facts) || typeof facts.message !== 'string') return [];
      const { message, target, cause } = facts;
      if (bare) return [{ field, rule, message: ruleMessages.get(rule) ?? `breaks the rule ${rule}` }];
      const secret = operation !== undefined && isSecretPath(resourceOf(operation).schema, field);
      return [
        {
          field,
          rule,
          message,
          ...(target === undefined ? {} : { target }),
          ...(cause === undefined || secret ? {} : { cause }),
        },
      ];
    });
  });
}
