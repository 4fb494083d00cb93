import type { Timers } from '../../../base/host/host.ts';

/** Place of a delivery in the queue: by the time of its event, then in the order in which events were published. */
export interface QueuePlace {
  readonly dueMs: number;
  /** 0 if only the time is known. */
  readonly sequence: number;
  readonly eventId: string;
}

/** Position of one webhook in the order of events. */
export interface WebhookPosition {
  /** Account of the event at `place`; if it is `undefined`, the webhook holds events of every account. */
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
    /** A webhook that takes part from now on. */
    position(): WebhookPosition {
      const made: WebhookPosition = { accountId: undefined, place: undefined, isSlow: false };
      positions.add(made);
      return made;
    },

    /** Notes where a webhook is; others that waited for it look again. */
    move(position: WebhookPosition, place: QueuePlace | undefined): void {
      position.place = place;
      announce();
    },

    /** Resolves when no earlier event of the account is still to be sent, or when the run is stopped. */
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

    /** Makes a request of a webhook, and notes if the receiver is slow. */
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

    /** Lets everything that waits look again: the run is stopped. */
    wake: announce,
  };
}
