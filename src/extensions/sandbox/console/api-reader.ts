import { Failure } from '../../../base/failure.ts';
import type { Clock } from '../../../base/host/host.ts';
import { isObject, type Json, type JsonObject, textsIn } from '../../../base/json.ts';
import { operationFor, pathTo } from '../../../cli/commands/records/find-named.ts';
import type { Api } from '../../../client/api/api.ts';
import { operationById, resourceByName } from '../../../contract/catalogue.ts';
import { operationOfVerb } from '../../../contract/resource.ts';
import type { Operation, Resource, ResourceName } from '../../../contract/types.ts';
import type { ListPart, ListRequest, ReadAccount, Reader, ReadRecord, ShownAttempt } from '../reader.ts';

/** How long responses are reused, in milliseconds. A page needs the same data many times. */
const freshMs = 15_000;
const pageSize = 100;
/** Maximum number of requests of one search. */
const pagesAtMost = 20;
const accountsAtMost = 5000;

type ServiceReader = Pick<
  Reader,
  'now' | 'accounts' | 'record' | 'brief' | 'count' | 'list' | 'messages' | 'attempts'
>;

/** Returns a function that caches results by key for `freshMs`. Does not cache failures. */
export function cacheResults(clock: Pick<Clock, 'now'>, freshMs: number) {
  const known = new Map<string, { readonly atMs: number; readonly value: Promise<unknown> }>();
  return <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const atMs = clock.now();
    for (const [old, kept] of known) if (atMs - kept.atMs > freshMs) known.delete(old);
    const found = known.get(key);
    // Equal keys always have the same reader, so the type is correct.
    if (found) return found.value as Promise<T>;
    const value = read();
    known.set(key, { atMs, value });
    value.catch(() => known.delete(key));
    return value;
  };
}

/** Returns true for failures that do not prevent other reads. */
const isSingleFailure = (error: unknown): error is Failure =>
  error instanceof Failure &&
  error.status !== undefined &&
  error.status >= 400 &&
  ![401, 429].includes(error.status);

/** Returns the result of a read, or a fallback if the service does not offer the read to this user. */
async function readOr<T>(read: () => Promise<T>, otherwise: (error: Failure) => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isSingleFailure(error)) return otherwise(error);
    throw error;
  }
}

const toReadRecord = (body: JsonObject, id: string): ReadRecord => ({
  id: typeof body.id === 'string' && body.id !== '' ? body.id : id,
  body,
});

interface ServicePage {
  readonly records: readonly ReadRecord[];
  readonly next: string | undefined;
}

type PathValues = Readonly<Record<string, string>>;

/** Reads from the service, at most `concurrency` at a time. */
class ServiceReads {
  readonly #api: Api;
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(api: Api, concurrency: number) {
    this.#api = api;
    this.#free = concurrency;
  }

  async call(operation: Operation, path: PathValues, query: Readonly<Record<string, string>> = {}) {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#api.call({ operation, path, query });
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free += 1;
    }
  }

  async page(
    operation: Operation,
    path: PathValues,
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
    const { data, envelope } = await this.call(operation, path, query);
    const { pageItems: itemsOf } = await import('../../../client/api/each-page.ts');
    const next = envelope.next_start_key ?? '';
    return {
      records: itemsOf(data, { operation }).map((item) => toReadRecord(item, String(item.id ?? ''))),
      next: next === '' ? undefined : typeof next === 'string' ? next : JSON.stringify(next),
    };
  }

  /** Reads the record of a singleton. Returns `undefined` if it has no fields. */
  async singleton(resource: Resource, accountId: string): Promise<ReadRecord | undefined> {
    const { data } = await this.call(operationFor(resource, 'get'), { account_id: accountId });
    return isObject(data) && Object.keys(data).some((key) => key !== 'id')
      ? { id: resource.name, body: data }
      : undefined;
  }
}

