import type { Exported, ExportedSection } from './exported.ts';

/** Layout of an export: one text, or a folder with a file for each section or object. */
export type Split = 'none' | 'sections' | 'objects';

/** A file of an export. */
export interface ExportFile {
  /** Below the folder, with `/`; empty where there is one file and no folder. */
  readonly path: string;
  readonly sections: readonly ExportedSection[];
}

/** Names that Windows keeps for devices, with any ending. */
const devices = /^(?:con|prn|aux|nul|com\d|lpt\d|conin|conout|clock)$/;

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
