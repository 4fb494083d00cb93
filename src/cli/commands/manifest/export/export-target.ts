import { dirname, join, resolve } from 'node:path';
import { mapWithConcurrency } from '../../../../base/concurrency.ts';
import { Failure } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import { isObject, type Json } from '../../../../base/json.ts';
import { findNearest } from '../../../../base/nearest.ts';
import { formatCount, splitCommas } from '../../../../base/wording.ts';
import type { Api } from '../../../../client/api/api.ts';
import { pageItems } from '../../../../client/api/each-page.ts';
import { resources } from '../../../../contract/catalogue.ts';
import { refersByField } from '../../../../contract/record-references.ts';
import { operationOfVerb } from '../../../../contract/resource.ts';
import { fileExtension, typeOfContent } from '../../../../contract/resources/media.ts';
import type { Operation, Resource } from '../../../../contract/types.ts';
import type { AccountReader } from '../../../../engine/manifest/account-reader.ts';
import type { Exported, ExportedObject } from '../../../../engine/manifest/exported.ts';
import {
  type Kind,
  type KindName,
  kindByName,
  kindOfSection,
  kinds,
} from '../../../../engine/manifest/kinds.ts';
import { fileNames, manifestsBelow, type Split } from '../../../../engine/manifest/manifest-files.ts';
import type { Service } from '../../../../engine/manifest/service.ts';
import type { Context } from '../../../command/context.ts';
import type { ExportInput } from './export.ts';

export type ExportTarget =
  | { readonly to: 'stdout' }
  | { readonly to: 'file'; readonly name: string; readonly notation: 'yaml' | 'json' }
  | { readonly to: 'folder'; readonly name: string; readonly split: Exclude<Split, 'none'> };

/** Throws `usage` for an unsuitable name, and `refused` if the export would overwrite files. */
export function exportTarget(host: Host, input: ExportInput): ExportTarget {
  const { out, split, merge } = input;
  if (out === undefined) return { to: 'stdout' };
  if (out === '' || out.includes('\0'))
    throw new Failure('usage', '--out must be the name of a file or folder.');
  const found = host.files.kindOf(resolve(host.cwd, out));
  if (found === 'folder' || out.endsWith('/') || (split !== undefined && found === undefined))
    return { to: 'folder', name: out, split: split ?? 'sections' };
  if (split !== undefined) throw new Failure('usage', `${out} is a file; --split makes a folder of files.`);
  if (/\.[^/.]+$/.test(out) && !/\.(?:ya?ml|json)$/i.test(out))
    throw new Failure('usage', `${out} is not the name of a manifest, which ends in .yaml, .yml or .json.`, {
      hint: `For a folder: --out ${out}/`,
    });
  const notation = /\.json$/i.test(out) ? 'json' : 'yaml';
  if (merge && notation === 'json')
    throw new Failure(
      'usage',
      `--merge needs YAML, because JSON has no comments. Replace ${out} with --force.`,
    );
  return { to: 'file', name: out, notation };
}

export function existingManifests(host: Host, target: ExportTarget): readonly string[] {
  if (target.to === 'stdout') return [];
  const found = host.files.kindOf(resolve(host.cwd, target.name));
  if (found === undefined) return [];
  return target.to === 'file' ? [target.name] : manifestsBelow(host, target.name);
}

/** Throws `refused` for existing manifests, unless `--merge` or `--force` is set. */
export function refuseOverwriting(existing: readonly string[], { merge, force }: ExportInput): void {
  const [first] = existing;
  if (first === undefined || merge || force) return;
  const [what, them] =
    existing.length === 1
      ? [`${first} exists`, 'it']
      : [`${existing.length} manifests exist, such as ${first}`, 'them'];
  throw new Failure('refused', `${what}. Nothing was read or written.`, {
    hint: `Update ${them} with --merge, or replace ${them} with --force.`,
  });
}

const isAccountSpecific = ({ shape, resource }: Kind): boolean =>
  shape === 'many' && resource.absent?.portable !== undefined;

/** A manifest can describe these records but not create them, so they are exported only if they are named. */
const cannotBeCreated = ({ shape, calls }: Kind): boolean => shape === 'many' && calls.create === undefined;

/** Kinds that the selected sections can refer to. Their lists resolve the ids. */
export function referencedKinds(wanted: ReadonlySet<KindName>): ReadonlySet<KindName> {
  const targets = [...wanted].flatMap((name) => [...refersByField(kindByName(name)).values()]);
  return new Set(targets.flatMap((to) => [...to].flatMap((name) => kindOfSection(name)?.name ?? [])));
}

/** Returns the sections that the options select. Throws `usage` for an unknown section. */
export function selectedSections({
  only,
  portable,
}: Pick<ExportInput, 'only' | 'portable'>): ReadonlySet<KindName> {
  if (only.length === 0) {
    const meant = kinds.filter((kind) => !cannotBeCreated(kind) && !(portable && isAccountSpecific(kind)));
    return new Set(meant.map(({ name }) => name));
  }
  const sections = kinds.map(({ name }) => name);
  const names = only.flatMap(splitCommas);
  if (names.length === 0) throw new Failure('usage', '--only must name sections, such as users,callflows.');
  return new Set(
    names.map((name) => {
      const kind = kindOfSection(name);
      if (kind) return kind.name;
      const near = findNearest(name, sections);
      throw new Failure(
        'usage',
        `--only takes sections of a manifest, and ${JSON.stringify(name)} is not one.`,
        {
          hint: near === undefined ? `Sections are ${sections.join(', ')}.` : `Did you mean ${near}?`,
        },
      );
    }),
  );
}

