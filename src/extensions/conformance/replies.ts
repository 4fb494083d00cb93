import { isDeeperThan, isObject, type Json, type JsonObject, maxDepth, parseJson } from '../../base/json.ts';
import { formatCount } from '../../base/wording.ts';
import { firstHeader, type IncomingReply } from '../../client/api/exchange.ts';
import type { RateLimiter } from '../../client/api/rate-limiter.ts';

type Body =
  | { readonly kind: 'empty' }
  /** A page, a table or another text, described by `word`. */
  | { readonly kind: 'text'; readonly word: string }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'json'; readonly value: Json };

/** Parses the body of a reply. Formats other than JSON are recognized by their text. */
export function replyBody({ text, headers }: IncomingReply): Body {
  if (text === '') return { kind: 'empty' };
  const type = firstHeader(headers, 'content-type') ?? '';
  const value = parseJson(text);
  if (value !== undefined)
    return isDeeperThan(value, maxDepth) ? { kind: 'damaged' } : { kind: 'json', value };
  if (/html/i.test(type) || /^\s*</.test(text)) return { kind: 'text', word: 'a web page' };
  if (/csv/i.test(type)) return { kind: 'text', word: 'CSV' };
  if (/json/i.test(type)) return { kind: 'damaged' };
  if (/vcard|directory/i.test(type)) return { kind: 'text', word: 'a vCard' };
  return { kind: 'text', word: 'plain text' };
}

function replyEnvelope(incoming: IncomingReply): JsonObject | undefined {
  const body = replyBody(incoming);
  return body.kind === 'json' && isObject(body.value) ? body.value : undefined;
}

/** Returns the content of a success: `data`, or the body if it has no envelope. */
export function repliedData(incoming: IncomingReply): Json | undefined {
  const body = replyBody(incoming);
  if (body.kind !== 'json') return undefined;
  return isObject(body.value) && body.value.data !== undefined ? body.value.data : body.value;
}

/** Returns keywords such as `bad_identifier`. Ignores sentences for people. */
const codesIn = (body: JsonObject): readonly string[] =>
  ['code', 'error', 'message']
    .map((key) => body[key])
    .filter((value) => typeof value === 'string' && /^[a-z]\w*$/.test(value))
    .map(String);

/**
 * Returns the status of a refusal with its keywords, or else its keys. Refusals of unknown paths and of missing
 * records can be equal.
 */
export function refusalShape(incoming: IncomingReply): string {
  const { status } = incoming;
  const body = replyBody(incoming);
  if (body.kind !== 'json' || !isObject(body.value)) return JSON.stringify([status, body.kind]);
  const codes = [...new Set(codesIn(body.value))].sort();
  return JSON.stringify([status, codes.length > 0 ? codes : Object.keys(body.value).sort()]);
}

export interface ObservedRateLimit {
  /** Where the service reports the limit. `null` if no reply reports it. */
  readonly said_by: 'tokens' | 'headers' | 'status-429' | null;
  /** Number of requests that can be sent at once, as far as observed. */
  readonly burst: number | null;
  readonly per_second: number | null;
  readonly remaining: number | null;
  readonly refused: number;
}

const nothing: ObservedRateLimit = {
  said_by: null,
  burst: null,
  per_second: null,
  remaining: null,
  refused: 0,
};

const roundToTenths = (value: number): number => Math.round(10 * value) / 10;

const wholeNumber = (text: string | undefined): number | null => {
  const [, digits] = /^\s*"?(?:default"?\s*;\s*[a-z]=)?(\d+)/.exec(text ?? '') ?? [];
  return digits === undefined ? null : Number(digits);
};

/** Reads rate limit headers of IETF drafts and of older services. */
function readRateHeaders({ headers }: IncomingReply): Partial<ObservedRateLimit> | undefined {
  const namedHeader = (name: string) =>
    firstHeader(headers, `ratelimit-${name}`) ?? firstHeader(headers, `x-ratelimit-${name}`);
  const burst = wholeNumber(namedHeader('limit'));
  const remaining = wholeNumber(namedHeader('remaining'));
  const [, windowS] = /;\s*w=(\d+)/.exec(namedHeader('policy') ?? namedHeader('limit') ?? '') ?? [];
  if (burst === null && remaining === null) return undefined;
  const seconds = Number(windowS ?? 0);
  const perSecond = burst !== null && seconds > 0 ? roundToTenths(burst / seconds) : null;
  return { said_by: 'headers', burst, remaining, per_second: perSecond };
}

/** Reads `tokens` of the envelope, the remaining requests (Conventions, rate limiting). */
function readRateTokens(envelope: JsonObject | undefined): Partial<ObservedRateLimit> | undefined {
  const tokens = envelope?.tokens;
  if (!isObject(tokens) || typeof tokens.remaining !== 'number') return undefined;
  return { said_by: 'tokens', remaining: tokens.remaining };
}

/** Observes the rate limit in replies. The size of the bucket is at least the highest observed remainder. */
export function watchRate() {
  let known = nothing;
  return {
    observe(incoming: IncomingReply): void {
      const said = readRateHeaders(incoming) ?? readRateTokens(replyEnvelope(incoming));
      if (said === undefined) return;
      const most = Math.max(known.burst ?? 0, said.burst ?? 0, said.remaining ?? 0);
      known = { ...known, ...said, burst: most, per_second: said.per_second ?? known.per_second };
    },
    observedLimit({ refused, perSecond }: ReturnType<RateLimiter['met']>): ObservedRateLimit {
      // If requests are refused although tokens remain, another limit applies.
      const isElsewhere = refused > 0 && known.said_by === 'tokens' && Number(known.remaining) > 0;
      const said = isElsewhere ? nothing : known;
      return {
        ...said,
        said_by: said.said_by ?? (refused > 0 ? 'status-429' : null),
        per_second: said.per_second ?? (perSecond === undefined ? null : roundToTenths(perSecond)),
        refused,
      };
    },
  };
}

export function rateText({ said_by, burst, per_second, refused }: ObservedRateLimit): string {
  if (said_by === null) return 'No reply reports a rate limit.';
  const known = [
    ...(burst === null ? [] : [`${said_by === 'tokens' ? 'at least ' : ''}${formatCount(burst, 'request')}`]),
    ...(per_second === null ? [] : [`${per_second} a second`]),
    ...(refused === 0 ? [] : [`${refused} refused`]),
  ];
  return `Rate limit: ${known.join(', ')}.`;
}
