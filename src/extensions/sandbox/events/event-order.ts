import type { Timers } from '../../../base/host/host.ts';

/** Place of a delivery in the queue: by the time of its event, then in the order in which events were published. */
export interface QueuePlace {
  readonly dueMs: number;
  /** 0 if only the time is known. */
  readonly sequence: number;
  readonly eventId: string;
}

export interface WebhookPosition {
  /** Account of the event at `place`. If it is `undefined`, the webhook may have events of every account. */
  accountId: string | undefined;
  /** First delivery that the webhook has not tried yet; `undefined` if none is due. */
  place: QueuePlace | undefined;
  /** The last request took longer than `patienceMs`, so no other webhook waits for this one. */
  isSlow: boolean;
}

/** Longest time that an event waits for receivers of an earlier event to answer. */
const patienceMs = 1000;

const isBefore = (one: QueuePlace, other: QueuePlace): boolean =>
  one.eventId !== other.eventId &&
  (one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.sequence < other.sequence));

/**
 * Keeps the deliveries of an account in the order of their events over all its webhooks: an event is sent when every
 * webhook was sent the earlier ones. A receiver that is slow to answer holds the others for `patienceMs` at most.
 */
export function createEventOrder(timers: Timers) {
  const positions = new Set<WebhookPosition>();
  let changed = Promise.withResolvers<void>();

  const announce = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  return {
    /** Adds a webhook to the order. */
    position(): WebhookPosition {
      const made: WebhookPosition = { accountId: undefined, place: undefined, isSlow: false };
      positions.add(made);
      return made;
    },

    /** Moves a webhook to a delivery, and wakes webhooks that wait for it. */
    move(position: WebhookPosition, place: QueuePlace | undefined): void {
      position.place = place;
      announce();
    },

    /** Resolves when earlier events of the account are sent, or when the run is stopped. */
    async turn(mine: WebhookPosition, place: QueuePlace, stopped: AbortSignal): Promise<void> {
      const isHeld = (): boolean =>
        [...positions].some(
          (each) =>
            each !== mine &&
            !each.isSlow &&
            each.place !== undefined &&
            (each.accountId === undefined || each.accountId === mine.accountId) &&
            isBefore(each.place, place),
        );
      while (!stopped.aborted && isHeld()) await changed.promise;
    },

    /** Sends a request of a webhook, and notes whether the receiver is slow. */
    async timed<T>(position: WebhookPosition, request: () => Promise<T>): Promise<T> {
      const callOff = timers.later(patienceMs, () => {
        position.isSlow = true;
        announce();
      });
      const beganMs = timers.elapsedMs();
      try {
        return await request();
      } finally {
        callOff();
        position.isSlow = timers.elapsedMs() - beganMs > patienceMs;
      }
    },

    /** Wakes all waiting webhooks when the run is stopped. */
    wake: announce,
  };
}
