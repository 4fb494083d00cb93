import { isObject, type Json, type JsonObject, objectsIn, textAt } from '../../../base/json.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { documentTypes, largestDocument } from '../../../contract/resources/ports.ts';
import {
  type AttachedFile,
  attachFile,
  fileAnswer,
  readAttachedFile,
  removeAttachedFile,
  uploadedFile,
} from '../attached-files.ts';
import { answerList, namedRecord, removeRecord, viewList } from '../collections/collection.ts';
import { shownAnswer, shownRecord, writableFields, write, writeHidden } from '../collections/records.ts';
import { mergeRecords, pick, withoutKeys } from '../fields.ts';
import { newId } from '../ids-and-secrets.ts';
import { invalid, Refusal, type RefusedField, unknownId } from '../refusal.ts';
import { listRevision } from '../requests/envelope.ts';
import {
  accountOf,
  pathParameter,
  type RequestHandler,
  type RequestHandlers,
  recordsIn,
  type ServiceRequest,
  storedDescendants,
} from '../requests/service-request.ts';
import { documentsOf, portTimeline } from '../rules/numbers.ts';
import type { StoredRecord } from '../store/store.ts';
import { isAuthority, isEditable, isPortState, type PortState, statesOf } from '../telephony/port-states.ts';
import {
  commentsOf,
  movePort,
  portStateOf,
  publishComment,
  publishPortState,
  scheduledDate,
  signedComments,
} from './port-moves.ts';

const answer = (call: ServiceRequest, record: StoredRecord) => shownAnswer(call, 'ports', record);

const namedRequest = (call: ServiceRequest) => namedRecord(call, 'ports');

/** Returns the port requests of an account, by default only active ones. */
async function portGroup(call: ServiceRequest, account: StoredRecord) {
  const types = call.query.get('by_types') ?? 'active';
  const states = statesOf(types);
  if (call.services.behaviour.ports.unknownTypes === 'fault' && !states.every(isPortState))
    throw new Refusal(500, 'invalid_request', `Unknown type of port requests: ${types}.`);
  const number = call.query.get('by_number');
  const { data, envelope = {} } = await answerList({ ...call, account }, 'ports', {
    has: (record) =>
      states.includes(portStateOf(record)) &&
      (number === null ||
        (isObject(record.body.numbers) && Object.hasOwn(record.body.numbers, normalisedNumber(number)))),
  });
  const name = textAt(account.body, 'name') ?? '';
  const items = objectsIn(data);
  const isPlain = call.services.behaviour.ports.groups === 'plain';
  const requests = isPlain ? items.map((item) => ({ account_id: account.id, ...item })) : items;
  const group = { account_id: account.id, account_name: name, port_requests: requests };
  return { groups: items.length === 0 ? [] : [group], envelope: isPlain ? undefined : envelope };
}

const list: RequestHandler = async (call) => {
  const { groups, envelope } = await portGroup(call, accountOf(call));
  return { data: [...groups], ...(envelope ? { envelope } : {}) };
};

/** Lists the port requests of all descendants, grouped by account. */
const listBelow: RequestHandler = async (call) => {
  const groups: JsonObject[] = [];
  for (const account of await storedDescendants(call))
    groups.push(...(await portGroup(call, account)).groups);
  return { data: groups };
};

/** Lists submitted port requests that are not in progress, with their submission. */
const lastSubmitted: RequestHandler = async (call) => {
  const data = (await recordsIn(call, 'ports')).flatMap((record) => {
    const transition = objectsIn(record.hidden.moves).at(-1);
    return portStateOf(record) === 'submitted' && transition ? [{ id: record.id, transition }] : [];
  });
  return { ...viewList(call, data), ...(data.length > 0 ? { revision: listRevision(data) } : {}) };
};

