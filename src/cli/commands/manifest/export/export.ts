import { join } from 'node:path';
import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { formatCount } from '../../../../base/wording.ts';
import { pluralIn } from '../../../../contract/resource.ts';
import { listSecrets } from '../../../../contract/secrets.ts';
import { largestInput } from '../../../../engine/input/read-input.ts';
import {
  type AccountReader,
  cacheReads,
  listSections,
  readRecords,
} from '../../../../engine/manifest/account-reader.ts';
import { ExportBuilder, type ExportSettings } from '../../../../engine/manifest/export-builder.ts';
import {
  type ExportAccount,
  type Exported,
  exportedVariables,
  exportWarnings,
} from '../../../../engine/manifest/exported.ts';
import { type KindName, kindByName, kinds } from '../../../../engine/manifest/kinds.ts';
import { layOutFiles, type TextFile, writeFiles } from '../../../../engine/manifest/manifest-files.ts';
import { manifestHead, manifestText, manifestValue } from '../../../../engine/manifest/manifest-text.ts';
import { mergeInto } from '../../../../engine/manifest/merge-files.ts';
import { createService, type Service } from '../../../../engine/manifest/service.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { readOptions } from '../../records/read-account.ts';
import type { exportOptions } from './export-command.ts';
import {
  describeOmissions,
  type ExportTarget,
  existingManifests,
  exportTarget,
  fetchFiles,
  omittedFilesText,
  referencedKinds,
  refuseOverwriting,
  selectedSections,
} from './export-target.ts';

export type ExportInput = InputOf<typeof exportOptions>;

/** Writes the current account as a manifest, to standard output, a file or a folder. */
export async function exportAccount(input: ExportInput, context: Context): Promise<Result> {
  const { host, options, notices } = context;
  refuseFormat(input, context);
  const wanted = selectedSections(input);
  const target = exportTarget(host, input);
  const existing = existingManifests(host, target);
  refuseOverwriting(existing, input);
  const account = await prepareExport(context, wanted, input);
  if (target.to === 'stdout') {
    const exported = await account.make(newManifest);
    await reportExport(exported, account.service, context, input);
    const text = yamlOf(exported, input);
    warnOfSize([{ name: 'The manifest', text }], target, notices);
    const format = context.settings.output.value;
    const isData = format === 'json' || format === 'ndjson' || options.query !== undefined;
    const value = isData ? { value: dataOf(exported, input) } : {};
    return { kind: 'document', text, isYaml: true, ...value, ...exitStatus(exported) };
  }
  const { exported, files } = await exportFiles(context, target, existing, account, input);
  await reportExport(exported, account.service, context, input);
  warnOfSize(files, target, notices);
  writeFiles(host, files, {
    folder: target.to === 'folder' ? target.name : undefined,
    secret: options.reveal,
  });
  const names = files.map(({ name }) => name);
  const untouched = input.merge ? [] : existing.filter((name) => !names.includes(name));
  if (untouched.length > 0)
    notices.warn(
      `${target.name} contains other manifests, which would be applied with these: ${untouched.slice(0, 3).join(', ')}${untouched.length > 3 ? ', …' : ''}`,
    );
  const message =
    files.length === 0
      ? `Nothing to change: ${target.name} matches ${exported.account.name}.`
      : `${formatExportSummary(exported)} to ${target.name}${input.merge ? `; ${files.length === 1 ? '1 file is' : `${files.length} files are`} new or changed` : ''}.`;
  return { kind: 'done', message, value: { files: names }, ...exitStatus(exported) };
}

/** Exports the current account as text and data, with notices. */
export async function exportedText(
  context: Context,
  input: Pick<ExportInput, 'only' | 'portable' | 'allFields' | 'withAccount'>,
): Promise<{ readonly exported: Exported; readonly text: string; readonly value: JsonObject }> {
  const { make } = await prepareExport(context, selectedSections(input), input);
  const exported = await make(newManifest);
  return { exported, text: yamlOf(exported, input), value: dataOf(exported, input) };
}

