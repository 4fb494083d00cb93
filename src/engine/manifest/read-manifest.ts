import { hash } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { createHint, type Failure, nextStep } from '../../base/failure.ts';
import type { Host } from '../../base/host/host.ts';
import { omitUndefined } from '../../base/json.ts';
import { type Problem, problemAt, problemsFailure } from '../input/document.ts';
import { parse } from '../input/read-documents.ts';
import { newReport } from '../input/read-fields.ts';
import { readInput } from '../input/read-input.ts';
import { withDaysIn, zoneOfManifest } from './account-days.ts';
import { plainNames } from './account-names.ts';
import { createDrafts, inFileOrder } from './desired/drafts.ts';
import { type ReadFile, usedModules } from './desired/modules.ts';
import { checkNaturalKeys } from './desired/natural-keys.ts';
import { createOutside, type OutsideRules } from './desired/outside.ts';
import { readAccounts } from './desired/read-accounts.ts';
import { repeated } from './desired/repeat.ts';
import { secretProblems } from './desired/secret-flow.ts';
import { type Desired, type DesiredAccount, type InputFile, referencesIn } from './desired.ts';
import { headFiller } from './fill-texts.ts';
import { manifestFiles } from './manifest-files.ts';
import { checkCycles } from './plan/circles.ts';
import { unreadNumbers } from './read-numbers.ts';

export interface ManifestOptions extends OutsideRules {
  /** Operands of `-f`: files, folders, `-`. */
  readonly files: readonly string[];
  readonly vars: ReadonlyMap<string, string>;
  /** Those of them that no manifest has to use. */
  readonly columns?: readonly string[] | undefined;
  /** Name of the manifest set, over what the manifest says. */
  readonly set: string | undefined;
  /** Country by which national numbers are read: named for this run, which counts most, or else usual. */
  readonly country?: { readonly named?: string | undefined; readonly usual?: string | undefined } | undefined;
  /** Fields that the contract does not name are kept, with a warning. */
  readonly allowUnknownFields: boolean;
  /** True if values that compatible services refuse are problems instead of warnings. */
  readonly strictInput?: boolean | undefined;
  /** The caller itself looks for what compatible services refuse, in what is to be sent. */
  readonly conventionsLater?: boolean | undefined;
  /** What can be read is wanted although there are problems (`trouble`); nothing is to be sent. */
  readonly despiteProblems?: boolean | undefined;
  /**
   * Gives the secrets of the user's configuration that the manifest names, once all else in it is right. Where left out,
   * they count as not set, and the fields that wait for them are left out.
   */
  readonly secretsOf?: ((names: readonly string[]) => Promise<OutsideRules['secretValues']>) | undefined;
  /** Called for the warnings, even if there are problems. */
  readonly beforeFailure?: (warnings: readonly Problem[]) => void;
}

export interface Manifest {
  /** Problems, where they were to be passed over. */
  readonly trouble?: { readonly failure: Failure; readonly problems: readonly Problem[] };
  readonly desired: Desired;
  /** Warnings of what compatible services would not like, unknown fields, and the like. */
  readonly warnings: readonly Problem[];
  /** Values filled in, by expression (`env.NAME`, `file.PATH`, `var.name`): secrets in clear. */
  readonly filledIn: ReadonlyMap<string, string>;
  /** Variables of the environment that were asked for and are not set. */
  readonly unset: readonly string[];
}

/**
 * Reads a manifest without the service: documents of one account laid over one another, fields read by their types,
 * everything filled in, references checked. Throws `Failure`: `invalid` with all problems, `usage` where a file cannot
 * be opened.
 */
export async function readManifest(host: Host, options: ManifestOptions): Promise<Manifest> {
  const files: ReadFile[] = [];
  for (const file of manifestFiles(host, options.files)) files.push(await readFile(host, file));
  const read = await usedModules(host, options.files, files, (file) => readFile(host, file));
  const { manifest, secrets } = await composed(host, options, read);
  if (secrets.size === 0 || options.secretsOf === undefined || manifest.trouble) return manifest;
  const secretValues = await options.secretsOf([...secrets]);
  return (await composed(host, { ...options, secretValues }, read)).manifest;
}

/** Reads and parses a file. Throws `Failure` of kind `usage` if it cannot be opened. */
export async function readFile(host: Host, file: string): Promise<ReadFile> {
  const { name, text } = await readInput(host, file);
  return { name, sha256: hash('sha256', text, 'hex'), ...(await parse(name, text)) };
}

