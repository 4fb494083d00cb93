import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import type { ParsedValue } from '../../command/command.ts';

/** The date as the service takes it: a moment, or a local time with its zone. */
export function portingTime(date: ParsedValue, timezone: ParsedValue): JsonObject {
  if (typeof date !== 'string') return {};
  if (typeof timezone === 'string') {
    const [, day, time] = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})$/.exec(date) ?? [];
    if (day === undefined || time === undefined)
      throw new Failure(
        'usage',
        `--date with --timezone is like "2030-01-31 09:00", not ${JSON.stringify(date)}.`,
      );
    return { schedule_on: { timezone, date_time: `${day} ${time}` } };
  }
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2})$/.test(date);
  const ms = isMoment ? Date.parse(date) : Number.NaN;
  if (Number.isNaN(ms))
    throw new Failure('usage', `--date is a moment such as 2030-01-31T09:00Z, not ${JSON.stringify(date)}.`, {
      hint: 'A local time takes --timezone, such as America/New_York.',
    });
  return { scheduled_date: Math.floor(ms / 1000) + gregorianOffset };
}