/** Returns the sent data with signed comments after the existing comments. */
function sentBody(call: ServiceRequest, before: JsonObject, sent: JsonObject = call.data): JsonObject {
  const body = writableFields(call, 'ports', sent);
  // The schema refuses invalid comments. Existing comments cannot be removed.
  const comments = body.comments ?? [];
  if (!Array.isArray(comments)) return body;
  const isSigned = call.services.behaviour.ports.comments === 'signed' || call.operation.verb === 'comment';
  const all = [...commentsOf(before), ...(isSigned ? signedComments(call, comments) : comments)];
  return {
    ...withoutKeys(body, (key) => key === 'comments'),
    ...(all.length === 0 ? {} : { comments: all }),
  };
}

const create: RequestHandler = async (call) => {
  const body = { ...sentBody(call, {}), port_state: 'unconfirmed' };
  const name = { kind: 'ports', scope: accountOf(call).id, id: newId(call.services.random) };
  await refuseTakenNumbers(call, body, name.id);
  const record = await write(call, 'ports', name, body, { moves: [] });
  publishPortState(call, record, 'unconfirmed', undefined);
  return { ...(await answer(call, record)), created: record.id };
};

/** Fields that an update does not change. */
const serviceFields = ['port_state', 'scheduled_date'];

const change =
  (bodyOf: (before: JsonObject, sent: JsonObject) => JsonObject): RequestHandler =>
  async (call) => {
    const before = await namedRequest(call);
    const state = portStateOf(before);
    if (!isEditable(state) && !isAuthority(call)) {
      throw new Refusal(405, 'invalid_method', `A port request that is ${state} cannot be changed.`);
    }
    const body = bodyOf(before.body, sentBody(call, before.body));
    await refuseTakenNumbers(call, body, before.id);
    return answer(call, await write(call, 'ports', before, body));
  };

const remove: RequestHandler = async (call) => {
  const record = await namedRequest(call);
  const state = portStateOf(record);
  if (isEditable(state) || state === 'canceled') return removeRecord(call, 'ports', record);
  throw new Refusal(405, 'invalid_method', `A port request that is ${state} cannot be deleted.`);
};

const moveTo =
  (state: PortState): RequestHandler =>
  async (call) =>
    answer(call, await movePort(call, await namedRequest(call), state));

const schedule: RequestHandler = async (call) => {
  const before = await namedRequest(call);
  const sent = withoutKeys(call.data, (key) => key === 'reason' || key === 'schedule_on');
  const part = { ...sentBody(call, before.body, sent), ...scheduledDate(call, before) };
  return answer(call, await movePort(call, before, 'scheduled', mergeRecords(before.body, part)));
};

/** The specification returns the complete request, including its timeline. */
const timeline: RequestHandler = async (call) => {
  const record = await namedRequest(call);
  if (call.services.behaviour.ports.timeline === 'list')
    return { data: portTimeline(record, call).toReversed(), record };
  return { data: { ...(await shownRecord(call, 'ports', record)), timeline: portTimeline(record, call) } };
};

const comment: RequestHandler = async (call) => {
  const before = await namedRequest(call);
  const body = { ...before.body, ...pick(sentBody(call, before.body), ['comments']) };
  const record = await write(call, 'ports', before, body);
  publishComment(call, record);
  return { data: pick(await shownRecord(call, 'ports', record), ['comments']), record, created: record.id };
};

/** Refuses (400) numbers that are part of another open port request or in service. */
async function refuseTakenNumbers(call: ServiceRequest, body: JsonObject, requestId: string): Promise<void> {
  const { store } = call.services;
  const numbers = isObject(body.numbers) ? Object.keys(body.numbers) : [];
  const problems = await Promise.all(
    numbers.map(async (id): Promise<readonly RefusedField[]> => {
      const [holder, number] = await Promise.all([
        store.findHolder({ kind: 'ports', scope: '', field: 'number', value: id }),
        store.get({ kind: 'numbers', scope: '', id }),
      ]);
      if (holder && holder.id !== requestId) {
        return [
          { path: id, rule: 'type', message: 'is in another port request that is still open', cause: id },
        ];
      }
      return number && textAt(number.body, 'state') === 'in_service'
        ? [{ path: id, rule: 'type', message: 'is already in service', cause: id }]
        : [];
    }),
  );
  if (problems.flat().length > 0) throw invalid(problems.flat());
}

