import { type JsonObject, textAt } from '../../../base/json.ts';
import { messageFolders } from '../../../contract/resources/vmboxes.ts';
import { answerList, createdInRange, namedRecord, removeRecord } from '../collections/collection.ts';
import { shownRecord, writableFields, write } from '../collections/records.ts';
import { messageNotice } from '../events/event.ts';
import { pick, textsAt } from '../fields.ts';
import { monthId, newId } from '../ids-and-secrets.ts';
import { invalid, missingField, unknownId } from '../refusal.ts';
import { revisionOf } from '../requests/envelope.ts';
import {
  accountOf,
  nowOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  type ServiceRequest,
} from '../requests/service-request.ts';
import { type StoredRecord, scopeBelow } from '../store/store.ts';

const namedBox = (call: ServiceRequest): Promise<StoredRecord> => namedRecord(call, 'vmboxes');

const messageScope = async (call: ServiceRequest): Promise<string> =>
  scopeBelow(accountOf(call).id, (await namedBox(call)).id);

const findMessage = async (call: ServiceRequest, id: string): Promise<StoredRecord | undefined> =>
  call.services.store.get({ kind: 'messages', scope: await messageScope(call), id });

async function namedMessage(call: ServiceRequest): Promise<StoredRecord> {
  const id = pathParameter(call, 'message_id');
  const message = await findMessage(call, id);
  if (!message) throw unknownId(id);
  return message;
}

const answer = async (call: ServiceRequest, message: StoredRecord) => ({
  data: await shownRecord(call, 'messages', message),
});

function publishMessage(
  call: ServiceRequest,
  type: 'voicemail_new' | 'voicemail_saved',
  message: StoredRecord,
): void {
  const place = { accountId: accountOf(call).id, boxId: pathParameter(call, 'vm_box_id') };
  call.events.push(messageNotice(call.services, type, place, message));
}

/** Returns the assumed sender and recipient of a message that an API caller creates. */
function assumedParties(call: ServiceRequest, box: StoredRecord): JsonObject {
  if (call.services.behaviour.messages.made === 'as-sent') return {};
  const realm = textAt(accountOf(call).body, 'realm') ?? '';
  const number = textAt(call.data, 'caller_id_number') ?? 'anonymous';
  return {
    call_id: newId(call.services.random),
    caller_id_name: 'anonymous',
    caller_id_number: number,
    from: `${number}@${realm}`,
    to: `${textAt(box.body, 'mailbox') ?? ''}@${realm}`,
    length: 1,
  };
}

/** Returns a message without a recording like services in the field: the document that waits for a recording. */
const messageDocument = (message: StoredRecord, box: StoredRecord, metadata: JsonObject): JsonObject => ({
  id: message.id,
  name: `mailbox ${textAt(box.body, 'mailbox') ?? ''} message`,
  description: 'voicemail message with media',
  media_source: 'recording',
  source_id: box.id,
  source_type: 'voicemail',
  streamable: true,
  utc_seconds: message.createdAt,
  metadata,
});

const create: RequestHandler = async (call) => {
  const box = await namedBox(call);
  const scope = scopeBelow(accountOf(call).id, box.id);
  const timestamp = nowOf(call);
  const message = await write(
    call,
    'messages',
    { kind: 'messages', scope, id: monthId(call.services.clock, call.services.random) },
    { folder: 'new', timestamp, ...assumedParties(call, box), ...writableFields(call, 'messages') },
  );
  publishMessage(call, 'voicemail_new', message);
  const data = await shownRecord(call, 'messages', message);
  const isDocument = call.services.behaviour.messages.made === 'as-left' && !call.hasFile;
  return {
    data: isDocument ? messageDocument(message, box, data) : data,
    record: message,
    created: message.id,
  };
};

async function moveMessage(
  call: ServiceRequest,
  before: StoredRecord,
  sent: JsonObject,
): Promise<StoredRecord> {
  const { unknownFolder } = call.services.behaviour.messages;
  const isKnown = messageFolders.some((name) => name === sent.folder);
  const body = unknownFolder === 'unmoved' && !isKnown ? before.body : { ...before.body, ...sent };
  const message = await write(call, 'messages', before, body);
  const isSaved = message.body.folder === 'saved' && before.body.folder !== 'saved';
  if (isSaved) publishMessage(call, 'voicemail_saved', message);
  return message;
}

const update: RequestHandler = async (call) => {
  const before = await namedMessage(call);
  const folder = pick(writableFields(call, 'messages'), ['folder']);
  return answer(call, await moveMessage(call, before, folder));
};

const remove: RequestHandler = async (call) => {
  const message = await namedMessage(call);
  return removeRecord(call, 'messages', { ...message, body: { ...message.body, folder: 'deleted' } });
};

const list: RequestHandler = async (call) => {
  const folder = call.query.get('folder');
  return answerList(call, 'messages', {
    scope: await messageScope(call),
    ...(call.services.behaviour.messages.ranged ? { has: createdInRange(call) } : {}),
    ...(folder === null ? {} : { key: { field: 'folder', value: folder } }),
  });
};

async function messageIds(
  call: ServiceRequest,
  scope: string,
  folder: string | null,
): Promise<readonly string[]> {
  const key = folder === null ? undefined : { field: 'folder', value: folder };
  return (await call.services.store.list({ kind: 'messages', scope, key })).map(({ id }) => id);
}

/** Applies a change to several messages. Returns which ids succeeded and failed. */
async function forEachMessage(call: ServiceRequest, act: (message: StoredRecord) => Promise<unknown>) {
  const scope = await messageScope(call);
  const isSparse = call.services.behaviour.messages.outcomes === 'sparse';
  const named = textsAt(call.data, 'messages');
  if (isSparse && named.length === 0 && call.operation.verb === 'move-all')
    throw invalid([missingField('messages')]);
  const ids =
    named.length > 0 ? [...new Set(named)] : await messageIds(call, scope, call.query.get('folder'));
  const succeeded: string[] = [];
  const failed: { readonly [id: string]: string }[] = [];
  for (const id of ids) {
    const message = await findMessage(call, id);
    if (message) {
      await act(message);
      succeeded.push(id);
    } else failed.push({ [id]: 'not_found' });
  }
  if (!isSparse) return { data: { succeeded, failed } };
  const reasons: JsonObject = Object.assign({}, ...failed);
  return {
    data: {
      ...(succeeded.length > 0 ? { succeeded } : {}),
      ...(failed.length > 0 ? { failed: reasons } : {}),
    },
    ...(call.operation.verb === 'move-all' ? { revision: revisionOf(await namedBox(call)) } : {}),
  };
}

const moveAll: RequestHandler = (call) => {
  const folder = textAt(call.data, 'folder');
  if (folder === undefined) throw invalid([missingField('folder')]);
  return forEachMessage(call, (message) => moveMessage(call, message, { folder }));
};

export const messageHandlers: RequestHandlers = {
  'messages.list': list,
  'messages.get': async (call) => answer(call, await namedMessage(call)),
  'messages.create': create,
  'messages.update': update,
  'messages.delete': remove,
  'messages.move-all': moveAll,
  'messages.delete-all': (call) => forEachMessage(call, (message) => removeRecord(call, 'messages', message)),
};
