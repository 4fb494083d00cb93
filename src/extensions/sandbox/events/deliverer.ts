import type { Timers } from '../../../base/host/host.ts';
import { textAt } from '../../../base/json.ts';
import { hookRequest } from '../../../contract/hook-request.ts';
import type { Services } from '../services.ts';
import type { QueuedDelivery, QueueName } from '../store/queue.ts';
import type { StoreChange } from '../store/store.ts';
import { createEventOrder, type QueuePlace, type WebhookPosition } from './event-order.ts';
import { spread } from './queue-events.ts';
import { attemptOf, createSender, disable, FailureCounts, isSuccess, type SendResult } from './sender.ts';
import { type Subscription, targetsAllowing } from './subscriptions.ts';

/** Settings for making deliveries. */
export interface Delivering {
  /** Additional hosts that may receive deliveries. */
  readonly allowHosts: readonly string[];
  /** Time limit for a receiver's response (default: 10 s; Conventions, retry). */
  readonly timeoutMs?: number;
  /** Called for every attempt. */
  readonly onTry?: (made: Try) => void;
}

export interface Try {
  readonly delivery: QueuedDelivery;
  readonly subscription: Subscription;
  readonly method: string;
  readonly sent: SendResult;
  readonly ms: number;
}

export interface Deliveries {
  /** Resolves when all due deliveries are done. */
  idle(): Promise<void>;
  /** Stops. Waits briefly for running deliveries and keeps the others in the queue. */
  stop(): Promise<void>;
}

/** Pause between attempts, on the sandbox's clock (Conventions, retry). */
const retryPauseMs = 2000;
/** Number of entries of a queue read at a time. */
const stretch = 50;
/** Time limit for running deliveries when the sandbox stops. */
const farewellMs = 500;
/** Pause after a failed commit, on the machine's clock, because the disk may be full for a while. */
const troubleMs = 1000;

/** The queue of events, or of one webhook. */
interface Line {
  readonly queue: QueueName;
  readonly position: WebhookPosition;
  running: Promise<void> | undefined;
  /** New work arrived during the run. */
  runsAgain: boolean;
  /** The time of the next run. */
  alarm: { readonly atMs: number; readonly stop: AbortController } | undefined;
}

/** Place of a delivery whose sequence is not known yet: before all others of its time. */
const placeBefore = (dueMs: number): QueuePlace => ({ dueMs, sequence: 0, eventId: '' });

/**
 * Delivers queued events until it is stopped: one after another for each webhook, and in the order of events for all
 * webhooks of an account (`createEventOrder`). A failed delivery waits for its next attempt. Later ones continue.
 * After a restart or crash it continues with the stored queue, so each event is delivered at least once.
 */
