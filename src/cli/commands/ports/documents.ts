import { basename } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { ports } from '../../../contract/resources/ports.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { labelOf } from '../labels.ts';
import { sendChange } from '../operations/change-records.ts';
import { readSentFile } from '../operations/service-files.ts';
import { findNamed, operationFor, pathTo } from '../records/find-named.ts';
import type { documentArguments, documentOptions } from './commands.ts';

async function documentSize(api: Api, id: string, name: string): Promise<Json | undefined> {
  const { data } = await api.call({ operation: operationFor(ports, 'documents'), path: pathTo(ports, id) });
  const found = isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
  return isObject(found) ? (found.length ?? 0) : undefined;
}

/** Checks the type and size of the file before the first request. */
export async function addDocument(
  {
    id: word,
    file: path,
    name = basename(path),
    force,
  }: InputOf<typeof documentOptions, typeof documentArguments>,
  context: Context,
): Promise<Result> {
  const [add, replace] = [operationFor(ports, 'add-document'), operationFor(ports, 'replace-document')];
  if (add.body?.kind !== 'file') throw new Error('A document is a file.');
  const file = readSentFile(context.host, path, add.body, 'document');
  const { type, bytes } = file;
  const { id, summary } = await findNamed(context, ports, word);
  const label = labelOf(ports, { id, ...summary });
  const isThere = (await documentSize(await context.api(), id, name)) !== undefined;
  if (isThere && !force)
    throw new Failure('conflict', `${label} already has a document ${name}.`, {
      hint: 'Replace it with --force, or choose another name with --name.',
    });
  const to = pathTo(ports, id);
  return sendChange(context, {
    call: isThere
      ? { operation: replace, path: { ...to, attachment_id: name }, file }
      : { operation: add, path: to, query: { filename: name }, file },
    message: () =>
      `${isThere ? 'Replaced' : 'Added'} document ${name} of ${label}: ${type}, ${formatCount(bytes.length, 'byte')}.`,
    // A document of the same size may be the old one.
    ...(isThere
      ? {}
      : {
          lookUp: async (api: Api) => ((await documentSize(api, id, name)) === bytes.length ? {} : undefined),
        }),
  });
}
