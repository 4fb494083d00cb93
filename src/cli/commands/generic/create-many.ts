import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Api } from '../../../client/api/api.ts';
import { pluralIn } from '../../../contract/resource.ts';
import type { Resource } from '../../../contract/types.ts';
import type { InputRecord } from '../../../engine/input/read-records.ts';
import { holdsSent } from '../../../engine/manifest/canonical.ts';
import { canonicalTexts } from '../../../engine/manifest/match-objects.ts';
import {
  createWithOwnId,
  deriveIds,
  idTakenFailure,
  knownOwnIds,
  noOwnIds,
  type OwnIds,
} from '../../../engine/manifest/own-ids.ts';
import type { Context } from '../../command/context.ts';
import type { Result } from '../../command/result.ts';
import {
  appendCounts,
  bulkFailure,
  changeInBulk,
  countOutcomes,
  type LookupResult,
  type OutcomeCounts,
} from '../bulk/bulk.ts';
import { changeResult, changesRecord } from '../change.ts';
import { labelOf } from '../labels.ts';
import { asRecord, operationFor, pathTo } from '../records/find-named.ts';
import { bestKey, type ListedRecords, listRecords, recordIfThere } from '../records/listed-records.ts';

export type ExistingRecords = 'fail' | 'skip' | 'update';

interface CreatedRecord {
  readonly how: 'created' | 'changed' | 'unchanged' | 'skipped';
  readonly record: JsonObject;
}

/** Creates records. Lists the collection before the first change, to find existing and lost records. */
export async function createMany(
  context: Context,
  resource: Resource,
  records: readonly InputRecord[],
  {
    existing,
    list,
  }: { readonly existing: ExistingRecords; readonly list: () => ReturnType<typeof listExisting> },
): Promise<Result> {
  const listed = await list();
  const ownIds = await ownIdsOfRecords(context, resource, records, listed?.ids);
  const batch: Batch = { context, resource, existing, listed, ownIds, known: new Set(listed?.ids) };
  const outcomes = await changeInBulk<InputRecord, CreatedRecord>(context, records, {
    doing: `create ${pluralIn(resource)}`,
    send: (api, record) => sendRecord(api, batch, record),
    lookUp: (api, lost) => findLost(api, batch, lost),
  });
  const made = outcomes.flatMap((outcome) => (outcome.end === 'done' ? [outcome.result] : []));
  const failure = bulkFailure(records, outcomes, {
    label: ({ value }) => labelOf(resource, value),
    place: (record) => record.place(),
    noun: resource.name,
    done: 'created',
    hint: (ends) => hintAfter(ends, existing),
  });
  if (failure && made.length === 0) throw failure;
  const changed = made.flatMap(({ how, record }) => (how === 'created' || how === 'changed' ? [record] : []));
  const message = createdMessage(made, countOutcomes(outcomes), resource.singular, pluralIn(resource));
  return changeResult(resource, message, changed, failure);
}

interface Batch {
  readonly context: Context;
  readonly resource: Resource;
  readonly existing: ExistingRecords;
  readonly listed: ListedRecords | undefined;
  readonly ownIds: (record: InputRecord) => OwnIds;
  /** Ids that existed before the first create, and ids that responses returned. */
  readonly known: Set<string>;
}

async function sendRecord(api: Api, batch: Batch, record: InputRecord): Promise<CreatedRecord> {
  const { resource, existing, listed, known } = batch;
  const { value } = record;
  const operation = operationFor(resource, 'create');
  const id = await findExisting(resource, listed, value);
  if (listed && id !== undefined) return settleExisting(api, resource, listed, id, value, existing);
  const create = async (data: JsonObject): Promise<JsonObject> =>
    asRecord(resource, (await api.call({ operation, data })).data);
  const own = batch.ownIds(record);
  const created =
    own.ids.length === 0
      ? await create(value)
      : (
          await createWithOwnId(own, {
            create: (ownId) => create(ownId === undefined ? value : { ...value, id: ownId }),
            read: (ownId) => recordIfThere(api, resource, ownId),
            isSame: (stored) => holdsSent(resource, stored, value),
            other: (ownId) => idTakenFailure(resource, labelOf(resource, value), ownId),
          })
        ).made;
  if (typeof created.id === 'string') known.add(created.id);
  return { how: 'created', record: created };
}