export function startDeliveries(
  services: Services,
  { allowHosts, timeoutMs = 10_000, onTry }: Delivering,
): Deliveries {
  const { store, clock, timers, subscriptions } = services;
  const sender = createSender({ targets: targetsAllowing(allowHosts), timeoutMs, timers });
  const failures = new FailureCounts();
  const order = createEventOrder(timers);
  const lines = new Map<string, Line>();
  const stopping = new AbortController();
  const { signal: stopped } = stopping;

  const lineOf = (queue: QueueName): Line => {
    const key = queue.kind === 'events' ? 'events' : `webhook ${queue.webhookId}`;
    const known = lines.get(key);
    if (known) return known;
    const line = {
      queue,
      position: order.position(),
      running: undefined,
      runsAgain: false,
      alarm: undefined,
    };
    lines.set(key, line);
    return line;
  };
  /** Notes that the next event of a webhook is of that time or later, and of any account. */
  const movesToUnknown = (position: WebhookPosition, dueMs: number): void => {
    position.accountId = undefined;
    order.move(position, placeBefore(dueMs));
  };
  /** Notes that a webhook has something to send from a time on, if it has nothing earlier. */
  const expect = ({ queue, position }: Line, dueMs: number): void => {
    if (queue.kind !== 'webhook' || dueMs > clock.now()) return;
    if (position.place === undefined || position.place.dueMs > dueMs) movesToUnknown(position, dueMs);
  };
  const ofWebhook = (webhookId: string): Line => lineOf({ kind: 'webhook', webhookId });
  const runs = (): readonly Promise<void>[] => [...lines.values()].flatMap(({ running }) => running ?? []);

  /** Runs a queue; who commits is answered first. */
  const begin = (line: Line): void => {
    line.runsAgain = line.running !== undefined;
    if (stopped.aborted || line.running) return;
    line.running = new Promise<void>((resolve) => timers.soon(resolve)).then(async () => {
      // What comes during the last look at the queue is in it, or makes the line run again.
      do {
        line.runsAgain = false;
        await work(line).catch(() => void resting(timers, troubleMs, stopped).then(() => begin(line)));
      } while (line.runsAgain && !stopped.aborted);
      line.running = undefined;
    });
  };
  /** Runs a queue at a moment; the earliest one counts. */
  const beginAt = (line: Line, atMs: number): void => {
    const isNow = atMs <= clock.now();
    if (isNow) begin(line);
    if (isNow || stopped.aborted || (line.alarm && line.alarm.atMs <= atMs)) return;
    line.alarm?.stop.abort();
    const stop = new AbortController();
    line.alarm = { atMs, stop };
    clock.sleep(atMs - clock.now(), stop.signal).then(
      () => {
        line.alarm = undefined;
        begin(line);
      },
      () => undefined,
    );
  };
  const isDue = ({ alarm }: Line): boolean => alarm !== undefined && alarm.atMs <= clock.now();

  /** Works on a queue until no delivery is due, and schedules its next run. */
  async function work(line: Line): Promise<void> {
    const { queue } = line;
    const step = queue.kind === 'events' ? spreadDue : () => deliverDue(queue.webhookId, line.position);
    while (!stopped.aborted && (await step()));
    if (stopped.aborted) return;
    const nextMs = await store.nextDue(queue);
    // What was queued during this look is in the next one.
    if (!line.runsAgain) order.move(line.position, undefined);
    if (nextMs === undefined) return;
    // What waits for a webhook that is switched off or gone is not sent any more.
    if (queue.kind === 'webhook' && !(await subscriptions.get(queue.webhookId)))
      await store.commit([{ change: 'unqueue-all', webhookId: queue.webhookId }]);
    else beginAt(line, nextMs);
  }

  /** Spreads some events to their webhooks. False when none is due. */
  async function spreadDue(): Promise<boolean> {
    const events = await store.dueEvents(clock.now(), stretch);
    if (events.length > 0) await spread(events, services);
    return events.length > 0;
  }

  /** Sends some deliveries to their webhook. False when none is due, or when it is to be sent no more. */
  async function deliverDue(webhookId: string, position: WebhookPosition): Promise<boolean> {
    const due = await store.dueDeliveries(webhookId, clock.now(), stretch);
    for (const delivery of due) {
      // A webhook of an account above gets events of several accounts.
      position.accountId = textAt(delivery.payload, 'account_id') ?? delivery.accountId;
      order.move(position, delivery);
      await order.turn(position, delivery, stopped);
      // It may have been changed or switched off meanwhile.
      const subscription = stopped.aborted ? undefined : await subscriptions.get(webhookId);
      if (!subscription) return false;
      await tryOnce(delivery, subscription, position);
    }
    return due.length > 0;
  }

  async function tryOnce(
    delivery: QueuedDelivery,
    subscription: Subscription,
    position: WebhookPosition,
  ): Promise<void> {
    const request = hookRequest(subscription.target, delivery.payload);
    const beganMs = timers.elapsedMs();
    const sent = await order.timed(position, () => sender.send(request));
    // Another delivery gets the sequence of this one once it is gone: until the next look, any may be the next.
    movesToUnknown(position, delivery.dueMs);
    if (stopped.aborted && !('status' in sent)) return;
    const atMs = clock.now();
    const attempt = attemptOf(delivery, subscription, { request, sent, atMs });
    const { webhookId } = delivery;
    const tries = delivery.tries + 1;
    const isFailure = !isSuccess(sent) && !('isForbidden' in sent);
    const change: StoreChange =
      isFailure && tries <= subscription.retries
        ? { change: 'postpone', delivery, webhookId, tries, dueMs: atMs + retryPauseMs }
        : { change: 'unqueue', entry: delivery };
    await noted([change, { change: 'attempt', attempt }]);
    onTry?.({ delivery, subscription, method: request.method, sent, ms: timers.elapsedMs() - beganMs });
    if (isFailure && failures.isTooMany(webhookId, atMs) && !stopped.aborted)
      await disable(services, { accountId: subscription.target.accountId, webhookId });
  }

  /** Commits what came of a delivery, as often as it takes: what is not noted is sent once more. */
  async function noted(changes: readonly StoreChange[]): Promise<void> {
    while (!stopped.aborted) {
      const isNoted = await store.commit(changes).then(
        () => true,
        () => false,
      );
      if (isNoted) return;
      await resting(timers, troubleMs, stopped);
    }
    await store.commit(changes).catch(() => undefined);
  }

  const unwatch = store.watch((changes) => {
    failures.follow(changes);
    for (const change of changes) {
      if (change.change === 'queue') {
        const { entry } = change;
        const line = entry.kind === 'event' ? lineOf({ kind: 'events' }) : ofWebhook(entry.webhookId);
        expect(line, entry.dueMs);
        beginAt(line, entry.dueMs);
      } else if ('record' in change && change.record.kind === 'webhooks') begin(ofWebhook(change.record.id));
    }
  });
  const started = store.queueHeads().then((heads) => {
    for (const { queue, dueMs } of heads) expect(lineOf(queue), dueMs);
    for (const { queue, dueMs } of heads) beginAt(lineOf(queue), dueMs);
  });

  return {
    async idle() {
      await started;
      while (runs().length > 0 || [...lines.values()].some(isDue)) {
        await Promise.all(runs());
        await new Promise<void>((resolve) => timers.soon(resolve));
      }
    },
    async stop() {
      if (stopped.aborted) return;
      stopping.abort();
      order.wake();
      unwatch();
      for (const { alarm } of lines.values()) alarm?.stop.abort();
      const ended = Promise.all(runs());
      await Promise.race([ended, resting(timers, farewellMs)]);
      await sender.close();
      await ended;
    },
  };
}

/** Waits so many milliseconds of the machine's clock, or until a signal. */
function resting(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal?.aborted) return Promise.resolve();
  const callOff = timers.later(ms, resolve);
  signal?.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(callOff);
}
