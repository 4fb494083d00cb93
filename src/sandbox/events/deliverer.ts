import { hookRequest } from '../../contract/hook-request.ts';
import type { Services } from '../services.ts';
import type { QueuedDelivery, QueuePlace } from '../store/delivery.ts';
import type { Change } from '../store/store.ts';
import { attemptOf, disable, FailureCounts, isSuccess } from './attempt.ts';
import { Outcomes, troubleMs } from './outcomes.ts';
import { spread } from './queue-events.ts';
import { Agenda, Slots } from './schedule.ts';
import { createSender, type Sent } from './sender.ts';
import type { Subscription } from './subscriptions.ts';
import { targetsAllowing } from './targets.ts';

/** How deliveries are made. */
export interface Delivering {
  /** Hosts besides this machine that may be sent to. */
  readonly allowHosts: readonly string[];
  /** How long a receiver may take; 10 s where left out (Conventions, retry). */
  readonly timeoutMs?: number;
  /** Ends the deliveries as `stop` does. */
  readonly signal?: AbortSignal;
  /** Hears of every try. */
  readonly onTry?: (made: Try) => void;
}

/** A try of a delivery. */
export interface Try {
  readonly delivery: QueuedDelivery;
  readonly subscription: Subscription;
  readonly method: string;
  readonly sent: Sent;
  readonly ms: number;
}

/** Deliveries that are under way. */
export interface Deliveries {
  /** Looks for what is due, after the store's records were exchanged. */
  wake(): void;
  /** Resolves when nothing that is due is left to do. */
  idle(): Promise<void>;
  /** Ends; what is under way gets a moment, and what is left stays in the queue. */
  stop(): Promise<void>;
}

/** Pause between tries, on the sandbox's clock (Conventions, retry). */
const retryPauseMs = 2000;
/** How many deliveries of a webhook are read at a time. */
const stretch = 50;
/** How many events are spread to their webhooks at a time while the service has much to answer. */
const rushStretch = 3;
/** How long requests under way may take when the sandbox ends. */
const farewellMs = 500;

/** Sleeps on the machine's clock, without keeping it awake. */
const sleepMs = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref();
  });

/**
 * Delivers what is queued, from now until it is stopped: to each webhook one after the other, to all webhooks at the
 * same time. A delivery that fails waits for its next try aside, and those after it go on. Ending and starting again,
 * also after a crash, goes on where the queue stands: at least once.
 */
