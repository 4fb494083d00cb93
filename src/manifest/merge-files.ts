import { Failure } from '../base/failure.ts';
import type { Host } from '../host/host.ts';
import { readInput } from '../input/read-input.ts';
import { idsByKey, type Ledger } from '../state/ledger.ts';
import {
  addSections,
  documentsAbout,
  type ExistingFile,
  mergeManifest,
  placedIn,
  takenNames,
} from './export/merge-manifest.ts';
import { yamlFile } from './export/yaml-file.ts';
import type { TextFile } from './export-files.ts';
import { layoutOf } from './export-files.ts';
import type { ExportAccount, Exported, Lists } from './exported.ts';
import type { Making } from './make-export.ts';

/** The facts that a merge needs. */
export interface Merging {
  readonly lists: Lists;
  /** Reads the account with the names that the files use. */
  readonly make: (making: Omit<Making, 'reveal' | 'allFields'>) => Promise<Exported>;
  /** The ledger, by which objects of one name are told apart. */
  readonly ledger: Ledger | undefined;
  readonly removeMissing: boolean;
  /** Files for objects that no existing file is the place of. */
  readonly split: 'none' | 'sections' | 'objects';
  /** Name of the file of that path in the layout. */
  nameOf(path: string): string;
  /** Text of a new file. */
  textOf(exported: Exported, path: string): string;
  warn(line: string): void;
}

/** The existing manifests, read for changing them. Throws `Failure` where one cannot be changed. */
async function readExisting(host: Host, names: readonly string[]): Promise<readonly ExistingFile[]> {
  return Promise.all(
    names.map(async (name) => {
      if (/\.json$/i.test(name))
        throw new Failure('usage', `${name} is JSON, which --merge does not change. Nothing was written.`, {
          hint: 'Export into another folder, or replace what is there with --force.',
        });
      const file = yamlFile((await readInput(host, name)).text);
      if (file.problem === undefined) return { name, file };
      throw new Failure('invalid', `${name}:${file.problem}. Nothing was written.`);
    }),
  );
}

const namesOf = ({ id, name, realm }: ExportAccount): ReadonlySet<string> =>
  new Set([id, name, realm].map((each) => each.toLowerCase()));

const someOf = (keys: readonly string[]): string =>
  `${keys.slice(0, 3).join(', ')}${keys.length > 3 ? ` and ${keys.length - 3} more` : ''}`;

/**
 * Brings existing manifests up to date with an account, and makes the files that are missing. Gives the export with
 * the names that the files use, and the files whose text is new.
 */
export async function mergeInto(
  host: Host,
  names: readonly string[],
  merging: Merging,
): Promise<{ readonly exported: Exported; readonly files: readonly TextFile[] }> {
  const { lists, make, removeMissing, split, nameOf, textOf, warn } = merging;
  const { account } = lists;
  const existing = await readExisting(host, names);
  const accountNames = namesOf(account);
  const placed = placedIn(existing, accountNames);
  const exported = await make({
    taken: takenNames(placed, [...lists.exported, ...lists.others], idsByKey(merging.ledger)),
    defaults: true,
  });
  const merged = mergeManifest(placed, exported, { apart: split === 'objects', removeMissing });
  const changed = new Set(merged.changed);
  const fresh: TextFile[] = [];
  for (const { path, sections: added } of layoutOf({ ...exported, sections: merged.rest }, split)) {
    if (added.length === 0) continue;
    const name = nameOf(path);
    const file = existing.find((each) => each.name === name);
    if (!file) {
      fresh.push({ name, text: textOf({ ...exported, sections: added }, path) });
      continue;
    }
    const document = documentsAbout(file, accountNames).at(-1);
    if (!document)
      throw new Failure(
        'refused',
        `${name} is about another account than ${account.name}. Nothing was written.`,
        {
          hint: 'Export into another file, or replace it with --force.',
        },
      );
    addSections(document, exported, added);
    changed.add(file);
  }
  const gone = merged.gone.map(({ key }) => key);
  if (gone.length > 0 && !removeMissing)
    warn(
      `The account has no ${someOf(gone)}; applying would create ${gone.length === 1 ? 'it' : 'them'}. --remove-missing takes out what is gone.`,
    );
  if (merged.several.length > 0)
    warn(`${someOf(merged.several)} stand in several files and are left as they are.`);
  return {
    exported,
    files: [...[...changed].map(({ name, file }) => ({ name, text: file.text() })), ...fresh],
  };
}
