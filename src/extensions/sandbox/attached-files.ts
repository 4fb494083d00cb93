import { invalid, missingField, type Refusal } from './refusal.ts';
import type { ReceivedFile } from './request.ts';
import { nowOf, type ServiceRequest } from './requests/service-request.ts';
import {
  newRecord,
  plainPut,
  type RecordName,
  replacementFor,
  type Store,
  type StoredRecord,
} from './store/store.ts';

/** The kind of file records. They belong to other records and publish no events. */
const kind = 'files';

export interface AttachedFile extends ReceivedFile {
  readonly name: string;
}

/** Returns the name of a record's file. `part` selects one of several files. */
const fileRecordName = ({ kind: of, scope, id }: RecordName, part: string): RecordName => ({
  kind,
  scope,
  id: [of, id, part].join(' '),
});

/** Reads a file. Returns `undefined` if the record has no file. */
export async function readAttachedFile(
  store: Store,
  of: RecordName,
  part = '',
): Promise<AttachedFile | undefined> {
  const record = await store.get(fileRecordName(of, part));
  if (!record) return undefined;
  const { type, name, content } = record.body;
  return { type: String(type), name: String(name), bytes: Buffer.from(String(content), 'base64') };
}

/** Adds a change that writes a file or replaces the existing one. */
export async function attachFile(
  call: ServiceRequest,
  of: RecordName,
  { type, name, bytes }: AttachedFile,
  part = '',
): Promise<void> {
  const named = fileRecordName(of, part);
  const file = newRecord(named, { type, name, content: Buffer.from(bytes).toString('base64') }, nowOf(call));
  call.changes.push(plainPut(replacementFor(await call.services.store.get(named), file)));
}

export function removeAttachedFile({ changes }: ServiceRequest, of: RecordName, part = ''): void {
  changes.push({ change: 'remove', record: fileRecordName(of, part), erase: true, isSilent: true });
}

/** Returns the file of a record as a response. Throws `missing` if the record has no file. */
export async function fileAnswer(call: ServiceRequest, record: StoredRecord, missing: Refusal, part = '') {
  const file = await readAttachedFile(call.services.store, record, part);
  if (!file) throw missing;
  return { data: {}, record, text: { type: file.type, body: file.bytes, fileName: file.name } };
}

/** Reads an uploaded file. Refuses (400) a file that is missing, empty, too large or of another type. */
export function uploadedFile(
  { file }: ServiceRequest,
  types: readonly string[],
  mostBytes: number,
): ReceivedFile {
  if (!file || file.bytes.length === 0) throw invalid([missingField('file')]);
  const invalidField = (path: string, rule: string, message: string) => invalid([{ path, rule, message }]);
  if (!types.includes(file.type))
    throw invalidField('content_type', 'enum', `must be one of ${types.join(', ')}`);
  if (file.bytes.length > mostBytes) throw invalidField('file', 'maximum', 'is too large');
  return file;
}

/** Samples per second. */
const sampleRate = 8000;
const silentSample = 0xff;

function wav(seconds: number): Buffer {
  const size = sampleRate * seconds;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + size, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  // Format 7 is µ-law with one channel and one byte per sample.
  head.writeUInt16LE(7, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(sampleRate, 24);
  head.writeUInt32LE(sampleRate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(size, 40);
  return Buffer.concat([head, Buffer.alloc(size, silentSample)]);
}

/** A frame of 72 ms of silence: MPEG 2.5, layer 3, 8 kbit/s, 8 kHz, mono. */
const frame = Buffer.concat([Buffer.from([0xff, 0xe3, 0x18, 0xc0]), Buffer.alloc(68)]);
const framesASecond = 1000 / 72;

export const wavType = 'audio/x-wav';

/** Returns `seconds` of silence as a sound file: WAV for `wavType`, MP3 for all other types. */
export function silence(contentType: string, seconds: number): Buffer {
  if (contentType === wavType) return wav(seconds);
  return Buffer.concat(Array.from({ length: Math.ceil(seconds * framesASecond) }, () => frame));
}
