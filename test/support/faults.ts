import type { Clock } from '../../src/base/host/host.ts';
import type { JsonObject } from '../../src/base/json.ts';

/** A problem on the way to the service or back. */
export type Fault =
  /** No fault: exempts a request from later rules. */
  | { readonly kind: 'pass' }
  /** Another client acts before the request reaches the service. */
  | { readonly kind: 'meanwhile'; readonly does: () => Promise<unknown> }
  /** The connection is refused. */
  | { readonly kind: 'refuse' }
  /** The service completes the request, but its response is lost. */
  | { readonly kind: 'lose-reply' }
  /** An open connection is closed or reset before the request reaches the service. */
  | { readonly kind: 'cut'; readonly by: 'close' | 'reset' }
  /** The response arrives after the caller has given up. */
  | { readonly kind: 'late' }
  /** The request is delivered twice, and the caller gets the second response. */
  | { readonly kind: 'duplicate' }
  /** A gateway responds, and the request does not reach the service. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The response body ends after so many bytes. */
  | { readonly kind: 'truncate'; readonly afterBytes: number }
  /** The response body is changed on its way. */
  | { readonly kind: 'rewrite'; readonly change: (body: string) => string }
  /** The service stores something other than was sent. */
  | { readonly kind: 'keep'; readonly change: (data: JsonObject) => Promise<JsonObject> }
  /** No response arrives. */
  | { readonly kind: 'hang'; readonly onRequest?: () => void };

/** A fault and the requests that it affects. */
export interface FaultRule {
  readonly fault: Fault;
  readonly method?: string;
  /** Matched against the path without query. */
  readonly path?: RegExp;
  /** Exempts requests whose body contains this text. */
  readonly unless?: string;
  /** Maximum number of affected requests (default: all). */
  readonly times?: number;
  /** Returns true while the rule is active. */
  readonly when?: () => boolean;
  /** Called for each affected request. */
  readonly met?: () => void;
}

/** The bucket of a rate limit. */
export interface BucketRules {
  readonly size: number;
  readonly perSecond: number;
  /** The bucket is refilled once per second. */
  readonly steps?: boolean;
}

/** Returns a function that takes requests from a bucket, and returns false if too few are left. */
export function bucketOn(clock: Pick<Clock, 'now'>, { size, perSecond, steps = false }: BucketRules) {
  let left = size;
  let filledMs = clock.now();
  return (cost = 1): boolean => {
    const sinceMs = clock.now() - filledMs;
    const filledForMs = steps ? Math.floor(sinceMs / 1000) * 1000 : sinceMs;
    left = Math.min(size, left + (filledForMs * perSecond) / 1000);
    filledMs += filledForMs;
    if (left < cost) return false;
    left -= cost;
    return true;
  };
}

/** Returns a proxy that responds with 429 if its bucket is empty. */
export function rateLimited(
  clock: Pick<Clock, 'now'>,
  bucket: BucketRules,
  more: Pick<FaultRule, 'path' | 'met'> = {},
): FaultRule {
  const take = bucketOn(clock, bucket);
  const body = JSON.stringify({ data: { message: 'too many requests' }, error: '429', status: 'error' });
  return { fault: { kind: 'answer', status: 429, body }, when: () => !take(), ...more };
}

/** Selects the fault of a request: the first matching rule that is not used up. */
export function faultTable(
  rules: readonly FaultRule[],
): (method: string, path: string, body?: string) => Fault | undefined {
  const left = rules.map((rule) => ({ rule, times: rule.times ?? Number.POSITIVE_INFINITY }));
  return (method, path, body = '') => {
    const found = left.find(
      ({ rule, times }) =>
        times > 0 &&
        (rule.method ?? method) === method &&
        (rule.path === undefined || rule.path.test(path)) &&
        (rule.unless === undefined || !body.includes(rule.unless)) &&
        (rule.when === undefined || rule.when()),
    );
    if (!found) return undefined;
    found.times -= 1;
    found.rule.met?.();
    return found.rule.fault;
  };
}