async function prepareExport(
  context: Context,
  wanted: ReadonlySet<KindName>,
  { allFields = false, out }: Pick<ExportInput, 'allFields'> & Partial<Pick<ExportInput, 'out'>>,
) {
  const { settings, options, notices } = context;
  const service = cacheReads(createService(await context.api(), await context.accountId()));
  const account = await readExportAccount(service, context);
  const named = referencedKinds(wanted);
  const all = kinds.filter(({ name, shape }) => wanted.has(name) || (shape === 'many' && named.has(name)));
  const sections = await listSections(service, all, settings.concurrency.value);
  const exported = sections.filter(({ kind }) => wanted.has(kind.name));
  const lists = { account, exported, others: sections.filter((each) => !exported.includes(each)) };
  const make = async (making: Omit<ExportSettings, 'reveal' | 'allFields'>): Promise<Exported> => {
    const maker = new ExportBuilder(lists, { ...making, reveal: options.reveal, allFields });
    const missing = await readRecords(service, exported, readOptions(context), (kind, record) => {
      if (options.reveal && out === undefined) notices.disclose(listSecrets(kind.schema, record));
      maker.addRecord(kind, record);
    });
    const country = maker.needsCountry ? await (await context.api()).country() : undefined;
    return maker.finish(missing, country);
  };
  return { service, lists, make };
}

function warnOfSize(files: readonly TextFile[], target: ExportTarget, notices: Context['notices']): void {
  const isSplit = target.to === 'folder' && target.split === 'objects';
  for (const { name, text } of files) {
    const size = Buffer.byteLength(text);
    if (size <= largestInput) continue;
    const way = isSplit
      ? ''
      : `; --out FOLDER/${target.to === 'folder' ? ' --split objects' : ''} makes smaller files`;
    notices.warn(`${name} has ${Math.ceil(size / 1_000_000)} MB, and telctl reads files up to 10 MB${way}`);
  }
}

/** Throws `usage` for formats that manifests do not have, and for filters. */
function refuseFormat({ out }: ExportInput, { settings, options }: Context): void {
  const { value, from } = settings.output;
  if (out === undefined && options.query === undefined && (value === 'csv' || value === 'name'))
    throw new Failure('usage', `A manifest cannot be written as ${value} (${from}).`, {
      hint: createHint`export writes YAML, with -o json or ndjson JSON; ${nextStep`users list -o csv`} lists one kind.`,
    });
}

const newManifest = { taken: new Map(), defaults: false } as const;

const exitStatus = ({ isWhole }: Exported): { readonly exit?: 'partial' } =>
  isWhole ? {} : { exit: 'partial' };

async function reportExport(
  exported: Exported,
  reader: AccountReader,
  context: Context,
  { withFiles, only }: Pick<ExportInput, 'withFiles' | 'only'>,
): Promise<void> {
  const { notices, options } = context;
  const left = withFiles ? undefined : omittedFilesText(exported);
  if (left !== undefined) notices.say(left);
  const others =
    only.length > 0 ? [] : await describeOmissions(await context.api(), exported.account.id, reader);
  for (const each of others) notices.say(each);
  if (options.reveal) notices.warn('The export contains secrets in clear (--reveal). Keep it private.');
  for (const warning of [...exportWarnings(exported), ...(await refusedValueWarnings(exported))])
    notices.warn(warning);
  const secrets = exportedVariables(exported);
  if (secrets.length > 0)
    notices.say(
      `${formatCount(secrets.length, 'secret')} ${secrets.length === 1 ? 'is' : 'are'} replaced by environment variables, such as ${secrets[0]}.`,
    );
}

