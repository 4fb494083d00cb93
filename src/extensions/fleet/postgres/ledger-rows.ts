import type { Random } from '../../../base/host/host.ts';
import { isObject } from '../../../base/json.ts';
import { newLedger } from '../../../engine/state/files/ledger-file.ts';
import { parseLedger } from '../../../engine/state/files/read-ledger.ts';
import { changedLedger, entryName, isChange, type Ledger } from '../../../engine/state/ledger.ts';
import { type Account, alreadyExistsFailure, type LedgerStore } from '../../../engine/state/state.ts';
import type { Database, Query } from './database.ts';

export interface LedgerTables {
  readonly database: Database;
  readonly random: Random;
  /** The folder that stored paths of manifests are relative to. Each machine has its checkout in another place. */
  readonly seenFrom: string;
  /** Returns true if this version of telctl knows this kind of object. */
  knows(kind: string): boolean;
}

interface LedgerRow {
  readonly salt: string;
  readonly unfiltered: string;
  readonly sources: string;
}

const entriesText = `(SELECT string_agg(entry, ',' ORDER BY set COLLATE "C", key COLLATE "C")
  FROM telctl.entries WHERE origin = $1 AND account = $2) AS entries`;

interface Entries {
  readonly entries: string | null;
}

/** Stores the ledger of one account in rows: one for the ledger, and one for each entry. */
export function ledgerRows(tables: LedgerTables, account: Account): LedgerStore {
  const { database, random, seenFrom } = tables;
  const { origin, accountId } = account;
  const parse = (row: LedgerRow & Entries): Ledger => parseRow(tables, account, row);
  return {
    ...account,
    shown: shownName(database, account),
    file: undefined,
    seenFrom,
    async read() {
      const [row] = await database.query<LedgerRow & Entries>(
        `SELECT salt, unfiltered, sources, ${entriesText} FROM telctl.ledgers WHERE origin = $1 AND account = $2`,
        [origin, accountId],
      );
      return row && parse(row);
    },
    update: (change) =>
      database.transaction(async (query) => {
        const now = parse(await lockLedger(query, account, newLedger({ random }, account).salt));
        const wanted = change(now);
        if (!isChange(now, wanted)) return now;
        const after = changedLedger(now, wanted);
        await writeLedger(query, account, after, now);
        return after;
      }),
    take: (ledger) =>
      database.transaction(async (query) => {
        const made = await query(
          `INSERT INTO telctl.ledgers (origin, account, salt) VALUES ($1, $2, $3)
           ON CONFLICT DO NOTHING RETURNING account`,
          [origin, accountId, ledger.salt],
        );
        if (made.length === 0) throw alreadyExistsFailure(`the ledger ${shownName(database, account)}`);
        const empty = { ...account, version: 1, salt: ledger.salt, entries: [] } as const;
        await writeLedger(query, account, ledger, empty);
      }),
    async behind() {
      const [row] = await database.query<{ readonly behind: string | null }>(
        'SELECT behind FROM telctl.ledgers WHERE origin = $1 AND account = $2',
        [origin, accountId],
      );
      return row?.behind ?? undefined;
    },
    async setBehind(run) {
      await database.query(
        `INSERT INTO telctl.ledgers (origin, account, salt, behind) VALUES ($1, $2, $3, $4)
         ON CONFLICT (origin, account) DO UPDATE SET behind = excluded.behind`,
        [origin, accountId, newLedger({ random }, account).salt, run ?? null],
      );
    },
  };
}

const shownName = ({ shown }: Database, { accountId }: Account): string =>
  `of account ${accountId} in ${shown}`;

function parseRow({ database, knows }: LedgerTables, account: Account, row: LedgerRow & Entries): Ledger {
  const { origin, accountId } = account;
  const text = `{"version":1,"entries":[${row.entries ?? ''}],"unfiltered":${row.unfiltered},"sources":${row.sources},"salt":${JSON.stringify(row.salt)},"origin":${JSON.stringify(origin)},"accountId":${JSON.stringify(accountId)}}`;
  const { unfiltered, sources, ...ledger } = parseLedger(text, {
    ...account,
    shown: shownName(database, account),
    knows,
  });
  return {
    ...ledger,
    ...(unfiltered === undefined || unfiltered.length === 0 ? {} : { unfiltered }),
    ...(isObject(sources) && Object.keys(sources).length > 0 ? { sources } : {}),
  };
}

/** Locks the row of a ledger until the end of the transaction. Creates a missing row with `salt`. */
async function lockLedger(
  query: Query,
  { origin, accountId }: Account,
  salt: string,
): Promise<LedgerRow & Entries> {
  const [row] = await query<LedgerRow>(
    `INSERT INTO telctl.ledgers AS old (origin, account, salt) VALUES ($1, $2, $3)
     ON CONFLICT (origin, account) DO UPDATE SET salt = old.salt RETURNING salt, unfiltered, sources`,
    [origin, accountId, salt],
  );
  // Only a second statement sees entries that others committed while the first one waited for the lock.
  const [found] = await query<Entries>(`SELECT ${entriesText}`, [origin, accountId]);
  if (row === undefined || found === undefined)
    throw new Error('The database did not return the locked row.');
  return { ...row, ...found };
}

async function writeLedger(
  query: Query,
  { origin, accountId }: Account,
  after: Ledger,
  now: Ledger,
): Promise<void> {
  const kept = new Set(now.entries);
  const put = after.entries.filter((entry) => !kept.has(entry));
  const names = new Set(after.entries.map(entryName));
  const gone = now.entries.filter((entry) => !names.has(entryName(entry)));
  const columns = columnsOf(after);
  if (columns.join() !== columnsOf(now).join())
    await query(
      'UPDATE telctl.ledgers SET unfiltered = $3, sources = $4 WHERE origin = $1 AND account = $2',
      [origin, accountId, ...columns],
    );
  if (gone.length > 0)
    await query(
      `DELETE FROM telctl.entries USING unnest($3::text[], $4::text[]) AS gone (set, key)
       WHERE origin = $1 AND account = $2 AND entries.set = gone.set AND entries.key = gone.key`,
      [origin, accountId, gone.map(({ set }) => set), gone.map(({ key }) => key)],
    );
  if (put.length > 0)
    await query(
      `INSERT INTO telctl.entries (origin, account, set, key, entry)
       SELECT $1, $2, * FROM unnest($3::text[], $4::text[], $5::text[])
       ON CONFLICT (origin, account, set, key) DO UPDATE SET entry = excluded.entry`,
      [
        origin,
        accountId,
        put.map(({ set }) => set),
        put.map(({ key }) => key),
        put.map((entry) => JSON.stringify(entry)),
      ],
    );
}

const columnsOf = ({ unfiltered = [], sources = {} }: Ledger): readonly string[] => [
  JSON.stringify(unfiltered),
  JSON.stringify(sources),
];

export const accountsOf = ({ query }: Pick<Database, 'query'>): Promise<readonly Account[]> =>
  query<Account>('SELECT origin, account AS "accountId" FROM telctl.ledgers ORDER BY origin, account');
