import type { Clock } from '../../src/base/host/host.ts';
import type { JsonObject } from '../../src/base/json.ts';

/** Trouble on the way to the service or back. */
export type Fault =
  /** None: lets a request through that a later rule would meet. */
  | { readonly kind: 'pass' }
  /** Somebody else does something before the request reaches the service. */
  | { readonly kind: 'meanwhile'; readonly does: () => Promise<unknown> }
  /** The connection is refused; nothing reaches the service. */
  | { readonly kind: 'refuse' }
  /** The service does what was asked, but its reply is lost. */
  | { readonly kind: 'lose-reply' }
  /** An open connection ends before the request reaches the service: closed, or reset. */
  | { readonly kind: 'cut'; readonly by: 'close' | 'reset' }
  /** The service does what was asked, and its answer comes after the caller has given up. */
  | { readonly kind: 'late' }
  /** Something on the way delivers the request twice; the caller gets the second answer. */
  | { readonly kind: 'duplicate' }
  /** Something answers in the service's place; the request does not reach it. */
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
    }
  /** The service's body breaks off after so many bytes. */
  | { readonly kind: 'truncate'; readonly afterBytes: number }
  /** The service's body is changed on its way. */
  | { readonly kind: 'rewrite'; readonly change: (body: string) => string }
  /** The service takes something else than was sent. */
  | { readonly kind: 'keep'; readonly change: (data: JsonObject) => Promise<JsonObject> }
  /** No answer comes until the caller gives up. */
  | { readonly kind: 'hang'; readonly onRequest?: () => void };

/** A fault, and the requests that meet it. */
export interface FaultRule {
  readonly fault: Fault;
  readonly method?: string;
  /** Tried on the path without query. */
  readonly path?: RegExp;
  /** Not met by requests whose body has this text. */
  readonly unless?: string;
  /** Number of requests that meet it; all where left out. */
  readonly times?: number;
  /** True while it is in force. */
  readonly when?: () => boolean;
  /** Told of each request that meets it. */
  readonly met?: () => void;
}

/** The bucket of a rate limit. */
export interface BucketRules {
  readonly size: number;
  readonly perSecond: number;
  /** It is refilled in one step each second. */
  readonly steps?: boolean;
}

/** Takes requests out of a bucket on a clock: false where it has too few left. */
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

/** Something in front of the service that turns requests away with 429, and nothing more, when its bucket is empty. */
export function rateLimited(
  clock: Pick<Clock, 'now'>,
  bucket: BucketRules,
  more: Pick<FaultRule, 'path' | 'met'> = {},
): FaultRule {
  const take = bucketOn(clock, bucket);
  const body = JSON.stringify({ data: { message: 'too many requests' }, error: '429', status: 'error' });
  return { fault: { kind: 'answer', status: 429, body }, when: () => !take(), ...more };
}

/** Hands out faults by the rules, the first rule that fits and is not used up. */
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
