import type { ResourceName } from '../contract/types.ts';
import type { ReceivedFile } from './request.ts';
import { type Change, inPlaceOf, newRecord, plainPut, type RecordName, type Store } from './store/store.ts';

/** Kind of the records of files; they belong to other records, and are told to nobody. */
const kind = 'files';

/** The record that a file belongs to, and which of its files it is. */
export interface FileOf {
  readonly scope: string;
  readonly resource: ResourceName;
  readonly id: string;
  /** Left out: it has one alone. */
  readonly part?: string;
}

/** A file with what was said of it. */
export interface KeptFile extends ReceivedFile {
  readonly name: string;
}

const fileRecord = ({ scope, resource, id, part = '' }: FileOf): RecordName => ({
  kind,
  scope,
  id: [resource, id, part].join(' '),
});

/** Reads a file; `undefined` where the record has none. */
export async function keptFile(store: Store, of: FileOf): Promise<KeptFile | undefined> {
  const record = await store.get(fileRecord(of));
  if (!record) return undefined;
  const { type, name, content } = record.body;
  return { type: String(type), name: String(name), bytes: Buffer.from(String(content), 'base64') };
}

/** The write of a file in place of the one that is there. */
export async function filePut(
  store: Store,
  of: FileOf,
  { type, name, bytes }: KeptFile,
  now: number,
): Promise<Change> {
  const found = fileRecord(of);
  const file = newRecord(found, { type, name, content: Buffer.from(bytes).toString('base64') }, now);
  return plainPut(inPlaceOf(await store.get(found), file));
}

export const fileRemoval = (of: FileOf): Change => ({
  change: 'remove',
  record: fileRecord(of),
  erase: true,
  isUntold: true,
});

/** Samples a second, and the sound of silence in the coding of telephones (µ-law). */
const rate = 8000;
const quiet = 0xff;

/** A WAV file of so many seconds of silence. */
function wav(seconds: number): Buffer {
  const size = rate * seconds;
  const head = Buffer.alloc(44);
  head.write('RIFF', 0);
  head.writeUInt32LE(36 + size, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  // Format 7 is µ-law: one channel, a byte a sample.
  head.writeUInt16LE(7, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write('data', 36);
  head.writeUInt32LE(size, 40);
  return Buffer.concat([head, Buffer.alloc(size, quiet)]);
}

/** A frame of silence in MP3: MPEG 2.5, layer 3, 8 kbit/s, 8 kHz, mono; 72 bytes for 72 milliseconds. */
const frame = Buffer.concat([Buffer.from([0xff, 0xe3, 0x18, 0xc0]), Buffer.alloc(68)]);
const framesASecond = 1000 / 72;

export const wavType = 'audio/x-wav';

/** A sound file of so many seconds of silence: MP3, or WAV where the content type says so. */
export function silence(contentType: string, seconds: number): Buffer {
  if (contentType === wavType) return wav(seconds);
  return Buffer.concat(Array.from({ length: Math.ceil(seconds * framesASecond) }, () => frame));
}
