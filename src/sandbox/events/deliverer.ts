import { hookRequest } from '../../contract/hook-request.ts';
import type { Services } from '../services.ts';
import type { QueuedDelivery } from '../store/delivery.ts';
import type { Change } from '../store/store.ts';
import { attemptOf, disable, FailureCounts, isSuccess } from './attempt.ts';
import { Outcomes, troubleMs } from './outcomes.ts';
import { spread } from './queue-events.ts';
import { type Line, Lines, Schedule, Slots, within } from './schedule.ts';
import { createSender, type Sender, type Sent } from './sender.ts';
import type { Subscription } from './subscriptions.ts';
import { targetsAllowing } from './targets.ts';

/** Settings for making deliveries. */
export interface Delivering {
  /** Hosts besides this machine that may be sent to. */
  readonly allowHosts: readonly string[];
  /** Maximum time for a receiver to answer; 10 s where left out (Conventions, retry). */
  readonly timeoutMs?: number;
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
  /** Resolves when nothing that is due is left to do. */
  idle(): Promise<void>;
  /** Ends; what is under way gets a moment, and what is left stays in the queue. */
  stop(): Promise<void>;
}

/** Pause between tries, on the sandbox's clock (Conventions, retry). */
const retryPauseMs = 2000;
/** Number of entries of a queue read at a time. */
const stretch = 50;
/** Number of events spread to their webhooks at a time while the service has much to answer. */
const rushStretch = 3;
/** Maximum time for requests under way when the sandbox ends. */
const farewellMs = 500;

/**
 * Delivers what is queued, from now until it is stopped: to each webhook one after the other, to all webhooks at the
 * same time. A delivery that fails waits for its next try aside, and those after it go on. Ending and starting again,
 * also after a crash, goes on where the queue stands: at least once.
 */
export const startDeliveries = (services: Services, delivering: Delivering): Deliveries =>
  new Deliverer(services, delivering);

class Deliverer implements Deliveries {
  readonly #services: Services;
  readonly #onTry: Delivering['onTry'];
  readonly #sender: Sender;
  readonly #slots: Slots;
  readonly #outcomes: Outcomes;
  readonly #failures = new FailureCounts();
  readonly #agenda: Schedule<Line>;
  readonly #lines = new Lines();
  /** Lines that are to run as soon as whoever commits has been answered. */
  readonly #called = new Set<Line>();
  /** Lines that wait for their outcomes to be committed. */
  readonly #settling = new Set<Line>();
  readonly #unwatch: () => void;
  readonly #started: Promise<void>;
  #hasStopped = false;

  constructor(services: Services, { allowHosts, timeoutMs = 10_000, onTry }: Delivering) {
    const { store, clock, timers } = services;
    this.#services = services;
    this.#onTry = onTry;
    this.#sender = createSender({ targets: targetsAllowing(allowHosts), timeoutMs, timers });
    this.#slots = new Slots(timers);
    this.#outcomes = new Outcomes(store, timers);
    this.#agenda = new Schedule(clock, (line) => this.#begin(line));
    this.#unwatch = store.watch((changes) => this.#follow(changes));
    this.#started = this.#noteHeads();
  }