/** Reads over the API. Omits data that the service does not show. Throws `Failure` if every read fails. */
export class ApiReader implements ServiceReader {
  readonly now: () => number;
  readonly #reads: ServiceReads;
  readonly #own: { readonly id: string; readonly name: string | undefined };
  readonly #cached: ReturnType<typeof cacheResults>;

  constructor(
    api: Api,
    clock: Clock,
    concurrency: number,
    own: { readonly id: string; readonly name: string | undefined },
  ) {
    this.now = () => api.serviceNowMs() ?? clock.now();
    this.#reads = new ServiceReads(api, concurrency);
    this.#own = own;
    this.#cached = cacheResults(clock, freshMs);
  }

  accounts(): Promise<readonly ReadAccount[]> {
    const { id: own } = this.#own;
    return this.#cached('accounts', async () => {
      const [body, below] = await Promise.all([this.#ownRecord(), this.#descendants()]);
      return [{ id: own, body, above: [] }, ...below.filter(({ id }) => id !== own)];
    });
  }

  record(accountId: string, kind: ResourceName, id: string): Promise<ReadRecord | undefined> {
    const resource = resourceByName(kind);
    const read = async (): Promise<ReadRecord | undefined> => {
      if (resource.kind === 'singleton') return this.#reads.singleton(resource, accountId);
      const operation = operationOfVerb(resource, 'get');
      if (!operation) return undefined;
      const path = { ...pathTo(resource, id), account_id: accountId };
      const { data } = await this.#reads.call(operation, path);
      if (!isObject(data)) return undefined;
      const found = toReadRecord(data, id);
      return kind === 'webhooks' ? this.#withListedReason(accountId, found) : found;
    };
    return this.#cached(`record ${accountId} ${kind} ${id}`, () => readOr(read, () => undefined));
  }

  async brief(accountId: string, kind: ResourceName, id: string): Promise<ReadRecord | undefined> {
    const first = await this.#firstPage(accountId, kind);
    if (typeof first === 'string') return undefined;
    const listed = first.records.find((each) => each.id === id);
    return listed ?? (first.next === undefined ? undefined : this.record(accountId, kind, id));
  }

  async count(accountId: string, kind: ResourceName): ReturnType<Reader['count']> {
    const first = await this.#firstPage(accountId, kind);
    if (typeof first === 'string') return undefined;
    return { count: first.records.length, ...(first.next === undefined ? {} : { isMore: true }) };
  }

  async list({ accountId, kind, limit, from, isWanted }: ListRequest): Promise<ListPart> {
    const first = from === undefined ? await this.#firstPage(accountId, kind) : undefined;
    if (typeof first === 'string') return { records: [], missing: first };
    const operation = operationOfVerb(resourceByName(kind), 'list');
    const found: ReadRecord[] = [];
    let page =
      first ??
      (operation
        ? await this.#reads.page(operation, { account_id: accountId }, from)
        : { records: [], next: undefined });
    for (let read = 1; ; read += 1) {
      found.push(...(isWanted ? page.records.filter(isWanted) : page.records));
      if (page.next === undefined || !operation || found.length >= limit || read >= pagesAtMost) break;
      page = await this.#reads.page(operation, { account_id: accountId }, page.next);
    }
    // Paging uses the keys of the service. Every record of a page must be shown, or it would be lost.
    const records = limit < pageSize ? found.slice(0, limit) : found;
    return {
      records: kind === 'webhooks' ? await this.#withReasons(accountId, records) : records,
      next: page.next,
    };
  }

  messages(accountId: string, boxId: string, limit: number): Promise<readonly ReadRecord[]> {
    const path = { account_id: accountId, vm_box_id: boxId };
    const read = async () => {
      const { records } = await this.#reads.page(operationById('messages.list'), path, undefined, 'newest');
      return records.slice(0, limit);
    };
    return readOr(read, () => []);
  }

