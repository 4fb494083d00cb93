import { gregorianOffset } from '../../base/moment.ts';

/** How far a zone is ahead of UTC at a moment, in milliseconds. */
function offsetAt(utcMs: number, format: Intl.DateTimeFormat): number {
  const parts = new Map(format.formatToParts(utcMs).map(({ type, value }) => [type, Number(value)]));
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0;
  const local = Date.UTC(
    part('year'),
    part('month') - 1,
    part('day'),
    part('hour'),
    part('minute'),
    part('second'),
  );
  return local - utcMs;
}

/**
 * The moment of a day and time (`2030-01-31 09:00`) in a time zone, in Gregorian seconds; `undefined` where the
 * zone or the day is none.
 */
export function momentIn(timeZone: string, dateTime: string): number | undefined {
  const asUtc = Date.parse(`${dateTime.replace(' ', 'T')}:00Z`);
  if (Number.isNaN(asUtc)) return undefined;
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    // Twice, since the first guess may lie on the other side of a change of clocks.
    const guess = asUtc - offsetAt(asUtc, format);
    return Math.floor((asUtc - offsetAt(guess, format)) / 1000) + gregorianOffset;
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
