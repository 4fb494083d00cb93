import { durationIn, meantDuration } from './duration.ts';
import { Failure } from './failure.ts';

/**
 * A time as people give it, in milliseconds since the Unix epoch: how long ago (`90s`, `10m`, `2h`, `1d12h`), or a date
 * with or without time of day (UTC where it names no zone). Throws `Failure` of kind `usage` naming the option.
 */
export function momentOf(text: string, nowMs: number, option: string): number {
  const ago = durationIn(text);
  const ms = ago === undefined ? dateOf(text) : nowMs - ago;
  if (ms !== undefined) return ms;
  const meant = meantDuration(text);
  throw new Failure('usage', `${option} takes how long ago or a time, not ${JSON.stringify(text)}.`, {
    hint:
      meant === undefined
        ? `For example: ${option} 10m, or ${option} 2026-01-31T09:00Z`
        : `Did you mean ${option} ${meant}?`,
  });
}

/** A date with or without time of day (UTC where it names no zone), in milliseconds since the Unix epoch. */
export function dateOf(text: string): number | undefined {
  const date = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text)?.[0];
  const day = date?.slice(0, 10) ?? '';
  // JavaScript takes the 30th of February for the 2nd of March.
  if (!new Date(Date.parse(day) || 0).toISOString().startsWith(day)) return undefined;
  const zoned = date?.replace(' ', 'T') ?? '';
  const ms = Date.parse(/T[^Z+-]*$/.test(zoned) ? `${zoned}Z` : zoned);
  return Number.isNaN(ms) ? undefined : ms;
}
