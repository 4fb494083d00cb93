import { extname, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { type JsonObject, textOf } from '../../../base/json.ts';
import { reading, refuseUnplain } from '../../../base/reading.ts';
import { counted } from '../../../base/wording.ts';
import type { Call, SentFile } from '../../../client/api/api.ts';
import { documentTypeOf, mediaTypes, typeOfContent } from '../../../contract/resources/media.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import { devices } from '../../../engine/manifest/manifest-files.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { readRecord } from '../records/listed-records.ts';
import type { Saved } from './operation-command.ts';

/** The files that an operation takes as its body. */
type FileBody = Extract<NonNullable<Operation['body']>, { readonly kind: 'file' }>;

/** Reads a file that is to be sent as `what`. Throws `Failure` (`invalid`) for one that no service takes. */
export function readSentFile(
  { files, cwd }: Pick<Host, 'files' | 'cwd'>,
  path: string,
  { types, largest }: FileBody,
  what: string,
): SentFile {
  const bytes = reading(path, () => {
    try {
      return files.readBytes(resolve(cwd, path), largest);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EFBIG')) throw error;
      throw new Failure('invalid', `${path} is larger than the ${largest} bytes that services take.`);
    }
  });
  if (bytes.length === 0) throw new Failure('invalid', `${path} is empty.`);
  const type = types === mediaTypes ? typeOfContent(bytes, path) : documentTypeOf(extname(path), types);
  if (type !== undefined) return { type, bytes };
  throw new Failure('invalid', `${path} is no ${what} that services take.`, {
    hint: `They take ${types.join(', ')}.`,
  });
}

/** Refuses a place where a file cannot go, before anything is sent. */
function checkTarget(
  { host }: Context,
  path: string | undefined,
  force: boolean,
  { reply }: Operation,
): void {
  if (path === '-' && host.stdout.isTTY && !isText(reply))
    throw new Failure('usage', 'A file is not written to a terminal.', { hint: 'Name a file.' });
  if (path === undefined || path === '-') return;
  refuseUnplain(host, resolve(host.cwd, path), path, 'FILE');
  refuseToOverwrite(host, resolve(host.cwd, path), force);
}

/** True for rows, which may be read at a terminal. */
const isText = (reply: Operation['reply']): boolean => reply.kind === 'file' && reply.types[0] === 'text/csv';

/**
 * Fetches a file of the service: into FILE, which is not there yet or may be written over (`--force`), to standard output
 * (`-`), or by default into one with the name that the record in question gives it.
 */
export async function fetchFile(
  context: Context,
  resource: Resource,
  call: Call,
  { named, accept, private: isPrivate }: Saved,
  input: ParsedInput,
): Promise<Result> {
  const { host } = context;
  const given = textOf(input.file);
  const force = input.force === true;
  checkTarget(context, given, force, call.operation);
  const api = await context.api();
  const id = call.path?.[resource.idParameter ?? ''] ?? '';
  const record = named || accept ? await readRecord(api, resource, id) : {};
  const { bytes, headers } = await api.call({ ...call, ...(accept ? { accept: accept(record) } : {}) });
  if (!bytes) throw new Failure('failed', 'The service answered without the file.');
  const type = String(headers['content-type'] ?? '').replace(/\s*;.*$/, '');
  const value = { content_type: type, content_length: bytes.length };
  if (given === '-')
    return isText(call.operation.reply)
      ? { kind: 'document', text: Buffer.from(bytes).toString(), value }
      : { kind: 'document', text: '', bytes, value };
  const path = given ?? named?.(record, type) ?? '';
  const file = resolve(host.cwd, path);
  if (given === undefined) refuseToOverwrite(host, file, force);
  host.files[isPrivate ? 'writePrivate' : 'writePublic'](file, bytes);
  return {
    kind: 'done',
    message: `Wrote ${path}: ${type}, ${counted(bytes.length, 'byte')}.`,
    value: { file, ...value },
  };
}

/** A name of the service as the name of a file in this folder, and of no device. */
export function fileNameOf({ name, id }: JsonObject): string {
  const word = String(name ?? id)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^\.+/, '');
  const [first = ''] = word.toLowerCase().split('.');
  return devices.test(first) ? `_${word}` : word;
}

/** Throws `Failure` of kind `refused` where there is something already, unless that may be written over. */
function refuseToOverwrite({ files }: Host, path: string, force: boolean): void {
  if (force || files.kindOf(path) === undefined) return;
  throw new Failure('refused', `${path} is there already.`, {
    hint: 'Write over it with --force, or name another file.',
  });
}
