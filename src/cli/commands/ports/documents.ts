import { basename, extname, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import { isObject, type Json } from '../../../base/json.ts';
import { reading } from '../../../base/reading.ts';
import type { Api } from '../../../client/api/api.ts';
import { largestDocument } from '../../../contract/port-operations.ts';
import { ports } from '../../../contract/resources/ports.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { act } from '../act.ts';
import { fetchFile } from '../fetched-file.ts';
import { findNamed, operationFor, pathTo } from '../generic/find-named.ts';
import { labelOf } from '../labels.ts';
import type { documentArguments, documentOptions, fetchArguments, fetchOptions } from './commands.ts';

/** Content types by the ending of a file's name. */
const types = new Map([
  ['.pdf', 'application/pdf'],
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.tif', 'image/tiff'],
  ['.tiff', 'image/tiff'],
]);

/** Size of a document of a request; `undefined` where it has none of that name. */
async function sizeOf(api: Api, id: string, name: string): Promise<Json | undefined> {
  const { data } = await api.call({ operation: operationFor(ports, 'documents'), path: pathTo(ports, id) });
  const found = isObject(data) && Object.hasOwn(data, name) ? data[name] : undefined;
  return isObject(found) ? (found.length ?? 0) : undefined;
}

/** Adds a document. What it is and how large is checked before anything is sent. */
export async function addDocument(
  {
    id: word,
    file: path,
    name = basename(path),
    force,
  }: InputOf<typeof documentOptions, typeof documentArguments>,
  context: Context,
): Promise<Result> {
  const { files, cwd } = context.host;
  const type = types.get(extname(path).toLowerCase());
  if (type === undefined)
    throw new Failure('invalid', `${path} is no document that services take.`, {
      hint: `They take ${[...types.keys()].join(', ')}.`,
    });
  const bytes = reading(path, () => files.readBytes(resolve(cwd, path), largestDocument));
  if (bytes.length === 0) throw new Failure('invalid', `${path} is empty.`);
  const { id, summary } = await findNamed(context, ports, word);
  const label = labelOf(ports, { id, ...summary });
  const isThere = (await sizeOf(await context.api(), id, name)) !== undefined;
  if (isThere && !force)
    throw new Failure('conflict', `${label} has a document ${name} already.`, {
      hint: 'Repeat with --force to replace it, or with --name for another name.',
    });
  const to = pathTo(ports, id);
  const file = { type, bytes };
  return act(context, {
    call: isThere
      ? { operation: operationFor(ports, 'replace-document'), path: { ...to, attachment_id: name }, file }
      : { operation: operationFor(ports, 'add-document'), path: to, query: { filename: name }, file },
    message: () =>
      `${isThere ? 'Replaced' : 'Added'} document ${name} of ${label}: ${type}, ${bytes.length} bytes.`,
    // One of the same size may be the old one.
    ...(isThere
      ? {}
      : { lookUp: async (api: Api) => ((await sizeOf(api, id, name)) === bytes.length ? {} : undefined) }),
  });
}

export async function fetchDocument(
  { id: word, document, file: path, force }: InputOf<typeof fetchOptions, typeof fetchArguments>,
  context: Context,
): Promise<Result> {
  const { id } = await findNamed(context, ports, word);
  const operation = operationFor(ports, 'document');
  return fetchFile(
    context,
    { operation, path: { ...pathTo(ports, id), attachment_id: document } },
    { path, force },
  );
}
