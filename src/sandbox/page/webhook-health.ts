import { gregorianOffset } from '../../base/moment.ts';
import { type WebhookState, webhookState } from '../../contract/webhook-state.ts';
import { html, type Markup } from '../../page/html/markup.ts';
import { textAt } from '../fields.ts';
import type { LoggedAttempt } from '../store/delivery.ts';
import type { StoredRecord } from '../store/store.ts';
import type { Viewing } from './look.ts';

/** How a webhook fares, as `telctl webhooks health` says it, and what became of its last delivery. */
export interface Health {
  readonly state: WebhookState;
  /** Why it is disabled. */
  readonly why?: string;
  /** Whether nobody need look after it: it works as far as is known, or somebody turned it off. */
  readonly isFine: boolean;
  readonly last: LoggedAttempt | undefined;
}

export const hasFailed = ({ body: { result } }: LoggedAttempt): boolean => result !== 'success';

/** Why a delivery failed, or which status it was answered with. */
export const outcomeOf = ({
  body: { reason, resp_status_code: code, client_error: error },
}: LoggedAttempt): string =>
  [code, error, reason].filter((each) => typeof each === 'string' || typeof each === 'number').join(' · ');

/** How a webhook of an account fares, by what is noted of it. */
export async function healthOf(
  { id, body }: StoredRecord,
  { account, store, nowMs }: Viewing,
): Promise<Health> {
  const between = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const [last] = await store.attempts({ accountId: account.id, webhookId: id, between, limit: 1 });
  const state = webhookState(
    body,
    last && { hasFailed: hasFailed(last), atMs: (last.timestamp - gregorianOffset) * 1000 },
    nowMs,
  );
  if (state !== 'disabled') return { state, isFine: state === 'enabled', last };
  const reason = textAt(body, 'disable_reason');
  return { state, why: reason ?? 'turned off by hand', isFine: reason === undefined, last };
}

/** The state of a webhook in a word; green where its last delivery was taken. */
export const healthMark = ({ state, isFine, last }: Health): Markup =>
  html`<span class="status ${isFine ? (state === 'enabled' && last && !hasFailed(last) ? 'good' : 'other') : 'bad'}">${state}</span>`;
