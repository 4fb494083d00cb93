import type { Json, JsonObject } from '../../base/json.ts';
import { documentTypes, largestDocument } from '../../contract/port-operations.ts';
import { type FileOf, filePut, fileRemoval, type KeptFile, keptFile } from '../attached-files.ts';
import { namedRecord } from '../collections/collection.ts';
import { writeHidden } from '../collections/records.ts';
import { without } from '../fields.ts';
import { gregorianSeconds, newId } from '../made-values.ts';
import { invalid, Refusal, unknownId } from '../refusal.ts';
import { type Call, type Handler, type Handlers, parameter } from '../requests/call.ts';
import { documentsOf } from '../rules/numbers.ts';
import type { StoredRecord } from '../store/store.ts';
import { isAuthority, isEditable } from '../telephony/port-states.ts';
import { portStateOf } from './port-moves.ts';

const found = (call: Call) => namedRecord(call, 'ports');
const fileOf = ({ scope, id }: StoredRecord, part: string): FileOf => ({
  scope,
  resource: 'ports',
  id,
  part,
});

const endings = new Map([
  ['application/pdf', 'pdf'],
  ['image/jpeg', 'jpg'],
]);

/** The document that came; what was sent in base64, as the address of its data, is decoded. */
function received({ file, services }: Call, asked: string | null): KeptFile {
  const wrong = (path: string, rule: string, message: string) => invalid([{ path, rule, message }]);
  if (!file || file.bytes.length === 0) throw wrong('file', 'required', 'is required');
  if (file.bytes.length > largestDocument) throw wrong('file', 'maximum', 'is too large');
  if (!documentTypes.includes(file.type))
    throw wrong('content_type', 'enum', `must be one of ${documentTypes.join(', ')}`);
  const text = file.type === 'application/x-base64' ? Buffer.from(file.bytes).toString() : '';
  const [, inner, base64 = ''] = /^data:([^;,]+);base64,(.*)$/s.exec(text) ?? [];
  const type = inner ?? file.type;
  const bytes = inner === undefined ? file.bytes : Buffer.from(base64, 'base64');
  const given = asked || newId(services.random);
  const ending = endings.get(type) ?? type.split('/')[1]?.replace(/\W.*/, '') ?? 'bin';
  return { type, bytes, name: /\.\w+$/.test(given) ? given : `${given}.${ending}` };
}

async function keep(call: Call, record: StoredRecord, file: KeptFile): Promise<{ readonly data: Json }> {
  const { store, clock } = call.services;
  const about = { content_type: file.type, length: file.bytes.length };
  writeHidden(call, record, 'ports', { documents: { ...documentsOf(record), [file.name]: about } });
  call.changes.push(await filePut(store, fileOf(record, file.name), file, gregorianSeconds(clock)));
  return { data: {} };
}

/** The document in the path. Refuses (404) one that the request does not have. */
async function named(call: Call, record: StoredRecord): Promise<KeptFile> {
  const file = await keptFile(call.services.store, fileOf(record, parameter(call, 'attachment_id')));
  if (file) return file;
  throw unknownId(record.id);
}

const remove: Handler = async (call) => {
  const record = await found(call);
  const { name } = await named(call, record);
  const state = portStateOf(record);
  if (!isEditable(state) && state !== 'canceled' && !isAuthority(call))
    throw new Refusal(405, 'invalid_method', `Documents of a request that is ${state} stay.`);
  const documents: JsonObject = without(documentsOf(record), (key) => key === name);
  writeHidden(call, record, 'ports', { documents });
  call.changes.push(fileRemoval(fileOf(record, name)));
  return { data: {} };
};

/** Documents of port requests (Conventions, port requests, documents). They are handed back byte by byte. */
export const portDocumentHandlers: Handlers = {
  'ports.documents': async (call) => {
    const record = await found(call);
    return { data: documentsOf(record), record };
  },
  'ports.add-document': async (call) =>
    keep(call, await found(call), received(call, call.query.get('filename'))),
  'ports.document': async (call) => {
    const record = await found(call);
    const { type, bytes, name } = await named(call, record);
    return { data: {}, record, text: { type, body: bytes, fileName: name } };
  },
  'ports.replace-document': async (call) => {
    const record = await found(call);
    const { name } = await named(call, record);
    return keep(call, record, received(call, name));
  },
  'ports.delete-document': remove,
};
