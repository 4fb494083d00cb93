import type { LoggedAttempt } from '../events/delivery.ts';
import { textAt } from '../fields.ts';
import type { Store, StoredRecord } from '../store/store.ts';
import { html, type Markup } from './markup.ts';

/** How a webhook fares: whether it is on, and what became of its last delivery. */
export interface Health {
  readonly state: 'enabled' | 'failing' | 'disabled';
  /** Why it is disabled. */
  readonly why?: string;
  /** Whether nobody need look after it: it works as far as is known, or somebody turned it off. */
  readonly isFine: boolean;
  readonly last: LoggedAttempt | undefined;
}

/** Why a delivery failed, or which status it was answered with. */
export const outcomeOf = ({
  body: { reason, resp_status_code: code, client_error: error },
}: LoggedAttempt): string =>
  [code, error, reason].filter((each) => typeof each === 'string' || typeof each === 'number').join(' · ');

/** How a webhook fares, by what is noted of it. */
export async function healthOf(accountId: string, { id, body }: StoredRecord, store: Store): Promise<Health> {
  const between = { from: 0, to: Number.MAX_SAFE_INTEGER };
  const [last] = await store.attempts({ accountId, webhookId: id, between, limit: 1 });
  if (body.enabled === false) {
    const reason = textAt(body, 'disable_reason');
    return { state: 'disabled', why: reason ?? 'turned off by hand', isFine: reason === undefined, last };
  }
  const isFine = last === undefined || last.body.result === 'success';
  return { state: isFine ? 'enabled' : 'failing', isFine, last };
}

/** The state of a webhook in a word. */
export const healthMark = ({ state, isFine, last }: Health): Markup =>
  html`<span class="status ${isFine ? (last && state === 'enabled' ? 'good' : 'other') : 'bad'}">${state}</span>`;
