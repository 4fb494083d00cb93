import { Failure } from '../../../base/failure.ts';
import {
  type AccountCount,
  canReplaceAccount,
  firstProgress,
  parseAccount,
  parseRollout,
  type Rollout,
  type RolloutAccount,
  type Rollouts,
} from '../../../engine/state/rollouts.ts';
import { asOwner, type Database, type Query, readPages } from './database.ts';

interface RolloutRow {
  readonly id: string;
  readonly rollout: string;
  readonly writer: string | null;
}

const pageSize = 500;
const listedAtOnce = 50;

/** Stores rollouts in rows: one for each rollout, and one for each of its accounts. */
export const rolloutRows = (database: Database, keepMs: number): Rollouts => ({
  begin: (start, accounts) =>
    database.transaction(async (query) => {
      const text = JSON.stringify({ ...start, ...firstProgress(start.state) });
      const [row] = await query<{ readonly id: string }>(
        'INSERT INTO telctl.rollouts (state, rollout) VALUES ($1, $2) RETURNING id',
        [start.state, text],
      );
      const { id = '' } = row ?? {};
      for (let from = 0; from < accounts.length; from += pageSize)
        await writeAccounts(query, id, accounts.slice(from, from + pageSize));
      await asOwner(
        query,
        `DELETE FROM telctl.rollouts WHERE changed < now() - interval '${Math.round(keepMs / 1000)} s' AND id <> ${Number(id)}`,
      );
      return id;
    }),
  newest: (filter) => newestRollouts(database, filter),
  read: (id) => readRollout(database, database.query, id),
  change: (id, change) =>
    database.transaction(async (query) => {
      const now = await readRollout(database, query, id, 'FOR UPDATE');
      const changes = now && change(now);
      if (now === undefined || changes === undefined) return undefined;
      const { id: _, writer, ...after } = { ...now, ...changes };
      await query('UPDATE telctl.rollouts SET state = $2, rollout = $3 WHERE id = $1', [
        id,
        after.state,
        JSON.stringify(after),
      ]);
      return { ...after, id, writer };
    }),
  counts: (id) =>
    database.query<AccountCount>(
      `SELECT wave, state, count(*)::integer AS count FROM telctl.rollout_accounts
       WHERE rollout = $1 GROUP BY wave, state ORDER BY wave, state`,
      [id],
    ),
  accounts: (id, filter) => readAccounts(database, id, filter),
  async account(id, position) {
    const [row] = await database.query<{ readonly account: string }>(
      'SELECT account FROM telctl.rollout_accounts WHERE rollout = $1 AND position = $2',
      [id, position],
    );
    return row && parseAccount(row.account);
  },
  put: (id, account) =>
    database.transaction(async (query) => {
      const [row] = await query<{ readonly account: string; readonly state: Rollout['state'] }>(
        `SELECT one.account, its.state FROM telctl.rollout_accounts one JOIN telctl.rollouts its ON its.id = one.rollout
         WHERE its.id = $1 AND one.position = $2 FOR UPDATE OF one FOR SHARE OF its`,
        [id, account.position],
      );
      const known = row && parseAccount(row.account);
      if (known && !canReplaceAccount(account, known, row.state)) return false;
      await writeAccounts(query, id, [account]);
      return true;
    }),
  close: async () => undefined,
});

function parseRow({ shown }: Database, { id, rollout: text, writer }: RolloutRow): Rollout {
  const rollout = parseRollout(text);
  if (rollout) return { ...rollout, id, writer: writer ?? undefined };
  throw new Failure('invalid', `Rollout ${id} in ${shown} is damaged.`);
}

async function readRollout(
  database: Database,
  query: Query,
  id: string,
  lock: '' | 'FOR UPDATE' = '',
): Promise<Rollout | undefined> {
  if (!/^\d{1,15}$/.test(id)) return undefined;
  const [row] = await query<RolloutRow>(
    `SELECT id, rollout, writer FROM telctl.rollouts WHERE id = $1 ${lock}`,
    [id],
  );
  return row && parseRow(database, row);
}

const writeAccounts = (query: Query, id: string, accounts: readonly RolloutAccount[]) =>
  query(
    `INSERT INTO telctl.rollout_accounts (rollout, position, wave, state, account)
     SELECT $1::bigint, * FROM unnest($2::integer[], $3::integer[], $4::text[], $5::text[])
     ON CONFLICT (rollout, position) DO UPDATE
     SET wave = excluded.wave, state = excluded.state, account = excluded.account`,
    [
      id,
      accounts.map(({ position }) => position),
      accounts.map(({ wave }) => wave),
      accounts.map(({ state }) => state),
      accounts.map((account) => JSON.stringify(account)),
    ],
  );

async function* newestRollouts(
  database: Database,
  { state, origin }: Parameters<Rollouts['newest']>[0] = {},
): AsyncGenerator<Rollout> {
  const text = origin === undefined ? null : JSON.stringify(origin);
  const rows = readPages<RolloutRow>(listedAtOnce, (last) =>
    database.query(
      `SELECT id, rollout, writer FROM telctl.rollouts
       WHERE id < $1 AND ($2::text IS NULL OR state = $2) AND ($3::text IS NULL OR strpos(rollout, $3) > 0)
       ORDER BY id DESC LIMIT $4`,
      [last?.id ?? Number.MAX_SAFE_INTEGER, state ?? null, text, listedAtOnce],
    ),
  );
  for await (const row of rows) {
    const rollout = parseRow(database, row);
    if ((origin ?? rollout.origin) === rollout.origin) yield rollout;
  }
}

async function* readAccounts(
  database: Database,
  id: string,
  { wave, states }: Parameters<Rollouts['accounts']>[1] = {},
): AsyncGenerator<RolloutAccount> {
  const rows = readPages<{ readonly position: number; readonly account: string }>(pageSize, (last) =>
    database.query(
      `SELECT position, account FROM telctl.rollout_accounts
       WHERE rollout = $1 AND position > $2 AND ($3::integer IS NULL OR wave = $3)
         AND ($4::text[] IS NULL OR state = ANY ($4)) ORDER BY position LIMIT $5`,
      [id, last?.position ?? 0, wave ?? null, states ?? null, pageSize],
    ),
  );
  for await (const { account } of rows) {
    const found = parseAccount(account);
    if (found) yield found;
  }
}
