import { Failure } from '../contract/failure.ts';

const units: ReadonlyMap<string, number> = new Map([
  ['s', 1000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);

/**
 * A time as people give it, in milliseconds since the Unix epoch: how long ago (`90s`, `10m`, `2h`, `7d`), or a date
 * with or without time of day (UTC where it names no zone). Throws `Failure` of kind `usage` naming the option.
 */
export function momentOf(text: string, nowMs: number, option: string): number {
  const ago = /^(\d{1,6})([smhd])$/.exec(text);
  if (ago) return nowMs - Number(ago[1]) * (units.get(ago[2] ?? '') ?? 0);
  const ms = dateOf(text);
  if (ms !== undefined) return ms;
  throw new Failure('usage', `${option} takes how long ago or a time, not ${JSON.stringify(text)}.`, {
    hint: `For example: ${option} 10m, or ${option} 2026-01-31T09:00Z`,
  });
}

/** A date with or without time of day (UTC where it names no zone), in milliseconds since the Unix epoch. */
export function dateOf(text: string): number | undefined {
  const date = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?$/.exec(text)?.[0];
  const zoned = date?.replace(' ', 'T') ?? '';
  const ms = Date.parse(/T[^Z+-]*$/.test(zoned) ? `${zoned}Z` : zoned);
  return Number.isNaN(ms) ? undefined : ms;
}
