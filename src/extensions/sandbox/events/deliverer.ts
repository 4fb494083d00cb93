import type { Timers } from '../../../base/host/host.ts';
import { textAt } from '../../../base/json.ts';
import { hookRequest } from '../../../contract/hook-request.ts';
import type { Services } from '../services.ts';
import type { QueuedDelivery, QueueName } from '../store/queue.ts';
import type { StoreChange } from '../store/store.ts';
import { createEventOrder, type QueuePlace, type WebhookPosition } from './event-order.ts';
import { queueDeliveries } from './queue-events.ts';
import { attemptOf, createSender, disable, FailureCounts, isSuccess, type SendResult } from './sender.ts';
import { allowTargets, type Subscription } from './subscriptions.ts';

export interface DeliverySettings {
  /** Additional hosts that may receive deliveries. */
  readonly allowHosts: readonly string[];
  /** Time limit for a receiver's response (default: 10 s; Conventions, retry). */
  readonly timeoutMs?: number;
  readonly onAttempt?: (made: SentDelivery) => void;
}

export interface SentDelivery {
  readonly delivery: QueuedDelivery;
  readonly subscription: Subscription;
  readonly method: string;
  readonly sent: SendResult;
  readonly ms: number;
}

export interface Deliveries {
  /** Resolves when all due deliveries are done. */
  idle(): Promise<void>;
  /** Stops. Waits briefly for running deliveries. The others stay in the queue. */
  stop(): Promise<void>;
}

/** Pause between attempts, on the sandbox's clock (Conventions, retry). */
const retryPauseMs = 2000;
const pageSize = 50;
/** Time limit for running deliveries when the sandbox stops. */
const stopMs = 500;
/** Pause after a failed commit, on the machine's clock. The disk may be full for a while. */
const commitPauseMs = 1000;

interface QueueRun {
  readonly queue: QueueName;
  readonly position: WebhookPosition;
  running: Promise<void> | undefined;
  /** True if new work arrived during the run. */
  runsAgain: boolean;
  alarm: { readonly atMs: number; readonly stop: AbortController } | undefined;
}

/** Returns the place of a delivery with an unknown sequence: before all others of its time. */
const placeBefore = (dueMs: number): QueuePlace => ({ dueMs, sequence: 0, eventId: '' });

/**
 * Delivers queued events until it is stopped. Deliveries of a webhook run one after another. Deliveries of an account
 * follow the order of events over all webhooks (`createEventOrder`). A failed delivery waits for its next attempt,
 * and later deliveries continue. The queue is stored, so each event is delivered at least once, even after a crash.
 */
export const startDeliveries = (services: Services, settings: DeliverySettings): Deliveries =>
  new Deliverer(services, settings);

class Deliverer implements Deliveries {
  readonly #services: Services;
  readonly #onAttempt: DeliverySettings['onAttempt'];
  readonly #sender: ReturnType<typeof createSender>;
  readonly #failures = new FailureCounts();
  readonly #order: ReturnType<typeof createEventOrder>;
  readonly #runs = new Map<string, QueueRun>();
  readonly #stopping = new AbortController();
  readonly #stopped = this.#stopping.signal;
  readonly #unwatch: () => void;
  readonly #started: Promise<void>;

