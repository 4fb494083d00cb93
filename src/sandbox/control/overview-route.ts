import type { JsonObject } from '../../base/json.ts';
import type { ControlRoute } from '../control-route.ts';
import { textAt } from '../fields.ts';
import type { Seed } from '../seed.ts';
import type { Services } from '../services.ts';
import { clockState } from './clock-routes.ts';
import type { FaultCount, Faults } from './faults.ts';
import type { Snapshots } from './snapshots.ts';
import type { SandboxClock } from './turned-clock.ts';

/** What the overview is of. */
export interface OverviewParts {
  readonly clock: SandboxClock;
  readonly faults: Faults;
  readonly seed: () => Seed;
  readonly snapshots?: Snapshots;
}

/** Whether a fault may strike again. */
const isActive = ({ rule, disturbed }: FaultCount): boolean => disturbed < (rule.times ?? Infinity);

/** `GET /sandbox/overview`: in counts, what is not as in a sandbox that was just started. */
export const overviewRoute = (services: Services, parts: OverviewParts): ControlRoute => ({
  method: 'GET',
  path: '/sandbox/overview',
  answer: async (): Promise<JsonObject> => {
    const [queued, webhooks] = await Promise.all([
      services.store.queued(),
      services.store.everyOf('webhooks'),
    ]);
    const disabled = webhooks.filter(({ body }) => body.enabled === false);
    const seed = parts.seed();
    return {
      clock: clockState(parts.clock),
      faults: parts.faults.list().filter(isActive).length,
      deliveries_queued: queued.deliveries,
      events_queued: queued.events,
      webhooks_disabled: disabled.length,
      webhooks_failed: disabled.filter(({ body }) => textAt(body, 'disable_reason') !== undefined).length,
      snapshots: parts.snapshots?.list().length ?? 0,
      rate_limit: services.rateLimit?.text ?? null,
      account_name: seed.accountName,
      account_id: seed.accountId,
    };
  },
});
