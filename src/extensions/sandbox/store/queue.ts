import type { JsonObject } from '../../../base/json.ts';

/** An entry to be put into a queue. */
interface Entry {
  readonly eventId: string;
  readonly hook: string;
  /** Time at which it is due, in Unix milliseconds. */
  readonly dueMs: number;
}

/** An event that becomes a delivery for each of its webhooks when it is due. */
export interface WaitingEvent extends Entry {
  readonly kind: 'event';
  readonly accountId: string;
  /** The event, or what is told of it and to whom. */
  readonly payload: JsonObject;
}

/** An event on its way to one webhook. */
export interface Delivery extends Entry {
  readonly kind: 'delivery';
  readonly webhookId: string;
  readonly accountId: string;
  /** Payload without the subscription's own properties. */
  readonly payload: JsonObject;
}

/** Fields that an entry gets in the queue. */
interface Queued {
  readonly sequence: number;
  readonly tries: number;
}

export type QueuedEvent = WaitingEvent & Queued;
export type QueuedDelivery = Delivery & Queued;

/** Names an entry of a queue: sequence numbers are given to others once what had them is gone. */
export type QueuedName = Pick<QueuedDelivery, 'sequence' | 'eventId'>;

/** One of the queues: the events that are not yet spread to webhooks, or what one webhook is still to be sent. */
export type QueueName =
  | { readonly kind: 'events' }
  | { readonly kind: 'webhook'; readonly webhookId: string };

/** The result of one try of a delivery. */
export interface DeliveryAttempt {
  readonly webhookId: string;
  readonly accountId: string;
  /** Gregorian seconds. */
  readonly timestamp: number;
  /** As callers see it. */
  readonly body: JsonObject;
}

export interface LoggedAttempt extends DeliveryAttempt {
  readonly sequence: number;
}

export type QueueChange =
  | { readonly change: 'queue'; readonly entry: WaitingEvent | Delivery }
  /** Tried in vain, and to be tried again. */
  | {
      readonly change: 'postpone';
      readonly delivery: QueuedName;
      readonly webhookId: string;
      readonly dueMs: number;
      readonly tries: number;
    }
  | { readonly change: 'unqueue'; readonly entry: QueuedName }
  /** Takes an event that is still to happen out of the queue, by its id. */
  | { readonly change: 'unqueue-event'; readonly eventId: string; readonly dueMs: number }
  | { readonly change: 'unqueue-all'; readonly webhookId: string }
  | { readonly change: 'attempt'; readonly attempt: DeliveryAttempt }
  | { readonly change: 'forget-account'; readonly accountId: string };

/** A stretch of the log of attempts, newest first. */
export interface AttemptQuery {
  readonly accountId: string;
  /** Of one webhook; of all in the account where left out. */
  readonly webhookId?: string | undefined;
  /** Only from this sequence down. */
  readonly from?: number | undefined;
  /** Gregorian seconds, both included. */
  readonly between: { readonly from: number; readonly to: number };
  readonly limit: number;
}

export interface QueueReads {
  queueHeads(): Promise<readonly { readonly queue: QueueName; readonly dueMs: number }[]>;
  /** Number of waiting deliveries, and of events still to happen or not yet made into deliveries. */
  countQueued(): Promise<{ readonly deliveries: number; readonly events: number }>;
  /** Returns the due time of the first entry of a queue; `undefined` where none waits. */
  nextDue(queue: QueueName): Promise<number | undefined>;
  dueEvents(byMs: number, limit: number): Promise<readonly QueuedEvent[]>;
  dueDeliveries(webhookId: string, byMs: number, limit: number): Promise<readonly QueuedDelivery[]>;
  listAttempts(stretch: AttemptQuery): Promise<readonly LoggedAttempt[]>;
}
