import { Failure } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { ports } from '../../../contract/resources/ports.ts';
import type { InputOf, ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { act } from '../act.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { readBody } from '../generic/input.ts';
import { recordIfThere } from '../generic/listed-records.ts';
import { labelOf } from '../labels.ts';
import type { commentOptions, portArguments } from './commands.ts';

const operation = operationFor(ports, 'schedule');

/** Schedules a port request. The specification lets the body be empty; compatible services want a date in it. */
export async function schedulePort(input: ParsedInput, context: Context): Promise<Result> {
  const when = momentOf(input);
  const found = await findNamed(context, ports, String(input.id));
  const data = { ...(await readBody(context, ports, operation, input)), ...when };
  return act(context, {
    call: { operation, path: pathTo(ports, found.id), data },
    message(answer) {
      const now = isObject(answer) ? answer : {};
      const state = typeof now.port_state === 'string' ? ` (${now.port_state})` : '';
      return `Scheduled ${labelOf(ports, { id: found.id, ...found.summary, ...now })}${state}.`;
    },
    resource: 'ports',
    async lookUp(api) {
      const record = await recordIfThere(api, ports, found.id);
      return record?.port_state === 'scheduled' ? record : undefined;
    },
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

/**
 * Adds a comment to a port request, signed and dated, which some services need; others sign and date it themselves,
 * whatever is sent.
 */
export async function commentOnPort(
  input: InputOf<typeof commentOptions, typeof portArguments>,
  context: Context,
): Promise<Result> {
  const { id, summary } = await findNamed(context, ports, input.id);
  const content = input.content ?? (await context.ask.text('Comment:', { option: '--content' }));
  if (content.trim() === '') throw new Failure('usage', 'A comment cannot be empty.');
  const { profile } = await context.session();
  const api = await context.api();
  const nowMs = api.serviceNowMs() ?? context.host.clock.now();
  const comment = {
    content,
    author: profile.username ?? profile.accountName ?? profile.accountId,
    timestamp: Math.floor(nowMs / 1000) + gregorianOffset,
    ...(input.isPrivate ? { is_private: true } : {}),
    ...(input.actionRequired ? { action_required: true } : {}),
  };
  const sinceMs = api.serviceNowMs() ?? 0;
  return act(context, {
    call: {
      operation: operationFor(ports, 'comment'),
      path: pathTo(ports, id),
      data: { comments: [comment] },
    },
    message: () => `Commented on ${labelOf(ports, { id, ...summary })}.`,
    resource: 'ports',
    // The same may have been said before: only a comment of this minute is this one.
    async lookUp(api) {
      const { comments } = (await recordIfThere(api, ports, id)) ?? {};
      const said = Array.isArray(comments) ? comments.filter(isObject) : [];
      const since = Math.floor(sinceMs / 1000) + gregorianOffset;
      const isThere = said.some((each) => each.content === content && Number(each.timestamp) >= since);
      return isThere ? said : undefined;
    },
  });
}
