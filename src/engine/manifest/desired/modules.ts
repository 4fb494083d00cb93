import { dirname, join, relative, resolve } from 'node:path';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { findNearest } from '../../../base/nearest.ts';
import {
  type DocumentNode,
  type Entry,
  formatPlace,
  locatedTexts,
  type Problem,
  problemAt,
} from '../../input/document.ts';
import type { Documents } from '../../input/read-documents.ts';
import { isNullScalar } from '../../input/read-scalar.ts';
import type { InputFile } from '../desired.ts';
import { kindOfSection } from '../kinds.ts';
import { leavesFolder, manifestFiles } from '../manifest-files.ts';
import { localNameProblem } from './drafts.ts';
import { CellFiller } from './expand.ts';

export type ReadFile = InputFile & Documents;

interface Use {
  /** Prefix of the names of the module's objects. */
  readonly name: string;
  readonly entry: Entry;
  readonly folder: string;
  readonly parameters: readonly Entry[];
  /** The account of the document that uses the module. */
  readonly account: readonly Entry[];
}

/** Modules cannot have these keys, because they belong to the manifest. */
const usersWords = ['account', 'set', 'use'];

/** Returns the files of a manifest and of its modules. Parameters are filled in, and objects are named `USE.NAME`. */
export async function readWithModules(
  host: Host,
  operands: readonly string[],
  files: readonly ReadFile[],
  read: (file: string) => Promise<ReadFile>,
): Promise<readonly ReadFile[]> {
  const found: (readonly [ReadFile, readonly ReadFile[]])[] = [];
  const folders = new Set<string>();
  for (const file of files) {
    const problems: Problem[] = [];
    const problem = (at: DocumentNode | Entry, message: string): void => {
      problems.push(problemAt(at, message));
    };
    const modules: ReadFile[] = [];
    const names = new Set<string>();
    for (const use of file.documents.flatMap((document) => moduleUses(document, problem))) {
      const name = JSON.stringify([
        use.account.map(({ value }) => value.kind === 'scalar' && value.text),
        use.name,
      ]);
      if (names.has(name))
        problem(use.entry, `${JSON.stringify(use.name)} is used twice; give it another name`);
      names.add(name);
      const there = moduleFolder(host, file.name, use, problem);
      if (there === undefined) continue;
      folders.add(there.real);
      const parts = await readModuleFiles(host, there.shown, use, read, problem);
      modules.push(...fillModule(parts, use, problem));
    }
    found.push([{ ...file, problems: [...file.problems, ...problems] }, modules]);
  }
  const isOfModule = (name: string): boolean => {
    const real = realPathOf(host, resolve(host.cwd, name));
    return [...folders].some((folder) => !leavesFolder(relative(folder, real)));
  };
  return found.flatMap(([file, modules]) =>
    operands.includes(file.name) || !isOfModule(file.name) ? [file, ...modules] : [],
  );
}

const realPathOf = ({ files }: Host, path: string): string =>
  files.kindOf(path) === undefined ? path : files.realPath(path);

const keyEntry = (node: DocumentNode, key: string): Entry | undefined =>
  node.kind === 'map' ? node.entries.find((each) => each.key === key) : undefined;

function moduleUses(
  document: DocumentNode,
  problem: (at: DocumentNode | Entry, message: string) => void,
): readonly Use[] {
  const entry = keyEntry(document, 'use');
  if (entry === undefined || (entry.value.kind === 'scalar' && isNullScalar(entry.value))) return [];
  const account = keyEntry(document, 'account');
  const items = entry.value.kind === 'list' ? entry.value.items : [entry.value];
  return items.flatMap((item): readonly Use[] => {
    const inside = item.kind === 'map' ? item.entries : [];
    const [named, second] = inside.filter(({ key }) => key !== 'with');
    if (named === undefined || named.value.kind !== 'scalar' || named.value.text === '') {
      problem(
        item,
        '"use" names a folder, such as use: { office: ./modules/office, with: { number: "2000" } }',
      );
      return [];
    }
    if (second) {
      problem(second, 'one "use" names one folder; a list of them names several');
      return [];
    }
    const bad = named.key.includes('.') ? 'it holds a dot' : localNameProblem(named.key);
    if (bad) problem(named, `${JSON.stringify(named.key)} cannot be the name of a use: ${bad}`);
    const given = keyEntry(item, 'with')?.value;
    if (given !== undefined && given.kind !== 'map' && !(given.kind === 'scalar' && isNullScalar(given)))
      problem(given, '"with" must be a map of parameters');
    if (bad) return [];
    const parameters = given?.kind === 'map' ? given.entries : [];
    const head = account ? [account] : [];
    return [
      { name: named.key, entry: named, folder: named.value.text, parameters: parameters, account: head },
    ];
  });
}

