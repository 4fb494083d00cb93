import { textAt } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import type { ResourceName } from '../../../contract/types.ts';
import type { FaultCount } from '../control/faults.ts';
import { textsAt } from '../fields.ts';
import { gregorianSeconds } from '../ids-and-secrets.ts';
import type { ListPart, ListRequest, Reader, ReadRecord } from '../reader.ts';
import {
  iterateRecords,
  type Key,
  type ListedRecord,
  type ListPosition,
  type Store,
  type StoredRecord,
  type StoreQuery,
  scopeBelow,
} from '../store/store.ts';
import { callsInLastHour, listedChannel, liveLegs } from '../telephony/legs.ts';
import { answerPage as answer, type Page, type PageFrame } from './page.ts';
import type { PageParts } from './page-route.ts';

const minute = 60_000;
const units = [
  [1440 * minute, 'd'],
  [60 * minute, 'h'],
  [minute, 'min'],
  [1000, 's'],
] as const;

/** Formats a duration in its two largest units. */
function durationWords(ms: number): string {
  const parts = units.map(([size, word], index) => {
    const larger = units[index - 1]?.[0] ?? Number.POSITIVE_INFINITY;
    return { count: Math.floor((ms % larger) / size), word };
  });
  const first = parts.findIndex(({ count }) => count > 0);
  const pageRecord = parts.slice(first, first + 2).filter(({ count }) => count > 0);
  return pageRecord.map(({ count, word }) => `${count} ${word}`).join(' ');
}

const describeFaults = (rules: readonly FaultCount[]): string =>
  rules
    .slice(0, 10)
    .map(({ rule: { match, status, drop, body, delayMs }, disturbed }) => {
      const what = [status, drop && `dropped ${drop}`, body, delayMs !== undefined && `${delayMs} ms late`];
      return `${match}: ${what.filter((each) => each !== undefined && each !== false).join(', ')}; ${disturbed} requests affected`;
    })
    .join('\n');

/** Creates the header of the page: the mode of the sandbox, its faults and its clock. */
function createFrame({ like, rateLimit, faults, clock }: PageParts): PageFrame {
  const rules = faults.list();
  return {
    name: 'sandbox',
    facts: [
      ...(like ? [{ text: `like ${like}` }] : []),
      ...(rateLimit ? [{ text: `${rateLimit.text} requests`, title: '--rate-limit' }] : []),
    ],
    warnings: [
      ...(rules.length > 0
        ? [{ text: `${formatCount(rules.length, 'fault')} put in`, title: describeFaults(rules) }]
        : []),
      ...(clock.offsetMs >= 1000 ? [{ text: `turned ahead ${durationWords(clock.offsetMs)}` }] : []),
    ],
  };
}

export const answerSandboxPage = (query: URLSearchParams, parts: PageParts): Promise<Page> =>
  answer(query, storeReader(parts), createFrame(parts));

/** Maximum number of records that are read for one page. A longer search continues on the next page. */
const readAtMost = 20_000;

const pageRecord = ({ id, body, createdAt, modifiedAt, revision }: StoredRecord): ReadRecord => ({
  id,
  body,
  createdAt,
  modifiedAt,
  revision,
});

const storeKeyOf = (kind: ResourceName, accountId: string): { readonly scope: string; readonly key?: Key } =>
  resourceByName(kind).keptIn === 'service'
    ? { scope: '', key: { field: 'account', value: accountId } }
    : { scope: accountId };

interface Wanted {
  readonly found: readonly ListedRecord[];
  /** The first record that was not read. `undefined` at the end of the list. */
  readonly next: ListedRecord | undefined;
}

/** Reads a list up to `limit` matching records, or up to the read limit. */
async function readWanted(
  store: Store,
  where: Omit<StoreQuery, 'limit'>,
  limit: number,
  isWanted: (record: ReadRecord) => boolean,
): Promise<Wanted> {
  const found: ListedRecord[] = [];
  let read = 0;
  for await (const record of iterateRecords(store, where, limit)) {
    if (found.length === limit || read === readAtMost) return { found, next: record };
    read += 1;
    if (isWanted(record)) found.push(record);
  }
  return { found, next: undefined };
}

/** Encodes the position of a record in its list for an address. */
const encodePosition = ({ id = '', order }: ListPosition): string => `${id}~${order}`;

function positionIn(text: string | undefined): ListPosition | undefined {
  const mark = text?.indexOf('~') ?? -1;
  return text === undefined || mark < 0
    ? undefined
    : { id: text.slice(0, mark), order: text.slice(mark + 1) };
}

async function listPart(store: Store, request: ListRequest): Promise<ListPart> {
  const { accountId, kind, limit, isWanted = () => true } = request;
  const where = { kind, ...storeKeyOf(kind, accountId), from: positionIn(request.from) };
  const [{ found, next }, before] = await Promise.all([
    readWanted(store, where, limit, isWanted),
    where.from && readWanted(store, { ...where, ascending: false }, limit + 1, isWanted),
  ]);
  // The previous page starts with the first of these records, if it still exists.
  const previous = before?.found
    .filter(({ id }) => id !== where.from?.id)
    .slice(0, limit)
    .at(-1);
  return {
    records: found.map(pageRecord),
    next: next && encodePosition(next),
    previous: previous && encodePosition(previous),
  };
}

const storeReader = ({ store, clock, log }: Pick<PageParts, 'store' | 'clock' | 'log'>): Reader => ({
  now: () => clock.now(),
  log: () => log.since(),
  async calls(accountId) {
    const now = gregorianSeconds(clock);
    const legs = await liveLegs(store, accountId, now);
    return {
      live: legs.map((leg) => listedChannel(leg, now)),
      minutes: await callsInLastHour(store, accountId, now),
    };
  },
  async accounts() {
    const accounts = await store.allOfKind('accounts');
    return accounts.map((account) => ({ ...pageRecord(account), above: textsAt(account.hidden, 'tree') }));
  },
  async record(accountId, kind, id) {
    const { scope, key } = storeKeyOf(kind, accountId);
    const record = await store.get({ kind, scope, id });
    return !record || (key && textAt(record.hidden, key.field) !== key.value)
      ? undefined
      : pageRecord(record);
  },
  async count(accountId, kind) {
    const { scope, key } = storeKeyOf(kind, accountId);
    return { count: await store.count(kind, scope, key) };
  },
  list: (request) => listPart(store, request),
  async messages(accountId, boxId, limit) {
    const scope = scopeBelow(accountId, boxId);
    const records = await store.list({ kind: 'messages', scope, ascending: false, limit });
    return records.map(pageRecord);
  },
  attempts: (accountId, webhookId, limit) =>
    store.listAttempts({ accountId, webhookId, between: { from: 0, to: Number.MAX_SAFE_INTEGER }, limit }),
});
