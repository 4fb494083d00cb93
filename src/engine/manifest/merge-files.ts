import { dirname, join, sep } from 'node:path';
import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { formatCount, joinUpTo } from '../../base/wording.ts';
import { readInput } from '../input/read-input.ts';
import { idsByKey, type Ledger } from '../state/ledger.ts';
import {
  addSections,
  documentsAbout,
  type ExistingFile,
  mergeManifest,
  type Placed,
  placedIn,
  takenNames,
} from './export/merge-manifest.ts';
import { yamlFile } from './export/yaml-file.ts';
import type { ExportAccount, Exported, Lists } from './exported.ts';
import { type KindName, kindOfSection, kinds, nameInKey } from './kinds.ts';
import type { Making } from './make-export.ts';
import { layoutOf, type TextFile } from './manifest-files.ts';

export interface Merging {
  readonly lists: Lists;
  /** Reads the account with the names that the files use. */
  readonly make: (making: Omit<Making, 'reveal' | 'allFields'>) => Promise<Exported>;
  /** The ledger, which distinguishes objects of the same name. */
  readonly ledger: Ledger | undefined;
  readonly removeMissing: boolean;
  /** Files for objects that no existing file is the place of. */
  readonly split: 'none' | 'sections' | 'objects';
  nameOf(path: string): string;
  /** Text of a new file. */
  textOf(exported: Exported, path: string): string;
  warn(line: string): void;
}

/** The existing manifests, read for changing them. Throws `Failure` if one cannot be changed. */
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

/** The uses of modules in a file, with the folders of these. */
const usesIn = ({
  name: path,
  file,
}: ExistingFile): readonly { readonly name: string; readonly folder: string }[] =>
  file.documents.flatMap((document) => {
    const use = document.get('use');
    const all = use?.kind === 'list' ? use.items : use === undefined ? [] : [use];
    return all.flatMap((each) =>
      (each.kind === 'map' ? each.keys() : []).flatMap((name) => {
        const folder = each.kind === 'map' && name !== 'with' ? each.get(name) : undefined;
        return folder?.kind === 'scalar' ? [{ name, folder: join(dirname(path), folder.text) }] : [];
      }),
    );
  });

/** Names of objects that `for_each` and modules make, by kind and id, as the ledger has them: no merge changes them. */
function madeNames(
  ledger: Ledger | undefined,
  repeating: readonly Placed[],
  uses: ReturnType<typeof usesIn>,
): ReturnType<typeof takenNames> {
  const made = new Map<KindName, Map<string, string>>();
  for (const { key, id } of ledger?.entries ?? []) {
    const name = nameInKey(key);
    const kind = kindOfSection(key.split('.', 1)[0] ?? '')?.name;
    const isMade =
      repeating.some((each) => key.startsWith(`${each.key}[`)) ||
      uses.some((use) => name.startsWith(`${use.name}.`));
    if (kind && isMade) made.set(kind, (made.get(kind) ?? new Map()).set(id, name));
  }
  return made;
}

/**
 * Brings existing manifests up to date with an account. Gives the export with their names, and files whose text is new.
 */
export async function mergeInto(
  host: Host,
  names: readonly string[],
  merging: Merging,
): Promise<{ readonly exported: Exported; readonly files: readonly TextFile[] }> {
  const { lists, make, ledger, removeMissing, split, nameOf, textOf, warn } = merging;
  const { account } = lists;
  const read = await readExisting(host, names);
  const uses = read.flatMap(usesIn);
  const existing = read.filter(({ name }) => !uses.some(({ folder }) => name.startsWith(`${folder}${sep}`)));
  const accountNames = namesOf(account);
  const placed = placedIn(existing, accountNames);
  const repeating = placed.filter(({ fields }) => fields.get('for_each') !== undefined);
  const made = madeNames(ledger, repeating, uses);
  if (
    uses.length > 0 &&
    ![...made.values()].some((of) => [...of.values()].some((name) => name.includes('.')))
  )
    throw new Failure(
      'refused',
      `${uses[0]?.name} is a use of a module, and no ledger knows what that made here. Nothing was written.`,
      { hint: 'Apply the manifest first, or name the ledger that knows: --ledger FILE.' },
    );
  const taken = takenNames(placed, [...lists.exported, ...lists.others], idsByKey(ledger));
  const exported = await make({
    taken: new Map(
      kinds.map(({ name }) => [name, new Map([...(taken.get(name) ?? []), ...(made.get(name) ?? [])])]),
    ),
    defaults: true,
  });
  let rest = 0;
  const sections = exported.sections.map((section) => {
    const objects = section.objects.filter(({ id }) => !made.get(section.kind.name)?.has(String(id)));
    rest += section.objects.length - objects.length;
    return { ...section, objects };
  });
  if (rest > 0) {
    const by = [...(repeating.length > 0 ? ['"for_each"'] : []), ...(uses.length > 0 ? ['modules'] : [])];
    warn(
      `${formatCount(rest, 'object')} ${rest === 1 ? 'is' : 'are'} made by ${by.join(' and ')} and left as ${rest === 1 ? 'it is' : 'they are'}; plan says how they differ.`,
    );
  }
  const merged = mergeManifest(
    placed.filter((each) => !repeating.includes(each)),
    { ...exported, sections },
    { apart: split === 'objects', removeMissing },
  );
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
      `The account has no ${joinUpTo(gone, 3)}; applying would create ${gone.length === 1 ? 'it' : 'them'}. --remove-missing takes out what is gone.`,
    );
  if (merged.several.length > 0)
    warn(`${joinUpTo(merged.several, 3)} stand in several files and are left as they are.`);
  return {
    exported,
    files: [...[...changed].map(({ name, file }) => ({ name, text: file.text() })), ...fresh],
  };
}
