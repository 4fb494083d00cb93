import type { Timers } from '../../../base/host/host.ts';

/** Place of a delivery in the queue: by the time of its event, then in the order of publication. */
export interface QueuePlace {
  readonly dueMs: number;
  /** 0 if only the time is known. */
  readonly sequence: number;
  readonly eventId: string;
}

export interface WebhookPosition {
  /** Account of the event at `place`. `undefined` if the webhook may have events of every account. */
  accountId: string | undefined;
  /** The first delivery that the webhook has not tried yet. `undefined` if none is due. */
  place: QueuePlace | undefined;
  /** True if the last request took longer than `maxDelayMs`. Other webhooks do not wait for a slow one. */
  isSlow: boolean;
}

/** Maximum time that an event waits for the receivers of an earlier event. */
const maxDelayMs = 1000;

const isBefore = (one: QueuePlace, other: QueuePlace): boolean =>
  one.eventId !== other.eventId &&
  (one.dueMs < other.dueMs || (one.dueMs === other.dueMs && one.sequence < other.sequence));

/**
 * Delivers the events of an account in order over all its webhooks. An event is sent when every webhook has sent the
 * earlier events. A slow receiver delays the others by at most `maxDelayMs`.
 */
export function createEventOrder(timers: Timers) {
  const positions = new Set<WebhookPosition>();
  let changed = Promise.withResolvers<void>();

  const announce = (): void => {
    changed.resolve();
    changed = Promise.withResolvers();
  };

  return {
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
    async waitForTurn(mine: WebhookPosition, place: QueuePlace, stopped: AbortSignal): Promise<void> {
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
    async sendTimed<T>(position: WebhookPosition, request: () => Promise<T>): Promise<T> {
      const callOff = timers.later(maxDelayMs, () => {
        position.isSlow = true;
        announce();
      });
      const beganMs = timers.elapsedMs();
      try {
        return await request();
      } finally {
        callOff();
        position.isSlow = timers.elapsedMs() - beganMs > maxDelayMs;
      }
    },

    wake: announce,
  };
}
