import type { Allowance } from '../../base/rate-limit.ts';
import type { Clock } from '../../host/host.ts';

interface Level {
  readonly tokens: number;
  /** When it was last filled, in milliseconds. */
  readonly filledAt: number;
}

/** Buckets of tokens, one for each key: a request takes some, and is refused where too few are left. */
export class TokenBuckets {
  readonly #allowance: Allowance;
  readonly #clock: Clock;
  readonly #levels = new Map<string, Level>();

  constructor(allowance: Allowance, clock: Clock) {
    this.#allowance = allowance;
    this.#clock = clock;
  }

  /** How many tokens are left under a key. */
  remaining(key: string): number {
    return Math.floor(this.#level(key).tokens);
  }

  /** Takes tokens; false, and nothing taken, where there are too few. */
  take(key: string, count: number): boolean {
    const level = this.#level(key);
    if (level.tokens < count) return false;
    this.#levels.set(key, { ...level, tokens: level.tokens - count });
    return true;
  }

  #level(key: string): Level {
    const { burst, amount, everyMs } = this.#allowance;
    const now = this.#clock.now();
    const known = this.#levels.get(key);
    if (!known) return { tokens: burst, filledAt: now };
    const steps = Math.max(0, Math.floor((now - known.filledAt) / everyMs));
    return {
      tokens: Math.min(burst, known.tokens + steps * amount),
      filledAt: known.filledAt + steps * everyMs,
    };
  }
}
