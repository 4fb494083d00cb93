import { join, resolve } from 'node:path';
import { Failure } from '../../../../base/failure.ts';
import type { Host } from '../../../../base/host/host.ts';
import { nearest } from '../../../../base/nearest.ts';
import { refersByField } from '../../../../contract/record-references.ts';
import { type Kind, type KindName, kindByName, kindOf, kinds } from '../../../../engine/manifest/kinds.ts';
import { manifestsBelow, type Split } from '../../../../engine/manifest/manifest-files.ts';
import type { ExportInput } from '../../export.ts';

export type Target =
  | { readonly to: 'stdout' }
  | { readonly to: 'file'; readonly name: string; readonly notation: 'yaml' | 'json' }
  | { readonly to: 'folder'; readonly name: string; readonly split: Exclude<Split, 'none'> };

/**
 * Returns the target of an export, by its options. Throws `Failure`: `usage` for a name that does not fit, `refused`
 * where something would be written over without a word.
 */
export function targetOf(host: Host, input: ExportInput): Target {
  const { out, split, merge } = input;
  if (out === undefined) return { to: 'stdout' };
  if (out === '' || out.includes('\0'))
    throw new Failure('usage', '--out takes the name of a file or folder.');
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
      `--merge keeps comments, which JSON has none of; ${out} can be replaced with --force.`,
    );
  return { to: 'file', name: out, notation };
}

/** The manifests that stand where the export goes. */
export function manifestsAt(host: Host, target: Target): readonly string[] {
  if (target.to === 'stdout') return [];
  const found = host.files.kindOf(resolve(host.cwd, target.name));
  if (found === undefined) return [];
  return target.to === 'file' ? [target.name] : manifestsBelow(host, target.name);
}

/** Throws `Failure` of kind `refused` where manifests exist and nothing was said of them. */
export function refuseOverwriting(existing: readonly string[], { merge, force }: ExportInput): void {
  const [first] = existing;
  if (first === undefined || merge || force) return;
  const what =
    existing.length === 1 ? `${first} exists` : `${existing.length} manifests exist, such as ${first}`;
  throw new Failure('refused', `${what}. Nothing was read or written.`, {
    hint: `Bring ${existing.length === 1 ? 'it' : 'them'} up to date with --merge, or replace ${existing.length === 1 ? 'it' : 'them'} with --force.`,
  });
}

/** A file's name below a folder, as the user would say it. */
export const below = (folder: string, path: string): string => join(folder, path);

/** No second account can have the same. */
const isOnlyHere = ({ shape, resource }: Kind): boolean =>
  shape === 'many' && resource.absent?.portable !== undefined;

/** A manifest can describe it, but where it is missing nothing can make it: it is exported where it is named. */
const isMadeElsewhere = ({ shape, calls }: Kind): boolean => shape === 'many' && calls.create === undefined;

/**
 * Kinds that a part of the account can refer to, and that are not in it: their lists say what the ids in it are of.
 */
export function namedBeside(wanted: ReadonlySet<KindName>): ReadonlySet<KindName> {
  const targets = [...wanted].flatMap((name) => [...refersByField(kindByName(name)).values()]);
  return new Set(targets.flatMap((to) => [...to].flatMap((name) => kindOf(name)?.name ?? [])));
}

/** The sections of an export, by its options. Throws `Failure` of kind `usage` where they name something else. */
export function sectionsOf({
  only,
  portable,
}: Pick<ExportInput, 'only' | 'portable'>): ReadonlySet<KindName> {
  const sections = kinds.map(({ name }) => name);
  if (only.length === 0)
    return new Set(
      kinds
        .filter((kind) => !isMadeElsewhere(kind) && !(portable === true && isOnlyHere(kind)))
        .map(({ name }) => name),
    );
  const names = only.flatMap((word) => word.split(',')).flatMap((word) => word.trim() || []);
  if (names.length === 0) throw new Failure('usage', '--only names no section, such as users,callflows.');
  return new Set(
    names.map((name) => {
      const kind = kindOf(name);
      if (kind) return kind.name;
      const near = nearest(name, sections);
      throw new Failure('usage', `--only takes sections of a manifest; ${JSON.stringify(name)} is none.`, {
        hint: near === undefined ? `Sections are ${sections.join(', ')}.` : `Did you mean ${near}?`,
      });
    }),
  );
}
