import { deferWork, mapWithConcurrency } from '../../base/concurrency.ts';
import { Failure } from '../../base/failure.ts';
import type { Timers } from '../../base/host/host.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Ledger } from '../state/ledger.ts';
import { type DesiredAccount, desiredLabel, withReferences } from './desired.ts';
import { objectId } from './exported.ts';
import { type Kind, type KindName, kindByName, kindOfSection, kinds } from './kinds.ts';
import type { Observed } from './plan.ts';
import type { Got, Service, ServiceList } from './service.ts';

export interface Section {
  readonly kind: Kind;
  /** Summaries or complete records. The id of settings that an account has once is the kind's name. */
  readonly records: readonly JsonObject[];
  readonly missing?: string;
}

export type AccountReader = Pick<Service, 'list' | 'get'>;

type Seen = Pick<Observed, 'listed' | 'matches' | 'abandoned'>;

/** Requests each list and record once. `seen` contains records that were already read. */
export function cacheReads(service: Service, seen?: Seen): Service {
  const lists = new Map<string, Promise<ServiceList | undefined>>();
  const records = new Map<string, Promise<Got>>();
  const cacheKey = ({ shape, name }: Kind, id: string): string => (shape === 'one' ? name : `${name} ${id}`);
  for (const [name, items] of seen?.listed ?? [])
    lists.set(name, Promise.resolve({ items, atSeconds: undefined }));
  for (const [key, { id, record }] of [...(seen?.matches ?? []), ...(seen?.abandoned ?? [])]) {
    const kind = kindOfSection(key.split('.', 1)[0] ?? '');
    const got = { found: 'record', record, requestId: undefined, atSeconds: undefined } as const;
    if (kind && record) records.set(cacheKey(kind, id), Promise.resolve(got));
  }
  return {
    ...service,
    list: (kind, options) =>
      options === undefined
        ? readCached(lists, kind.name, () => service.list(kind))
        : service.list(kind, options),
    get: (kind, id) => readCached(records, cacheKey(kind, id), () => service.get(kind, id)),
  };
}

/** A failed read can be repeated. */
function readCached<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const before = known.get(key);
  if (before) return before;
  const reading = read();
  known.set(key, reading);
  reading.catch(() => known.delete(key));
  return reading;
}

/** Other reads fail the same way. */
const hopeless: ReadonlySet<string> = new Set(['auth', 'interrupted', 'unavailable']);

/** Returns the failure of a list or record. Throws errors that affect every read, such as a rate limit. */
function readFailure(error: unknown): Failure {
  if (!(error instanceof Failure)) throw error;
  const { status = 0 } = error;
  if (hopeless.has(error.kind) && status !== 403 && status < 500) throw error;
  return error;
}

/** If a list fails, its section has the reason in `missing`. Throws `Failure` if all lists fail. */
export async function listSections(
  reader: AccountReader,
  kinds: readonly Kind[],
  concurrency: number,
): Promise<readonly Section[]> {
  const listed = await mapWithConcurrency(kinds, concurrency, (kind) => listSection(reader, kind));
  const [first] = listed;
  if (first?.failure && listed.every(({ failure }) => failure?.kind === 'unavailable')) throw first.failure;
  return listed.map(({ failure: _, ...section }) => section);
}

async function listSection(
  reader: AccountReader,
  kind: Kind,
): Promise<Section & { readonly failure?: Failure }> {
  if (kind.shape === 'one') return { kind, records: [{ id: kind.name }] };
  try {
    const listing = await reader.list(kind);
    return listing
      ? { kind, records: listing.items }
      : { kind, records: [], missing: 'the service has no list of them' };
  } catch (error) {
    const failure = readFailure(error);
    return { kind, records: [], missing: failure.message, failure };
  }
}

/** Returns a record, or the reason why it cannot be read. Throws `Failure` if no other record can be read either. */
export async function tryReadRecord(
  reader: AccountReader,
  kind: Kind,
  id: string,
): Promise<JsonObject | undefined | string> {
  try {
    const got = await reader.get(kind, id);
    if (got.found === 'record')
      return got.record ?? 'the service answered with something that is not a record';
    return got.found === 'none' ? undefined : 'the service has no way to read them';
  } catch (error) {
    return readFailure(error).message;
  }
}

interface Reading {
  readonly concurrency: number;
  readonly progress: (done: number, total: number) => void;
  readonly soon: Timers['soon'];
}

/** After this number of unreadable records, the rest of the kind is skipped. */
const triesOfKind = 3;

export const isListedWhole = ({ shape, resource }: Kind): boolean =>
  shape === 'many' && resource.listFields.length === 0;