/** Warns about objects with values that services ignore or refuse. `validate` reports them as errors. */
async function refusedValueWarnings({ sections }: Exported): Promise<readonly string[]> {
  const [{ createValidator }, { isRefusedWord }] = await Promise.all([
    import('../../../../contract/validate.ts'),
    import('../../../../contract/word-findings.ts'),
  ]);
  const found = sections.flatMap(({ kind: { name, schema }, objects }) => {
    if (name === 'callflows' || name === 'metaflows') return [];
    const check = createValidator(schema, 'conventions', { partial: true });
    return objects.flatMap(({ key, fields }) =>
      check(fields)
        .filter((problem) => isRefusedWord(schema, problem))
        .map(({ path, message }) => `${key}: "${path}" ${message}`),
    );
  });
  const [first, ...others] = found;
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` (and ${formatCount(others.length, 'more value')})`;
  return [
    `${first}${more}; it has no effect. validate reports it as an error: correct it, or pass --allow-unknown-fields`,
  ];
}

const yamlOf = (
  exported: Exported,
  { withAccount = false }: Pick<ExportInput, 'withAccount'>,
  depth = 0,
): string => manifestText(exported, manifestHead(exported.account, { withAccount, depth }));

const dataOf = (exported: Exported, { withAccount }: Pick<ExportInput, 'withAccount'>): JsonObject =>
  manifestValue(exported, withAccount ? { account: exported.account.name.replaceAll('${', '$$${') } : {});

/** Returns the files of an export with their texts. With `--merge`, only the files that change. */
async function exportFiles(
  context: Context,
  target: Exclude<ExportTarget, { to: 'stdout' }>,
  existing: readonly string[],
  { lists, make, service }: Awaited<ReturnType<typeof prepareExport>>,
  input: ExportInput,
): Promise<{ readonly exported: Exported; readonly files: readonly TextFile[] }> {
  const { host, notices, state } = context;
  const split = target.to === 'folder' ? target.split : 'none';
  const pathBelow = (path: string): string => (path === '' ? target.name : join(target.name, path));
  const fileText = (exported: Exported, path: string): string =>
    yamlOf(exported, input, path.split('/').length - 1);
  if (input.merge && existing.length > 0) {
    const removeMissing = input.removeMissing === true;
    const { origin, id: accountId } = lists.account;
    const store = (await state()).ledger({ origin, accountId }, input.ledger);
    return mergeInto(host, existing, {
      lists,
      make,
      ledger: await store.read(),
      removeMissing,
      split,
      nameOf: pathBelow,
      textOf: fileText,
      warn: notices.warn,
    });
  }
  const read = await make(newManifest);
  const exported = input.withFiles
    ? await fetchFiles(context, service, { target, force: input.force === true }, read)
    : read;
  if (target.to === 'file' && target.notation === 'json') {
    const text = `${JSON.stringify(dataOf(exported, input), null, 2)}\n`;
    return { exported, files: [{ name: target.name, text }] };
  }
  const files = layOutFiles(exported, split).map(({ path, sections }) => ({
    name: pathBelow(path),
    text: fileText({ ...exported, sections }, path),
  }));
  return { exported, files };
}

/** `Exported 12 objects of acme (3 users, 2 callflows, …)` */
function formatExportSummary({ account, sections }: Exported): string {
  const counts = sections.flatMap(({ kind, objects }) =>
    objects.length === 0
      ? []
      : [
          kind.shape === 'one'
            ? kind.name
            : formatCount(objects.length, kind.resource.singular, pluralIn(kind.resource)),
        ],
  );
  const what = counts.length === 0 ? 'nothing' : counts.join(', ');
  return `Exported ${what} of ${account.name}`;
}

async function readExportAccount(service: Service, context: Context): Promise<ExportAccount> {
  const { profile } = await context.session();
  const got = await service.get(kindByName('account_settings'), service.accountId);
  const { name, realm } = (got.found === 'record' ? got.record : undefined) ?? {};
  return {
    id: service.accountId,
    name: typeof name === 'string' ? name : service.accountId,
    realm: typeof realm === 'string' ? realm : service.accountId,
    origin: new URL(profile.baseUrl).origin,
  };
}
