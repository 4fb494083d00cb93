import { bounded, putOff } from '../../base/bounded.ts';
import { Failure } from '../../base/failure.ts';
import type { Timers } from '../../base/host/host.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Ledger } from '../state/ledger.ts';
import { desiredLabel } from './desired.ts';
import type { ExportAccount, Lists } from './exported.ts';
import { type Kind, type KindName, kinds } from './kinds.ts';
import type { Observed } from './plan.ts';
import type { Service } from './service.ts';

export interface KindList {
  readonly kind: Kind;
  /** Summaries with ids; what an account has once stands there as one, named by its kind. */
  readonly items: readonly JsonObject[];
  /** Reason why there may be more than these. */
  readonly missing?: string;
}

/** A list, or why there is none. */
interface Listed extends KindList {
  readonly failure?: Failure;
}

/** Failures after which nothing else would be read either. */
const hopeless: ReadonlySet<string> = new Set(['auth', 'interrupted', 'unavailable']);

/**
 * Lists kinds; one that the service refuses or fails at does not end the others. Throws `Failure` where nothing can be
 * read.
 */
export async function listsOf(
  service: Service,
  kinds: readonly Kind[],
  concurrency: number,
): Promise<readonly KindList[]> {
  const listed = await bounded(kinds, concurrency, (kind) => listedKind(service, kind));
  const [first] = listed;
  if (first?.failure && listed.every(({ failure }) => failure?.kind === 'unavailable')) throw first.failure;
  return listed.map(({ failure: _, ...list }) => list);
}

async function listedKind(service: Service, kind: Kind): Promise<Listed> {
  if (kind.shape === 'one') return { kind, items: [{ id: kind.name }] };
  try {
    const listing = await service.list(kind);
    return listing
      ? { kind, items: listing.items }
      : { kind, items: [], missing: 'the service has no list of them' };
  } catch (error) {
    const failure = unread(error);
    return { kind, items: [], missing: failure.message, failure };
  }
}

/** A record, or why it cannot be read. Throws `Failure` where nothing can be read. */
export async function recordOf(
  service: Service,
  kind: Kind,
  id: string,
): Promise<JsonObject | undefined | string> {
  try {
    const got = await service.get(kind, id);
    if (got.found === 'record')
      return got.record ?? 'the service answered with something that is not a record';
    return got.found === 'none' ? undefined : 'the service has no way to read them';
  } catch (error) {
    return unread(error).message;
  }
}

/**
 * Returns the reason why one thing cannot be read. Throws errors that concern every read: no sign-in, no connection,
 * a rate limit, Ctrl-C. A 403 and a server error are about that one thing, as long as others are answered.
 */
function unread(error: unknown): Failure {
  if (!(error instanceof Failure)) throw error;
  const { status = 0 } = error;
  if (hopeless.has(error.kind) && status !== 403 && status < 500) throw error;
  return error;
}

/** What an account holds and no manifest names. */
export interface Unmanaged {
  readonly objects: readonly { readonly kind: KindName; readonly id: string; readonly label: string }[];
  /** Reasons why sections could not be read whole. */
  readonly unread: Readonly<Record<string, string>>;
}

/**
 * Lists what is in an account and neither in this manifest nor in another that was applied from this state. Phone numbers
 * are left out, since callflows hold them. Throws `Failure` where nothing can be read.
 */
export async function unmanagedIn(
  service: Service,
  { matches, listed, account }: Observed,
  ledger: Ledger | undefined,
  concurrency: number,
): Promise<Unmanaged> {
  const managed = new Set([
    ...[...matches.values()].map(({ id }) => id),
    ...(ledger?.entries ?? []).map(({ id }) => id),
    ...(account.id === undefined ? [] : [account.id]),
  ]);
  const many = kinds.filter(({ shape, name }) => shape === 'many' && name !== 'numbers');
  const open = many.filter(({ name }) => !listed.has(name));
  const read = new Map((await listsOf(service, open, concurrency)).map((list) => [list.kind.name, list]));
  return {
    objects: many.flatMap((kind) =>
      (listed.get(kind.name) ?? read.get(kind.name)?.items ?? []).flatMap((item) => {
        const { id } = item;
        return typeof id !== 'string' || managed.has(id)
          ? []
          : [{ kind: kind.name, id, label: desiredLabel(kind, id, [item]) }];
      }),
    ),
    unread: Object.fromEntries(
      [...read.values()].flatMap(({ kind, missing }) =>
        missing === undefined ? [] : [[kind.name, missing]],
      ),
    ),
  };
}

/** Lists what an account has; `named`: other kinds, whose names and ids are needed. Throws `Failure` where nothing can be read. */
export async function listAccount(
  service: Service,
  account: ExportAccount,
  { wanted, named }: Readonly<Record<'wanted' | 'named', ReadonlySet<KindName>>>,
  concurrency: number,
): Promise<Lists> {
  const all = kinds.filter(({ name, shape }) => wanted.has(name) || (shape === 'many' && named.has(name)));
  const listed = await listsOf(service, all, concurrency);
  return {
    account,
    exported: listed.filter(({ kind }) => wanted.has(kind.name)),
    others: listed.filter(({ kind }) => !wanted.has(kind.name)),
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
