import type { JsonObject } from '../../base/json.ts';
import { namedRecord, removal } from '../collections/collection.ts';
import { answerList } from '../collections/lists.ts';
import { acceptable, shown, write } from '../collections/records.ts';
import { pick, textAt, textsAt } from '../fields.ts';
import { invalid, unknownId } from '../refusal.ts';
import { accountOf, type Call, type Handler, parameter } from '../requests/call.ts';
import type { StoredRecord } from '../store/store.ts';
import { messageNotice } from '../telephony/message-notice.ts';
import { messagesScope, newMessageId } from '../telephony/message-place.ts';
import { gregorianSeconds } from '../timestamps.ts';

/** Scope of the messages of the box in the path. Refuses (404) a box that there is not. */
async function scopeOf(call: Call): Promise<string> {
  const { id } = await namedRecord(call, 'vmboxes');
  return messagesScope(accountOf(call).id, id);
}

const known = async (call: Call, id: string): Promise<StoredRecord | undefined> =>
  call.services.store.get({ kind: 'messages', scope: await scopeOf(call), id });

async function found(call: Call): Promise<StoredRecord> {
  const id = parameter(call, 'message_id');
  const message = await known(call, id);
  if (!message) throw unknownId(id);
  return message;
}

const answer = async (call: Call, message: StoredRecord) => ({
  data: await shown(call, 'messages', message),
});

/** Tells of a message. */
function publishMessage(call: Call, type: 'voicemail_new' | 'voicemail_saved', message: StoredRecord): void {
  const place = { accountId: accountOf(call).id, boxId: parameter(call, 'vm_box_id') };
  call.events.push(messageNotice(call.services, type, place, message));
}

const create: Handler = async (call) => {
  const scope = await scopeOf(call);
  const timestamp = gregorianSeconds(call.services.clock);
  const message = await write(call, {
    name: { kind: 'messages', scope, id: newMessageId(call.services) },
    resource: 'messages',
    body: { folder: 'new', timestamp, ...acceptable('messages', call.data) },
  });
  publishMessage(call, 'voicemail_new', message);
  return answer(call, message);
};

async function moved(call: Call, before: StoredRecord, folder: JsonObject): Promise<StoredRecord> {
  const body = { ...before.body, ...folder };
  const message = await write(call, { name: before, resource: 'messages', body, before });
  const isSaved = message.body.folder === 'saved' && before.body.folder !== 'saved';
  if (isSaved) publishMessage(call, 'voicemail_saved', message);
  return message;
}

const update: Handler = async (call) => {
  const before = await found(call);
  const folder = pick(acceptable('messages', call.data), ['folder']);
  return answer(call, await moved(call, before, folder));
};

const remove: Handler = async (call) => {
  const message = await found(call);
  return removal(call, 'messages', { ...message, body: { ...message.body, folder: 'deleted' } });
};

const list: Handler = async (call) => {
  const folder = call.query.get('folder');
  return answerList(call, {
    resource: 'messages',
    scope: await scopeOf(call),
    ...(folder === null ? {} : { key: { field: 'folder', value: folder } }),
  });
};

/** How many messages are read at a time. */
const stretchSize = 200;

/** Ids of the messages in the box, or in one of its folders. */
async function idsIn(call: Call, scope: string, folder: string | null): Promise<readonly string[]> {
  const ids: string[] = [];
  const key = folder === null ? undefined : { field: 'folder', value: folder };
  let from: { readonly order: string; readonly id: string } | undefined;
  while (true) {
    const read = { kind: 'messages', scope, key, ascending: true, from, limit: stretchSize + 1 };
    const records = await call.services.store.stretch(read);
    ids.push(...records.slice(0, stretchSize).map(({ id }) => id));
    const next = records[stretchSize];
    if (!next) return ids;
    from = { order: next.order, id: next.id };
  }
}

/** Does something to several messages, and tells which of them there were. */
async function each(call: Call, act: (message: StoredRecord) => Promise<unknown>) {
  const scope = await scopeOf(call);
  const named = textsAt(call.data, 'messages');
  const ids = named.length > 0 ? [...new Set(named)] : await idsIn(call, scope, call.query.get('folder'));
  const succeeded: string[] = [];
  const failed: { readonly [id: string]: string }[] = [];
  for (const id of ids) {
    const message = await known(call, id);
    if (message) {
      await act(message);
      succeeded.push(id);
    } else failed.push({ [id]: 'not_found' });
  }
  return { data: { succeeded, failed } };
}

const moveAll: Handler = (call) => {
  const folder = textAt(call.data, 'folder');
  if (folder === undefined) {
    throw invalid([{ path: 'folder', rule: 'required', message: 'is required' }]);
  }
  return each(call, (message) => moved(call, message, { folder }));
};

/** Messages in voicemail boxes and the folders they lie in (Conventions, Voicemail boxes). */
export const messageHandlers = new Map<string, Handler>([
  ['messages.list', list],
  ['messages.get', async (call) => answer(call, await found(call))],
  ['messages.create', create],
  ['messages.update', update],
  ['messages.delete', remove],
  ['messages.move-all', moveAll],
  ['messages.delete-all', (call) => each(call, (message) => removal(call, 'messages', message))],
]);