  async attempts(accountId: string, webhookId: string, limit: number): Promise<readonly ShownAttempt[]> {
    const all = await this.#cached(`attempts ${accountId}`, () =>
      this.#attemptsOf('webhooks.attempts-all', { account_id: accountId }),
    );
    // Some services have no list of all attempts of an account.
    const those =
      all?.filter(({ body }) => body.hook_id === webhookId) ??
      (await this.#cached(`attempts ${accountId} ${webhookId}`, () =>
        this.#attemptsOf('webhooks.attempts', { account_id: accountId, webhook_id: webhookId }),
      )) ??
      [];
    return those.slice(0, limit);
  }

  /** Returns the first page of a list, or the reason why the service does not show it. */
  #firstPage(accountId: string, kind: ResourceName): Promise<ServicePage | string> {
    const resource = resourceByName(kind);
    const read = async (): Promise<ServicePage | string> => {
      if (resource.kind !== 'singleton')
        return this.#reads.page(operationFor(resource, 'list'), { account_id: accountId });
      const record = await this.#reads.singleton(resource, accountId);
      return { records: record ? [record] : [], next: undefined };
    };
    return this.#cached(`first ${accountId} ${kind}`, () =>
      readOr(read, ({ status, message }) =>
        status === 404 || status === 405
          ? 'The service does not support this.'
          : `The service refuses to show this: ${message}`,
      ),
    );
  }

  /** Adds the reason why a webhook is disabled. Services in the field report it only in lists. */
  async #withListedReason(accountId: string, found: ReadRecord): Promise<ReadRecord> {
    if (found.body.enabled !== false || found.body.disable_reason !== undefined) return found;
    const first = await this.#firstPage(accountId, 'webhooks');
    const listed = typeof first === 'string' ? undefined : first.records.find(({ id }) => id === found.id);
    const { disable_reason: reason } = listed?.body ?? {};
    return reason === undefined ? found : { ...found, body: { ...found.body, disable_reason: reason } };
  }

  /** Reads records of disabled webhooks, because lists may omit the reason. */
  #withReasons(accountId: string, records: readonly ReadRecord[]): Promise<readonly ReadRecord[]> {
    return Promise.all(
      records.map(async (each) =>
        each.body.enabled === false && each.body.disable_reason === undefined
          ? ((await this.record(accountId, 'webhooks', each.id)) ?? each)
          : each,
      ),
    );
  }

  /**
   * Reads the account. If the service has only documented operations, the account itself is unavailable but its
   * records are not.
   */
  #ownRecord(): Promise<JsonObject> {
    const { id, name } = this.#own;
    return readOr(
      async () => {
        const { data } = await this.#reads.call(operationById('accounts.get'), { account_id: id });
        return isObject(data) ? data : {};
      },
      async (error) => {
        if (typeof (await this.#firstPage(id, 'users')) === 'string') throw error;
        return name === undefined ? {} : { name };
      },
    );
  }

  async #descendants(): Promise<readonly ReadAccount[]> {
    const { id: own } = this.#own;
    const operation = operationById('accounts.descendants');
    const found: ReadAccount[] = [];
    const read = async (from?: string): Promise<void> => {
      const { records, next } = await this.#reads.page(operation, { account_id: own }, from);
      found.push(...records.map(({ id, body }) => ({ id, body, above: ancestorsIn(body.tree, own) })));
      if (next !== undefined && found.length < accountsAtMost) await read(next);
    };
    await readOr(
      () => read(),
      () => undefined,
    );
    return found;
  }

  #attemptsOf(id: string, path: PathValues): Promise<readonly ShownAttempt[] | undefined> {
    const read = async () => {
      const { records } = await this.#reads.page(operationById(id), path, undefined, 'newest');
      return records
        .map(({ body }) => ({ timestamp: Number(body.timestamp ?? 0), body }))
        .toSorted((a, b) => b.timestamp - a.timestamp);
    };
    return readOr<readonly ShownAttempt[] | undefined>(read, () => undefined);
  }
}

/** Returns the ancestors of an account from `own` down. Returns only `own` if the service does not report them. */
function ancestorsIn(tree: Json | undefined, own: string): readonly string[] {
  const ids = textsIn(tree);
  const begin = ids.indexOf(own);
  return begin < 0 ? [own] : ids.slice(begin);
}
