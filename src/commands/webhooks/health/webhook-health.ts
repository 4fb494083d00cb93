import type { Json, JsonObject } from '../../../base/json.ts';
import { maskedUrl } from '../../../contract/secrets.ts';
import { type WebhookState, webhookState } from '../../../contract/webhook-state.ts';
import { attemptMs, attemptTarget, hasFailed, reasonOf, reasonsInWords } from './attempt-reading.ts';

/** The health of one webhook, as scripts get it. */
export interface WebhookHealth {
  readonly [key: string]: Json | undefined;
  readonly id: string;
  readonly name: string;
  readonly hook: string;
  readonly uri: string;
  readonly state: WebhookState;
  readonly why: string;
  /** Attempts of the last 24 hours. */
  readonly sent: number;
  readonly failed: number;
  readonly last_success: string | null;
  readonly last_failure: string | null;
}

const textOf = (value: Json | undefined): string => (typeof value === 'string' ? value : '');

/** The newest of attempts; of those of one second the first, since they are listed newest first. */
const newestOf = (attempts: readonly JsonObject[]): JsonObject | undefined =>
  attempts.reduce<JsonObject | undefined>(
    (newest, each) => (newest && attemptMs(newest) >= attemptMs(each) ? newest : each),
    undefined,
  );

const momentOf = (attempt: JsonObject | undefined): number | undefined => attempt && attemptMs(attempt);

const iso = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

/** `12 min ago`, as people say it. */
function agoInWords(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 1) return 'just now';
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}

/** Judges a webhook by its record and its attempts of the last 24 hours. */
export function healthOf(webhook: JsonObject, attempts: readonly JsonObject[], nowMs: number): WebhookHealth {
  const failures = attempts.filter(hasFailed);
  const newest = newestOf(failures);
  const lastFailure = momentOf(newest);
  const lastSuccess = momentOf(newestOf(attempts.filter((each) => !hasFailed(each))));
  const last = newestOf(attempts);
  const state = webhookState(webhook, last && { hasFailed: hasFailed(last), atMs: attemptMs(last) }, nowMs);
  const from = newest === undefined ? '' : attemptTarget(newest) || maskedUrl(textOf(webhook.uri));
  const trouble = newest === undefined ? '' : `${reasonOf(newest)} from ${from}`;
  return {
    id: textOf(webhook.id),
    name: textOf(webhook.name),
    hook: textOf(webhook.hook),
    uri: maskedUrl(textOf(webhook.uri)),
    state,
    why: whyOf(state),
    sent: attempts.length,
    failed: failures.length,
    last_success: iso(lastSuccess),
    last_failure: iso(lastFailure),
  };

  function whyOf(is: WebhookHealth['state']): string {
    if (is === 'disabled') {
      const reason = textOf(webhook.disable_reason);
      return [reason === '' ? 'turned off by hand' : reason, trouble]
        .filter((part) => part !== '')
        .join(': ');
    }
    const counts = countsOf(failures);
    if (is === 'failing' && counts.size > 1) return `${trouble} (${reasonsInWords(counts)})`;
    if (is === 'failing') return trouble;
    return lastFailure === undefined ? '' : `last failure ${agoInWords(nowMs - lastFailure)}: ${trouble}`;
  }
}

function countsOf(failures: readonly JsonObject[]): ReadonlyMap<string, number> {
  return new Map(
    [...Map.groupBy(failures, reasonOf)].map(([reason, those]) => [reason, those.length] as const),
  );
}
