import { bounded, putOff } from '../../base/bounded.ts';
import type { Timers } from '../../base/host/host.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { extraKey } from '../input/stored-fields.ts';
import { neededFirst } from './desired/cycles.ts';
import { isNamedById, objectsThatNeedIds } from './desired/natural-keys.ts';
import { exportFields } from './export/export-fields.ts';
import { knownIds, markReader, placeholderAt, placeholderNames, type Sightings } from './export/known-ids.ts';
import { idOf, type LocalNames, labelOf, localNames } from './export/local-names.ts';
import { cutsOf, isWorkedOut, settingsOnly, without, withoutDefaults } from './export/written-fields.ts';
import type { ExportAccount, Exported, ExportedObject, Lists, MarkReader } from './exported.ts';
import { type Kind, type KindName, kinds } from './kinds.ts';
import { type KindList, listsOf, recordOf } from './read-kind.ts';
import type { Service } from './service.ts';

export interface Making {
  /** Secrets in clear. */
  readonly reveal: boolean;
  /** Local names that objects have in a manifest already, by kind and id. */
  readonly taken: ReadonlyMap<KindName, LocalNames>;
  /** Fields with default values are kept beside the others, for a manifest that may name them. */
  readonly defaults: boolean;
  /** True when fields that the contract does not know stand under `extra`. */
  readonly allFields: boolean;
}

/** An export in the making: takes records as they are read, in any order, and keeps of each what is written. */
interface Maker {
  take(kind: Kind, record: JsonObject): void;
  /** The export; `missing` says of kinds that were not read whole why. */
  finish(missing: ReadonlyMap<KindName, string>): Exported;
}

/**
 * Begins a manifest of an account: names instead of ids, without what the service makes, without secrets. The same
 * account gives the same manifest, in whatever order its records come.
 */
export function exportMaker(lists: Lists, { reveal, taken, defaults, allFields }: Making): Maker {
  const { account } = lists;
  const names = new Map([
    ...taken,
    ...lists.exported.map(
      ({ kind, items }) => [kind.name, localNames(kind, items, taken.get(kind.name))] as const,
    ),
  ]);
  const described = lists.others.map((list) => describedIn(list, taken));
  const ids = knownIds([...lists.exported, ...described], names);
  const kindNames = new Set(lists.exported.map(({ kind }) => kind.name));
  const objects = new Map<KindName, ExportedObject[]>(lists.exported.map(({ kind }) => [kind.name, []]));
  /** Directories that users are in, by user; members that directories show, by directory. */
  const places = new Map<string, Json>();
  const members = new Map<string, Json>();

  function take(kind: Kind, record: JsonObject): void {
    const id = idOf(kind, record);
    if (kind.name === 'users' && record.directories !== undefined) places.set(id, record.directories);
    if (kind.name === 'directories' && record.users !== undefined) members.set(id, record.users);
    const made = { ...objectOf(kind, id, settingsOnly(kind, record, kindNames)), ...fileOf(kind, record) };
    const { fields, left, leftToExtra } = made;
    if (kind.shape === 'many' || Object.keys(fields).length + left.length + leftToExtra.length > 0)
      objects.get(kind.name)?.push(made);
  }

  function objectOf(kind: Kind, id: string, record: JsonObject): ExportedObject {
    const name = names.get(kind.name)?.get(id) ?? id;
    const key = kind.shape === 'one' ? kind.name : `${kind.name}.${name}`;
    const seen: Sightings = { keys: new Set(), strays: false };
    const seenInExtra: Sightings = { keys: new Set(), strays: false };
    const { fields, extra, left, leftToExtra, variables } = exportFields(kind, record, {
      ids,
      seen,
      seenInExtra,
      accountId: account.id,
      reveal,
      placeholder: (path) => placeholderAt(key, path),
    });
    const needed = withoutDefaults(kind, fields);
    // A manifest that is brought up to date may have some of it already.
    const hasExtra = (allFields || defaults) && leftToExtra.length > 0;
    const beside: JsonObject = hasExtra ? { [extraKey]: extra } : {};
    return {
      kind,
      name,
      key,
      id,
      fields: allFields ? { ...needed, ...beside } : needed,
      whole: { ...(defaults ? fields : needed), ...beside },
      left,
      leftToExtra: allFields ? [] : leftToExtra,
      refersTo: [...new Set([...seen.keys, ...(hasExtra ? seenInExtra.keys : [])])],
      variables,
      strays: seen.strays || (hasExtra && seenInExtra.strays),
    };
  }

  function finish(missing: ReadonlyMap<KindName, string>): Exported {
    const sections = lists.exported.map(({ kind }) => {
      const found = (objects.get(kind.name) ?? [])
        .map((object) => withoutMembers(object))
        .sort((a, b) => (a.name < b.name ? -1 : 1));
      const made = withIds(kind, found);
      const why = missing.get(kind.name);
      return { kind, objects: made, ...(why === undefined ? {} : { missing: why }) };
    });
    const shown = readerOf(
      sections.flatMap((section) => section.objects),
      described,
    );
    return { account, sections, isWhole: missing.size === 0, shown };
  }

  function withoutMembers(object: ExportedObject): ExportedObject {
    if (object.kind.name !== 'directories' || !isWorkedOut(object.id, members.get(object.id), places))
      return object;
    const { fields, whole } = object;
    return { ...object, fields: without(fields, ['users']), whole: without(whole, ['users']), refersTo: [] };
  }

  function readerOf(all: readonly ExportedObject[], alsoNamed: readonly KindList[]): MarkReader {
    const refersTo = new Map(
      all.map(({ key, kind, whole, refersTo }) => [
        key,
        neededFirst({ kind: kind.name, fields: whole, refersTo }),
      ]),
    );
    const cuts = cutsOf([...refersTo.keys()].reverse(), (key) => refersTo.get(key) ?? []);
    const named = alsoNamed.flatMap(({ kind, items }) =>
      items.map((item) => {
        const id = idOf(kind, item);
        return { key: `${kind.name}.${names.get(kind.name)?.get(id) ?? id}`, kind, fields: item };
      }),
    );
    return markReader({
      ids: new Map(
        lists.exported.flatMap(({ kind, items }) =>
          items.map((item) => {
            const id = idOf(kind, item);
            return [`${kind.name}.${names.get(kind.name)?.get(id) ?? id}`, id] as const;
          }),
        ),
      ),
      described: new Map([...all, ...named].map((each) => [each.key, each])),
      cut: new Map(
        [...Map.groupBy(cuts, ({ from }) => from)].map(([from, each]) => [
          from,
          new Set(each.map(({ to }) => to)),
        ]),
      ),
      others: new Map(
        lists.others.flatMap(({ kind, items }) =>
          items.map((item) => [idOf(kind, item), `${labelOf(kind, item)}, which is not exported`] as const),
        ),
      ),
      variables: placeholderNames(all),
    });
  }

  return { take, finish };
}

