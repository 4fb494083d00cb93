import { dirname, join, resolve } from 'node:path';
import { bounded } from '../../../../base/bounded.ts';
import { Failure } from '../../../../base/failure.ts';
import { counted } from '../../../../base/wording.ts';
import { endingOf, typeOfContent } from '../../../../contract/resources/media.ts';
import type { Exported, ExportedObject } from '../../../../engine/manifest/exported.ts';
import { fileNames } from '../../../../engine/manifest/manifest-files.ts';
import type { Service } from '../../../../engine/manifest/service.ts';
import type { Context } from '../../../command/context.ts';
import type { Target } from './export-target.ts';

const withFiles = ({ sections }: Exported): readonly ExportedObject[] =>
  sections.flatMap(({ objects }) => objects.filter(({ hasFile }) => hasFile));

/** Says which files an export leaves out; `undefined`: none. */
export function leftOutFiles(exported: Exported): string | undefined {
  const count = withFiles(exported).length;
  return count === 0
    ? undefined
    : `${count === 1 ? 'The file of 1 medium is' : `The files of ${count} media are`} left out; --with-files fetches them.`;
}

/**
 * Fetches the files of objects into a folder beside the manifest, and names them there. Throws `Failure` of kind
 * `refused` where one would be written over and nothing was said of it.
 */
export async function fetchFiles(
  { host, settings, notices }: Context,
  service: Service,
  { target, force }: { readonly target: Exclude<Target, { to: 'stdout' }>; readonly force: boolean },
  exported: Exported,
): Promise<Exported> {
  const base = target.to === 'folder' ? target.name : dirname(target.name);
  // A file for each object stands in the folder of its section already.
  const isSplit = target.to === 'folder' && target.split === 'objects';
  const objects = withFiles(exported);
  const names = fileNames(objects.map(({ name }) => name));
  const found = new Map<string, string>();
  await bounded(objects, settings.concurrency.value, async ({ kind, name, key, id }) => {
    const bytes = await service.download(kind, id);
    if (bytes === undefined) return;
    const file = `${names.get(name)}.${endingOf(typeOfContent(bytes, name) ?? 'audio/mpeg')}`;
    const shown = join(base, kind.name, file);
    const path = resolve(host.cwd, shown);
    const there = host.files.kindOf(path);
    const isSame =
      there === 'file' && Buffer.compare(host.files.readBytes(path, bytes.length + 1), bytes) === 0;
    if (there !== undefined && !isSame && !force)
      throw new Failure('refused', `${shown} exists, and is another file.`, {
        hint: 'Replace it with --force.',
      });
    if (host.files.isLink(path))
      throw new Failure('refused', `${shown} is a symbolic link; an export follows none.`);
    if (!isSame) host.files.writePublic(path, bytes);
    found.set(key, isSplit ? file : `${kind.name}/${file}`);
  });
  if (found.size > 0) notices.say(`Fetched ${counted(found.size, 'file')}.`);
  const named = (object: ExportedObject): ExportedObject => {
    const file = found.get(object.key);
    if (file === undefined) return object;
    const { fields, whole } = object;
    return { ...object, fields: { ...fields, file }, whole: { ...whole, file } };
  };
  return {
    ...exported,
    sections: exported.sections.map((section) => ({ ...section, objects: section.objects.map(named) })),
  };
}
