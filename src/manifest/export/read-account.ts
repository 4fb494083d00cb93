import { bounded } from '../../base/bounded.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Kind, type KindName, kinds } from '../kinds.ts';
import type { Service } from '../service.ts';
import { listsOf, recordOf } from '../state/read-kind.ts';
import type { ExportAccount, Lists } from './exported.ts';

/** Kinds of an account that are wanted. */
interface Listing {
  readonly account: ExportAccount;
  /** Kinds that are exported. */
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

/** Settings for reading records. */
interface Reading {
  /** Calls under way at once. */
  readonly concurrency: number;
  /** Told as records are read. */
  readonly progress: (done: number, total: number) => void;
  readonly take: (kind: Kind, record: JsonObject) => void;
}

/** After so many records of a kind that could not be read, the rest of the kind is not asked for. */
const triesOfKind = 3;

/**
 * Reads the whole records of what is exported and hands each over as it comes; all kinds are one row of work, so that
 * none waits for another. Gives why kinds are not whole. Throws `Failure` where nothing can be read.
 */
export async function readRecords(
  service: Service,
  { exported }: Lists,
  { concurrency, progress, take }: Reading,
): Promise<ReadonlyMap<KindName, string>> {
  const troubles = new Map<KindName, { count: number; readonly why: string }>();
  const isWhole = ({ shape, resource }: Kind): boolean =>
    shape === 'many' && resource.listFields.length === 0;
  for (const { kind, items } of exported) if (isWhole(kind)) for (const item of items) take(kind, item);
  const work = exported.flatMap(({ kind, items }) =>
    isWhole(kind) ? [] : items.map((item) => ({ kind, id: String(item.id ?? '') })),
  );
  let done = 0;
  await bounded(work, concurrency, async ({ kind, id }) => {
    const before = troubles.get(kind.name);
    if (before !== undefined && before.count >= triesOfKind) {
      before.count += 1;
      return;
    }
    const got = await recordOf(service, kind, id);
    progress(++done, work.length);
    if (typeof got === 'object') return take(kind, { ...got, id });
    if (got === undefined) return;
    const known = troubles.get(kind.name);
    if (known) known.count += 1;
    else troubles.set(kind.name, { count: 1, why: got });
  });
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
