import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { ports } from '../../contract/resources/ports.ts';
import { act } from '../act.ts';
import { readBody } from '../generic/body-input.ts';
import { findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { movedSentence, portIn } from './move.ts';

const operation = operationFor(ports, 'schedule');

/** Schedules a port request. The specification lets the body be empty; compatible services want a date in it. */
export async function schedulePort(input: ParsedInput, context: Context): Promise<Result> {
  const when = momentOf(input);
  const found = await findRecord(context, ports, String(input.id));
  const data = { ...(await readBody(context, ports, operation, input)), ...when };
  return act(context, {
    call: { operation, path: pathTo(ports, found.id), data },
    message: (answer) => movedSentence('Scheduled', found, answer),
    resource: 'ports',
    lookUp: (api) => portIn(api, found.id, operation),
  });
}

/** The date as the service takes it: a moment, or a local time with its zone. */
function momentOf({ date, timezone }: ParsedInput): JsonObject {
  if (typeof date !== 'string') {
    if (timezone !== undefined) throw new Failure('usage', '--timezone belongs to --date.');
    return {};
  }
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
