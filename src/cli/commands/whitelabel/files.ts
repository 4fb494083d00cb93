import { extname, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import { reading } from '../../../base/reading.ts';
import { brandFiles, largestBrandFile, whitelabel } from '../../../contract/resources/whitelabel.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import { act } from '../act.ts';
import { fetchFile } from '../fetched-file.ts';
import { operationFor } from '../generic/find-named.ts';
import type { downloadArguments, downloadOptions, uploadArguments } from './commands.ts';

/** Content types by the ending of a file's name. */
const types = new Map([
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.png', 'image/png'],
  ['.gif', 'image/gif'],
  ['.ico', 'image/x-icon'],
  ['.html', 'text/html'],
  ['.htm', 'text/html'],
]);

/** Gives a brand a file. What it is and how large is checked before anything is sent. */
export async function uploadBrandFile(
  { part, file: path }: InputOf<Record<never, never>, typeof uploadArguments>,
  context: Context,
): Promise<Result> {
  const { files, cwd } = context.host;
  const which = partIn(part);
  const type = types.get(extname(path).toLowerCase());
  const taken: readonly string[] = brandFiles[which];
  if (type === undefined || !taken.includes(type))
    throw new Failure('invalid', `${path} is no ${which} that services take.`, {
      hint: `They take ${[...types].flatMap(([ending, each]) => (taken.includes(each) ? [ending] : [])).join(', ')}.`,
    });
  const bytes = reading(path, () => files.readBytes(resolve(cwd, path), largestBrandFile));
  if (bytes.length === 0) throw new Failure('invalid', `${path} is empty.`);
  return act(context, {
    call: { operation: operationFor(whitelabel, `upload-${which}`), file: { type, bytes } },
    message: () => `Uploaded ${path} as ${which}: ${type}, ${bytes.length} bytes.`,
    resource: 'whitelabel',
  });
}

/** The parser takes these words alone. */
const partIn = (word: string): keyof typeof brandFiles =>
  word === 'icon' || word === 'welcome' ? word : 'logo';

/** Fetches a file of a brand: into a file that is not there yet, or to standard output. */
export async function downloadBrandFile(
  { part, file: path, domain, force }: InputOf<typeof downloadOptions, typeof downloadArguments>,
  context: Context,
): Promise<Result> {
  const operation = operationFor(whitelabel, domain === undefined ? part : `${part}-of-domain`);
  return fetchFile(context, { operation, path: domain === undefined ? {} : { domain } }, { path, force });
}
