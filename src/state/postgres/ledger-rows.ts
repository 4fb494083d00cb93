import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import type { Random } from '../../host/host.ts';
import { newLedger } from '../files/ledger-file.ts';
import { parseLedger } from '../files/read-ledger.ts';
import { changedLedger, isChange, type Ledger, type LedgerEntry } from '../ledger.ts';
import { type Account, alreadyThere, type LedgerStore } from '../state.ts';
import type { Database, Query } from './database.ts';

/** Parts for keeping ledgers in a database. */
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
  readonly behind: string | null;
}

/** The ledger of an account as rows: one for the account, one for each entry. */
export function ledgerRows(
  { database, random, knows, seenFrom }: LedgerTables,
  account: Account,
): LedgerStore {
  const { origin, accountId } = account;
  const shown = `of account ${accountId} in ${database.shown}`;
  const read = async (query: Query, lock: '' | 'FOR UPDATE'): Promise<Ledger | undefined> => {
    const [row] = await query<LedgerRow>(
      `SELECT salt, unfiltered, sources, behind FROM telctl.ledgers WHERE origin = $1 AND account = $2 ${lock}`,
      [origin, accountId],
    );
    if (row === undefined) return undefined;
    const entries = await query<{ readonly entry: string }>(
      'SELECT entry FROM telctl.entries WHERE origin = $1 AND account = $2 ORDER BY set COLLATE "C", key COLLATE "C"',
      [origin, accountId],
    );
    return ledgerOf(row, entries);
  };
  const ledgerOf = (row: LedgerRow, entries: readonly { readonly entry: string }[]): Ledger => {
    const text = `{"version":1,"entries":[${entries.map(({ entry }) => entry).join(',')}],"unfiltered":${row.unfiltered},"sources":${row.sources},"salt":${JSON.stringify(row.salt)},"origin":${JSON.stringify(origin)},"accountId":${JSON.stringify(accountId)}}`;
    const { unfiltered, sources, ...ledger } = parseLedger(text, { shown, knows, ...account });
    return {
      ...ledger,
      ...(unfiltered === undefined || unfiltered.length === 0 ? {} : { unfiltered }),
      ...(isObject(sources) && Object.keys(sources).length > 0 ? { sources } : {}),
    };
  };
  const write = async (query: Query, after: Ledger, before: readonly LedgerEntry[]): Promise<void> => {
    const kept = new Set(before);
    const put = after.entries.filter((entry) => !kept.has(entry));
    const names = new Set(after.entries.map(nameOf));
    const gone = before.filter((entry) => !names.has(nameOf(entry)));
    await query(
      `INSERT INTO telctl.ledgers (origin, account, salt, unfiltered, sources) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (origin, account) DO UPDATE SET unfiltered = excluded.unfiltered, sources = excluded.sources`,
      [
        origin,
        accountId,
        after.salt,
        JSON.stringify(after.unfiltered ?? []),
        JSON.stringify(after.sources ?? {}),
      ],
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
          ...[origin, accountId, put.map(({ set }) => set), put.map(({ key }) => key)],
          put.map((entry) => JSON.stringify(entry)),
        ],
      );
  };
  /** Makes the row that the others wait at, where there is none. */
  const made = async (query: Query): Promise<void> => {
    const { salt } = newLedger({ random }, account);
    await query(
      'INSERT INTO telctl.ledgers (origin, account, salt) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
      [origin, accountId, salt],
    );
  };
  return {
    ...account,
    shown,
    file: undefined,
    seenFrom,
    read: () => database.transaction((query) => read(query, '')),
    update: (change) =>
      database.transaction(async (query) => {
        await made(query);
        const before = await read(query, 'FOR UPDATE');
        if (before === undefined) throw new Failure('conflict', `The ledger ${shown} was removed meanwhile.`);
        const wanted = change(before);
        if (!isChange(before, wanted)) return before;
        const after = changedLedger(before, wanted);
        await write(query, after, before.entries);
        return after;
      }),
    take: (ledger) =>
      database.transaction(async (query) => {
        if ((await read(query, 'FOR UPDATE')) !== undefined) throw alreadyThere(`the ledger ${shown}`);
        await write(query, ledger, []);
      }),
    async behind() {
      const [row] = await database.query<Pick<LedgerRow, 'behind'>>(
        'SELECT behind FROM telctl.ledgers WHERE origin = $1 AND account = $2',
        [origin, accountId],
      );
      return row?.behind ?? undefined;
    },
    async setBehind(run) {
      await made(database.query);
      await database.query('UPDATE telctl.ledgers SET behind = $3 WHERE origin = $1 AND account = $2', [
        ...[origin, accountId, run ?? null],
      ]);
    },
  };
}

const nameOf = ({ set, key }: LedgerEntry): string => `${set}\0${key}`;

/** Accounts that have a ledger in the database. */
export const accountsOf = ({ query }: Pick<Database, 'query'>): Promise<readonly Account[]> =>
  query<Account>('SELECT origin, account AS "accountId" FROM telctl.ledgers ORDER BY origin, account');