export function startDeliveries(services: Services, delivering: Delivering): Deliveries {
  const { store, clock, subscriptions, throttle } = services;
  const { allowHosts, timeoutMs = 10_000, signal, onTry } = delivering;
  const sender = createSender({ targets: targetsAllowing(allowHosts), timeoutMs });
  const slots = new Slots();
  const outcomes = new Outcomes(store);
  const failures = new FailureCounts();
  /** Webhooks that are being delivered to; those of them that have to be looked at once more. */
  const running = new Map<string, Promise<void>>();
  const again = new Set<string>();
  const called = new Set<string>();
  /** How far they were delivered to, while what became of it is not committed. */
  const places = new Map<string, QueuePlace>();
  const settling = new Set<string>();
  let hasStopped = false;

  async function tryOnce(delivery: QueuedDelivery, subscription: Subscription): Promise<void> {
    const request = hookRequest(subscription.target, delivery.payload);
    const began = performance.now();
    const sent = await sender.send(request);
    if (hasStopped && !('status' in sent)) return;
    const atMs = clock.now();
    const attempt = attemptOf(delivery, subscription, { request, sent, atMs });
    const { webhookId } = delivery;
    const tries = delivery.tries + 1;
    const isFailure = !isSuccess(sent);
    const isForbidden = 'isForbidden' in sent;
    const isTriedAgain = isFailure && !isForbidden && tries <= subscription.retries;
    const change: Change = isTriedAgain
      ? { change: 'postpone', delivery, webhookId, tries, dueMs: atMs + retryPauseMs }
      : { change: 'unqueue', delivery };
    outcomes.add([change, { change: 'attempt', attempt }]);
    onTry?.({ delivery, subscription, method: request.method, sent, ms: performance.now() - began });
    if (!isFailure || isForbidden || !failures.isTooMany(webhookId, atMs)) return;
    await outcomes.committed();
    if (hasStopped) return;
    await disable(services, { accountId: subscription.target.accountId, webhookId });
  }

  async function deliverTo(webhookId: string): Promise<void> {
    while (!hasStopped) {
      const many = webhookId === '' && throttle.isRush ? rushStretch : stretch;
      const due = await store.dueDeliveries(webhookId, clock.now(), many, places.get(webhookId));
      if (due.length === 0) break;
      if (webhookId === '') {
        await throttle.turn();
        await spread(due, services);
        continue;
      }
      for (const delivery of due) {
        // It may have been changed or switched off meanwhile.
        const subscription = hasStopped ? undefined : await subscriptions.get(webhookId);
        if (!subscription) break;
        await throttle.turn();
        await slots.use(() => tryOnce(delivery, subscription));
        places.set(webhookId, delivery);
      }
      if (!(await subscriptions.get(webhookId))) break;
    }
  }

  /** Once all is committed, sees to what is left of a webhook's deliveries. */
  function settle(webhookId: string): void {
    if (settling.size === 0) void outcomes.committed().then(() => settleAll());
    settling.add(webhookId);
  }

  async function settleAll(): Promise<void> {
    const all = [...settling].filter((webhookId) => !running.has(webhookId));
    settling.clear();
    for (const webhookId of all) {
      if (hasStopped) return;
      places.delete(webhookId);
      await leave(webhookId).catch(() => comeBack(webhookId));
    }
  }

  async function leave(webhookId: string): Promise<void> {
    const nextMs = await store.nextDue(webhookId);
    if (nextMs === undefined) return;
    // What waits for a webhook that is switched off or gone is not sent any more.
    if (webhookId !== '' && !(await subscriptions.get(webhookId)))
      await store.commit([{ change: 'unqueue-all', webhookId }]);
    else agenda.note(webhookId, nextMs);
  }

  /** Looks at a webhook again in a while: the store fails while the disk is full, and the queue stands as it stood. */
  function comeBack(webhookId: string): void {
    setTimeout(() => begin(webhookId), troubleMs).unref();
  }

  function begin(webhookId: string): void {
    if (hasStopped) return;
    if (running.has(webhookId)) {
      again.add(webhookId);
      return;
    }
    running.set(webhookId, run(webhookId));
  }

  async function run(webhookId: string): Promise<void> {
    const next = await deliverTo(webhookId).then(
      () => settle,
      () => comeBack,
    );
    running.delete(webhookId);
    next(webhookId);
    if (again.delete(webhookId)) begin(webhookId);
  }

  const agenda = new Agenda(clock, begin);

  /** Begins soon, so that whoever commits is answered first. */
  function call(webhookId: string): void {
    if (called.size === 0) {
      setImmediate(() => {
        const all = [...called];
        called.clear();
        for (const each of all) begin(each);
      });
    }
    called.add(webhookId);
  }

  function follow(changes: readonly Change[]): void {
    failures.follow(changes);
    for (const change of changes) {
      if (change.change === 'queue') {
        const { webhookId, dueMs } = change.delivery;
        if (dueMs <= clock.now()) call(webhookId);
        else agenda.note(webhookId, dueMs);
      } else if (change.change === 'postpone') agenda.note(change.webhookId, change.dueMs);
      else if ('record' in change && change.record.kind === 'webhooks') call(change.record.id);
    }
  }

  async function look(): Promise<void> {
    for (const { webhookId, dueMs } of await store.queueHeads()) agenda.note(webhookId, dueMs);
  }

  async function idle(): Promise<void> {
    await looking;
    while (running.size > 0 || called.size > 0 || settling.size > 0 || agenda.isDue) {
      await Promise.all(running.values());
      await outcomes.committed();
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  }

  async function stop(): Promise<void> {
    if (hasStopped) return;
    hasStopped = true;
    unwatch();
    agenda.end();
    await Promise.race([Promise.all(running.values()), sleepMs(farewellMs)]);
    await sender.close();
    const all = Promise.all(running.values());
    await Promise.race([all.then(() => outcomes.committed()), sleepMs(farewellMs)]);
    // Who waits for a commit that the disk has no room for waits no longer.
    outcomes.end();
    await all;
  }

  const unwatch = store.watch(follow);
  let looking = look();
  signal?.addEventListener('abort', () => void stop(), { once: true });
  return {
    wake() {
      subscriptions.reload();
      looking = look();
    },
    idle,
    stop,
  };
}
