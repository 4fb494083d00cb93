import { resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { troubleWith } from '../../../base/system-trouble.ts';
import type { SentFile } from '../../../client/api/api.ts';
import { endingOf, typeOfContent } from '../../../contract/media-types.ts';
import { largestMedia, media, mediaTypes } from '../../../contract/resources/media.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { act } from '../act.ts';
import { findNamed, getRecord, operationFor, pathTo } from '../generic/find-named.ts';
import type { downloadArguments, downloadOptions, uploadArguments } from './commands.ts';

/** Gives a medium its file. What the file is and how large is checked before anything is sent. */
export async function uploadMedium(
  { id: word, file: path }: InputOf<Record<never, never>, typeof uploadArguments>,
  context: Context,
): Promise<Result> {
  const file = mediaFile(context.host, path);
  const { id } = await findNamed(context, media, word);
  return act(context, {
    call: { operation: operationFor(media, 'upload'), path: pathTo(media, id), file },
    message: () => `Uploaded ${path} to medium ${word}: ${file.type}, ${file.bytes.length} bytes.`,
    resource: 'media',
  });
}

/** Reads a file that is to be a medium. Throws `Failure` of kind `invalid` for one that no service takes. */
export function mediaFile({ files, cwd }: Pick<Host, 'files' | 'cwd'>, path: string): SentFile {
  const bytes = contentOf(files, resolve(cwd, path), path);
  if (bytes.length === 0) throw new Failure('invalid', `${path} is empty.`);
  const type = typeOfContent(bytes, path);
  if (type !== undefined) return { type, bytes };
  throw new Failure('invalid', `${path} is no medium that services take.`, {
    hint: `They take ${mediaTypes.join(', ')}.`,
  });
}

function contentOf(files: Host['files'], path: string, shown: string): Uint8Array {
  try {
    return files.readBytes(path, largestMedia);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EFBIG')
      throw new Failure('invalid', `${shown} is larger than the ${largestMedia} bytes that services take.`);
    throw new Failure('usage', `${shown} cannot be read: ${troubleWith(error)}.`, { cause: error });
  }
}

/** Fetches the file of a medium: into a file that is not there yet, or to standard output. */
export async function downloadMedium(
  { id: word, file: path, force }: InputOf<typeof downloadOptions, typeof downloadArguments>,
  context: Context,
): Promise<Result> {
  const { host } = context;
  if (path === '-' && host.stdout.isTTY)
    throw new Failure('usage', 'A medium is not written to a terminal.', { hint: 'Name a file.' });
  const target = path === undefined || path === '-' ? undefined : resolve(host.cwd, path);
  if (target !== undefined) refuseToOverwrite(host, target, force);
  const record = await getRecord(context, media, word);
  const api = await context.api();
  const { bytes, headers } = await api.call({
    operation: operationFor(media, 'download'),
    path: pathTo(media, String(record.id)),
  });
  if (!bytes) throw new Failure('failed', 'The service answered without the file.');
  const type =
    String(headers['content-type'] ?? '')
      .split(';')[0]
      ?.trim() ?? '';
  const value = { content_type: type, content_length: bytes.length };
  if (path === '-') return { kind: 'document', text: '', bytes, value };
  const name =
    target ??
    resolve(
      host.cwd,
      `${String(record.name)
        .replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')
        .replace(/^\.+/, '')}.${endingOf(type)}`,
    );
  if (target === undefined) refuseToOverwrite(host, name, force);
  host.files.writePublic(name, bytes);
  return {
    kind: 'done',
    message: `Wrote ${name}: ${type}, ${bytes.length} bytes.`,
    value: { file: name, ...value },
  };
}

/** Throws `Failure` of kind `refused` where there is something already, unless that may be written over. */
export function refuseToOverwrite({ files }: Host, path: string, force: boolean | undefined): void {
  if (force || files.kindOf(path) === undefined) return;
  throw new Failure('refused', `${path} is there already.`, {
    hint: 'Write over it with --force, or name another file.',
  });
}
