import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { type Json, type JsonObject, textOrUndefined, valueAt } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { pluralIn } from '../../../contract/resource.ts';
import { typeOfContent } from '../../../contract/resources/media.ts';
import type { UniqueRule } from '../../../contract/types.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import { readInput } from '../../../engine/input/read-input.ts';
import { listSections } from '../../../engine/manifest/account-reader.ts';
import type { ExportedObject } from '../../../engine/manifest/exported.ts';
import { type Kind, kindByName, kinds } from '../../../engine/manifest/kinds.ts';
import { parseCsv } from '../../../engine/manifest/parse-csv.ts';
import type { Service } from '../../../engine/manifest/service.ts';
import type { Context } from '../../command/context.ts';
import type { Planning } from '../manifest/plan/planning.ts';
import { readAccountSections } from '../records/read-account.ts';

const isPortable = ({ resource }: Kind): boolean => resource.absent?.portable === undefined;

async function countRecords(
  service: Service,
  concurrency: number,
  isMeant: (kind: Kind) => boolean,
): Promise<readonly string[]> {
  const meant = kinds.filter((kind) => kind.shape === 'many' && isMeant(kind));
  const lists = await listSections(service, meant, concurrency);
  return lists.flatMap(({ kind, records: { length } }) => {
    if (length === 0) return [];
    const { name, singular } = kind.resource;
    const many = pluralIn(kind.resource);
    return [name === 'accounts' ? formatCount(length, 'sub-account') : formatCount(length, singular, many)];
  });
}

/** Describes the contents of an account, except settings that every account has. */
export const listContents = (service: Service, concurrency: number): Promise<readonly string[]> =>
  countRecords(service, concurrency, (kind) => isPortable(kind) && kind.calls.create !== undefined);

/** Describes the contents that can only belong to one account and are not copied. */
export const listUncopied = (service: Service, concurrency: number): Promise<readonly string[]> =>
  countRecords(service, concurrency, (kind) => !isPortable(kind));

/** Reads the file of `--numbers`: rows of a number and its replacement. Throws `invalid` with each wrong row. */
export async function readNumberMap(
  host: Host,
  operand: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (operand === undefined) return new Map();
  const { name: file, text } = await readInput(host, operand);
  const { head, rows } = parseCsv({ name: file, text });
  const isHead = head?.cells.some((cell) => !/\d{3}/.test(cell));
  const found = new Map<string, string>();
  const problems: Problem[] = [];
  for (const { line, cells } of head && !isHead ? [head, ...rows] : rows) {
    const [from = '', to = ''] = cells.map((cell) => normalisedNumber(cell.trim()));
    const wrong = [from, to].find((each) => !/^\+\d{7,15}$/.test(each));
    const message =
      wrong !== undefined
        ? `${JSON.stringify(wrong)} is not a number. A row has two numbers, such as +12125550140,+12125550150`
        : found.has(from)
          ? `${from} is in two rows`
          : undefined;
    if (message === undefined) found.set(from, to);
    else problems.push({ place: `${file}:${line}`, file, line, column: undefined, message });
  }
  if (problems.length > 0) throw problemsFailure(problems);
  return found;
}

function uniqueValues(record: JsonObject, { field, countsDigits }: UniqueRule): readonly string[] {
  const value = valueAt(record, field);
  const all: readonly (Json | undefined)[] = Array.isArray(value) ? value : [value];
  return all.flatMap((each) => {
    const text = textOrUndefined(each);
    if (text === undefined || text === '') return [];
    return countsDigits && /^\d+$/.test(text) ? String(Number(text)) : text.toLowerCase();
  });
}

/** Throws `conflict` with all objects and unique values that the other account already has. */
export async function refuseClashes(
  context: Context,
  { accounts }: Pick<Planning, 'accounts'>,
  {
    account,
    isEmpty,
    copied,
  }: {
    readonly account: string;
    readonly isEmpty: boolean;
    /** Keys of the objects that an interrupted copy started to create. They do not clash. */
    readonly copied: ReadonlySet<string>;
  },
): Promise<void> {
  const steps = accounts.flatMap(({ plan }) => plan.steps);
  const isSingleton = (kind: string): boolean => kindByName(kind).shape === 'one';
  const there = steps.filter(
    ({ key, kind, by, action }) =>
      !isSingleton(kind) && by !== 'create' && action !== 'delete' && !copied.has(key),
  );
  const clashes = there.map(({ label }) => label);
  if (!isEmpty) {
    const made = steps.filter(({ kind, by }) => by === 'create' && !isSingleton(kind));
    const names = [...new Set(made.map(({ kind }) => kindByName(kind)))].filter(
      ({ resource }) => resource.unique.length > 0,
    );
    const { sections } = await readAccountSections(context, { whole: names.map(({ name }) => name) });
    for (const { kind, records } of sections)
      for (const rule of kind.resource.unique) {
        const taken = new Map(
          records.flatMap((record) => uniqueValues(record, rule).map((value) => [value, record])),
        );
        for (const { kind: of, label, send } of made) {
          if (of !== kind.name) continue;
          const value = uniqueValues(send ?? {}, rule).find((each) => taken.has(each));
          if (value !== undefined)
            clashes.push(
              `${label}: ${rule.field} ${value} is already used by ${quotedName(taken.get(value))}`,
            );
        }
      }
  }
  if (clashes.length === 0) return;
  const head = `${formatCount(clashes.length, 'object')} ${clashes.length === 1 ? 'clashes' : 'clash'} with records of ${account}. Nothing was sent.`;
  throw new Failure('conflict', [head, ...clashes.map((each) => `  ${each}`)], {
    hint: 'Rename or delete them there, or choose other kinds with --only KIND.',
    details: { clashes },
  });
}

export function refuseWithoutPasswords({ accounts }: Pick<Planning, 'accounts'>): void {
  const lacking = accounts
    .flatMap(({ plan }) => plan.steps)
    .filter(({ kind, by, send }) => kind === 'users' && by === 'create' && send?.password === undefined)
    .filter(({ send }) => send?.username !== undefined);
  if (lacking.length === 0) return;
  throw new Failure(
    'usage',
    `${formatCount(lacking.length, 'user')} ${lacking.length === 1 ? 'needs a password' : 'need passwords'} in the other account. Nothing was sent.`,
    { hint: 'To generate passwords and write them to a new private file, pass --generate-passwords FILE.' },
  );
}

const quotedName = (record: JsonObject | undefined): string =>
  JSON.stringify(
    textOrUndefined(record?.name) ?? textOrUndefined(record?.username) ?? textOrUndefined(record?.id) ?? '',
  );

/** Copies the files of media one by one. Returns a line for each file that could not be copied. */
export async function copyFiles(
  context: Context,
  { source, target }: { readonly source: Service; readonly target: Service },
  objects: readonly ExportedObject[],
  ids: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const lost: string[] = [];
  const withFile = objects.filter(({ hasFile, key }) => hasFile && ids.has(key));
  await mapWithConcurrency(withFile, context.settings.concurrency.value, async ({ kind, id, key, name }) => {
    try {
      const bytes = await source.download(kind, id);
      const type = bytes && typeOfContent(bytes, name);
      if (!bytes || type === undefined) throw new Failure('failed', 'the service returned no file');
      await target.upload(kind, ids.get(key) ?? '', { bytes, type });
    } catch (error) {
      if (!(error instanceof Failure) || error.kind === 'interrupted') throw error;
      lost.push(`  ${key}: ${error.message}`);
    }
  });
  return lost;
}
