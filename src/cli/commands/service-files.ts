import { extname, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import type { JsonObject } from '../../base/json.ts';
import { reading, refuseUnplain } from '../../base/reading.ts';
import { counted } from '../../base/wording.ts';
import type { Call, SentFile } from '../../client/api/api.ts';
import { documentTypeOf, typeOfContent } from '../../contract/media-types.ts';
import { mediaTypes } from '../../contract/resources/media.ts';
import type { Operation } from '../../contract/types.ts';
import { devices } from '../../engine/manifest/manifest-files.ts';
import type { Context } from '../command/context.ts';
import type { Result } from '../command/result.ts';

/** The files that an operation takes as its body. */
type FileBody = Extract<NonNullable<Operation['body']>, { readonly kind: 'file' }>;

/**
 * Reads a file that is to be sent; `what` it is to be stands in messages. Throws `Failure` of kind `invalid` for one
 * that no service takes.
 */
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

/** Target of a fetched file: a path, `-` for standard output, or the name that `named` makes of its type. */
export interface Target {
  readonly path: string | undefined;
  /** True to overwrite an existing file. */
  readonly force: boolean;
  readonly named?: (type: string) => string;
  readonly private?: true | undefined;
}

/** Refuses a place where a file cannot go, before anything is sent. */
export function checkTarget({ host }: Context, { path, force }: Target, { reply }: Operation): void {
  if (path === '-' && host.stdout.isTTY && !isText(reply))
    throw new Failure('usage', 'A file is not written to a terminal.', { hint: 'Name a file.' });
  if (path === undefined || path === '-') return;
  refuseUnplain(host, resolve(host.cwd, path), path, 'FILE');
  refuseToOverwrite(host, resolve(host.cwd, path), force);
}

/** True for rows, which may be read at a terminal. */
const isText = (reply: Operation['reply']): boolean => reply.kind === 'file' && reply.types[0] === 'text/csv';

/** Fetches a file of the service: into a file that is not there yet, or to standard output (`-`). */
export async function fetchFile(context: Context, call: Call, target: Target): Promise<Result> {
  const { host } = context;
  checkTarget(context, target, call.operation);
  const { bytes, headers } = await (await context.api()).call(call);
  if (!bytes) throw new Failure('failed', 'The service answered without the file.');
  const type = String(headers['content-type'] ?? '').replace(/\s*;.*$/, '');
  const value = { content_type: type, content_length: bytes.length };
  if (target.path === '-')
    return isText(call.operation.reply)
      ? { kind: 'document', text: Buffer.from(bytes).toString(), value }
      : { kind: 'document', text: '', bytes, value };
  const path = target.path ?? target.named?.(type) ?? '';
  const file = resolve(host.cwd, path);
  if (target.path === undefined) refuseToOverwrite(host, file, target.force);
  host.files[target.private ? 'writePrivate' : 'writePublic'](file, bytes);
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