/** Calls `take` with each record as it arrives. Returns the reason for each incomplete kind. */
export async function readRecords(
  reader: AccountReader,
  sections: readonly Section[],
  { concurrency, progress, soon }: Reading,
  take: (kind: Kind, record: JsonObject) => void,
): Promise<ReadonlyMap<KindName, string>> {
  const troubles = new Map<KindName, { count: number; readonly why: string }>();
  const work = sections.flatMap(({ kind, records }) => {
    if (!isListedWhole(kind)) return records.map((record) => ({ kind, id: objectId(kind, record) }));
    for (const record of records) take(kind, record);
    return [];
  });
  const later = deferWork(soon);
  let done = 0;
  await mapWithConcurrency(work, concurrency, async ({ kind, id }) => {
    const known = troubles.get(kind.name);
    if (known !== undefined && known.count >= triesOfKind) {
      known.count += 1;
      return;
    }
    const got = await tryReadRecord(reader, kind, id);
    progress(++done, work.length);
    if (typeof got === 'object')
      return later.add(() => take(kind, kind.shape === 'many' ? { ...got, id } : got));
    if (got === undefined) return;
    const trouble = troubles.get(kind.name);
    if (trouble) trouble.count += 1;
    else troubles.set(kind.name, { count: 1, why: got });
  });
  await later.done();
  return new Map([
    ...sections.flatMap(({ kind, missing }) =>
      missing === undefined ? [] : [[kind.name, missing] as const],
    ),
    ...[...troubles].map(([name, trouble]) => [name, describeUnreadable(trouble)] as const),
  ]);
}

const describeUnreadable = ({ count, why }: { readonly count: number; readonly why: string }): string =>
  count === 1 ? why : `${count} of them cannot be read: ${why}`;

/** Throws `Failure` if no kind can be read. */
export async function readSections(
  reader: AccountReader,
  { whole, listed = [] }: { readonly whole: readonly KindName[]; readonly listed?: readonly KindName[] },
  reading: Reading,
): Promise<readonly Section[]> {
  const names = [...new Set([...whole, ...listed])];
  const sections = await listSections(reader, names.map(kindByName), reading.concurrency);
  const open = sections.filter(({ kind }) => whole.includes(kind.name));
  const read = new Map<string, JsonObject>();
  const recordSlot = (kind: Kind, record: JsonObject): string => `${kind.name} ${objectId(kind, record)}`;
  const missing = await readRecords(reader, open, reading, (kind, record) => {
    read.set(recordSlot(kind, record), record);
  });
  return sections.map((section): Section => {
    const { kind, records } = section;
    if (!open.includes(section)) return section;
    const why = missing.get(kind.name);
    const found = records
      .map((record) => read.get(recordSlot(kind, record)))
      .filter((each) => each !== undefined);
    return { kind, records: found, ...(why === undefined ? {} : { missing: why }) };
  });
}

/** Ids of the records are the keys of the objects. */
export const sectionsOfManifest = ({ objects }: DesiredAccount): readonly Section[] =>
  [...Map.groupBy(objects, ({ kind }) => kind)].map(([name, all]) => {
    const kind = kindByName(name);
    const records = all.map(({ key, fields }) => {
      const filled = withReferences(fields, (reference) => reference);
      return kind.shape === 'many' ? { ...filled, id: key } : filled;
    });
    return { kind, records };
  });

export interface Unmanaged {
  readonly objects: readonly { readonly kind: KindName; readonly id: string; readonly label: string }[];
  readonly unread: Readonly<Record<string, string>>;
}

/** Lists objects that are in no manifest of this state. Omits phone numbers, because callflows contain them. */
export async function listUnmanaged(
  reader: AccountReader,
  { matches, account }: Observed,
  ledger: Ledger | undefined,
  concurrency: number,
): Promise<Unmanaged> {
  const managed = new Set([
    ...[...matches.values()].map(({ id }) => id),
    ...(ledger?.entries ?? []).map(({ id }) => id),
    ...(account.id === undefined ? [] : [account.id]),
  ]);
  const many = kinds.filter(({ shape, name }) => shape === 'many' && name !== 'numbers');
  const sections = await listSections(reader, many, concurrency);
  return {
    objects: sections.flatMap(({ kind, records }) =>
      records.flatMap((record) => {
        const { id } = record;
        return typeof id !== 'string' || managed.has(id)
          ? []
          : [{ kind: kind.name, id, label: desiredLabel(kind, id, [record]) }];
      }),
    ),
    unread: Object.fromEntries(
      sections.flatMap(({ kind, missing }) => (missing === undefined ? [] : [[kind.name, missing]])),
    ),
  };
}
