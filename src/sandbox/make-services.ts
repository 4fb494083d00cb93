import { behaviourOf } from './behaviour.ts';
import { DeliveryThrottle } from './events/schedule.ts';
import { Subscriptions } from './events/subscriptions.ts';
import { Authority } from './identity/authority.ts';
import { TokenBuckets } from './requests/rate-limit.ts';
import type { SandboxParts, Services } from './services.ts';
import { Overlaps } from './store/store-conflict.ts';
import { usualPrices } from './telephony/prices.ts';

/** Rate limit of compatible services for an address without a good token (as recorded). */
const strangersMay = { burst: 100, amount: 10, everyMs: 1000 };

/** Makes the services that a sandbox's handlers use, and those that act without being asked. */
export const makeServices = ({
  store,
  clock,
  timers,
  random,
  prices = usualPrices,
  like,
  rateLimit,
}: SandboxParts): Services => ({
  store,
  clock,
  timers,
  random,
  authority: new Authority({ store, clock, random }),
  prices,
  behaviour: behaviourOf(like),
  subscriptions: new Subscriptions(store),
  strangers: new TokenBuckets(strangersMay, clock),
  rateLimit,
  overlaps: new Overlaps(store),
  throttle: new DeliveryThrottle(timers),
});