  constructor(services: Services, { allowHosts, timeoutMs = 10_000, onAttempt }: DeliverySettings) {
    const { store, timers } = services;
    this.#services = services;
    this.#onAttempt = onAttempt;
    this.#sender = createSender({ targets: allowTargets(allowHosts), timeoutMs, timers });
    this.#order = createEventOrder(timers);
    this.#unwatch = store.watch((changes) => {
      this.#failures.follow(changes);
      for (const change of changes) this.#followChange(change);
    });
    this.#started = store.queueHeads().then((heads) => {
      for (const { queue, dueMs } of heads) this.#expect(this.#runOf(queue), dueMs);
      for (const { queue, dueMs } of heads) this.#beginAt(this.#runOf(queue), dueMs);
    });
  }

  async idle(): Promise<void> {
    const { clock, timers } = this.#services;
    const isDue = ({ alarm }: QueueRun): boolean => alarm !== undefined && alarm.atMs <= clock.now();
    await this.#started;
    while (this.#running().length > 0 || [...this.#runs.values()].some(isDue)) {
      await Promise.all(this.#running());
      await new Promise<void>((resolve) => timers.soon(resolve));
    }
  }

  async stop(): Promise<void> {
    if (this.#stopped.aborted) return;
    this.#stopping.abort();
    this.#order.wake();
    this.#unwatch();
    for (const { alarm } of this.#runs.values()) alarm?.stop.abort();
    const ended = Promise.all(this.#running());
    await Promise.race([ended, pause(this.#services.timers, stopMs)]);
    await this.#sender.close();
    await ended;
  }

  #followChange(change: StoreChange): void {
    if (change.change === 'queue') {
      const { entry } = change;
      const run =
        entry.kind === 'event' ? this.#runOf({ kind: 'events' }) : this.#runOfWebhook(entry.webhookId);
      this.#expect(run, entry.dueMs);
      this.#beginAt(run, entry.dueMs);
    } else if ('record' in change && change.record.kind === 'webhooks')
      this.#begin(this.#runOfWebhook(change.record.id));
  }

  #runOf(queue: QueueName): QueueRun {
    const key = queue.kind === 'events' ? 'events' : `webhook ${queue.webhookId}`;
    const known = this.#runs.get(key);
    if (known) return known;
    const run = {
      queue,
      position: this.#order.position(),
      running: undefined,
      runsAgain: false,
      alarm: undefined,
    };
    this.#runs.set(key, run);
    return run;
  }

  #runOfWebhook(webhookId: string): QueueRun {
    return this.#runOf({ kind: 'webhook', webhookId });
  }

  #running(): readonly Promise<void>[] {
    return [...this.#runs.values()].flatMap(({ running }) => running ?? []);
  }

  /** Notes that the next event of a webhook is due at `dueMs` or later, and can belong to any account. */
  #moveToUnknown(position: WebhookPosition, dueMs: number): void {
    position.accountId = undefined;
    this.#order.move(position, placeBefore(dueMs));
  }

  /** Notes that a webhook has a delivery at `dueMs`, unless it has an earlier one. */
  #expect({ queue, position }: QueueRun, dueMs: number): void {
    if (queue.kind !== 'webhook' || dueMs > this.#services.clock.now()) return;
    if (position.place === undefined || position.place.dueMs > dueMs) this.#moveToUnknown(position, dueMs);
  }

  /** Runs a queue, after the caller that commits a change got its response. */
  #begin(run: QueueRun): void {
    const { timers } = this.#services;
    run.runsAgain = run.running !== undefined;
    if (this.#stopped.aborted || run.running) return;
    run.running = new Promise<void>((resolve) => timers.soon(resolve)).then(async () => {
      // Work that arrives during the last read of the queue is either read or sets `runsAgain`.
      do {
        run.runsAgain = false;
        await this.#work(run).catch(
          () => void pause(timers, commitPauseMs, this.#stopped).then(() => this.#begin(run)),
        );
      } while (run.runsAgain && !this.#stopped.aborted);
      run.running = undefined;
    });
  }

  /** Schedules a run of a queue, unless it runs earlier. */
  #beginAt(run: QueueRun, atMs: number): void {
    const { clock } = this.#services;
    const isNow = atMs <= clock.now();
    if (isNow) this.#begin(run);
    if (isNow || this.#stopped.aborted || (run.alarm && run.alarm.atMs <= atMs)) return;
    run.alarm?.stop.abort();
    const stop = new AbortController();
    run.alarm = { atMs, stop };
    clock.sleep(atMs - clock.now(), stop.signal).then(
      () => {
        run.alarm = undefined;
        this.#begin(run);
      },
      () => undefined,
    );
  }

  /** Processes a queue until no delivery is due, and schedules its next run. */
  async #work(run: QueueRun): Promise<void> {
    const { store, subscriptions } = this.#services;
    const { queue } = run;
    const step = (): Promise<boolean> =>
      queue.kind === 'events' ? this.#queueDueEvents() : this.#deliverDue(queue.webhookId, run.position);
    while (!this.#stopped.aborted && (await step()));
    if (this.#stopped.aborted) return;
    const nextMs = await store.nextDue(queue);
    // Entries that were queued meanwhile are processed in the next run.
    if (!run.runsAgain) this.#order.move(run.position, undefined);
    if (nextMs === undefined) return;
    // Deliveries of a disabled or deleted webhook are dropped.
    if (queue.kind === 'webhook' && !(await subscriptions.get(queue.webhookId)))
      await store.commit([{ change: 'unqueue-all', webhookId: queue.webhookId }]);
    else this.#beginAt(run, nextMs);
  }

  /** Queues due events for their webhooks, one page at a time. Returns false if none is due. */
  async #queueDueEvents(): Promise<boolean> {
    const { store, clock } = this.#services;
    const events = await store.dueEvents(clock.now(), pageSize);
    if (events.length > 0) await queueDeliveries(events, this.#services);
    return events.length > 0;
  }

  /**
   * Sends due deliveries of a webhook, one page at a time. Returns false if none is due, or if the webhook is
   * disabled or deleted.
   */
  async #deliverDue(webhookId: string, position: WebhookPosition): Promise<boolean> {
    const { store, clock, subscriptions } = this.#services;
    const due = await store.dueDeliveries(webhookId, clock.now(), pageSize);
    for (const delivery of due) {
      // A webhook of a parent account gets events of several accounts.
      position.accountId = textAt(delivery.payload, 'account_id') ?? delivery.accountId;
      this.#order.move(position, delivery);
      await this.#order.waitForTurn(position, delivery, this.#stopped);
      // The webhook may have been changed or disabled meanwhile.
      const subscription = this.#stopped.aborted ? undefined : await subscriptions.get(webhookId);
      if (!subscription) return false;
      await this.#attempt(delivery, subscription, position);
    }
    return due.length > 0;
  }

  async #attempt(
    delivery: QueuedDelivery,
    subscription: Subscription,
    position: WebhookPosition,
  ): Promise<void> {
    const { clock, timers } = this.#services;
    const request = hookRequest(subscription.target, delivery.payload);
    const beganMs = timers.elapsedMs();
    const sent = await this.#order.sendTimed(position, () => this.#sender.send(request));
    // The sequence of this delivery is reused after its removal, so the next sequence is unknown until the next read.
    this.#moveToUnknown(position, delivery.dueMs);
    if (this.#stopped.aborted && !('status' in sent)) return;
    const atMs = clock.now();
    const attempt = attemptOf(delivery, subscription, { request, sent, atMs });
    const { webhookId } = delivery;
    const tries = delivery.tries + 1;
    const isFailure = !isSuccess(sent) && !('isForbidden' in sent);
    const change: StoreChange =
      isFailure && tries <= subscription.retries
        ? { change: 'postpone', delivery, webhookId, tries, dueMs: atMs + retryPauseMs }
        : { change: 'unqueue', entry: delivery };
    await this.#commit([change, { change: 'attempt', attempt }]);
    const ms = timers.elapsedMs() - beganMs;
    this.#onAttempt?.({ delivery, subscription, method: request.method, sent, ms });
    if (isFailure && this.#failures.isTooMany(webhookId, atMs) && !this.#stopped.aborted)
      await disable(this.#services, { accountId: subscription.target.accountId, webhookId });
  }

  /** Commits the result of a delivery, and retries until it succeeds. Otherwise, the delivery would be sent again. */
  async #commit(changes: readonly StoreChange[]): Promise<void> {
    const { store, timers } = this.#services;
    while (!this.#stopped.aborted) {
      const isDone = await store.commit(changes).then(
        () => true,
        () => false,
      );
      if (isDone) return;
      await pause(timers, commitPauseMs, this.#stopped);
    }
    await store.commit(changes).catch(() => undefined);
  }
}

function pause(timers: Timers, ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (signal?.aborted) return Promise.resolve();
  const callOff = timers.later(ms, resolve);
  signal?.addEventListener('abort', () => resolve(), { once: true });
  return promise.finally(callOff);
}
