import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { type JsonObject, splitPath, valueAtKeys } from '../../../base/json.ts';
import { addOutsideField } from '../../../base/outside-values.ts';
import {
  isUnreadNational,
  numbersOfCountry,
  undialledNumbers,
  withDialledNumbers,
} from '../../../contract/phone-number.ts';
import { requiredFields } from '../../../contract/schema.ts';
import { mayRefer } from '../../../contract/schema-node.ts';
import type { Operation, Resource } from '../../../contract/types.ts';
import {
  type Assignment,
  assign,
  findSecretAssignment,
  setJson,
  setText,
} from '../../../engine/input/assign.ts';
import {
  type DocumentNode,
  type MapNode,
  optionSource,
  type Problem,
  problemsFailure,
} from '../../../engine/input/document.ts';
import type { ReadRules } from '../../../engine/input/read-fields.ts';
import {
  findStoredFields,
  type InputRecord,
  readRecordFile,
  withoutServiceFields,
} from '../../../engine/input/read-records.ts';
import { isGiven, type OptionSpec, type ParsedInput } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { accountZone } from '../records/account-time.ts';
import { warnUnread } from '../records/national-numbers.ts';
import { optionAssignments, optionsFor, secretAssignments } from './assignments.ts';
import { bodyOptions, bodyResource, fieldOptions, optionTexts } from './input-options.ts';
import type { ReadStored } from './update.ts';

/** Determines which fields of a body are required, and whether null is allowed. */
export type Purpose = 'create' | 'update' | 'patch';

/** Input key for records that are identified by id. It has no option. */
export const byId = 'byId';

/**
 * Reads the records of files and options, and checks them against the specification. The rules of compatible services
 * cause warnings, or errors with `--strict-input`. Options override every record of the files. Throws `usage` for
 * missing input or a secret in the arguments, and `invalid` with all problems. `stored` reads existing records to
 * accept unknown keys and empty values that came from the service.
 */
export async function readInputRecords(
  context: Context,
  resource: Resource,
  purpose: Purpose,
  input: ParsedInput,
  stored?: ReadStored,
): Promise<readonly InputRecord[]> {
  const files = optionTexts(input.files);
  const allowUnknownFields = input.allowUnknownFields === true;
  const assignments = await readAssignments(context, resource, purpose, input);
  if (files.length === 0 && assignments.length === 0) throw missingInput(resource, purpose);
  const { documents, problems } = await readDocuments(context, resource, files);
  const { roots, dropped } = allowUnknownFields
    ? { roots: documents, dropped: [] }
    : withoutServiceFields(documents, resource.schema);
  if (dropped.length > 0)
    context.notices.say(`Not sent, because the service sets them: ${dropped.join(', ')}.`);
  const merged = roots.map((root) => (root.kind === 'map' ? assign(root, resource, assignments) : root));
  const read = await readRoots(context, resource, purpose, input, { roots: merged, assignments }, stored);
  const all = [
    ...problems,
    ...read.problems,
    ...missingRequiredFields(resource, purpose, read.records, files.length === 0),
    ...undialledProblems(resource, read.records),
  ];
  if (all.length > 0) throw problemsFailure(all, unknownHint(all));
  for (const { place, message } of read.warnings) context.notices.warn(`${place}: ${message}`);
  if (read.records.length === 0)
    throw new Failure('usage', `There is no ${resource.singular} in ${files.map(nameOfFile).join(', ')}.`);
  const dialled = await withCountry(context, resource, read.records);
  const records =
    input.noResolve === true || !dialled.some(({ value }) => mayRefer(resource.schema, value))
      ? dialled
      : await (await import('./resolve-names.ts')).withIdsForNames(context, resource, dialled, stored);
  const { checkConventions } = await import('./convention-rules.ts');
  const strictInput = input.strictInput === true;
  await checkConventions(context, resource, purpose, records, { strictInput, allowUnknownFields });
  if (context.options.dryRun) return maskOutsideValues(records);
  hideConfidential(context, records);
  return records;
}

/** Returns the fields that options set. Throws `usage` for a secret in the arguments. */
async function readAssignments(
  context: Context,
  resource: Resource,
  purpose: Purpose,
  input: ParsedInput,
): Promise<readonly Assignment[]> {
  const visible = [
    ...optionTexts(input.set).map(setText),
    ...optionTexts(input.setJson).map(setJson),
    ...(await optionAssignments(context, resource, purpose, input)),
  ];
  for (const assignment of visible) {
    const secret = findSecretAssignment(resource, assignment);
    if (secret !== undefined) throw secretInArguments(resource, purpose, assignment.option, secret);
  }
  return [...visible, ...(await secretAssignments(context, resource, input))];
}

