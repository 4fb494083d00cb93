import { Failure } from '../../../base/failure.ts';
import type { Clock } from '../../../base/host/host.ts';
import { isObject, type Json, type JsonObject, textsIn } from '../../../base/json.ts';
import { operationFor, pathTo } from '../../../cli/commands/records/find-named.ts';
import type { Api } from '../../../client/api/api.ts';
import { operationById, resourceByName } from '../../../contract/catalogue.ts';
import { operationOfVerb } from '../../../contract/resource.ts';
import type { Operation, Resource, ResourceName } from '../../../contract/types.ts';
import type { ListPart, ListRequest, ReadAccount, Reader, ReadRecord, ShownAttempt } from '../reader.ts';

/** Milliseconds for which responses are reused, because one page needs the same data many times. */
const freshMs = 15_000;
/** Page size, and the most requests of one search. */
const pageSize = 100;
const pagesAtMost = 20;
/** Most accounts of the tree. A reseller may have more than a page can show. */
const accountsAtMost = 5000;

type ServiceReader = Pick<
  Reader,
  'now' | 'accounts' | 'record' | 'brief' | 'count' | 'list' | 'messages' | 'attempts'
>;

/** Caches the results of reads by key for some milliseconds. Failures are not cached. */
export function lately(clock: Pick<Clock, 'now'>, freshMs: number) {
  const known = new Map<string, { readonly atMs: number; readonly value: Promise<unknown> }>();
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const atMs = clock.now();
    for (const [old, kept] of known) if (atMs - kept.atMs > freshMs) known.delete(old);
    const found = known.get(key);
    // The type follows from the key, because equal keys always have the same reader.
    if (found) return found.value as Promise<T>;
    const value = read();
    known.set(key, { atMs, value });
    value.catch(() => known.delete(key));
    return value;
  };
}

/** Failures of a single read, after which other data can still be read. */
const isAboutOne = (error: unknown): error is Failure =>
  error instanceof Failure &&
  error.status !== undefined &&
  error.status >= 400 &&
  ![401, 429].includes(error.status);

/** Returns the result of a read, or a fallback if the service does not offer it to this user. */
async function shownOr<T>(read: () => Promise<T>, otherwise: (error: Failure) => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isAboutOne(error)) return otherwise(error);
    throw error;
  }
}

const recordOf = (body: JsonObject, id: string): ReadRecord => ({
  id: typeof body.id === 'string' && body.id !== '' ? body.id : id,
  body,
});

interface ServicePage {
  readonly records: readonly ReadRecord[];
  readonly next: string | undefined;
}

