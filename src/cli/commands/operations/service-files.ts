import { extname, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { type JsonObject, textOrUndefined } from '../../../base/json.ts';
import { readOrFail, refuseSpecialFile } from '../../../base/read-errors.ts';
import { formatCount } from '../../../base/wording.ts';
import type { ApiRequest, SentFile } from '../../../client/api/api.ts';
import { documentTypeOf, mediaTypes, typeOfContent } from '../../../contract/resources/media.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import { reservedNames } from '../../../engine/manifest/manifest-files.ts';
import type { ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { readRecord } from '../records/listed-records.ts';
import type { ReplyFile } from './operation-command.ts';

type FileBody = Extract<NonNullable<Operation['body']>, { readonly kind: 'file' }>;

/** Reads a file to upload as `what`. Throws `invalid` for types that no service accepts. */
export function readSentFile(
  { files, cwd }: Pick<Host, 'files' | 'cwd'>,
  path: string,
  { types, largest }: FileBody,
  what: string,
): SentFile {
  const bytes = readOrFail(path, () => {
    try {
      return files.readBytes(resolve(cwd, path), largest);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EFBIG')) throw error;
      throw new Failure('invalid', `${path} is larger than the ${largest} bytes that services accept.`);
    }
  });
  if (bytes.length === 0) throw new Failure('invalid', `${path} is empty.`);
  const type = types === mediaTypes ? typeOfContent(bytes, path) : documentTypeOf(extname(path), types);
  if (type !== undefined) return { type, bytes };
  throw new Failure('invalid', `${path} is not a ${what} that services accept.`, {
    hint: `They take ${types.join(', ')}.`,
  });
}

function checkTarget(
  { host }: Context,
  path: string | undefined,
  force: boolean,
  { reply }: Operation,
): void {
  if (path === '-' && host.stdout.isTTY && !isText(reply))
    throw new Failure('usage', 'telctl does not write files to a terminal.', { hint: 'Name a file.' });
  if (path === undefined || path === '-') return;
  refuseSpecialFile(host, resolve(host.cwd, path), path, 'FILE');
  refuseToOverwrite(host, resolve(host.cwd, path), force);
}

/** Returns true for rows, which can be printed to a terminal. */
const isText = (reply: Operation['reply']): boolean => reply.kind === 'file' && reply.types[0] === 'text/csv';

/** Downloads to FILE, to standard output (`-`), or to a file named after the record. Keeps existing files. */
export async function fetchFile(
  context: Context,
  resource: Resource,
  call: ApiRequest,
  { named, accept, private: isPrivate }: ReplyFile,
  input: ParsedInput,
): Promise<Result> {
  const { host } = context;
  const given = textOrUndefined(input.file);
  const force = input.force === true;
  checkTarget(context, given, force, call.operation);
  const api = await context.api();
  const id = call.path?.[resource.idParameter ?? ''] ?? '';
  const record = named || accept ? await readRecord(api, resource, id) : {};
  const { bytes, headers } = await api.call({ ...call, ...(accept ? { accept: accept(record) } : {}) });
  if (!bytes) throw new Failure('failed', 'The response of the service has no file.');
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
    message: `Wrote ${path}: ${type}, ${formatCount(bytes.length, 'byte')}.`,
    value: { file, ...value },
  };
}

/** Converts a name from the service to a safe file name in this folder. */
export function fileNameOf({ name, id }: JsonObject): string {
  const word = String(name ?? id)
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^\.+/, '');
  const [first = ''] = word.toLowerCase().split('.');
  return reservedNames.test(first) ? `_${word}` : word;
}

function refuseToOverwrite({ files }: Host, path: string, force: boolean): void {
  if (force || files.kindOf(path) === undefined) return;
  throw new Failure('refused', `${path} already exists.`, {
    hint: 'Overwrite it with --force, or name another file.',
  });
}