/** Throws if the module is not below the manifest's folder with links resolved. */
function moduleFolder(
  host: Host,
  manifest: string,
  { folder, entry }: Use,
  problem: (at: Entry, message: string) => void,
): { readonly shown: string; readonly real: string } | undefined {
  const shown = join(dirname(manifest), folder);
  const path = resolve(host.cwd, shown);
  if (host.files.kindOf(path) !== 'folder') {
    problem(entry, `there is no folder ${shown}`);
    return undefined;
  }
  const real = host.files.realPath(path);
  const way = relative(host.files.realPath(resolve(host.cwd, dirname(manifest))), real);
  if (way !== '' && !leavesFolder(way)) return { shown, real };
  problem(entry, `${shown} is not below the folder of ${manifest}`);
  return undefined;
}

async function readModuleFiles(
  host: Host,
  folder: string,
  { entry }: Use,
  read: (file: string) => Promise<ReadFile>,
  problem: (at: Entry, message: string) => void,
): Promise<readonly ReadFile[]> {
  try {
    const parts: ReadFile[] = [];
    for (const file of manifestFiles(host, [folder])) parts.push(await read(file));
    return parts;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
    problem(entry, error.message);
    return [];
  }
}

const parameter = /(?<!\$)\$\{\s*with\.([^}]*?)\s*\}/g;

/** Fills in the parameters of a module, and prefixes the names of its objects. */
function fillModule(
  parts: readonly ReadFile[],
  { name, entry, folder, parameters: given, account }: Use,
  problem: (at: DocumentNode | Entry, message: string) => void,
): readonly ReadFile[] {
  const documents = parts.flatMap((part) => part.documents);
  const usual = documents.flatMap((document) => {
    const said = keyEntry(document, 'with')?.value;
    return said?.kind === 'map' ? said.entries : [];
  });
  const wanted = new Set(
    documents.flatMap((document) => [...locatedTexts(document)].flatMap(({ text }) => parametersIn(text))),
  );
  const known = new Set([...wanted, ...usual.map(({ key }) => key)]);
  for (const each of given)
    if (!known.has(each.key)) {
      const near = findNearest(each.key, known);
      const taken = known.size === 0 ? 'it takes none' : `it takes ${[...known].join(', ')}`;
      const meant = near === undefined ? `; ${taken}` : `; did you mean "${near}"?`;
      problem(each, `the module ${folder} has no parameter ${JSON.stringify(each.key)}${meant}`);
    }
  const cells = new Map([...usual, ...given].map(({ key, value }) => [key, value] as const));
  const missing = [...wanted].filter((each) => !cells.has(each));
  for (const each of missing)
    problem(entry, `the module ${folder} needs ${JSON.stringify(each)}: with: { ${each}: … }`);
  // Other references are to objects of the manifest.
  const objects = new Set(documents.flatMap(objectKeysIn));
  const renamed = (text: string): string =>
    text.replaceAll(reference, (whole, section: string, object: string) =>
      objects.has(`${section}.${object}`) ? `\${${section}.${name}.${object}` : whole,
    );
  const filler = new CellFiller(
    'with',
    known,
    () => undefined,
    () => '',
  );
  const row = { cells, where: `used at ${formatPlace(entry)}` };
  return parts.map((part) => ({
    ...part,
    documents: part.documents.flatMap((document): readonly DocumentNode[] => {
      if (document.kind !== 'map') return [document];
      for (const word of usersWords) {
        const bad = keyEntry(document, word);
        if (bad)
          problem(bad, `a module has no ${JSON.stringify(word)}: it is part of the manifest that uses it`);
      }
      if (missing.length > 0) return [];
      const entries = document.entries.filter(({ key }) => key !== 'with' && !usersWords.includes(key));
      const own = filler.fill(mapNodeTexts({ ...document, entries }, renamed), row);
      if (own?.kind !== 'map') return [];
      return [{ ...own, entries: [...account, ...own.entries.map((each) => prefixNames(each, name))] }];
    }),
  }));
}

const parametersIn = (text: string): readonly string[] =>
  text.includes('${') ? [...text.matchAll(parameter)].flatMap(([, name = '']) => name) : [];

const objectKeysIn = (document: DocumentNode): readonly string[] =>
  document.kind === 'map'
    ? document.entries.flatMap(({ key: section, value }) =>
        kindOfSection(section)?.shape === 'many' && value.kind === 'map'
          ? value.entries.map(({ key }) => `${section}.${key}`)
          : [],
      )
    : [];

function prefixNames(section: Entry, name: string): Entry {
  const { key, value } = section;
  if (kindOfSection(key)?.shape !== 'many' || value.kind !== 'map') return section;
  const entries = value.entries.map((entry) => ({ ...entry, key: `${name}.${entry.key}` }));
  return { ...section, value: { ...value, entries } };
}

/** A reference up to the end of the object's name. A row of `for_each` can follow. */
const reference = /(?<!\$)\$\{\s*([a-z_]+)\.([^}[]*[^}[\s])(?=\s*[}[])/g;

function mapNodeTexts(node: DocumentNode, text: (here: string) => string): DocumentNode {
  if (node.kind === 'scalar') return { ...node, text: text(node.text) };
  if (node.kind === 'list') return { ...node, items: node.items.map((item) => mapNodeTexts(item, text)) };
  const entries = node.entries.map((entry) => ({
    ...entry,
    key: text(entry.key),
    value: mapNodeTexts(entry.value, text),
  }));
  return { ...node, entries };
}
