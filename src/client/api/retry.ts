import { createHint, type FailureKind, type HintSource, nextStep } from '../../base/failure.ts';
import type { Clock, Random } from '../../base/host/host.ts';
import { isObject } from '../../base/json.ts';
import type { Repeat } from '../../contract/types.ts';
import { maxWaitMs } from './rate-limiter.ts';

export type AttemptOutcome =
  | { readonly kind: 'reply'; readonly status: number; readonly retryAfter: string | undefined }
  /** The response is missing or incomplete. The request may have been carried out. */
  | { readonly kind: 'lost' };

export interface Attempt {
  readonly outcome: AttemptOutcome;
  readonly repeat: Repeat;
  readonly repeated: number;
  readonly retries: number;
  /** Milliseconds since the first attempt started. */
  readonly elapsedMs: number;
}

interface Rule {
  readonly outcome: 'lost' | number;
  readonly repeat: readonly Repeat[];
  /** Doubles for each further retry. */
  readonly firstWaitMs: number;
}

const harmless: readonly Repeat[] = ['safe', 'idempotent'];

/**
 * After server errors and lost responses, only requests that are safe to repeat are sent again. Creates and charges
 * are never retried. Requests with status 429 were not carried out, and wait for another turn.
 */
const rules: readonly Rule[] = [
  { outcome: 500, repeat: harmless, firstWaitMs: 200 },
  { outcome: 502, repeat: harmless, firstWaitMs: 200 },
  { outcome: 503, repeat: harmless, firstWaitMs: 500 },
  { outcome: 504, repeat: harmless, firstWaitMs: 500 },
  { outcome: 'lost', repeat: harmless, firstWaitMs: 200 },
];

const longestWaitMs = 8000;
/**
 * Returns the wait before the next attempt in milliseconds. Returns `undefined` if a retry is not safe or would start
 * more than two minutes after the first attempt. `Retry-After` is used exactly. Other waits are random.
 */
export function waitBeforeRepeat(attempt: Attempt, clock: Clock, random: Random): number | undefined {
  const { outcome } = attempt;
  const key = outcome.kind === 'lost' ? 'lost' : outcome.status;
  const rule = rules.find((each) => each.outcome === key);
  if (!rule?.repeat.includes(attempt.repeat) || attempt.repeated >= attempt.retries) return undefined;
  const asked = outcome.kind === 'reply' ? retryAfterMs(outcome.retryAfter, clock.now()) : undefined;
  const own = Math.min(rule.firstWaitMs * 2 ** attempt.repeated, longestWaitMs);
  const waitMs = asked ?? Math.round(own * (0.5 + random.fraction() / 2));
  return attempt.elapsedMs + waitMs > maxWaitMs ? undefined : waitMs;
}

/** Parses seconds or an HTTP date. Returns milliseconds, or `undefined` for other text. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/**
 * Refusals that services send with status 500, and some with 404 (Conventions, Catalogue of system errors). The request
 * conflicts with the state of the account, so a retry would also fail.
 */
const finalRefusals: ReadonlyMap<unknown, FinalRefusal> = new Map<unknown, FinalRefusal>([
  ...[
    'account_cant_create_tree',
    'account_has_descendants',
    'account_has_active_port',
    'transition_errors',
    'plan_is_not_assigned',
  ].map((word) => [word, { kind: 'conflict' }] as const),
  // No price covers the number (Conventions, Carriers).
  [
    'No rate found for this number',
    {
      kind: 'not_found',
      message: 'The service has no rate for this number.',
      hint: createHint`All rates: ${nextStep`rates list`}`,
    },
  ],
]);

/** A refusal with status 500, with a clearer message. */
interface FinalRefusal {
  readonly kind: FailureKind;
  readonly message?: string;
  readonly hint?: HintSource;
}

/** Services use this message for every refused change of numbers (Conventions, Number errors). */
const numberRefusal = 'unspecified_fault';
const numberPath = /\/phone_numbers(?:\/|$)/;

/** Returns true for a refused change of numbers without a specific reason. */
export const isUnexplained = ({ status, text }: Refused, path: string): boolean =>
  status === 500 && numberPath.test(path.split('?')[0] ?? '') && text.includes(`"${numberRefusal}"`);

interface Refused {
  readonly status: number;
  readonly text: string;
}

/**
 * Returns the refusal in a response with status 500 that must not be retried. Returns `undefined` for server errors.
 */
export function finalRefusal({ status, text }: Refused): FinalRefusal | undefined {
  if (status !== 500 && status !== 404) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body)) return undefined;
    return [body.code, body.message, body.error].map((word) => finalRefusals.get(word)).find(Boolean);
  } catch {
    // An error without a JSON body is a server error.
    return undefined;
  }
}
