import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { ports } from '../../contract/resources/ports.ts';
import { act } from '../act.ts';
import { findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { recordIfThere } from '../generic/listed-records.ts';
import { labelOf } from '../labels.ts';
import type { commentOptions, portArguments } from './commands.ts';

/**
 * Adds a comment to a port request, signed and dated, which some services need; others sign and date it themselves,
 * whatever is sent.
 */
export async function commentOnPort(
  input: InputOf<typeof commentOptions, typeof portArguments>,
  context: Context,
): Promise<Result> {
  const { id, summary } = await findRecord(context, ports, input.id);
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
