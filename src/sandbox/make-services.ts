import { behaviourOf } from './behaviour.ts';
import { Subscriptions } from './events/subscriptions.ts';
import { Authority } from './identity/authority.ts';
import type { SandboxParts, Services } from './parts.ts';
import { Pace } from './requests/pace.ts';
import { usualPrices } from './telephony/prices.ts';

/** What the handlers of a sandbox work with, and what it does without being asked. */
export const makeServices = ({
  store,
  clock,
  random,
  prices = usualPrices,
  like,
}: SandboxParts): Services => ({
  store,
  clock,
  random,
  authority: new Authority({ store, clock, random }),
  prices,
  behaviour: behaviourOf(like),
  subscriptions: new Subscriptions(store),
  pace: new Pace(),
});
