import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { ports } from '../../contract/resources/ports.ts';
import type { Column } from '../../contract/types.ts';
import { findRecord, operationFor, pathTo } from '../generic/find-record.ts';
import type { portArguments } from './commands.ts';

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
