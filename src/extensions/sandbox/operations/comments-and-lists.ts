import { type Json, type JsonObject, objectsIn } from '../../../base/json.ts';
import { answerList, collectionHandlers, namedRecord, wholeList } from '../collections/collection.ts';
import { recordSummary, shownRecord, writeHidden } from '../collections/records.ts';
import { missingFields, Refusal } from '../refusal.ts';
import {
  accountOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  recordIn,
  type ServiceRequest,
} from '../requests/service-request.ts';
import { type StoredRecord, scopeBelow } from '../store/store.ts';

const commentsOn = ({ hidden }: StoredRecord): readonly JsonObject[] => objectsIn(hidden.comments);

const sortByTime = (comments: readonly JsonObject[]): readonly JsonObject[] =>
  comments.toSorted((one, other) => Number(one.timestamp) - Number(other.timestamp));

/** Returns the index in the path. Refuses (404) an unknown index. */
function commentIndex(call: ServiceRequest, comments: readonly JsonObject[]): number {
  const word = pathParameter(call, 'comment_id');
  const place = /^\d+$/.test(word) ? Number(word) : Number.NaN;
  if (comments[place] !== undefined) return place;
  const message = 'Comment not found.';
  throw new Refusal(404, 'bad_identifier', message, { message });
}

function commentHandlers(of: 'user' | 'device', kind: 'users' | 'devices'): RequestHandlers {
  const read = (call: ServiceRequest) => namedRecord(call, kind);
  const change =
    (
      make: (call: ServiceRequest, before: readonly JsonObject[]) => readonly JsonObject[],
      data: (call: ServiceRequest, after: readonly JsonObject[]) => Json = (_, after) => ({
        comments: after,
      }),
    ): RequestHandler =>
    async (call) => {
      const record = await read(call);
      const after = sortByTime(make(call, commentsOn(record)));
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

const generic = collectionHandlers('lists');

const findsEntries = ({ services }: ServiceRequest): boolean => services.behaviour.lists.entries === 'found';

/** Returns a list entry like services in the field, with its fields under `value`. */
async function foundEntry(call: ServiceRequest, record: StoredRecord): Promise<JsonObject> {
  const { id: _, list_id: key = '', ...value } = await recordSummary(call, 'list_entries', record);
  return { id: record.id, key, value };
}

/** Creates the handlers of entries in the list of the path. Refuses (404) an unknown list. */
async function entryHandlers(call: ServiceRequest) {
  const list = await namedRecord(call, 'lists');
  return collectionHandlers('list_entries', scopeBelow(accountOf(call).id, list.id));
}

const entryHandler =
  (name: 'get' | 'patch' | 'delete'): RequestHandler =>
  async (call) =>
    (await entryHandlers(call))[name](call);

const create: RequestHandler = async (call) => {
  const list_id = pathParameter(call, 'list_id');
  const sending = { ...call, data: { ...call.data, list_id } };
  if (!findsEntries(call)) return (await entryHandlers(call)).create(sending);
  const scope = scopeBelow(accountOf(call).id, list_id);
  return collectionHandlers('list_entries', scope).create(sending);
};

const list: RequestHandler = async (call) => {
  if (!findsEntries(call)) return (await entryHandlers(call)).list(call);
  const { id } = await namedRecord(call, 'lists');
  const scope = scopeBelow(accountOf(call).id, id);
  return answerList(call, 'list_entries', { scope, item: (record) => foundEntry(call, record) });
};

const update: RequestHandler = async (call) => {
  if (findsEntries(call) && call.data.list_id === undefined)
    throw missingFields(['list_id'], call.services.behaviour);
  return (await entryHandlers(call)).update(call);
};

async function removeEntries(call: ServiceRequest, listId: string) {
  const all = await call.services.store.list({
    kind: 'list_entries',
    scope: scopeBelow(accountOf(call).id, listId),
  });
  for (const record of all) call.changes.push({ change: 'remove', record, erase: false });
  return all;
}

const clear: RequestHandler = async (call) => {
  const { id } = await namedRecord(call, 'lists');
  const all = await removeEntries(call, id);
  const data = await Promise.all(
    all.map((record) =>
      findsEntries(call) ? foundEntry(call, record) : shownRecord(call, 'list_entries', record),
    ),
  );
  return wholeList(data);
};

const remove: RequestHandler = async (call) => {
  const id = pathParameter(call, 'list_id');
  const envelope = findsEntries(call) ? { page_size: 0 } : {};
  if (findsEntries(call) && !(await recordIn(call, 'lists', id)))
    return { data: { _read_only: { deleted: true } }, envelope };
  const answer = await generic.delete(call);
  await removeEntries(call, id);
  return { ...answer, envelope };
};

export const underRecordHandlers: RequestHandlers = {
  // Comments are stored in their record (Conventions, Comments).
  ...commentHandlers('user', 'users'),
  ...commentHandlers('device', 'devices'),
  // Lists of callers and their entries (Conventions, Lists).
  'lists.delete': remove,
  'list_entries.list': list,
  'list_entries.get': entryHandler('get'),
  'list_entries.create': create,
  'list_entries.update': update,
  'list_entries.patch': entryHandler('patch'),
  'list_entries.delete': entryHandler('delete'),
  'list_entries.clear': clear,
};
