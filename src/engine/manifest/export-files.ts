import { dirname, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { troubleWith } from '../../base/reading.ts';
import type { Exported, ExportedSection } from './exported.ts';

/** Layout of an export: one text, or a folder with a file for each section or object. */
export type Split = 'none' | 'sections' | 'objects';

export interface ExportFile {
  /** Below the folder, with `/`; empty where there is one file and no folder. */
  readonly path: string;
  readonly sections: readonly ExportedSection[];
}

/** Names that Windows keeps for devices, with any ending. */
export const devices = /^(?:con|prn|aux|nul|com\d|lpt\d|conin|conout|clock)$/;

/**
 * The files of an export. Their names are made of the words of sections and of local names, of which nothing is left
 * but small letters, digits, `-` and `_`, so that no name leads out of the folder or means another file elsewhere.
 */
export function layoutOf(exported: Exported, split: Split): readonly ExportFile[] {
  const sections = exported.sections.filter(
    ({ objects, missing }) => objects.length > 0 || missing !== undefined,
  );
  if (split === 'none') return [{ path: '', sections }];
  return sections.flatMap((section): readonly ExportFile[] => {
    const { kind, objects } = section;
    if (split === 'sections' || kind.shape === 'one' || objects.length === 0)
      return [{ path: `${kind.name}.yaml`, sections: [section] }];
    const names = fileNames(objects.map(({ name }) => name));
    return objects.map((object) => ({
      path: `${kind.name}/${names.get(object.name)}.yaml`,
      sections: [{ ...section, objects: [object] }],
    }));
  });
}

/** A name for the file of each local name, no two alike wherever letters have no case. */
export function fileNames(names: readonly string[]): ReadonlyMap<string, string> {
  const used = new Set<string>();
  return new Map(
    names.map((name) => {
      const safe = name
        .toLowerCase()
        .replaceAll(/[^a-z0-9_-]+/g, '-')
        .replaceAll(/^-+|-+$/g, '')
        .slice(0, 100);
      const base = safe === '' || devices.test(safe) ? `${safe}_` : safe;
      let file = base;
      for (let number = 2; used.has(file); number += 1) file = `${base}-${number}`;
      used.add(file);
      return [name, file] as const;
    }),
  );
}

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