async function findLost(
  api: Api,
  { context, resource, listed, known }: Batch,
  lost: readonly InputRecord[],
): Promise<readonly LookupResult<CreatedRecord>[]> {
  const now = listed && (await listRecords(api, resource, context.settings.concurrency.value));
  // Without an earlier list, new records cannot be distinguished from old ones.
  if (listed === undefined || now === undefined) return lost.map(() => ({ end: 'unknown' }));
  const taken = new Set(known);
  const found: LookupResult<CreatedRecord>[] = [];
  for (const { value } of lost) {
    const [before] = await listed.find(value);
    const ids = before === undefined ? await now.find(value, taken) : [before];
    const [id] = ids;
    if (id !== undefined) taken.add(id);
    const record = id === undefined ? undefined : await recordIfThere(api, resource, id);
    const isDone = record !== undefined && (before === undefined || !changesRecord(record, value));
    if (ids.length > 1) found.push({ end: 'unknown' });
    else if (isDone) found.push({ end: 'done', result: { how: before ? 'changed' : 'created', record } });
    else found.push({ end: 'not done' });
  }
  return found;
}

/** Adds ids that are derived from the account and the name, so that repeated creates make one record. */
async function ownIdsOfRecords(
  context: Context,
  resource: Resource,
  records: readonly InputRecord[],
  taken: ReadonlySet<string> = new Set(),
): Promise<(record: InputRecord) => OwnIds> {
  const session = await context.session();
  if (!resource.takesOwnId || session.learned().takesOwnIds === false) return () => noOwnIds;
  const ids = new Map<InputRecord, readonly string[]>();
  const accountId = await context.accountId();
  const named = new Map<string, number>();
  for (const record of records) {
    const { value } = record;
    const key = bestKey(resource, value);
    if (key === undefined || value.id !== undefined) continue;
    const name = JSON.stringify([key, ...canonicalTexts(resource, value, key)]);
    const before = named.get(name) ?? 0;
    named.set(name, before + 1);
    ids.set(record, deriveIds(['create', accountId, resource.name, name, String(before)], taken));
  }
  return (record) => knownOwnIds(session, () => ids.get(record) ?? []);
}

/** Lists the collection before the first change. After Ctrl-C, the `Failure` reports that nothing was created. */
export async function listExisting(
  context: Context,
  resource: Resource,
  existing: ExistingRecords,
): Promise<ListedRecords | undefined> {
  try {
    const listed = await listRecords(await context.api(), resource, context.settings.concurrency.value);
    if (listed || existing === 'fail') return listed;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'interrupted') throw error;
    throw new Failure('interrupted', 'Interrupted before anything was sent. Nothing was created.', {
      cause: error,
    });
  }
  throw new Failure(
    'usage',
    `The service has no list of ${pluralIn(resource)}, so telctl cannot find existing ones. Nothing was sent.`,
    { hint: 'Omit --existing.' },
  );
}

/** Finds the existing record by the best natural key of a new one. Throws `Failure` if there are two. */
async function findExisting(
  resource: Resource,
  listed: ListedRecords | undefined,
  value: JsonObject,
): Promise<string | undefined> {
  const ids = (await listed?.find(value)) ?? [];
  const [id, ...more] = ids;
  if (more.length === 0) return id;
  throw new Failure(
    'conflict',
    `${ids.length} ${pluralIn(resource)} match: ${ids.join(', ')}. No request was sent for this record.`,
    { hint: 'Delete or rename the others, or change the record by its id.' },
  );
}

async function settleExisting(
  api: Api,
  resource: Resource,
  listed: ListedRecords,
  id: string,
  value: JsonObject,
  existing: ExistingRecords,
): Promise<CreatedRecord> {
  if (existing === 'fail')
    throw new Failure(
      'conflict',
      `A ${resource.singular} with this ${bestKey(resource, value) ?? 'content'} already exists (${id}).`,
      { hint: existingHint },
    );
  if (existing === 'skip') return { how: 'skipped', record: { ...value, id } };
  const record = await listed.read(id);
  if (!changesRecord(record, value)) return { how: 'unchanged', record };
  const patch = { operation: operationFor(resource, 'patch'), path: pathTo(resource, id), data: value };
  return { how: 'changed', record: { ...asRecord(resource, (await api.call(patch)).data), id } };
}

function createdMessage(
  made: readonly CreatedRecord[],
  { failed, skipped, unknown }: OutcomeCounts,
  singular: string,
  plural: string,
): string {
  const count = (how: CreatedRecord['how']): number => made.filter((each) => each.how === how).length;
  const isMore = made.length > count('created') || failed + skipped + unknown > 0;
  const created = isMore ? formatCount(count('created'), singular, plural) : `${made.length} ${plural}`;
  return appendCounts(`Created ${created}`, {
    'changed #': count('changed'),
    '# unchanged': count('unchanged'),
    '# there already': count('skipped'),
    'failed #': failed,
    '# never sent': skipped,
    '# unknown': unknown,
  });
}

const existingHint = 'Pass --existing skip to skip existing records, or --existing update to change them.';

const hintAfter = ({ done, unknown }: OutcomeCounts, existing: ExistingRecords): string | undefined =>
  unknown > 0 || (done > 0 && existing === 'fail')
    ? 'Repeat the command with --existing skip to skip existing records.'
    : undefined;
