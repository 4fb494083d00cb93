import { hash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { createHint, type Failure, nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { omitUndefined } from '../../base/json.ts';
import { type Problem, problemAt, problemsFailure } from '../input/document.ts';
import { parse } from '../input/read-documents.ts';
import { newReport, type ProblemReport } from '../input/read-fields.ts';
import { readInput } from '../input/read-input.ts';
import { convertDays, zoneOfManifest } from './account-days.ts';
import { findManifestNames } from './account-names.ts';
import { type AccountDraft, Drafts, sortProblems } from './desired/drafts.ts';
import { type ReadFile, readWithModules } from './desired/modules.ts';
import { checkNaturalKeys } from './desired/natural-keys.ts';
import { Outside, type OutsideRules } from './desired/outside.ts';
import { type ReadAccounts, readAccounts } from './desired/read-accounts.ts';
import { expandRepeats } from './desired/repeat.ts';
import { secretProblems } from './desired/secret-flow.ts';
import { type Desired, type DesiredAccount, type InputFile, referencesIn } from './desired.ts';
import { headFiller } from './fill-texts.ts';
import { manifestFiles } from './manifest-files.ts';
import { checkCycles } from './plan/circles.ts';
import { unreadNumberWarnings } from './read-numbers.ts';

export interface ManifestOptions extends OutsideRules {
  readonly files: readonly string[];
  readonly vars: ReadonlyMap<string, string>;
  /** Variables that the manifest may leave unused. */
  readonly columns?: readonly string[] | undefined;
  /** Overrides the name in the manifest. */
  readonly set: string | undefined;
  /** Country of national numbers: `named` for this run, or `usual` if the manifest contains none. */
  readonly country?: { readonly named?: string | undefined; readonly usual?: string | undefined } | undefined;
  readonly allowUnknownFields: boolean;
  /** Reports values that compatible services refuse as problems instead of warnings. */
  readonly strictInput?: boolean | undefined;
  /** The caller checks which values compatible services refuse. */
  readonly conventionsLater?: boolean | undefined;
  /** Returns the readable part, with the problems in `trouble`. Requests are then forbidden. */
  readonly despiteProblems?: boolean | undefined;
  /** By default, secrets are unset, and their fields are omitted. */
  readonly secretsOf?: ((names: readonly string[]) => Promise<OutsideRules['secretValues']>) | undefined;
  /** Called with the warnings before a failure. */
  readonly beforeFailure?: (warnings: readonly Problem[]) => void;
}

export interface Manifest {
  readonly trouble?: { readonly failure: Failure; readonly problems: readonly Problem[] };
  readonly desired: Desired;
  readonly warnings: readonly Problem[];
  /** By expression, such as `env.NAME`. Contains secrets in clear text. */
  readonly filledIn: ReadonlyMap<string, string>;
  readonly unset: readonly string[];
}

/** Reads a manifest without the service. Throws `Failure`: `invalid` with all problems, or `usage`. */
export async function readManifest(host: Host, options: ManifestOptions): Promise<Manifest> {
  const files: ReadFile[] = [];
  for (const file of manifestFiles(host, options.files)) files.push(await readFile(host, file));
  const read = await readWithModules(host, options.files, files, (file) => readFile(host, file));
  const { manifest, secrets } = await composeManifest(host, options, read);
  if (secrets.size === 0 || options.secretsOf === undefined || manifest.trouble) return manifest;
  const secretValues = await options.secretsOf([...secrets]);
  return (await composeManifest(host, { ...options, secretValues }, read)).manifest;
}

/** Throws `Failure` of kind `usage` if the file cannot be opened. */
export async function readFile(host: Host, file: string): Promise<ReadFile> {
  const { name, text } = await readInput(host, file);
  return { name, sha256: hash('sha256', text, 'hex'), ...(await parse(name, text)) };
}

/** Returns the manifest of parsed files, and the names of its secrets. */
async function composeManifest(
  host: Host,
  options: ManifestOptions,
  read: readonly ReadFile[],
): Promise<{ readonly manifest: Manifest; readonly secrets: ReadonlySet<string> }> {
  const { problems, warnings, report } = newReport();
  const outside = new Outside(host, options.vars, options);
  const drafts = new Drafts(report, headFiller(host, outside, report));
  for (const { documents, problems: found } of read) {
    problems.push(...found);
    for (const document of documents) drafts.add(document);
  }
  const { set, source } = findSetName(host, options, drafts, report);
  const written = expandRepeats(drafts.accounts, {
    host,
    outside,
    report,
    allowUnset: options.allowUnset ?? false,
  });
  const made = readAccounts(host, written, outside, options, report);
  // A manifest without accounts is about the selected account, so that plans show it and do not prune it.
  const accounts: readonly DesiredAccount[] =
    made.accounts.length > 0 ? made.accounts : [{ account: undefined, objects: [] }];
  checkNaturalKeys(made, report, options.allowUnset);
  for (const account of accounts) checkCycles(account, report);
  warnings.push(...unusedVariables(options, outside.used), ...unnamedDocument(drafts.accounts, accounts));
  if (problems.length === 0 && accounts.every(({ objects }) => objects.length === 0))
    warnings.push({ ...noPlace, place: set, message: 'the manifest contains no objects' });
  if (!options.conventionsLater) warnings.push(...accounts.flatMap(unreadNumberWarnings));
  (options.strictInput ? problems : warnings).push(
    ...secretProblems(accounts),
    ...accounts.flatMap((account) => [...findManifestNames(account)]),
  );
  if (options.strictInput || !options.conventionsLater)
    for (const { isProblem, found } of await checkConventions(made, accounts, options))
      (isProblem ? problems : warnings).push(found);
  const inputs = listInputs(read);
  const all = sortProblems(problems, inputs);
  const failure =
    all.length > 0 ? problemsFailure(all, outside.missing.size > 0 ? unsetHint : undefined) : undefined;
  const sortedWarnings = sortProblems(warnings, inputs);
  if (failure && !options.despiteProblems) {
    options.beforeFailure?.(sortedWarnings);
    throw failure;
  }
  const manifest: Manifest = {
    ...omitUndefined({ trouble: failure && { failure, problems: all } }),
    desired: {
      accounts: accounts.map((account) => convertDays(account, zoneOfManifest(account))),
      inputs: [...inputs, ...listInputs([...outside.wholeFiles.values()])],
      set,
      ...omitUndefined({ source }),
    },
    warnings: sortedWarnings,
    filledIn: outside.used,
    unset: [...outside.unset],
  };
  return { manifest, secrets: outside.secrets };
}

/** Returns files without their content. A module that is used twice is one input. */
const listInputs = (files: readonly InputFile[]): readonly InputFile[] => [
  ...new Map(files.map(({ name, sha256 }) => [name, { name, sha256 }])).values(),
];

/** Reports a second name. */
function findSetName(
  host: Host,
  options: ManifestOptions,
  { sets }: Drafts,
  report: ProblemReport,
): Pick<Desired, 'set'> & { readonly source: readonly string[] | undefined } {
  const [first, second] = [...sets];
  if (options.set !== undefined) return { set: options.set, source: undefined };
  if (first && second) {
    const message = `the manifest set is named "${first[0]}" above, and "${second[0]}" here; name it once`;
    report.problem(problemAt(second[1], message));
  }
  if (first) return { set: first[0], source: undefined };
  const source = options.files.includes('-') ? undefined : sourcePaths(host, options.files);
  return { set: nameOfSet(host, options.files), source };
}

async function checkConventions(
  { misnamed, broken }: ReadAccounts,
  accounts: readonly DesiredAccount[],
  { strictInput, allowUnknownFields }: ManifestOptions,
): Promise<readonly { readonly isProblem: boolean; readonly found: Problem }[]> {
  // Loaded on use, because the validator is large.
  const { conventionWarnings } = await import('./conventions.ts');
  return conventionWarnings(accounts, (object) => !misnamed.has(object), broken).map((found) => ({
    isProblem: strictInput === true || (found.refused === true && !allowUnknownFields),
    found,
  }));
}

/** Warns if one document names no account and others do. */
function unnamedDocument(
  drafts: readonly AccountDraft[],
  accounts: readonly DesiredAccount[],
): readonly Problem[] {
  const unnamed = drafts.find(({ account }) => account === undefined);
  const named = accounts.find(
    ({ account }) => account !== undefined && referencesIn(account).length === 0,
  )?.account;
  if (!unnamed || unnamed.objects.size === 0 || named === undefined) return [];
  return [
    problemAt(
      unnamed.at,
      `this document names no account, so it applies to the account acted on; others apply to ${named}`,
    ),
  ];
}

const noPlace = { file: '', line: undefined, column: undefined } as const;

const unusedVariables = (
  { vars, columns = [] }: Pick<ManifestOptions, 'vars' | 'columns'>,
  used: ReadonlyMap<string, string>,
): readonly Problem[] =>
  [...vars.keys()]
    .filter((name) => !used.has(`var.${name}`) && !columns.includes(name))
    .map((name) => ({ ...noPlace, place: `--var ${name}`, message: `the manifest has no \${var.${name}}` }));

const unsetHint = createHint`Set the variables, or write \${env.NAME?} to leave a field out where NAME is not set. ${nextStep`validate --allow-unset`} checks the rest.`;

const sourcePaths = ({ cwd, files }: Host, operands: readonly string[]): readonly string[] =>
  operands
    .map((operand) => resolve(cwd, operand))
    // The operand can be a pattern.
    .map((path) => (files.kindOf(path) === undefined ? path : files.realPath(path)));

const nameOfSet = ({ cwd }: Host, operands: readonly string[]): string =>
  [...new Set(operands.map((operand) => (operand === '-' ? operand : resolve(cwd, operand))))]
    .map((path) => (path === '-' ? 'standard input' : basename(path)))
    .join('+');
