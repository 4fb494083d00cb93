/** Allows `burst` requests at once, then `amount` more every `everyMs`. */
export interface Allowance {
  readonly burst: number;
  readonly amount: number;
  readonly everyMs: number;
}

/** `text` is the limit as typed, such as `10/s:100`. */
export interface RateLimit extends Allowance {
  readonly text: string;
}

const periodsMs = { s: 1000, m: 60_000, h: 3_600_000 } as const;
const form = /^(\d+(?:\.\d+)?)\/([smh])(?::(\d+))?$/;

/**
 * Parses `RATE[:BURST]`. RATE is requests per second, minute or hour. BURST is the number allowed at once (default:
 * those of one period). Returns `undefined` for other text, or if it allows none.
 */
export function parseRateLimit(text: string): RateLimit | undefined {
  const [, rate, unit, burst] = form.exec(text) ?? [];
  if (unit !== 's' && unit !== 'm' && unit !== 'h') return undefined;
  const each = Number(rate);
  const atOnce = burst === undefined ? Math.max(1, Math.floor(each)) : Number(burst);
  if (!(each > 0) || !(atOnce > 0) || !Number.isSafeInteger(atOnce)) return undefined;
  return { text, burst: atOnce, amount: 1, everyMs: periodsMs[unit] / each };
}
