import { Failure } from '../../contract/failure.ts';
import type { JsonObject } from '../../contract/json.ts';
import { type Kind, type KindName, kinds } from '../kinds.ts';
import { bounded } from '../state/bounded.ts';
import type { Service } from '../state/service.ts';
import type { Section, Snapshot, SnapshotAccount } from './exported.ts';

/** What of an account is read for an export. */
export interface Reading {
  readonly account: SnapshotAccount;
  readonly only: ReadonlySet<KindName> | undefined;
  /** Kinds that are not exported and whose names are wanted all the same. */
  readonly named: ReadonlySet<KindName>;
  /** Calls under way at once. */
  readonly concurrency: number;
  /** Told as records are read. */
  readonly progress?: (done: number, total: number) => void;
}

/** A list of a kind: its objects as lists show them, or why there is none. */
interface Listed {
  readonly kind: Kind;
  readonly items: readonly JsonObject[];
  readonly missing?: string;
}

/** Failures after which nothing else would be read either. */
const hopeless: ReadonlySet<string> = new Set(['auth', 'interrupted', 'unavailable']);

/**
 * Reads an account for an export, whole records, several kinds at once. What the service has no way to read, or
 * refuses, is said in `missing` of its kind. Throws `Failure` where nothing can be read.
 */
export async function readAccount(service: Service, reading: Reading): Promise<Snapshot> {
  const { only, named, account, concurrency } = reading;
  const wanted = kinds.filter(({ name }) => only === undefined || only.has(name));
  const others = kinds.filter(
    (kind) => !wanted.includes(kind) && kind.shape === 'many' && named.has(kind.name),
  );
  const lists = await bounded([...wanted, ...others], concurrency, (kind) => listOf(service, kind));
  const whole = await readWhole(service, lists.slice(0, wanted.length), reading);
  return {
    account,
    sections: whole,
    others: lists.slice(wanted.length).map(({ kind, items }) => ({ kind, records: items })),
  };
}

async function listOf(service: Service, kind: Kind): Promise<Listed> {
  if (kind.shape === 'one') return { kind, items: [{ id: kind.name }] };
  try {
    const listing = await service.list(kind);
    return listing
      ? { kind, items: listing.items }
      : { kind, items: [], missing: 'the service has no list of them' };
  } catch (error) {
    return { kind, items: [], missing: reason(error) };
  }
}

/** Reads what lists show in part. All records of all kinds are one row of work, so that no kind waits for another. */
async function readWhole(
  service: Service,
  lists: readonly Listed[],
  { concurrency, progress }: Reading,
): Promise<readonly Section[]> {
  const work = lists.flatMap((list, at) => {
    const isWhole = list.kind.shape === 'many' && list.kind.resource.listFields.length === 0;
    return isWhole ? [] : list.items.map((item) => ({ kind: list.kind, at, id: String(item.id ?? '') }));
  });
  const troubles = new Map<number, { count: number; readonly why: string }>();
  let done = 0;
  const records = await bounded(work, concurrency, async ({ kind, at, id }) => {
    const got = await recordOf(service, kind, id);
    progress?.(++done, work.length);
    if (typeof got !== 'string') return got;
    const known = troubles.get(at);
    if (known) known.count += 1;
    else troubles.set(at, { count: 1, why: got });
    return undefined;
  });
  const read = new Map<number, JsonObject[]>();
  for (const [index, { at, id }] of work.entries()) {
    const record = records[index];
    if (!record) continue;
    const section = read.get(at) ?? [];
    read.set(at, section);
    section.push({ ...record, id });
  }
  return lists.map(({ kind, items, missing }, at) => {
    const trouble = troubles.get(at);
    const why = missing ?? (trouble && sentenceOf(kind, trouble));
    const isWhole = !work.some((each) => each.at === at);
    return {
      kind,
      records: isWhole ? items : (read.get(at) ?? []),
      ...(why === undefined ? {} : { missing: why }),
    };
  });
}

/** A record, `undefined` where it was deleted meanwhile, or why it cannot be read. */
async function recordOf(service: Service, kind: Kind, id: string): Promise<JsonObject | undefined | string> {
  try {
    const got = await service.get(kind, id);
    if (got.found === 'record') return got.record ?? 'the service answered with something that is no record';
    return got.found === 'none' ? undefined : 'the service has no way to read them';
  } catch (error) {
    return reason(error);
  }
}

const sentenceOf = (kind: Kind, { count, why }: { readonly count: number; readonly why: string }): string =>
  kind.shape === 'one' || count === 0 ? why : `${count} of them cannot be read: ${why}`;

/** Why one thing cannot be read. Throws on what says that nothing can: no sign-in, no service, Ctrl-C. */
function reason(error: unknown): string {
  if (!(error instanceof Failure)) throw error;
  if (hopeless.has(error.kind) && error.status !== 403) throw error;
  return error.message;
}
