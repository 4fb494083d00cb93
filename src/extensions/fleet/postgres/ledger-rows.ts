import type { Random } from '../../../base/host/host.ts';
import { isObject } from '../../../base/json.ts';
import { newLedger } from '../../../engine/state/files/ledger-file.ts';
import { parseLedger } from '../../../engine/state/files/read-ledger.ts';
import { changedLedger, entryName, isChange, type Ledger } from '../../../engine/state/ledger.ts';
import { type Account, alreadyThere, type LedgerStore } from '../../../engine/state/state.ts';
import type { Database, Query } from './database.ts';

export interface LedgerTables {
  readonly database: Database;
  readonly random: Random;
  /** Folder from which paths of manifests are kept: machines of a team have checkouts in different places. */
  readonly seenFrom: string;
  /** True for a kind of objects that this telctl knows. */
  knows(kind: string): boolean;
}

interface LedgerRow {
  readonly salt: string;
  readonly unfiltered: string;
  readonly sources: string;
}

/** Entries of an account as the text of a list, without its brackets. */
const entriesText = `(SELECT string_agg(entry, ',' ORDER BY set COLLATE "C", key COLLATE "C")
  FROM telctl.entries WHERE origin = $1 AND account = $2) AS entries`;

interface Entries {
  readonly entries: string | null;
}

export function ledgerRows(
  { database, random, knows, seenFrom }: LedgerTables,
  account: Account,
): LedgerStore {
  const { origin, accountId } = account;
  const shown = `of account ${accountId} in ${database.shown}`;
  const read = async (query: Query): Promise<Ledger | undefined> => {
    const [row] = await query<LedgerRow & Entries>(
      `SELECT salt, unfiltered, sources, ${entriesText} FROM telctl.ledgers WHERE origin = $1 AND account = $2`,
      [origin, accountId],
    );
    return row && ledgerOf(row, row);
  };
  /** Makes the ledger where there is none; whoever else changes it waits for the end of this transaction. */
  const held = async (query: Query): Promise<Ledger> => {
    const { salt } = newLedger({ random }, account);
    const [row] = await query<LedgerRow>(
      `INSERT INTO telctl.ledgers AS old (origin, account, salt) VALUES ($1, $2, $3)
       ON CONFLICT (origin, account) DO UPDATE SET salt = old.salt RETURNING salt, unfiltered, sources`,
      [origin, accountId, salt],
    );
    // What others wrote before they let it go is seen by a statement of its own.
    const [found] = await query<Entries>(`SELECT ${entriesText}`, [origin, accountId]);
    if (row === undefined || found === undefined)
      throw new Error('A row that was written was not given back.');
    return ledgerOf(row, found);
  };
  const ledgerOf = (row: LedgerRow, { entries }: Entries): Ledger => {
    const text = `{"version":1,"entries":[${entries ?? ''}],"unfiltered":${row.unfiltered},"sources":${row.sources},"salt":${JSON.stringify(row.salt)},"origin":${JSON.stringify(origin)},"accountId":${JSON.stringify(accountId)}}`;
    const { unfiltered, sources, ...ledger } = parseLedger(text, { shown, knows, ...account });
    return {
      ...ledger,
      ...(unfiltered === undefined || unfiltered.length === 0 ? {} : { unfiltered }),
      ...(isObject(sources) && Object.keys(sources).length > 0 ? { sources } : {}),
    };
  };
  const write = async (query: Query, after: Ledger, now: Ledger): Promise<void> => {
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
  };
  return {
    ...account,
    shown,
    file: undefined,
    seenFrom,
    read: () => read(database.query),
    update: (change) =>
      database.transaction(async (query) => {
        const now = await held(query);
        const wanted = change(now);
        if (!isChange(now, wanted)) return now;
        const after = changedLedger(now, wanted);
        await write(query, after, now);
        return after;
      }),
    take: (ledger) =>
      database.transaction(async (query) => {
        const made = await query(
          `INSERT INTO telctl.ledgers (origin, account, salt) VALUES ($1, $2, $3)
           ON CONFLICT DO NOTHING RETURNING account`,
          [origin, accountId, ledger.salt],
        );
        if (made.length === 0) throw alreadyThere(`the ledger ${shown}`);
        await write(query, ledger, { ...account, version: 1, salt: ledger.salt, entries: [] });
      }),
    async behind() {
      const [row] = await database.query<{ readonly behind: string | null }>(
        'SELECT behind FROM telctl.ledgers WHERE origin = $1 AND account = $2',
        [origin, accountId],
      );
      return row?.behind ?? undefined;
    },
    async setBehind(run) {
      const { salt } = newLedger({ random }, account);
      await database.query(
        `INSERT INTO telctl.ledgers (origin, account, salt, behind) VALUES ($1, $2, $3, $4)
         ON CONFLICT (origin, account) DO UPDATE SET behind = excluded.behind`,
        [origin, accountId, salt, run ?? null],
      );
    },
  };
}

const columnsOf = ({ unfiltered = [], sources = {} }: Ledger): readonly string[] => [
  JSON.stringify(unfiltered),
  JSON.stringify(sources),
];

export const accountsOf = ({ query }: Pick<Database, 'query'>): Promise<readonly Account[]> =>
  query<Account>('SELECT origin, account AS "accountId" FROM telctl.ledgers ORDER BY origin, account');
