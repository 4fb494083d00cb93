import { putOf } from '../placement.ts';
import type { Services } from '../services.ts';
import type { Change } from '../store/store.ts';
import { StoreConflict } from '../store/store-conflict.ts';
import { notification } from './notification.ts';
import { publish } from './publish.ts';

/** So many failures within the window disable a webhook (Conventions, auto-disable). */
const failureLimit = 6;
const windowMs = 60_000;

/** What a disabled webhook says of itself. */
const disableReason = 'too many failed attempts';

/** Counts the failed tries of each webhook, until it is switched on anew. */
export class FailureCounts {
  readonly #failures = new Map<string, readonly number[]>();

  /** Notes a failure, and tells whether there were too many. */
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
