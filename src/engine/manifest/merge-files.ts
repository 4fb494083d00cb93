import { Failure } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
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
import type { TextFile } from './export-files.ts';
import { layoutOf } from './export-files.ts';
import type { ExportAccount, Exported, Lists } from './exported.ts';
import type { Making } from './make-export.ts';

export interface Merging {
  readonly lists: Lists;
  /** Reads the account with the names that the files use. */
  readonly make: (making: Omit<Making, 'reveal' | 'allFields'>) => Promise<Exported>;
  /** The ledger, by which objects of one name are told apart. */
  readonly ledger: Ledger | undefined;
  readonly removeMissing: boolean;
  /** Files for objects that no existing file is the place of. */
  readonly split: 'none' | 'sections' | 'objects';
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

/**
 * The same without what `for_each` of a file makes: its objects stand in rows, which no merge changes. `rest` is how many
 * there are.
 */
function withoutRepeated(
  placed: readonly Placed[],
  exported: Exported,
  ledger: Ledger | undefined,
): {
  readonly own: { readonly placed: readonly Placed[]; readonly exported: Exported };
  readonly rest: number;
} {
  const repeating = placed.filter(({ fields }) => fields.get('for_each') !== undefined);
  if (repeating.length === 0) return { own: { placed, exported }, rest: 0 };
  const names = repeating.map(({ key }) => `${key}[`);
  const made = new Set(
    [...idsByKey(ledger)].flatMap(([key, ids]) =>
      names.some((name) => key.startsWith(name)) ? [...ids] : [],
    ),
  );
  let rest = 0;
  const sections = exported.sections.map((section) => {
    const objects = section.objects.filter(({ id }) => !made.has(id));
    rest += section.objects.length - objects.length;
    return { ...section, objects };
  });
  return {
    own: { placed: placed.filter((each) => !repeating.includes(each)), exported: { ...exported, sections } },
    rest,
  };
}

/** The names of the kinds of which `for_each` makes objects, with those that the ledger has for these. */
function repeatedNames(
  placed: readonly Placed[],
  taken: ReturnType<typeof takenNames>,
  ledger: Ledger | undefined,
): ReturnType<typeof takenNames> {
  const repeating = placed.filter(({ fields }) => fields.get('for_each') !== undefined);
  return new Map(
    repeating.map(({ kind }) => {
      const names = [...idsByKey(ledger)].flatMap(([key, ids]) =>
        repeating.some((each) => each.kind === kind && key.startsWith(`${each.key}[`))
          ? [...ids].map((id) => [id, key.slice(kind.name.length + 1)] as const)
          : [],
      );
      return [kind.name, new Map([...(taken.get(kind.name) ?? []), ...names])];
    }),
  );
}

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
  const taken = takenNames(placed, [...lists.exported, ...lists.others], idsByKey(merging.ledger));
  const exported = await make({
    taken: new Map([...taken, ...repeatedNames(placed, taken, merging.ledger)]),
    defaults: true,
  });
  const { own, rest } = withoutRepeated(placed, exported, merging.ledger);
  if (rest > 0)
    warn(
      `${rest === 1 ? '1 object is' : `${rest} objects are`} made by "for_each" and left as ${rest === 1 ? 'it is' : 'they are'}; plan says how they differ.`,
    );
  const merged = mergeManifest(own.placed, own.exported, { apart: split === 'objects', removeMissing });
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