  async idle(): Promise<void> {
    await this.#started;
    while (this.#isBusy()) {
      await Promise.all(this.#lines.runs());
      await this.#outcomes.committed();
      await new Promise<void>((resolve) => this.#services.timers.soon(resolve));
    }
  }

  async stop(): Promise<void> {
    if (this.#hasStopped) return;
    const { timers } = this.#services;
    this.#hasStopped = true;
    this.#unwatch();
    this.#agenda.end();
    for (const line of this.#lines.all()) line.callOff?.();
    await within(timers, farewellMs, Promise.all(this.#lines.runs()));
    await this.#sender.close();
    const all = Promise.all(this.#lines.runs());
    await within(
      timers,
      farewellMs,
      all.then(() => this.#outcomes.committed()),
    );
    // Who waits for a commit that the disk has no room for waits no longer.
    this.#outcomes.end();
    await all;
  }

  #isBusy(): boolean {
    return (
      this.#lines.runs().length > 0 || this.#called.size > 0 || this.#settling.size > 0 || this.#agenda.isDue
    );
  }

  /** Notes what the queues held when the sandbox started. */
  async #noteHeads(): Promise<void> {
    for (const { queue, dueMs } of await this.#services.store.queueHeads())
      this.#agenda.note(this.#lines.of(queue), dueMs);
  }

  /** Follows what the store commits. */
  #follow(changes: readonly Change[]): void {
    this.#failures.follow(changes);
    for (const change of changes) {
      if (change.change === 'queue') {
        const { entry } = change;
        const line = entry.kind === 'event' ? this.#lines.events : this.#lines.ofWebhook(entry.webhookId);
        if (entry.dueMs <= this.#services.clock.now()) this.#call(line);
        else this.#agenda.note(line, entry.dueMs);
      } else if (change.change === 'postpone')
        this.#agenda.note(this.#lines.ofWebhook(change.webhookId), change.dueMs);
      else if ('record' in change && change.record.kind === 'webhooks')
        this.#call(this.#lines.ofWebhook(change.record.id));
    }
  }

  /** Lets a line run soon, so that whoever commits is answered first. */
  #call(line: Line): void {
    if (this.#called.size === 0)
      this.#services.timers.soon(() => {
        const called = [...this.#called];
        this.#called.clear();
        for (const each of called) this.#begin(each);
      });
    this.#called.add(line);
  }

  #begin(line: Line): void {
    if (this.#hasStopped) return;
    if (line.running) line.runsAgain = true;
    else line.running = this.#run(line);
  }

  async #run(line: Line): Promise<void> {
    const isDone = await this.#work(line).then(
      () => true,
      () => false,
    );
    line.running = undefined;
    if (isDone) this.#settle(line);
    else this.#comeBack(line);
    if (!line.runsAgain) return;
    line.runsAgain = false;
    this.#begin(line);
  }

  /** Works on a line until nothing of it is due. */
  async #work(line: Line): Promise<void> {
    const { queue } = line;
    const step =
      queue.kind === 'events' ? () => this.#spreadDue() : () => this.#deliverDue(line, queue.webhookId);
    let isMore = true;
    while (isMore && !this.#hasStopped) isMore = await step();
  }

  /** Spreads some events to their webhooks. False when none is due. */
  async #spreadDue(): Promise<boolean> {
    const { store, clock, throttle } = this.#services;
    const events = await store.dueEvents(clock.now(), throttle.isRush ? rushStretch : stretch);
    if (events.length === 0) return false;
    await throttle.turn();
    await spread(events, this.#services);
    return true;
  }

  /** Sends some deliveries to their webhook. False when none is due, or when it is to be sent no more. */
  async #deliverDue(line: Line, webhookId: string): Promise<boolean> {
    const { store, clock, subscriptions, throttle } = this.#services;
    const due = await store.dueDeliveries(webhookId, clock.now(), stretch, line.position);
    for (const delivery of due) {
      // It may have been changed or switched off meanwhile.
      const subscription = this.#hasStopped ? undefined : await subscriptions.get(webhookId);
      if (!subscription) return false;
      await throttle.turn();
      await this.#slots.use(() => this.#tryOnce(delivery, subscription));
      line.position = delivery;
    }
    return due.length > 0;
  }

  async #tryOnce(delivery: QueuedDelivery, subscription: Subscription): Promise<void> {
    const { clock, timers } = this.#services;
    const request = hookRequest(subscription.target, delivery.payload);
    const beganMs = timers.elapsedMs();
    const sent = await this.#sender.send(request);
    if (this.#hasStopped && !('status' in sent)) return;
    const atMs = clock.now();
    const attempt = attemptOf(delivery, subscription, { request, sent, atMs });
    const { webhookId } = delivery;
    const tries = delivery.tries + 1;
    const isFailure = !isSuccess(sent);
    const isForbidden = 'isForbidden' in sent;
    const isTriedAgain = isFailure && !isForbidden && tries <= subscription.retries;
    const change: Change = isTriedAgain
      ? { change: 'postpone', delivery, webhookId, tries, dueMs: atMs + retryPauseMs }
      : { change: 'unqueue', entry: delivery };
    this.#outcomes.add([change, { change: 'attempt', attempt }]);
    const ms = timers.elapsedMs() - beganMs;
    this.#onTry?.({ delivery, subscription, method: request.method, sent, ms });
    if (!isFailure || isForbidden || !this.#failures.isTooMany(webhookId, atMs)) return;
    await this.#outcomes.committed();
    if (this.#hasStopped) return;
    await disable(this.#services, { accountId: subscription.target.accountId, webhookId });
  }

  /** Once all is committed, sees to what is left of a line. */
  #settle(line: Line): void {
    if (this.#settling.size === 0) void this.#outcomes.committed().then(() => this.#settleAll());
    this.#settling.add(line);
  }

  async #settleAll(): Promise<void> {
    const lines = [...this.#settling].filter(({ running }) => !running);
    this.#settling.clear();
    for (const line of lines) {
      if (this.#hasStopped) return;
      line.position = undefined;
      await this.#leave(line).catch(() => this.#comeBack(line));
    }
  }

  /** Notes when a line is to run next; what waits for a webhook that is switched off or gone is not sent any more. */
  async #leave(line: Line): Promise<void> {
    const { store, subscriptions } = this.#services;
    const { queue } = line;
    const nextMs = await store.nextDue(queue);
    if (nextMs === undefined) return;
    if (queue.kind === 'webhook' && !(await subscriptions.get(queue.webhookId)))
      await store.commit([{ change: 'unqueue-all', webhookId: queue.webhookId }]);
    else this.#agenda.note(line, nextMs);
  }

  /** Runs a line again in a while: the store fails while the disk is full, and the queue stands as it stood. */
  #comeBack(line: Line): void {
    line.callOff?.();
    if (!this.#hasStopped) line.callOff = this.#services.timers.later(troubleMs, () => this.#begin(line));
  }
}
