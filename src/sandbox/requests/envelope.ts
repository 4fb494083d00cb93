import type { Json, JsonObject } from '../../contract/json.ts';
import type { ErrorShape } from '../../contract/types.ts';
import type { Clock } from '../../host/host.ts';
import { timestamp } from '../moments.ts';
import type { Refusal } from './refusal.ts';

/** What every reply says of the service and the request. */
export interface ReplyFacts {
  readonly clock: Clock;
  readonly node: string;
  readonly version: string;
  readonly requestId: string;
  /** Token used, or issued by a sign-in; the version is told to those who have one. */
  readonly token?: string | undefined;
}

const surroundings = ({ clock, node, version, requestId, token }: ReplyFacts): JsonObject => ({
  request_id: requestId,
  node,
  timestamp: timestamp(clock),
  ...(token === undefined ? {} : { version, auth_token: token }),
});

/** Body of a success reply (Conventions, Success response envelope). */
export const successBody = (facts: ReplyFacts, data: Json, more: JsonObject = {}): JsonObject => ({
  data,
  status: 'success',
  ...more,
  ...surroundings(facts),
});

/** Body of an error reply, in the shape of the operation's group (Errors). */
export function errorBody(facts: ReplyFacts, refusal: Refusal, shape: ErrorShape): JsonObject {
  const { status, code, message, data } = refusal;
  if (shape === 'reference') return { code, message, request_id: facts.requestId, data };
  return {
    status: 'error',
    error: String(status),
    message: code === 'validation_error' ? 'validation error' : code,
    data,
    ...surroundings(facts),
  };
}
