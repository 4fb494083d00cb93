import type { Json, JsonObject } from '../../base/json.ts';
import type { ErrorShape } from '../../contract/types.ts';
import type { Clock } from '../../host/host.ts';
import type { Behaviour } from '../behaviour.ts';
import type { Refusal } from '../refusal.ts';
import { timestamp } from '../timestamps.ts';

/** What every reply says of the service and the request. */
export interface ReplyFacts {
  readonly clock: Clock;
  readonly node: string;
  /** Release version of the service, where the caller is told. */
  readonly version: string | undefined;
  readonly requestId: string;
  /** Token used, or issued by a sign-in. */
  readonly token?: string | undefined;
  /** What is left of the caller's bucket, where that is told. */
  readonly tokensLeft?: number | undefined;
  readonly revision?: string | undefined;
}

const surroundings = ({ clock, node, version, requestId, token, tokensLeft }: ReplyFacts): JsonObject => ({
  request_id: requestId,
  node,
  timestamp: timestamp(clock),
  ...(tokensLeft === undefined ? {} : { tokens: { consumed: 1, remaining: tokensLeft } }),
  ...(version === undefined ? {} : { version }),
  ...(token === undefined ? {} : { auth_token: token }),
});

/** Body of a success reply (Conventions, Success response envelope); `data` left out, it has none. */
export const successBody = (
  facts: ReplyFacts,
  data: Json | undefined,
  more: JsonObject = {},
): JsonObject => ({
  ...(data === undefined ? {} : { data }),
  status: 'success',
  ...(facts.revision === undefined ? {} : { revision: facts.revision }),
  ...more,
  ...surroundings(facts),
});

/**
 * Body of an error reply, in the shape of the operation's group (Errors), and of the service: see
 * `Behaviour.replies.referenceErrors`.
 */
export function errorBody(
  facts: ReplyFacts,
  refusal: Refusal,
  shape: ErrorShape,
  referenceErrors: Behaviour['replies']['referenceErrors'],
): JsonObject {
  const { status, code, message, data, facts: found } = refusal;
  const legacy = { status: 'error', error: String(status) };
  if (shape === 'reference' && referenceErrors !== 'envelope') {
    const letter = { code, message, request_id: facts.requestId };
    return referenceErrors === 'alone' ? letter : { ...letter, ...legacy, data };
  }
  return {
    ...legacy,
    message: code === 'validation_error' ? 'validation error' : code,
    ...(found.isBare ? {} : { data }),
    ...found.envelope,
    ...surroundings(facts),
  };
}
