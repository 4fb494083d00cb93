import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { gregorianOffset } from '../../base/moment.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { ports } from '../../contract/resources/ports.ts';
import type { Column } from '../../contract/types.ts';
import { act } from '../act.ts';
import { findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import { recordIfThere } from '../generic/listed-records.ts';
import { labelOf } from '../labels.ts';
import type { commentOptions, portArguments } from './commands.ts';

const columns: readonly Column[] = [
  { header: 'TIME', paths: ['timestamp'], show: 'time' },
  { header: 'FROM', paths: ['transition.previous'] },
  { header: 'TO', paths: ['transition.new'] },
  { header: 'BY', paths: ['authorization.user.full_name', 'author'] },
  { header: 'REASON', paths: ['reason'] },
  { header: 'COMMENT', paths: ['content'] },
];

/**
 * Shows what happened to a port request. The specification answers with the request, in which a timeline may stand;
 * compatible services with the entries alone.
 */
export async function showTimeline(
  { id: word }: InputOf<Record<never, never>, typeof portArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findRecord(context, ports, word);
  const call = { operation: operationFor(ports, 'timeline'), path: pathTo(ports, id) };
  const { data } = await (await context.api()).call(call);
  const entries = entriesIn(data);
  return entries === undefined
    ? { kind: 'item', value: data, resource: 'ports' }
    : { kind: 'list', items: entries.map(withReason), columns, noun: 'events' };
}

function entriesIn(data: Json): readonly JsonObject[] | undefined {
  const entries = isObject(data) ? data.timeline : data;
  return Array.isArray(entries) ? entries.filter(isObject) : undefined;
}

/** Returns an entry as a list shows it: with its reason as a sentence, wherever it stands and in whatever shape. */
function withReason(entry: JsonObject): JsonObject {
  const { reason = valueAt(entry, 'transition.reason') ?? valueAt(entry, 'authorization.reason') } = entry;
  if (!isObject(reason)) return reason === undefined ? entry : { ...entry, reason };
  const words = [reason.code, reason.message ?? reason.reason].filter(
    (word) => typeof word === 'string' || typeof word === 'number',
  );
  return words.length === 0 ? entry : { ...entry, reason: words.join(' ') };
}

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
