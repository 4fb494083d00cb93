import { dirname, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import { troubleWith } from '../../base/system-trouble.ts';
import type { Host } from '../../host/host.ts';

/** A text to be written, by the file's name as the user would say it. */
export interface TextFile {
  readonly name: string;
  readonly text: string;
}

/**
 * Writes files that were asked for by name; with `secret` nobody else may read them. Below `folder` no symbolic link
 * is followed: what it leads to was not named. Throws `Failure`: `refused` for a link, `failed` where a file cannot be
 * written.
 */
export function writeFiles(
  { files: disk, cwd }: Host,
  files: readonly TextFile[],
  { folder, secret }: { readonly folder: string | undefined; readonly secret: boolean },
): void {
  const root = folder === undefined ? undefined : resolve(cwd, folder);
  for (const { name } of files) {
    const path = resolve(cwd, name);
    const places = root === undefined || dirname(path) === root ? [path] : [path, dirname(path)];
    const link = root === undefined ? undefined : places.find((place) => disk.isLink(place));
    if (link !== undefined)
      throw new Failure(
        'refused',
        `${link} is a symbolic link; an export follows none. Nothing was written.`,
        {
          hint: 'Remove it, or export into another folder.',
        },
      );
  }
  for (const { name, text } of files) {
    try {
      const path = resolve(cwd, name);
      if (secret) disk.writePrivate(path, text);
      else disk.writePublic(path, text);
    } catch (cause) {
      throw new Failure('failed', `${name} cannot be written (${troubleWith(cause)}).`, { cause });
    }
  }
}
