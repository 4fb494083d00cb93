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
  /** Release version that replies name. */
  readonly version: string;
  /** Prices; the usual list where left out. */
  readonly prices?: PriceList;
  /** Addresses at which the account resources answer: with `/v2` before them, without, or both ways (the default). */
  readonly prefix?: 'both' | 'v2' | 'none';
  /** The service that it answers like; the usual behaviour where left out. */
  readonly like?: SandboxMode | undefined;
  /** Webhooks with addresses of this machine are taken, also where that service refuses them. */
  readonly allowLoopbackHooks?: boolean | undefined;
  /** Number of requests that are let through in all; left out: any number. */
  readonly rateLimit?: RateLimit | undefined;
  readonly nodeName?: string;
  /** Checks replies against the contract, and fails where they differ. For tests. */
  readonly checkReplies?: boolean;
  /** The parts that control it; left out: there are no control routes. */
  readonly control?: ControlParts;
  /** Makes the server that it listens by; left out: one of plain HTTP. */
  readonly serverFactory?: FastifyServerFactory | undefined;
}

export interface Services {
  readonly store: Store;
  /** The sandbox's time, which can be turned. */
  readonly clock: Clock;
  /** Real time, for waiting and measuring. */
  readonly timers: Timers;
  readonly random: Random;
  readonly authority: Authority;
  readonly prices: PriceList;
  /** Its behaviour now: see `openDoor`. */
  readonly behaviour: Behaviour;
  /** From now on every operation is offered, and what another mode takes is taken; or not any more. */
  allowManifests(isOpen: boolean): void;
  /** Subscriptions of those who want to be told of what happens. */
  readonly subscriptions: Subscriptions;
  /** Buckets of callers without a good token, by address. */
  readonly unauthenticatedBuckets: TokenBuckets;
  /** Number of requests that are let through in all. */
  readonly rateLimit: RateLimit | undefined;
  /** Writes made while requests are answered. */
  readonly overlaps: Overlaps;
}

/** Rate limit of compatible services for an address without a good token (as recorded). */
const unauthenticatedLimit = { burst: 100, amount: 10, everyMs: 1000 };

const withLoopbackHooks = (behaviour: Behaviour): Behaviour => ({
  ...behaviour,
  webhooks: { ...behaviour.webhooks, loopback: 'taken' },
});

/** The behaviour while manifests come in that the service it answers like would not take. */
const acceptingManifests = (behaviour: Behaviour): Behaviour => {
  const { records } = withLoopbackHooks(behaviour);
  const rules = records.rules === 'specification' ? 'documented-types' : records.rules;
  return { ...withLoopbackHooks(behaviour), operations: 'all', records: { ...records, rules } };
};

/** Makes the services that a sandbox's handlers use, and those that act without being asked. */
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
      behaviour = isOpen ? acceptingManifests(usual) : usual;
    },
    subscriptions: new Subscriptions(store),
    unauthenticatedBuckets: new TokenBuckets(unauthenticatedLimit, clock),
    rateLimit,
    overlaps: new Overlaps(store),
  };
}
