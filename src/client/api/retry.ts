import { type FailureKind, type Lead, leadsOn, nextStep } from '../../base/failure.ts';
import type { Clock, Random } from '../../base/host/host.ts';
import { isObject } from '../../base/json.ts';
import type { Repeat } from '../../contract/types.ts';
import { patienceMs } from './rate-limiter.ts';

/** The end of one attempt, as far as retries are concerned. */
export type Outcome =
  | { readonly kind: 'reply'; readonly status: number; readonly retryAfter: string | undefined }
  /** No reply, or a part of one: nobody knows whether the request was carried out. */
  | { readonly kind: 'lost' };

export interface Attempt {
  readonly outcome: Outcome;
  readonly repeat: Repeat;
  readonly repeated: number;
  readonly retries: number;
  /** Time since the first attempt began, in milliseconds. */
  readonly elapsedMs: number;
}

interface Rule {
  readonly outcome: 'lost' | number;
  /** Operations that may be sent again. */
  readonly repeat: readonly Repeat[];
  /** Wait before the first repeat; doubled for each further one. */
  readonly firstWaitMs: number;
}

const harmless: readonly Repeat[] = ['safe', 'idempotent'];

/**
 * Rules of retries: after server errors and lost replies, only what ends the same when it is done twice is sent
 * again. Creates and charges are never retried blindly. A 429 is not here: it was not carried out, and waits for its
 * turn once more.
 */
const rules: readonly Rule[] = [
  { outcome: 500, repeat: harmless, firstWaitMs: 200 },
  { outcome: 502, repeat: harmless, firstWaitMs: 200 },
  { outcome: 503, repeat: harmless, firstWaitMs: 500 },
  { outcome: 504, repeat: harmless, firstWaitMs: 500 },
  { outcome: 'lost', repeat: harmless, firstWaitMs: 200 },
];

/** The longest wait between two attempts that telctl chooses by itself. */
const longestWaitMs = 8000;
/**
 * Returns the wait before a request is sent again, in milliseconds; `undefined` if it must not be, or if it would
 * begin later than two minutes after the first attempt. A `Retry-After` is kept to exactly, other waits are spread at
 * random.
 */
export function waitBeforeRepeat(attempt: Attempt, clock: Clock, random: Random): number | undefined {
  const { outcome } = attempt;
  const key = outcome.kind === 'lost' ? 'lost' : outcome.status;
  const rule = rules.find((each) => each.outcome === key);
  if (!rule?.repeat.includes(attempt.repeat) || attempt.repeated >= attempt.retries) return undefined;
  const asked = outcome.kind === 'reply' ? retryAfterMs(outcome.retryAfter, clock.now()) : undefined;
  const own = Math.min(rule.firstWaitMs * 2 ** attempt.repeated, longestWaitMs);
  const waitMs = asked ?? Math.round(own * (0.5 + random.fraction() / 2));
  return attempt.elapsedMs + waitMs > patienceMs ? undefined : waitMs;
}

/** `Retry-After` in milliseconds, given in seconds or as an HTTP date; `undefined` for other text. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  if (header === undefined) return undefined;
  if (/^\s*\d+\s*$/.test(header)) return Number(header) * 1000;
  const date = Date.parse(header);
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}

/**
 * Refusals that services answer with 500, and some with 404 (Conventions, Catalogue of system errors): what was asked for
 * clashes with the state of the account, and the same request again is refused again.
 */
const finalRefusals: ReadonlyMap<unknown, FinalRefusal> = new Map<unknown, FinalRefusal>([
  ...[
    'account_cant_create_tree',
    'account_has_descendants',
    'account_has_active_port',
    'transition_errors',
    'plan_is_not_assigned',
  ].map((word) => [word, { kind: 'conflict' }] as const),
  // Nothing is wrong there: no price covers the number (Conventions, Carriers).
  [
    'No rate found for this number',
    {
      kind: 'not_found',
      message: 'The service has no rate for this number.',
      hint: leadsOn`All rates: ${nextStep`rates list`}`,
    },
  ],
]);

/** A refusal in a 500: its kind, and words for it where the service's own say less. */
interface FinalRefusal {
  readonly kind: FailureKind;
  readonly message?: string;
  readonly hint?: Lead;
}

/** The word of every refusal of changes of numbers, whatever the reason (Conventions, Number errors). */
const numberRefusal = 'unspecified_fault';
const ofNumbers = /\/phone_numbers(?:\/|$)/;

/** True for a refused change of phone numbers, of which the service tells no reason. */
export const isUnexplained = ({ status, text }: Refused, path: string): boolean =>
  status === 500 && ofNumbers.test(path.split('?')[0] ?? '') && text.includes(`"${numberRefusal}"`);

/** The parts of a reply that are looked at. */
interface Refused {
  readonly status: number;
  readonly text: string;
}

/** The refusal in a 500 that is no trouble of the service, and is not sent again; `undefined` for others. */
export function finalRefusal({ status, text }: Refused): FinalRefusal | undefined {
  if (status !== 500 && status !== 404) return undefined;
  try {
    const body: unknown = JSON.parse(text);
    if (!isObject(body)) return undefined;
    return [body.code, body.message, body.error].map((word) => finalRefusals.get(word)).find(Boolean);
  } catch {
    // An error without a JSON body is trouble of the service.
    return undefined;
  }
}
