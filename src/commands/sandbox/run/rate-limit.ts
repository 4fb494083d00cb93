import { Failure } from '../../../base/failure.ts';
import { type RateLimit, rateLimitIn } from '../../../base/rate-limit.ts';

/** Reads --rate-limit. Throws `usage` if that is no limit. */
export function rateLimitOf({
  rateLimit,
}: {
  readonly rateLimit?: string | undefined;
}): RateLimit | undefined {
  if (rateLimit === undefined) return undefined;
  const limit = rateLimitIn(rateLimit);
  if (limit) return limit;
  throw new Failure('usage', `--rate-limit must be RATE[:BURST], and not ${JSON.stringify(rateLimit)}.`, {
    hint: 'Requests a second (s), minute (m) or hour (h), and how many may come at once: --rate-limit 10/s:100',
  });
}