/** Reads the records of documents, with the account's time zone and the stored records if they are needed. */
async function readRoots(
  context: Context,
  resource: Resource,
  purpose: Purpose,
  input: ParsedInput,
  {
    roots,
    assignments,
  }: { readonly roots: readonly DocumentNode[]; readonly assignments: readonly Assignment[] },
  stored: ReadStored | undefined,
): Promise<ReturnType<typeof readRecordFile>> {
  let namesDays = false;
  let rules: ReadRules = {
    allowUnknownFields: input.allowUnknownFields === true,
    allowNull: purpose === 'patch',
    takesNames: input.noResolve !== true,
    keepsId: input[byId] === true,
    onDay: () => {
      namesDays = true;
    },
  };
  const literal = new Set(assignments.map(({ value }) => value.source));
  const allowFiles = optionTexts(input.allowFiles);
  // References to the environment and files are resolved in files, but never in options.
  const fill =
    optionTexts(input.files).length > 0
      ? (await import('../../../engine/manifest/fill-texts.ts')).recordFilling
      : undefined;
  const filling: Parameters<typeof readRecordFile>[3] =
    fill && ((report) => fill(context.host, report, { allowFiles, literal }));
  let read = readRecordFile(roots, resource, rules, filling);
  if (namesDays) {
    rules = { ...rules, zone: await accountZone(context) };
    read = readRecordFile(roots, resource, rules, filling);
  }
  if (stored && read.problems.some(({ mayBeStored }) => mayBeStored)) {
    const known = findStoredFields(resource.schema, await stored(read.records.map(({ value }) => value)));
    read = readRecordFile(roots, resource, { ...rules, stored: known }, filling);
  }
  return read;
}

function missingRequiredFields(
  resource: Resource,
  purpose: Purpose,
  records: readonly InputRecord[],
  byOptions: boolean,
): readonly Problem[] {
  if (purpose === 'patch') return [];
  const required = requiredFields(resource, purpose, ['specification']);
  return records.flatMap((record) =>
    required
      .filter((field) => !Object.hasOwn(record.value, field))
      .map((field) => record.problem('', missingSentence(resource, field, byOptions))),
  );
}

const undialledProblems = ({ schema }: Resource, records: readonly InputRecord[]): readonly Problem[] =>
  records.flatMap((record) =>
    undialledNumbers(schema, record.value).map(({ path, message }) => record.problem(path, message)),
  );

/** Keeps values from the environment and files out of the output and the log. */
function hideConfidential({ host, hide }: Context, records: readonly InputRecord[]): void {
  for (const { value, confidential } of records) {
    for (const path of confidential) addOutsideField(host.outside, path, valueAtKeys(value, splitPath(path)));
    hide(confidential.flatMap((path) => textsBelow(value, path)));
  }
}

/** Converts national numbers by the country of the account, and warns about numbers that it cannot convert. */
async function withCountry(
  context: Context,
  { schema }: Resource,
  records: readonly InputRecord[],
): Promise<readonly InputRecord[]> {
  const found = records.map(({ value }) => numbersOfCountry(schema, value));
  if (found.every((each) => each.length === 0)) return records;
  const country = await (await context.api()).country();
  return records.map((record, index) => {
    for (const { path, text } of found[index] ?? [])
      if (isUnreadNational(text, country) && !record.confidential.includes(path))
        warnUnread(context.notices, text, country, record.place(path));
    return { ...record, value: withDialledNumbers(schema, record.value, country) };
  });
}

const unknownHint = (problems: readonly Problem[]): string | undefined =>
  problems.some(({ unknownKey }) => unknownKey)
    ? 'If this service supports the field, send it with --allow-unknown-fields.'
    : undefined;

function textsBelow(record: JsonObject, path: string): readonly string[] {
  const at = valueAtKeys(record, splitPath(path));
  return typeof at === 'string' ? [at] : [];
}

async function maskOutsideValues(records: readonly InputRecord[]): Promise<readonly InputRecord[]> {
  if (records.every(({ confidential }) => confidential.length === 0)) return records;
  const { maskPaths: maskedAt } = await import('../../../engine/manifest/fill-texts.ts');
  return records.map((record) => ({ ...record, value: maskedAt(record.value, record.confidential) }));
}

function missingSentence(resource: Resource, field: string, byOptions: boolean): string {
  const [option] = byOptions ? optionsFor(resource, field) : [];
  return `"${field}" is missing${option === undefined ? '' : `; pass ${option}`}`;
}

const listItems = (document: DocumentNode): readonly DocumentNode[] =>
  document.kind === 'list' ? document.items : [document];
const emptyRecord: MapNode = { kind: 'map', entries: [], source: optionSource('options'), at: 0 };

