import { Failure } from '../../base/failure.ts';
import { dateOf, momentOf } from '../../base/moment.ts';
import { didYouMean } from '../../base/wording.ts';
import { isTimeZone, secondsOfDay, timesOf } from '../../base/zoned-time.ts';
import { nearestName } from '../../contract/known-names.ts';

/** A time zone as people name it. Throws `Failure` of kind `usage` naming the option. */
export function zoneNamed(text: string, option: string): string {
  if (isTimeZone(text)) return text;
  throw new Failure(
    'usage',
    `${option}: there is no time zone ${JSON.stringify(text)}.${didYouMean(nearestName('time-zone', text))}`,
  );
}

/**
 * Returns the time that `--at` names, in seconds since the Unix epoch: a date and time by the clocks of a zone unless
 * it names its own offset, a duration before now, or now. Throws `Failure` (`usage`).
 */
export function timeOfCall(text: string | undefined, zone: string, nowMs: number): number {
  if (text === undefined) return Math.floor(nowMs / 1000);
  const shown = /(?:Z|[+-]\d\d:?\d\d)$/.test(text.slice(10)) ? undefined : dateOf(text);
  if (shown === undefined) return Math.floor(momentOf(text, nowMs, '--at') / 1000);
  const seconds = Math.floor(shown / 1000);
  const day = Math.floor(seconds / secondsOfDay);
  const [first] = timesOf(zone, { day, second: seconds - day * secondsOfDay });
  if (first !== undefined) return first;
  throw new Failure('usage', `--at: the clocks of ${zone} skip ${text}.`, {
    hint: 'Give another time, or one with an offset: 2026-03-29T01:30Z',
  });
}
