import type { JsonObject } from '../base/json.ts';

/** State of a webhook: it gets through as far as is known, it fails, or it is turned off. */
export type WebhookState = 'enabled' | 'failing' | 'disabled';

/**
 * Time for which a webhook is called failing after its last failure. Services that keep no successes say nothing
 * sooner.
 */
const failingMs = 15 * 60_000;

/** The last attempt to deliver to a webhook. */
export interface LastAttempt {
  readonly hasFailed: boolean;
  /** Unix milliseconds. */
  readonly atMs: number;
}

/** Judges a webhook by its record and its last attempt, at a moment of the service's clock in Unix milliseconds. */
export function webhookState(
  { enabled }: JsonObject,
  last: LastAttempt | undefined,
  nowMs: number,
): WebhookState {
  if (enabled === false) return 'disabled';
  return last?.hasFailed && nowMs - last.atMs < failingMs ? 'failing' : 'enabled';
}