/** Without files, returns one empty record for the options. */
async function readDocuments(context: Context, resource: Resource, files: readonly string[]) {
  if (files.length === 0) return { documents: [emptyRecord], problems: [] };
  const { documents, problems } = await readFiles(context, resource, files);
  return { documents: documents.flatMap(listItems), problems };
}

async function readFiles(
  { host }: Context,
  resource: Resource,
  files: readonly string[],
): Promise<{ readonly documents: readonly DocumentNode[]; readonly problems: readonly Problem[] }> {
  const reader = await import('../../../engine/input/read-documents.ts');
  const hasUnknownFormat = (file: string): boolean => !/\.(?:json|ya?ml)$/i.test(file);
  if (!files.some(hasUnknownFormat)) return reader.readDocuments(host, files);
  const [{ csvRecords }, { readInput }] = await Promise.all([
    import('../../../engine/manifest/csv-rows.ts'),
    import('../../../engine/input/read-input.ts'),
  ]);
  const read = [];
  for (const file of files) {
    const given = await readInput(host, file);
    const isTable = isCsv(file) || (hasUnknownFormat(file) && looksLikeCsv(given.text));
    read.push(isTable ? csvRecords(given, resource) : await reader.parse(given.name, given.text));
  }
  return {
    documents: read.flatMap(({ documents }) => documents),
    problems: read.flatMap(({ problems }) => problems),
  };
}

/** Detects CSV by its first line: several titles and no colon. YAML would read it as text. */
const looksLikeCsv = (text: string): boolean => /^\uFEFF?[^\S\n]*[\w"'][^:\n]*[,;\t][^:\n]*\n/.test(text);

const isCsv = (file: string): boolean => /\.csv$/i.test(file);

const nameOfFile = (file: string): string => (file === '-' ? 'standard input' : file);

/** Returns the record of an update or patch. Throws `usage` if a file has several. */
export async function readInputRecord(
  context: Context,
  resource: Resource,
  purpose: Purpose,
  input: ParsedInput,
  stored?: ReadStored,
): Promise<InputRecord> {
  const [first, ...others] = await readInputRecords(context, resource, purpose, input, stored);
  if (first === undefined || others.length > 0)
    throw new Failure(
      'usage',
      `${purpose} changes one ${resource.singular}, but the input has ${others.length + 1}.`,
    );
  return first;
}

function secretInArguments(resource: Resource, purpose: Purpose, option: string, secret: string): Failure {
  const changesPassword = resource.name === 'users' && secret === 'password' && purpose !== 'create';
  return new Failure(
    'usage',
    `${option} would show the secret "${secret}" to everyone who can list processes on this machine.`,
    {
      hint: changesPassword
        ? createHint`${nextStep`users password ID`} asks for it without showing it, or reads it with --password-stdin.`
        : 'Pass it in a file with -f FILE, or on standard input with -f -.',
    },
  );
}

const missingInput = (resource: Resource, purpose: Purpose): Failure =>
  new Failure('usage', purpose === 'create' ? 'No field was given.' : 'No change was given.', {
    hint: `Pass -f FILE, --set PATH=TEXT, or an option such as --${sampleFlag(resource) ?? 'set-json'}.`,
  });

/** Returns an option to suggest, preferably for a column of the list. */
function sampleFlag(resource: Resource): string | undefined {
  const options = new Map(Object.entries(fieldOptions(resource)));
  const [first] = resource.columns.flatMap(({ paths }) => options.get(paths[0] ?? '') ?? []);
  return (first ?? [...options.values()][0])?.flag;
}

const inputRules = new Set(['allowFiles', 'allowUnknownFields', 'noResolve', 'strictInput']);

/** `--enabled=false` sets a field, unlike an absent flag. */
const isOptionGiven = ({ value: takes }: OptionSpec, value: ParsedInput[string]): boolean =>
  isGiven(value) || (value === false && takes !== undefined);

/** Reads a body from files and options, or returns `{}` without input. Throws like `readInputRecord`. */
export async function readInputBody(
  context: Context,
  resource: Resource,
  operation: Operation,
  input: ParsedInput,
  stored?: ReadStored,
): Promise<JsonObject> {
  const options = Object.entries(bodyOptions(resource, operation)).filter(([key]) => !inputRules.has(key));
  if (!options.some(([key, option]) => isOptionGiven(option, input[key]))) return {};
  return readWholeBody(context, resource, operation, input, stored);
}

/** Reads a required body. Throws `usage` without input. See `readInputRecords` for `stored`. */
export async function readWholeBody(
  context: Context,
  resource: Resource,
  operation: Operation,
  input: ParsedInput,
  stored?: ReadStored,
): Promise<JsonObject> {
  return (await readInputRecord(context, bodyResource(resource, operation), 'patch', input, stored)).value;
}
