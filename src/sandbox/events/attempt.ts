import { gregorianOffset } from '../../base/moment.ts';
import type { HookRequest } from '../../contract/hook-request.ts';
import { putOf } from '../placement.ts';
import type { Services } from '../services.ts';
import type { Attempt, QueuedDelivery } from '../store/delivery.ts';
import type { Change } from '../store/store.ts';
import { StoreConflict } from '../store/store-conflict.ts';
import { notification } from './event.ts';
import { publish } from './queue-events.ts';
import type { Sent } from './sender.ts';
import type { Subscription } from './subscriptions.ts';

/** Maximum length of a noted reply, in characters. */
const notedReply = 4096;

/** Any 2xx is a success (Events, delivery rule 4). */
export const isSuccess = (sent: Sent): boolean => 'status' in sent && sent.status >= 200 && sent.status < 300;

/** Returns the record of one try (Conventions, attempt record). */
export function attemptOf(
  delivery: QueuedDelivery,
  subscription: Subscription,
  { request, sent, atMs }: { readonly request: HookRequest; readonly sent: Sent; readonly atMs: number },
): Attempt {
  const { retries, customData, target } = subscription;
  const succeeded = isSuccess(sent);
  const left = 'isForbidden' in sent ? 0 : Math.max(retries - delivery.tries, 0);
  const timestamp = Math.floor(atMs / 1000) + gregorianOffset;
  const reason =
    'status' in sent
      ? { reason: 'bad response code' }
      : sent.isForbidden
        ? { reason: 'forbidden address', client_error: sent.error }
        : { reason: 'http client error', client_error: sent.error };
  return {
    webhookId: target.hookId,
    accountId: target.accountId,
    timestamp,
    body: {
      hook_id: target.hookId,
      hook_event: delivery.hook,
      event_id: delivery.eventId,
      result: succeeded ? 'success' : 'failure',
      timestamp,
      uri: request.url,
      method: request.method.toLowerCase(),
      req_headers: { ...request.headers },
      ...(request.body === undefined ? {} : { req_body: request.body }),
      ...('status' in sent
        ? {
            resp_status_code: sent.status,
            resp_headers: sent.headers,
            resp_body: sent.body.slice(0, notedReply),
          }
        : {}),
      ...(succeeded ? {} : { ...reason, retries_left: left > 0 ? left : 'retries exceeded' }),
      retries,
      try: delivery.tries + 1,
      ...(Object.keys(customData).length > 0 ? { custom_data: customData } : {}),
    },
  };
}

/** Number of failures within the window that disables a webhook (Conventions, auto-disable). */
const failureLimit = 6;
const windowMs = 60_000;

const disableReason = 'too many failed attempts';

/** Counts the failed tries of each webhook, until it is switched on anew. */
export class FailureCounts {
  readonly #failures = new Map<string, readonly number[]>();

  isTooMany(webhookId: string, atMs: number): boolean {
    const recent = (this.#failures.get(webhookId) ?? []).filter((each) => each > atMs - windowMs);
    const failures = [...recent, atMs];
    this.#failures.set(webhookId, failures);
    return failures.length >= failureLimit;
  }

  /** Forgets the failures of webhooks that were written or removed. */
  follow(changes: readonly Change[]): void {
    for (const change of changes) {
      if ('record' in change && change.record.kind === 'webhooks') this.#failures.delete(change.record.id);
    }
  }
}

/** Disables a webhook that is still enabled, and publishes that (States and transitions; Conventions, auto-disable). */
export async function disable(
  services: Services,
  { accountId, webhookId }: { readonly accountId: string; readonly webhookId: string },
): Promise<void> {
  const record = await services.store.get({ kind: 'webhooks', scope: accountId, id: webhookId });
  if (!record || record.body.enabled === false) return;
  const body = { ...record.body, enabled: false, disable_reason: disableReason };
  const event = notification(services, 'webhook_disabled', { accountId, keys: { hook_id: webhookId } });
  try {
    await publish(services, [event], [putOf({ ...record, body }, 'webhooks')]);
  } catch (error) {
    // Somebody writes it at this moment: what they wrote is tried first.
    if (!(error instanceof StoreConflict)) throw error;
  }
}