/** Makes a reader over the API. It omits data that the service does not show. Throws `Failure` if every read fails. */
export function apiReader(
  api: Api,
  clock: Clock,
  concurrency: number,
  { id: own, name: ownName }: { readonly id: string; readonly name: string | undefined },
): ServiceReader {
  const known = lately(clock, freshMs);

  let free = concurrency;
  const waiting: (() => void)[] = [];
  async function call(
    operation: Operation,
    path: Readonly<Record<string, string>>,
    query: Readonly<Record<string, string>> = {},
  ) {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await api.call({ operation, path, query });
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  }

  async function pageOf(
    operation: Operation,
    path: Readonly<Record<string, string>>,
    from?: string,
    order: 'oldest' | 'newest' = 'oldest',
  ): Promise<ServicePage> {
    const query = {
      // Compatible services list newest first by default (Conventions, paging).
      ...(order === 'oldest' ? { ascending: 'true' } : {}),
      page_size: String(pageSize),
      ...operation.listed?.everything,
      ...(from === undefined ? {} : { start_key: from }),
    };
    const { data, envelope } = await call(operation, path, query);
    const { itemsOf } = await import('../../../client/api/each-page.ts');
    const next = envelope.next_start_key;
    return {
      records: itemsOf(data, { operation }).map((item) => recordOf(item, String(item.id ?? ''))),
      next:
        next === undefined || next === null || next === ''
          ? undefined
          : typeof next === 'string'
            ? next
            : JSON.stringify(next),
    };
  }

  const singleOf = async (resource: Resource, accountId: string): Promise<ReadRecord | undefined> => {
    const { data } = await call(operationFor(resource, 'get'), { account_id: accountId });
    return isObject(data) && Object.keys(data).some((key) => key !== 'id')
      ? { id: resource.name, body: data }
      : undefined;
  };

  const firstOf = (accountId: string, kind: ResourceName): Promise<ServicePage | string> => {
    const resource = resourceByName(kind);
    const read = async (): Promise<ServicePage | string> => {
      if (resource.kind !== 'singleton')
        return pageOf(operationFor(resource, 'list'), { account_id: accountId });
      const record = await singleOf(resource, accountId);
      return { records: record ? [record] : [], next: undefined };
    };
    return known(`first ${accountId} ${kind}`, () =>
      shownOr(read, ({ status, message }) =>
        status === 404 || status === 405
          ? 'The service does not support this.'
          : `The service refuses to show this: ${message}`,
      ),
    );
  };

  /** Adds the reason why a webhook is disabled. Services in the field report it only in lists. */
  async function withListedReason(accountId: string, found: ReadRecord): Promise<ReadRecord> {
    if (found.body.enabled !== false || found.body.disable_reason !== undefined) return found;
    const first = await firstOf(accountId, 'webhooks');
    const listed = typeof first === 'string' ? undefined : first.records.find(({ id }) => id === found.id);
    const { disable_reason: reason } = listed?.body ?? {};
    return reason === undefined ? found : { ...found, body: { ...found.body, disable_reason: reason } };
  }

  const record: ServiceReader['record'] = (accountId, kind, id) => {
    const resource = resourceByName(kind);
    const read = async (): Promise<ReadRecord | undefined> => {
      if (resource.kind === 'singleton') return singleOf(resource, accountId);
      const operation = operationOfVerb(resource, 'get');
      if (!operation) return undefined;
      const { data } = await call(operation, { ...pathTo(resource, id), account_id: accountId });
      if (!isObject(data)) return undefined;
      const found = recordOf(data, id);
      return kind === 'webhooks' ? withListedReason(accountId, found) : found;
    };
    return known(`record ${accountId} ${kind} ${id}`, () => shownOr(read, () => undefined));
  };

  async function list({ accountId, kind, limit, from, isWanted }: ListRequest): Promise<ListPart> {
    const first = from === undefined ? await firstOf(accountId, kind) : undefined;
    if (typeof first === 'string') return { records: [], missing: first };
    const operation = operationOfVerb(resourceByName(kind), 'list');
    const found: ReadRecord[] = [];
    let page =
      first ??
      (operation
        ? await pageOf(operation, { account_id: accountId }, from)
        : { records: [], next: undefined });
    for (let read = 1; ; read += 1) {
      found.push(...(isWanted ? page.records.filter(isWanted) : page.records));
      if (page.next === undefined || !operation || found.length >= limit || read >= pagesAtMost) break;
      page = await pageOf(operation, { account_id: accountId }, page.next);
    }
    // Paging uses the keys of the service, so every record of a page must be shown or it would be lost.
    const records = limit < pageSize ? found.slice(0, limit) : found;
    return {
      records: kind === 'webhooks' ? await withReasons(accountId, records) : records,
      next: page.next,
    };
  }

  /** Reads records of disabled webhooks, because lists may omit the reason. */
  const withReasons = (accountId: string, records: readonly ReadRecord[]): Promise<readonly ReadRecord[]> =>
    Promise.all(
      records.map(async (each) =>
        each.body.enabled === false && each.body.disable_reason === undefined
          ? ((await record(accountId, 'webhooks', each.id)) ?? each)
          : each,
      ),
    );

  /** Reads the account. A service with only documented operations shows its records, but not the account itself. */
  const ownRecord = (): Promise<JsonObject> =>
    shownOr(
      async () => {
        const { data } = await call(operationById('accounts.get'), { account_id: own });
        return isObject(data) ? data : {};
      },
      async (error) => {
        if (typeof (await firstOf(own, 'users')) === 'string') throw error;
        return ownName === undefined ? {} : { name: ownName };
      },
    );

  const descendants = async (): Promise<readonly ReadAccount[]> => {
    const operation = operationById('accounts.descendants');
    const found: ReadAccount[] = [];
    const read = async (from?: string): Promise<void> => {
      const { records, next } = await pageOf(operation, { account_id: own }, from);
      found.push(...records.map(({ id, body }) => ({ id, body, above: aboveIn(body.tree, own) })));
      if (next !== undefined && found.length < accountsAtMost) await read(next);
    };
    await shownOr(
      () => read(),
      () => undefined,
    );
    return found;
  };

  return {
    now: () => api.serviceNowMs() ?? clock.now(),
    accounts: () =>
      known('accounts', async () => {
        const [body, below] = await Promise.all([ownRecord(), descendants()]);
        return [{ id: own, body, above: [] }, ...below.filter(({ id }) => id !== own)];
      }),
    record,
    async brief(accountId, kind, id) {
      const first = await firstOf(accountId, kind);
      if (typeof first === 'string') return undefined;
      const listed = first.records.find((each) => each.id === id);
      return listed ?? (first.next === undefined ? undefined : record(accountId, kind, id));
    },
    async count(accountId, kind) {
      const first = await firstOf(accountId, kind);
      if (typeof first === 'string') return undefined;
      return { count: first.records.length, ...(first.next === undefined ? {} : { isMore: true }) };
    },
    list,
    messages: (accountId, boxId, limit) =>
      shownOr(
        async () => {
          const path = { account_id: accountId, vm_box_id: boxId };
          const { records } = await pageOf(operationById('messages.list'), path, undefined, 'newest');
          return records.slice(0, limit);
        },
        () => [],
      ),
    async attempts(accountId, webhookId, limit) {
      const all = await known(`attempts ${accountId}`, () =>
        attemptsOf('webhooks.attempts-all', { account_id: accountId }),
      );
      // Some services have no list of all attempts of an account.
      const those =
        all?.filter(({ body }) => body.hook_id === webhookId) ??
        (await known(`attempts ${accountId} ${webhookId}`, () =>
          attemptsOf('webhooks.attempts', { account_id: accountId, webhook_id: webhookId }),
        )) ??
        [];
      return those.slice(0, limit);
    },
  };

  function attemptsOf(
    id: string,
    path: Readonly<Record<string, string>>,
  ): Promise<readonly ShownAttempt[] | undefined> {
    const read = async () => {
      const { records } = await pageOf(operationById(id), path, undefined, 'newest');
      return records
        .map(({ body }) => ({ timestamp: Number(body.timestamp ?? 0), body }))
        .toSorted((a, b) => b.timestamp - a.timestamp);
    };
    return shownOr<readonly ShownAttempt[] | undefined>(read, () => undefined);
  }
}

/** Returns the ancestors of an account from `own` down. Returns only `own` if the service does not report them. */
function aboveIn(tree: Json | undefined, own: string): readonly string[] {
  const ids = textsIn(tree);
  const begin = ids.indexOf(own);
  return begin < 0 ? [own] : ids.slice(begin);
}