const fileExtensions = new Map([
  ['application/pdf', 'pdf'],
  ['image/jpeg', 'jpg'],
]);

/** Returns the uploaded document. Decodes base64 data URLs. */
function uploadedDocument(call: ServiceRequest, asked: string | null): AttachedFile {
  const file = uploadedFile(call, documentTypes, largestDocument);
  const text = file.type === 'application/x-base64' ? Buffer.from(file.bytes).toString() : '';
  const [, inner, base64 = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(text) ?? [];
  const type = inner ?? file.type;
  const bytes = inner === undefined ? file.bytes : Buffer.from(base64, 'base64');
  const given = asked || newId(call.services.random);
  const ending = fileExtensions.get(type) ?? type.split('/')[1]?.replace(/\W.*/, '') ?? 'bin';
  return { type, bytes, name: /\.\w+$/.test(given) ? given : `${given}.${ending}` };
}

async function keepDocument(
  call: ServiceRequest,
  record: StoredRecord,
  file: AttachedFile,
): Promise<{ readonly data: Json }> {
  const about = { content_type: file.type, length: file.bytes.length };
  writeHidden(call, record, 'ports', { documents: { ...documentsOf(record), [file.name]: about } });
  await attachFile(call, record, file, file.name);
  return { data: {} };
}

/** Returns the document in the path. Refuses (404) an unknown document. */
async function namedDocument(call: ServiceRequest, record: StoredRecord): Promise<AttachedFile> {
  const file = await readAttachedFile(call.services.store, record, pathParameter(call, 'attachment_id'));
  if (file) return file;
  throw unknownId(record.id);
}

const removeDocument: RequestHandler = async (call) => {
  const record = await namedRequest(call);
  const { name } = await namedDocument(call, record);
  const state = portStateOf(record);
  if (!isEditable(state) && state !== 'canceled' && !isAuthority(call))
    throw new Refusal(
      405,
      'invalid_method',
      `Documents of a port request that is ${state} cannot be deleted.`,
    );
  const documents: JsonObject = withoutKeys(documentsOf(record), (key) => key === name);
  writeHidden(call, record, 'ports', { documents });
  removeAttachedFile(call, record, name);
  return { data: {} };
};

export const portHandlers: RequestHandlers = {
  // Port requests and their states (Conventions, Port requests).
  'ports.list': list,
  'ports.get': async (call) => answer(call, await namedRequest(call)),
  'ports.create': create,
  'ports.update': change((before, sent) => ({ ...sent, ...pick(before, serviceFields) })),
  'ports.patch': change(mergeRecords),
  'ports.delete': remove,
  'ports.submit': moveTo('submitted'),
  'ports.pend': moveTo('pending'),
  'ports.schedule': schedule,
  'ports.complete': moveTo('completed'),
  'ports.reject': moveTo('rejected'),
  'ports.cancel': moveTo('canceled'),
  'ports.timeline': timeline,
  'ports.comment': comment,
  'ports.below': listBelow,
  'ports.last-submitted': lastSubmitted,
  'ports.comments': async (call) => {
    const record = await namedRequest(call);
    const { comments = [] } = await shownRecord(call, 'ports', record);
    return { data: { comments }, record };
  },
  // Documents are returned unchanged (Conventions, port requests, documents).
  'ports.documents': async (call) => {
    const record = await namedRequest(call);
    return { data: documentsOf(record), record };
  },
  'ports.add-document': async (call) =>
    keepDocument(call, await namedRequest(call), uploadedDocument(call, call.query.get('filename'))),
  'ports.document': async (call) => {
    const record = await namedRequest(call);
    return fileAnswer(call, record, unknownId(record.id), pathParameter(call, 'attachment_id'));
  },
  'ports.replace-document': async (call) => {
    const record = await namedRequest(call);
    const { name } = await namedDocument(call, record);
    return keepDocument(call, record, uploadedDocument(call, name));
  },
  'ports.delete-document': removeDocument,
};
