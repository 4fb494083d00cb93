import type { Context } from '../cli/context.ts';
import { Failure } from '../contract/failure.ts';
import type { JsonObject } from '../contract/json.ts';
import type { Section } from '../manifest/callflows/section.ts';
import { type Kind, type KindName, kindByName } from '../manifest/kinds.ts';
import { bounded } from '../manifest/state/bounded.ts';
import { type Service, serviceOf } from '../manifest/state/service.ts';

/** Which parts of an account are wanted. */
export interface Wanted {
  /** Kinds whose records are read whole. */
  readonly whole: readonly KindName[];
  /** Kinds whose lists are enough, for names and ids. */
  readonly listed?: readonly KindName[];
}

/** What was read of an account, and what of it could not be read: a sentence each. */
export interface ReadAccount {
  readonly sections: readonly Section[];
  readonly missing: readonly string[];
}

/** Failures after which nothing else would be read either. */
const hopeless: ReadonlySet<string> = new Set(['auth', 'interrupted', 'unavailable']);

/**
 * Reads what is wanted of an account, several records at once, with progress; the account acted on where none is
 * named. What cannot be read is warned of. Throws `Failure` where nothing can be read.
 */
export async function readParts(
  context: Context,
  { whole, listed = [] }: Wanted,
  accountId: string | undefined = undefined,
): Promise<ReadAccount> {
  const service = serviceOf(await context.api(), accountId ?? (await context.accountId()));
  const atOnce = context.settings.concurrency.value;
  const only = listed.filter((name) => !whole.includes(name));
  const lists = await bounded([...whole, ...only].map(kindByName), atOnce, (kind) => listOf(service, kind));
  const isPart = ({ kind }: Section): boolean =>
    whole.includes(kind.name) && (kind.shape === 'one' || kind.resource.listFields.length > 0);
  const ids = lists
    .filter(isPart)
    .flatMap(({ kind, records }) => records.map(({ id }) => ({ kind, id: String(id) })));
  let done = 0;
  const read = await bounded(ids, atOnce, async ({ kind, id }) => {
    const got = await recordOf(service, kind, id);
    context.notices.progress(++done, ids.length, 'records');
    return { kind, got };
  });
  const byKind = Map.groupBy(read, ({ kind }) => kind.name);
  const sections = lists.map((list) =>
    isPart(list)
      ? withRecords(
          list,
          (byKind.get(list.kind.name) ?? []).map(({ got }) => got),
        )
      : list,
  );
  const missing = sections.flatMap(({ kind, missing: why }) =>
    why === undefined ? [] : [`The ${kind.name.replaceAll('_', ' ')} were not all read: ${why}`],
  );
  for (const sentence of missing) context.notices.warn(sentence);
  return { sections, missing };
}

/** A list with what reading its records gave: records, nothing where one is gone, or why one cannot be read. */
function withRecords({ kind, missing }: Section, got: readonly (JsonObject | undefined | string)[]): Section {
  const why = missing ?? got.find((each) => typeof each === 'string');
  const records = got.flatMap((each) => (typeof each === 'object' ? [each] : []));
  return { kind, records, ...(why === undefined ? {} : { missing: why }) };
}

async function listOf(service: Service, kind: Kind): Promise<Section> {
  if (kind.shape === 'one') return { kind, records: [{ id: kind.name }] };
  try {
    const listing = await service.list(kind);
    return listing
      ? { kind, records: listing.items }
      : { kind, records: [], missing: 'the service has no list of them.' };
  } catch (error) {
    return { kind, records: [], missing: reason(error) };
  }
}

async function recordOf(service: Service, kind: Kind, id: string): Promise<JsonObject | undefined | string> {
  try {
    const got = await service.get(kind, id);
    if (got.found === 'none') return undefined;
    if (got.found !== 'record') return 'the service has no way to read them.';
    if (got.record === undefined) return 'the service answered with something that is no record.';
    return kind.shape === 'one' ? got.record : { ...got.record, id };
  } catch (error) {
    return reason(error);
  }
}

/** Why one thing cannot be read. Throws on what says that nothing can: no sign-in, no service, Ctrl-C. */
function reason(error: unknown): string {
  if (!(error instanceof Failure)) throw error;
  if (hopeless.has(error.kind) && error.status !== 403) throw error;
  return error.message;
}
