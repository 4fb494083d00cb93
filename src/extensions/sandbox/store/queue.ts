import type { JsonObject } from '../../../base/json.ts';

interface Entry {
  readonly eventId: string;
  readonly hook: string;
  /** Unix milliseconds. */
  readonly dueMs: number;
}

/** An event that becomes a delivery for each matching webhook when it is due. */
export interface WaitingEvent extends Entry {
  readonly kind: 'event';
  readonly accountId: string;
  /** The event, and facts that select its webhooks. */
  readonly payload: JsonObject;
}

export interface Delivery extends Entry {
  readonly kind: 'delivery';
  readonly webhookId: string;
  readonly accountId: string;
  /** Payload without the properties of the subscription. */
  readonly payload: JsonObject;
}

interface Queued {
  readonly sequence: number;
  readonly tries: number;
}

export type QueuedEvent = WaitingEvent & Queued;
export type QueuedDelivery = Delivery & Queued;

/** Identifies a queue entry. Sequence numbers are reused, so the event id is needed too. */
export type QueuedName = Pick<QueuedDelivery, 'sequence' | 'eventId'>;

/** The queue of events, or the queue of deliveries to one webhook. */
export type QueueName =
  | { readonly kind: 'events' }
  | { readonly kind: 'webhook'; readonly webhookId: string };

export interface DeliveryAttempt {
  readonly webhookId: string;
  readonly accountId: string;
  /** Gregorian seconds. */
  readonly timestamp: number;
  readonly body: JsonObject;
}

export interface LoggedAttempt extends DeliveryAttempt {
  readonly sequence: number;
}

export type QueueChange =
  | { readonly change: 'queue'; readonly entry: WaitingEvent | Delivery }
  | {
      readonly change: 'postpone';
      readonly delivery: QueuedName;
      readonly webhookId: string;
      readonly dueMs: number;
      readonly tries: number;
    }
  | { readonly change: 'unqueue'; readonly entry: QueuedName }
  | { readonly change: 'unqueue-event'; readonly eventId: string; readonly dueMs: number }
  | { readonly change: 'unqueue-all'; readonly webhookId: string }
  | { readonly change: 'attempt'; readonly attempt: DeliveryAttempt }
  | { readonly change: 'forget-account'; readonly accountId: string };

export interface AttemptQuery {
  readonly accountId: string;
  /** Default: all webhooks of the account. */
  readonly webhookId?: string | undefined;
  /** Highest sequence number. */
  readonly from?: number | undefined;
  /** Gregorian seconds, inclusive. */
  readonly between: { readonly from: number; readonly to: number };
  readonly limit: number;
}

export interface QueueReads {
  queueHeads(): Promise<readonly { readonly queue: QueueName; readonly dueMs: number }[]>;
  /** Counts waiting deliveries, and events without deliveries. */
  countQueued(): Promise<{ readonly deliveries: number; readonly events: number }>;
  /** Returns the due time of the first entry. Returns `undefined` for an empty queue. */
  nextDue(queue: QueueName): Promise<number | undefined>;
  dueEvents(byMs: number, limit: number): Promise<readonly QueuedEvent[]>;
  dueDeliveries(webhookId: string, byMs: number, limit: number): Promise<readonly QueuedDelivery[]>;
  listAttempts(stretch: AttemptQuery): Promise<readonly LoggedAttempt[]>;
}