/** Makes a manifest of its files, and tells which secrets of the user's configuration it names. */
async function composed(
  host: Host,
  options: ManifestOptions,
  read: readonly ReadFile[],
): Promise<{ readonly manifest: Manifest; readonly secrets: ReadonlySet<string> }> {
  const { problems, warnings, report } = newReport();
  const outside = createOutside(host, options.vars, options);
  const drafts = createDrafts(report, headFiller(host, outside, report));
  // A module that is used twice is one input.
  const inputs: readonly InputFile[] = [
    ...new Map(read.map(({ name, sha256 }) => [name, { name, sha256 }])).values(),
  ];
  for (const { documents, problems: found } of read) {
    problems.push(...found);
    for (const document of documents) drafts.add(document);
  }
  const [first, second] = [...drafts.sets];
  if (options.set === undefined && first && second)
    report.problem(
      problemAt(
        second[1],
        `the manifest set is named "${first[0]}" before, and "${second[0]}" here; name it once`,
      ),
    );
  const set = options.set ?? first?.[0] ?? nameOfSet(host, options.files);
  const isUnnamed = options.set === undefined && first === undefined && !options.files.includes('-');
  const { allowUnset = false } = options;
  const written = repeated(drafts.accounts, { host, outside, report, allowUnset });
  const made = readAccounts(host, written, outside, options, report);
  // Files that name nothing are about the account acted on, so that plans say so, and refuse to prune by them.
  const accounts: readonly DesiredAccount[] =
    made.accounts.length > 0 ? made.accounts : [{ account: undefined, objects: [] }];
  checkNaturalKeys(made, report, options.allowUnset);
  for (const account of accounts) checkCycles(account, report);
  for (const name of unusedVariables(options, outside.used))
    warnings.push({ ...noPlace, place: `--var ${name}`, message: `the manifest has no \${var.${name}}` });
  const unnamed = drafts.accounts.find(({ account }) => account === undefined);
  const named = accounts.find(
    ({ account }) => account !== undefined && referencesIn(account).length === 0,
  )?.account;
  if (unnamed && unnamed.objects.size > 0 && named !== undefined)
    warnings.push(
      problemAt(
        unnamed.at,
        `this document names no account, so that it is about the account acted on; others are about ${named}`,
      ),
    );
  if (problems.length === 0 && accounts.every(({ objects }) => objects.length === 0))
    warnings.push({ ...noPlace, place: set, message: 'the manifest names no object' });
  if (!options.conventionsLater) warnings.push(...accounts.flatMap(unreadNumbers));
  (options.strictInput ? problems : warnings).push(
    ...secretProblems(accounts),
    ...accounts.flatMap((account) => [...plainNames(account)]),
  );
  if (options.strictInput || !options.conventionsLater) {
    // Loaded late, since the validator behind it is heavy.
    const { conventionWarnings } = await import('./conventions.ts');
    const found = conventionWarnings(accounts, (object) => !made.misnamed.has(object), made.broken);
    const isProblem = ({ refused }: Problem): boolean =>
      options.strictInput === true || (refused === true && !options.allowUnknownFields);
    for (const each of found) (isProblem(each) ? problems : warnings).push(each);
  }
  const all = inFileOrder(problems, inputs);
  const failure =
    all.length > 0 ? problemsFailure(all, outside.missing.size > 0 ? unsetHint : undefined) : undefined;
  if (failure && !options.despiteProblems) {
    options.beforeFailure?.(inFileOrder(warnings, inputs));
    throw failure;
  }
  const manifest: Manifest = {
    ...omitUndefined({ trouble: failure && { failure, problems: all } }),
    desired: {
      accounts: accounts.map((account) => withDaysIn(account, zoneOfManifest(account))),
      inputs: [...inputs, ...[...outside.wholeFiles.values()].map(({ name, sha256 }) => ({ name, sha256 }))],
      set,
      ...omitUndefined({ source: isUnnamed ? sourceOf(host, options.files) : undefined }),
    },
    warnings: inFileOrder(warnings, inputs),
    filledIn: outside.used,
    unset: [...outside.unset],
  };
  return { manifest, secrets: outside.secrets };
}

const noPlace = { file: '', line: undefined, column: undefined } as const;

const unusedVariables = (
  { vars, columns = [] }: Pick<ManifestOptions, 'vars' | 'columns'>,
  used: ReadonlyMap<string, string>,
): readonly string[] =>
  [...vars.keys()].filter((name) => !used.has(`var.${name}`) && !columns.includes(name));

const unsetHint = createHint`Set the variables, or write \${env.NAME?} to leave a field out where NAME is not set. ${nextStep`validate --allow-unset`} checks the rest.`;

const sourceOf = ({ cwd, files }: Host, operands: readonly string[]): readonly string[] =>
  operands
    .map((operand) => resolve(cwd, operand))
    // A pattern is no file.
    .map((path) => (files.kindOf(path) === undefined ? path : files.realPath(path)));

/** The name of a set that has none: its operands. */
const nameOfSet = ({ cwd }: Host, operands: readonly string[]): string =>
  [...new Set(operands.map((operand) => (operand === '-' ? operand : resolve(cwd, operand))))]
    .map((path) => (path === '-' ? 'standard input' : basename(path)))
    .join('+');
