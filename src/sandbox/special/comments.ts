import { type Json, type JsonObject, objectsIn } from '../../base/json.ts';
import { namedRecord } from '../collections/collection.ts';
import { writeHidden } from '../collections/records.ts';
import { Refusal } from '../refusal.ts';
import { type Call, type Handler, type Handlers, parameter } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';

const commentsOn = ({ hidden }: StoredRecord): readonly JsonObject[] => objectsIn(hidden.comments);

const inOrder = (comments: readonly JsonObject[]): readonly JsonObject[] =>
  comments.toSorted((one, other) => Number(one.timestamp) - Number(other.timestamp));

/** The place that the path names. Refuses (404) one at which there is nothing. */
function commentIndex(call: Call, comments: readonly JsonObject[]): number {
  const word = parameter(call, 'comment_id');
  const place = /^\d+$/.test(word) ? Number(word) : Number.NaN;
  if (comments[place] !== undefined) return place;
  const message = 'There is no comment at that place.';
  throw new Refusal(404, 'bad_identifier', message, { message });
}

function handlersOf(of: 'user' | 'device', kind: 'users' | 'devices'): Handlers {
  const read = (call: Call) => namedRecord(call, kind);
  /** Writes the comments of a record, and answers with `data`. */
  const change =
    (
      make: (call: Call, before: readonly JsonObject[]) => readonly JsonObject[],
      data: (call: Call, after: readonly JsonObject[]) => Json = (_, after) => ({ comments: after }),
    ): Handler =>
    async (call) => {
      const record = await read(call);
      const after = inOrder(make(call, commentsOn(record)));
      writeHidden(call, record, kind, { comments: after });
      const created = call.operation.method === 'PUT' ? { created: record.id } : {};
      return { data: data(call, after), record, ...created };
    };
  return {
    [`comments.list-of-${of}`]: async (call) => {
      const record = await read(call);
      return { data: { comments: commentsOn(record) }, record };
    },
    [`comments.add-to-${of}`]: change((call, before) => [...before, ...objectsIn(call.data.comments)]),
    [`comments.clear-of-${of}`]: change(() => []),
    [`comments.get-of-${of}`]: async (call) => {
      const record = await read(call);
      const comments = commentsOn(record);
      return { data: comments[commentIndex(call, comments)] ?? {}, record };
    },
    [`comments.update-of-${of}`]: change(
      (call, before) => before.with(commentIndex(call, before), call.data),
      (call) => call.data,
    ),
    [`comments.delete-of-${of}`]: change((call, before) => before.toSpliced(commentIndex(call, before), 1)),
  };
}

/** Comments on users and devices; they are kept with what they are on (Conventions, Comments). */
export const commentHandlers: Handlers = {
  ...handlersOf('user', 'users'),
  ...handlersOf('device', 'devices'),
};
