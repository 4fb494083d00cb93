import type { FastifyServerFactory } from 'fastify';
import type { Clock, Random, Timers } from '../../base/host/host.ts';
import type { RateLimit } from '../../base/rate-limit.ts';
import type { Behaviour } from './behaviour.ts';
import { behaviourOf } from './behaviour.ts';
import type { ControlParts } from './control/control.ts';
import type { SandboxMode } from './differences.ts';
import { Subscriptions } from './events/subscriptions.ts';
import { Authority } from './identity/authority.ts';
import { TokenBuckets } from './requests/rate-limit.ts';
import { Overlaps, type Store } from './store/store.ts';
import { defaultPrices, type PriceList } from './telephony/charges.ts';

export interface SandboxParts {
  readonly store: Store;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: Random;
  readonly version: string;
  /** Price list (default: `defaultPrices`). */
  readonly prices?: PriceList;
  /** Paths of account resources: with `/v2`, without it, or both (default: both). */
  readonly prefix?: 'both' | 'v2' | 'none';
  readonly like?: SandboxMode | undefined;
  /** True to accept webhook targets on this machine, even if the service refuses them. */
  readonly allowLoopbackHooks?: boolean | undefined;
  readonly rateLimit?: RateLimit | undefined;
  readonly nodeName?: string;
  /** True to validate responses against the contract, for tests. */
  readonly checkReplies?: boolean;
  /** Adds the controls and the page. */
  readonly control?: ControlParts;
  /** Creates the server (default: plain HTTP). */
  readonly serverFactory?: FastifyServerFactory | undefined;
}

export interface Services {
  readonly store: Store;
  /** The sandbox's clock. It can be advanced. */
  readonly clock: Clock;
  /** Real time, for timeouts and measurements. */
  readonly timers: Timers;
  readonly random: Random;
  readonly authority: Authority;
  readonly prices: PriceList;
  /** Current behavior. `allowManifests` changes it. */
  readonly behaviour: Behaviour;
  /** Offers all operations while a manifest is loaded, and accepts records that the service would refuse. */
  allowManifests(isOpen: boolean): void;
  readonly subscriptions: Subscriptions;
  /** Rate limits of callers without a valid token, by address. */
  readonly unauthenticatedBuckets: TokenBuckets;
  readonly rateLimit: RateLimit | undefined;
  readonly overlaps: Overlaps;
}

/** Rate limit of compatible services for callers without a valid token (as recorded). */
const unauthenticatedLimit = { burst: 100, amount: 10, everyMs: 1000 };

const withLoopbackHooks = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  webhooks: { ...behaviour.webhooks, loopback: 'taken' },
});

const behaviourForManifests = (behaviour: Behaviour): Behaviour => {
  const { records } = behaviour;
  const rules = records.rules === 'specification' ? 'documented-types' : records.rules;
  return { ...withLoopbackHooks(behaviour), operations: 'all', records: { ...records, rules } };
};

export function makeServices({
  store,
  clock,
  timers,
  random,
  prices = defaultPrices,
  like,
  rateLimit,
  allowLoopbackHooks,
}: SandboxParts): Services {
  const usual = allowLoopbackHooks ? withLoopbackHooks(behaviourOf(like)) : behaviourOf(like);
  let behaviour = usual;
  return {
    store,
    clock,
    timers,
    random,
    authority: new Authority({ store, clock, random }),
    prices,
    get behaviour() {
      return behaviour;
    },
    allowManifests(isOpen) {
      behaviour = isOpen ? behaviourForManifests(usual) : usual;
    },
    subscriptions: new Subscriptions(store),
    unauthenticatedBuckets: new TokenBuckets(unauthenticatedLimit, clock),
    rateLimit,
    overlaps: new Overlaps(store),
  };
}
