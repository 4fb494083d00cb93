import type { JsonObject } from '../../base/json.ts';

/** An event on its way to one webhook. */
export interface Delivery {
  /** The webhook; empty for an event that is still to happen, whose webhooks are found when it does. */
  readonly webhookId: string;
  /** Account of the subscription. */
  readonly accountId: string;
  readonly eventId: string;
  readonly hook: string;
  /** When it is to be sent, in Unix milliseconds. */
  readonly dueMs: number;
  /** What is told, without the subscription's own properties. */
  readonly payload: JsonObject;
}

/** A delivery in the queue. */
export interface QueuedDelivery extends Delivery {
  /** Its place in the queue. */
  readonly sequence: number;
  /** How often it was tried. */
  readonly tries: number;
}

/** Names a delivery in the queue: places are given anew to others, once what had them is gone. */
export type QueuedName = Pick<QueuedDelivery, 'sequence' | 'eventId'>;

/** A place in the queue of a webhook. */
export type QueuePlace = Pick<QueuedDelivery, 'dueMs' | 'sequence'>;

/** How one try of a delivery went. */
export interface Attempt {
  readonly webhookId: string;
  readonly accountId: string;
  /** Gregorian seconds. */
  readonly timestamp: number;
  /** As callers see it. */
  readonly body: JsonObject;
}

/** An attempt in the log. */
export interface LoggedAttempt extends Attempt {
  readonly sequence: number;
}

/** What happens to the queue and to the log of attempts. */
export type QueueChange =
  | { readonly change: 'queue'; readonly delivery: Delivery }
  /** Tried in vain, and to be tried again. */
  | {
      readonly change: 'postpone';
      readonly delivery: QueuedName;
      readonly webhookId: string;
      readonly dueMs: number;
      readonly tries: number;
    }
  | { readonly change: 'unqueue'; readonly delivery: QueuedName }
  /** Takes all deliveries of a webhook out of the queue. */
  | { readonly change: 'unqueue-all'; readonly webhookId: string }
  | { readonly change: 'attempt'; readonly attempt: Attempt }
  /** Takes all deliveries and attempts of an account away. */
  | { readonly change: 'forget-account'; readonly accountId: string };

/** A stretch of the log of attempts, newest first. */
export interface AttemptStretch {
  readonly accountId: string;
  /** Of one webhook; of all in the account where left out. */
  readonly webhookId?: string | undefined;
  /** Only from this sequence down. */
  readonly from?: number | undefined;
  /** Gregorian seconds, both included. */
  readonly between: { readonly from: number; readonly to: number };
  readonly limit: number;
}

/** Reads of the queue and of the log of attempts. */
export interface QueueReads {
  /** When the first delivery of each webhook is due. */
  queueHeads(): Promise<readonly { readonly webhookId: string; readonly dueMs: number }[]>;
  /** How many deliveries wait, and how many events: those still to happen, or not yet made into deliveries. */
  queued(): Promise<{ readonly deliveries: number; readonly events: number }>;
  /** When the first delivery of a webhook is due; `undefined` where none waits. */
  nextDue(webhookId: string, after?: QueuePlace): Promise<number | undefined>;
  /** Deliveries of a webhook that are due by a moment, in the order in which they are to be sent. */
  dueDeliveries(
    webhookId: string,
    byMs: number,
    limit: number,
    after?: QueuePlace,
  ): Promise<readonly QueuedDelivery[]>;
  attempts(stretch: AttemptStretch): Promise<readonly LoggedAttempt[]>;
}
