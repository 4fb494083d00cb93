import { join, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../host/host.ts';
import { manifestsBelow } from '../../../manifest/desired/manifest-files.ts';
import type { Split } from '../../../manifest/export/export-files.ts';
import type { ExportInput } from './export.ts';

/** The target of an export. */
export type Target =
  | { readonly to: 'stdout' }
  | { readonly to: 'file'; readonly name: string; readonly notation: 'yaml' | 'json' }
  | { readonly to: 'folder'; readonly name: string; readonly split: Exclude<Split, 'none'> };

/**
 * Where an export goes, by its options. Throws `Failure`: `usage` for a name that does not fit, `refused`
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
