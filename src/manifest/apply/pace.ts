/** How many calls may be under way at once: fewer when the service turns some away, more as it takes them again. */
export interface Pace {
  limit(): number;
  /** Calls that are under way. */
  running(): number;
  /** The service answered 429. */
  turnedAway(): void;
  began(): void;
  ended(): void;
}

/**
 * Starts at `most`. A 429 halves it, once for all the calls that were under way then; as many successes as there may
 * be calls at once let one more in, up to `most` again.
 */
export function paceOf(most: number): Pace {
  let limit = Math.max(1, most);
  let running = 0;
  /** Calls that were under way at the last cut: what comes of them says nothing new. */
  let old = 0;
  let good = 0;
  return {
    limit: () => limit,
    running: () => running,
    turnedAway() {
      good = 0;
      if (old > 0) return;
      limit = Math.max(1, Math.floor(limit / 2));
      old = running;
    },
    began() {
      running += 1;
    },
    ended() {
      running -= 1;
      if (old > 0) {
        old -= 1;
        return;
      }
      good += 1;
      if (good < limit || limit >= most) return;
      limit += 1;
      good = 0;
    },
  };
}
