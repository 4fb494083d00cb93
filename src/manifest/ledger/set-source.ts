import { dirname, relative, resolve } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../host/host.ts';
import type { Ledger } from '../../state/ledger.ts';
import { sourcesOf } from '../../state/ledger.ts';
import type { LedgerStore } from '../../state/state.ts';

/** A set that has its name from the files or folders that it was read from. */
export interface NamedByFiles {
  readonly set: string;
  /** Absolute paths, links followed. */
  readonly source: readonly string[];
}

const between = ' + ';

/** Returns what the ledger keeps of where a set was read from; `undefined` where the set has a name of its own. */
export function keptSource(
  { file }: Pick<LedgerStore, 'file'>,
  set: string,
  source: readonly string[] | undefined,
): { readonly set: string; readonly path: string } | undefined {
  if (source === undefined) return undefined;
  const seen = (each: string): string => (file === undefined ? each : relative(dirname(file), each));
  return { set, path: source.map(seen).join(between) };
}

/**
 * Other files that are there and were applied as the same set, since they have the same base name. A file that is
 * gone was moved.
 */
export function otherSources(
  host: Host,
  ledger: Ledger | undefined,
  store: Pick<LedgerStore, 'file'>,
  { set, source }: NamedByFiles,
): readonly string[] {
  const own = keptSource(store, set, source)?.path;
  // Paths that are kept beside no file of the user's are absolute.
  const folder = store.file === undefined ? '' : dirname(store.file);
  return sourcesOf(ledger?.sources, set)
    .filter((each) => each !== own)
    .map((each) => each.split(between).map((path) => resolve(folder, path)))
    .filter((paths) => paths.every((path) => host.files.kindOf(path) !== undefined))
    .map((paths) => paths.join(between));
}

/** Says that two manifests share a set, and what to do about it. */
export const sharedSet = ({ set, source }: NamedByFiles, [other = '']: readonly string[]): string =>
  `${source.join(between)} and ${other} are one manifest set, ${JSON.stringify(set)}, by the name of the file: each takes what the other describes for its own. Name them apart with "set: NAME" in the manifest, or --set-name`;

/** Returns the failure that says why nothing is pruned by a set that two manifests share. */
export const sharedSetFailure = (named: NamedByFiles, others: readonly string[]): Failure =>
  new Failure('refused', `${sharedSet(named, others)}. Nothing is pruned.`, {
    hint: `Where the two are meant to be one: --set-name ${JSON.stringify(named.set)}`,
  });
