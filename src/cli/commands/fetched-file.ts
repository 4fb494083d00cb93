import { resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Call } from '../../client/api/api.ts';
import type { Context } from '../command/context.ts';
import type { Result } from '../command/result.ts';
import { refuseToOverwrite } from './media/media-files.ts';

/** Fetches a file of the service: into a file that is not there yet, or to standard output (`-`). */
export async function fetchFile(
  context: Context,
  call: Call,
  { path, force }: { readonly path: string; readonly force: boolean | undefined },
): Promise<Result> {
  const { host } = context;
  if (path === '-' && host.stdout.isTTY)
    throw new Failure('usage', 'A file is not written to a terminal.', { hint: 'Name a file.' });
  const target = resolve(host.cwd, path);
  if (path !== '-') refuseToOverwrite(host, target, force);
  const { bytes, headers } = await (await context.api()).call(call);
  if (!bytes) throw new Failure('failed', 'The service answered without the file.');
  const type = String(headers['content-type'] ?? '').replace(/;.*$/, '');
  const value = { content_type: type, content_length: bytes.length };
  if (path === '-') return { kind: 'document', text: '', bytes, value };
  host.files.writePublic(target, bytes);
  const message = `Wrote ${path}: ${type}, ${bytes.length} bytes.`;
  return { kind: 'done', message, value: { file: target, ...value } };
}
