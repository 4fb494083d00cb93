import type { Json } from '../base/json.ts';
import { gregorianOffset } from '../base/moment.ts';
import type { Reply } from './api.ts';

/**
 * The time that an envelope says, in Unix milliseconds: text as in RFC 3339, UTC where it names no zone, or Gregorian
 * seconds. `undefined` where it says none.
 */
export function timestampMs(timestamp: Json | undefined): number | undefined {
  if (typeof timestamp === 'number') return (Math.floor(timestamp) - gregorianOffset) * 1000;
  if (typeof timestamp !== 'string') return undefined;
  const ms = Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(timestamp) ? timestamp : `${timestamp}Z`);
  return Number.isNaN(ms) ? undefined : ms;
}

/**
 * Returns the time of the answer by the service's own clock, in Unix milliseconds: the reply's own time, else its
 * `Date`.
 */
export function replyTimeMs({ envelope, headers }: Pick<Reply, 'envelope' | 'headers'>): number | undefined {
  const own = timestampMs(envelope.timestamp);
  if (own !== undefined || typeof headers.date !== 'string') return own;
  const ms = Date.parse(headers.date);
  return Number.isNaN(ms) ? undefined : ms;
}
