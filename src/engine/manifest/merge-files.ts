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
  findPlaced,
  type MergedFiles,
  mergeManifest,
  type Placed,
  takenNames,
} from './export/merge-manifest.ts';
import { openYamlFile } from './export/yaml-file.ts';
import type { ExportSettings } from './export-builder.ts';
import type { ExportAccount, Exported, Lists } from './exported.ts';
import { type KindName, kindOfSection, kinds, nameInKey } from './kinds.ts';
import { layOutFiles, type TextFile } from './manifest-files.ts';

export interface Merging {
  readonly lists: Lists;
  /** Exports the account with the names that the files use. */
  readonly make: (making: Omit<ExportSettings, 'reveal' | 'allFields'>) => Promise<Exported>;
  readonly ledger: Ledger | undefined;
  readonly removeMissing: boolean;
  /** Layout of new objects for which no file exists. */
  readonly split: 'none' | 'sections' | 'objects';
  nameOf(path: string): string;
  textOf(exported: Exported, path: string): string;
  warn(line: string): void;
}

/** Throws `Failure` if a manifest cannot be changed. */
async function readExisting(host: Host, names: readonly string[]): Promise<readonly ExistingFile[]> {
  return Promise.all(
    names.map(async (name) => {
      if (/\.json$/i.test(name))
        throw new Failure('usage', `${name} is JSON, which --merge does not change. Nothing was written.`, {
          hint: 'Export into another folder, or replace what is there with --force.',
        });
      const file = openYamlFile((await readInput(host, name)).text);
      if (file.problem === undefined) return { name, file };
      throw new Failure('invalid', `${name}:${file.problem}. Nothing was written.`);
    }),
  );
}

const accountNames = ({ id, name, realm }: ExportAccount): ReadonlySet<string> =>
  new Set([id, name, realm].map((each) => each.toLowerCase()));

/** `name` is the prefix of the module's objects. */
interface ModuleUse {
  readonly file: string;
  readonly name: string;
  readonly folder: string;
}

const listModuleUses = ({ name: path, file }: ExistingFile): readonly ModuleUse[] =>
  file.documents.flatMap((document) => {
    const use = document.get('use');
    const all = use?.kind === 'list' ? use.items : use === undefined ? [] : [use];
    return all.flatMap((each) =>
      (each.kind === 'map' ? each.keys() : []).flatMap((name) => {
        const folder = each.kind === 'map' && name !== 'with' ? each.get(name) : undefined;
        return folder?.kind === 'scalar'
          ? [{ file: path, name, folder: join(dirname(path), folder.text) }]
          : [];
      }),
    );
  });

/**
 * Returns names of objects that `for_each` and modules create, by kind and id, from the ledger. They are not merged.
 */
function generatedNames(
  ledger: Ledger | undefined,
  repeating: readonly Placed[],
  uses: readonly ModuleUse[],
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
 * Updates existing manifests from an account. Returns the export with the names that the manifests use, and the
 * changed files.
 */
export async function mergeInto(
  host: Host,
  names: readonly string[],
  merging: Merging,
): Promise<{ readonly exported: Exported; readonly files: readonly TextFile[] }> {
  const { lists, make, ledger, removeMissing, split } = merging;
  const { account } = lists;
  const read = await readExisting(host, names);
  const uses = read.flatMap(listModuleUses);
  const existing = read.filter(({ name }) => !uses.some(({ folder }) => name.startsWith(`${folder}${sep}`)));
  const placed = findPlaced(existing, accountNames(account));
  const repeating = placed.filter(({ fields }) => fields.get('for_each') !== undefined);
  const generated = generatedNames(ledger, repeating, uses);
  refuseUnknownModules(uses, generated);
  const taken = takenNames(placed, [...lists.exported, ...lists.others], idsByKey(ledger));
  const exported = await make({
    taken: new Map(
      kinds.map(({ name }) => [name, new Map([...(taken.get(name) ?? []), ...(generated.get(name) ?? [])])]),
    ),
    defaults: true,
  });
  const sections = exported.sections.map((section) => ({
    ...section,
    objects: section.objects.filter(({ id }) => !generated.get(section.kind.name)?.has(String(id))),
  }));
  const merged = mergeManifest(
    placed.filter((each) => !repeating.includes(each)),
    { ...exported, sections },
    { oneFileEach: split === 'objects', removeMissing },
  );
  const { changed, fresh } = addNewObjects({ ...exported, sections: merged.rest }, existing, merging);
  const makers = [...(repeating.length > 0 ? ['"for_each"'] : []), ...(uses.length > 0 ? ['modules'] : [])];
  warnOfLeftObjects(merging, merged, countObjects(exported) - countObjects({ sections }), makers);
  return {
    exported,
    files: [
      ...[...new Set([...merged.changed, ...changed])].map(({ name, file }) => ({ name, text: file.text() })),
      ...fresh,
    ],
  };
}

const countObjects = ({ sections }: Pick<Exported, 'sections'>): number =>
  sections.reduce((count, { objects }) => count + objects.length, 0);

/** Throws `Failure` (`refused`) if files use modules and the ledger contains no objects of a module. */
function refuseUnknownModules([use]: readonly ModuleUse[], generated: ReturnType<typeof takenNames>): void {
  const isKnown = [...generated.values()].some((names) =>
    [...names.values()].some((name) => name.includes('.')),
  );
  if (use === undefined || isKnown) return;
  throw new Failure(
    'refused',
    `${use.file} uses a module, and the ledger has no objects of it in this account. No file was written.`,
    { hint: 'Apply the manifest first, or name the ledger that knows: --ledger FILE.' },
  );
}

function addNewObjects(
  exported: Exported,
  existing: readonly ExistingFile[],
  { split, nameOf, textOf }: Merging,
): { readonly changed: readonly ExistingFile[]; readonly fresh: readonly TextFile[] } {
  const { account } = exported;
  const changed: ExistingFile[] = [];
  const fresh: TextFile[] = [];
  for (const { path, sections } of layOutFiles(exported, split)) {
    if (sections.length === 0) continue;
    const name = nameOf(path);
    const file = existing.find((each) => each.name === name);
    if (!file) {
      fresh.push({ name, text: textOf({ ...exported, sections }, path) });
      continue;
    }
    const document = documentsAbout(file, accountNames(account)).at(-1);
    if (!document)
      throw new Failure(
        'refused',
        `${name} describes another account than ${account.name}. Nothing was written.`,
        { hint: 'Export into another file, or replace it with --force.' },
      );
    addSections(document, exported, sections);
    changed.push(file);
  }
  return { changed, fresh };
}

/**
 * Warns about objects that the merge did not update: generated objects, objects missing from the account, and objects
 * in several files. `makers` are the sources of generated objects.
 */
function warnOfLeftObjects(
  { removeMissing, warn }: Merging,
  { gone, several }: MergedFiles,
  generated: number,
  makers: readonly string[],
): void {
  if (generated > 0) {
    const [are, they] = generated === 1 ? ['is', 'it differs'] : ['are', 'they differ'];
    warn(
      `${formatCount(generated, 'object')} ${are} created by ${makers.join(' and ')}, and left unchanged; plan shows how ${they}.`,
    );
  }
  if (gone.length > 0 && !removeMissing) {
    const keys = gone.map(({ key }) => key);
    const them = gone.length === 1 ? 'it' : 'them';
    warn(
      `The account has no ${joinUpTo(keys, 3)}; applying would create ${them}. To remove ${them} from the manifest, pass --remove-missing.`,
    );
  }
  if (several.length > 0) warn(`${joinUpTo(several, 3)} are in several files, and left unchanged.`);
}