/** Objects of a kind, with their ids where nothing else tells them from others, and their local names are none. */
function withIds(kind: Kind, objects: readonly ExportedObject[]): readonly ExportedObject[] {
  if (kind.keys.includes('id')) return objects;
  const named = objects.map(({ fields }) => ({ kind: kind.name, name: '', fields }));
  const alike = objectsThatNeedIds(named);
  if (alike.size === 0) return objects;
  return objects.map((object, index) => {
    const { id, name, fields, whole } = object;
    const isAlike = named[index] !== undefined && alike.has(named[index]);
    if (!isAlike || isNamedById({ name })) return object;
    return { ...object, fields: { id, ...fields }, whole: { id, ...whole } };
  });
}

/** Says that an object has a file that somebody gave it: the service speaks texts by itself. */
const fileOf = (
  { calls }: Kind,
  { content_length: size, media_source: source }: JsonObject,
): Pick<ExportedObject, 'hasFile'> =>
  calls.download !== undefined && typeof size === 'number' && source !== 'tts' ? { hasFile: true } : {};

/** Those objects of a list that a manifest describes already. */
const describedIn = ({ kind, items }: KindList, taken: Making['taken']): KindList => ({
  kind,
  items: items.filter((item) => taken.get(kind.name)?.has(idOf(kind, item))),
});

/** Kinds of an account that are wanted. */
interface Listing {
  readonly account: ExportAccount;
  readonly wanted: ReadonlySet<KindName>;
  /** Other kinds whose lists are wanted all the same, for names and ids. */
  readonly named: ReadonlySet<KindName>;
  /** Calls under way at once. */
  readonly concurrency: number;
}

/** Lists what an account has. Throws `Failure` where nothing can be read. */
export async function listAccount(service: Service, listing: Listing): Promise<Lists> {
  const { account, wanted, named, concurrency } = listing;
  const isWanted = ({ name }: Kind): boolean => wanted.has(name);
  const listed = await listsOf(
    service,
    kinds.filter((kind) => isWanted(kind) || (kind.shape === 'many' && named.has(kind.name))),
    concurrency,
  );
  return {
    account,
    exported: listed.filter(({ kind }) => isWanted(kind)),
    others: listed.filter(({ kind }) => !isWanted(kind)),
  };
}

interface Reading {
  /** Calls under way at once. */
  readonly concurrency: number;
  /** Called as records are read. */
  readonly progress: (done: number, total: number) => void;
  readonly take: (kind: Kind, record: JsonObject) => void;
  readonly soon: Timers['soon'];
}

/** Number of unreadable records of a kind after which the rest of the kind is not asked for. */
const triesOfKind = 3;

/**
 * Reads the whole records of what is exported and hands each over as it comes; all kinds are one row of work, so that
 * none waits for another. Gives why kinds are not whole. Throws `Failure` where nothing can be read.
 */
export async function readRecords(
  service: Service,
  { exported }: Lists,
  { concurrency, progress, take, soon }: Reading,
): Promise<ReadonlyMap<KindName, string>> {
  const troubles = new Map<KindName, { count: number; readonly why: string }>();
  const isWhole = ({ shape, resource }: Kind): boolean =>
    shape === 'many' && resource.listFields.length === 0;
  for (const { kind, items } of exported) if (isWhole(kind)) for (const item of items) take(kind, item);
  const work = exported.flatMap(({ kind, items }) =>
    isWhole(kind) ? [] : items.map((item) => ({ kind, id: String(item.id ?? '') })),
  );
  const later = putOff(soon);
  let done = 0;
  await bounded(work, concurrency, async ({ kind, id }) => {
    const before = troubles.get(kind.name);
    if (before !== undefined && before.count >= triesOfKind) {
      before.count += 1;
      return;
    }
    const got = await recordOf(service, kind, id);
    progress(++done, work.length);
    if (typeof got === 'object') return later.add(() => take(kind, { ...got, id }));
    if (got === undefined) return;
    const known = troubles.get(kind.name);
    if (known) known.count += 1;
    else troubles.set(kind.name, { count: 1, why: got });
  });
  await later.done();
  const unlisted = exported.flatMap(({ kind, missing }) =>
    missing === undefined ? [] : [[kind.name, missing] as const],
  );
  return new Map([
    ...unlisted,
    ...[...troubles].map(([name, trouble]) => [name, sentenceOf(trouble)] as const),
  ]);
}

const sentenceOf = ({ count, why }: { readonly count: number; readonly why: string }): string =>
  count === 1 ? why : `${count} of them cannot be read: ${why}`;