const objectsWithFile = ({ sections }: Exported): readonly ExportedObject[] =>
  sections.flatMap(({ objects }) => objects.filter(({ hasFile }) => hasFile));

export function omittedFilesText(exported: Exported): string | undefined {
  const count = objectsWithFile(exported).length;
  return count === 0
    ? undefined
    : `Left out: the ${count === 1 ? 'file of 1 medium' : `files of ${count} media`}. Download ${count === 1 ? 'it' : 'them'} with --with-files.`;
}

/** Downloads files next to the manifest. Throws `refused` if a different file exists, unless `force` is set. */
export async function fetchFiles(
  { host, settings, notices }: Context,
  service: Service,
  { target, force }: { readonly target: Exclude<ExportTarget, { to: 'stdout' }>; readonly force: boolean },
  exported: Exported,
): Promise<Exported> {
  const base = target.to === 'folder' ? target.name : dirname(target.name);
  // The manifest of each object is already in the folder of its section.
  const isSplit = target.to === 'folder' && target.split === 'objects';
  const objects = objectsWithFile(exported);
  const names = fileNames(objects.map(({ name }) => name));
  const found = new Map<string, string>();
  await mapWithConcurrency(objects, settings.concurrency.value, async ({ kind, name, key, id }) => {
    const bytes = await service.download(kind, id);
    if (bytes === undefined) return;
    const file = `${names.get(name)}.${fileExtension(typeOfContent(bytes, name) ?? 'audio/mpeg')}`;
    const shown = join(base, kind.name, file);
    const path = resolve(host.cwd, shown);
    const there = host.files.kindOf(path);
    const isSame =
      there === 'file' && Buffer.compare(host.files.readBytes(path, bytes.length + 1), bytes) === 0;
    if (there !== undefined && !isSame && !force)
      throw new Failure('refused', `${shown} already exists and was not written by telctl.`, {
        hint: 'Replace it with --force.',
      });
    if (host.files.isLink(path))
      throw new Failure('refused', `${shown} is a symbolic link, which an export does not follow.`);
    if (!isSame) host.files.writePublic(path, bytes);
    found.set(key, isSplit ? file : `${kind.name}/${file}`);
  });
  if (found.size > 0) notices.say(`Fetched ${formatCount(found.size, 'file')}.`);
  const withFileName = (object: ExportedObject): ExportedObject => {
    const file = found.get(object.key);
    if (file === undefined) return object;
    const { fields, whole } = object;
    return { ...object, fields: { ...fields, file }, whole: { ...whole, file } };
  };
  return {
    ...exported,
    sections: exported.sections.map((section) => ({
      ...section,
      objects: section.objects.map(withFileName),
    })),
  };
}

const hasContent = (value: Json | undefined): boolean => {
  if (Array.isArray(value)) return value.some(hasContent);
  if (isObject(value)) return Object.entries(value).some(([key, each]) => key !== 'id' && hasContent(each));
  return value !== undefined && value !== null && value !== '' && value !== false;
};

/** Kinds of parent records, by the parameter in the paths of their children. */
const parents = [
  ['list_id', 'lists'],
  ['device_id', 'devices'],
] as const;

const lookedBelow = 200;

/** Describes records that manifests do not support, with the reason. Skips unreadable records. */
export async function describeOmissions(
  api: Api,
  accountId: string,
  reader: AccountReader,
): Promise<readonly string[]> {
  const readUnlessRefused = async <T>(read: Promise<T>, otherwise: T): Promise<T> => {
    try {
      return await read;
    } catch (error) {
      if (error instanceof Failure && error.status !== undefined) return otherwise;
      throw error;
    }
  };
  const has = async (operation: Operation, path: Readonly<Record<string, string>>): Promise<boolean> => {
    const call = api.call({ operation, path: { account_id: accountId, ...path } });
    const { data } = await readUnlessRefused<{ readonly data: Json }>(call, { data: {} });
    return operation.verb === 'list' ? pageItems(data, { operation }).length > 0 : hasContent(data);
  };
  const describeOmission = async (resource: Resource): Promise<string | undefined> => {
    const { leftOutAs: words } = resource;
    const operation = operationOfVerb(resource, resource.kind === 'singleton' ? 'get' : 'list');
    if (!words || !operation) return undefined;
    const parent = parents.find(([parameter]) => operation.path.includes(`{${parameter}}`));
    if (!parent) return (await has(operation, {})) ? words : undefined;
    const [parameter, kind] = parent;
    const { items = [] } = (await readUnlessRefused(reader.list(kindByName(kind)), undefined)) ?? {};
    if (items.length > lookedBelow) return `${words}, which are not checked in ${items.length} ${kind}`;
    for (const { id } of items) if (await has(operation, { [parameter]: String(id) })) return words;
    return undefined;
  };
  const found = await Promise.all(
    resources.map(async (resource) => {
      const words = await describeOmission(resource);
      const why = resource.absent?.manifests ?? 'Manifests do not support them';
      return words === undefined ? [] : [`Left out: ${words}. ${why}.`];
    }),
  );
  return found.flat();
}
