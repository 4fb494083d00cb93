import type { Host } from '../../host/host.ts';
import { parseLine } from '../files/read-line.ts';
import type { LogLine } from '../log.ts';
import { alreadyThere, type Log, type LogFilter, type RunWriter, type StoredRun } from '../state.ts';
import type { Database } from './database.ts';
import type { Leases } from './leases.ts';

/** Parts for keeping the log in a database. */
export interface LogTables {
  readonly database: Database;
  readonly leases: Pick<Leases, 'held' | 'lost'>;
  readonly timers: Host['timers'];
  /** Time for which runs are kept after their last line, in milliseconds. */
  readonly keepMs: number;
  /** Time for which a run counts as going on without a sign of its process, in milliseconds. */
  readonly livesMs: number;
}

interface RunRow {
  readonly id: string;
  readonly alive: boolean;
  readonly lines: readonly string[];
}

/** Runs that are read at once. */
const pageSize = 10;

const columns = `id, NOT closed AND alive > clock_timestamp() AS alive,
  ARRAY(SELECT line FROM telctl.lines WHERE run = id ORDER BY number) AS lines`;

/** The log as rows: one for each run, one for each line. Nothing but the end of a run is ever changed. */
export function logRows(parts: LogTables): Log {
  const { database, keepMs } = parts;
  const idsOf = async (text: string, values: readonly unknown[] = []): Promise<readonly string[]> =>
    (await database.query<{ readonly id: string }>(text, values)).map(({ id }) => id);
  return {
    ids: (after = '0') => idsOf('SELECT id FROM telctl.runs WHERE id > $1 ORDER BY id', [after]),
    open: () =>
      idsOf(
        'SELECT id FROM telctl.runs WHERE NOT closed AND alive < clock_timestamp() AND id NOT IN (SELECT run FROM telctl.settled) ORDER BY id',
      ),
    async settle(id) {
      await database.query('INSERT INTO telctl.settled VALUES ($1) ON CONFLICT DO NOTHING', [id]);
    },
    async begin() {
      const [id = ''] = await idsOf(
        "INSERT INTO telctl.runs (alive) VALUES (clock_timestamp() + $1 * interval '1 ms') RETURNING id",
        [parts.livesMs],
      );
      await forget(database, keepMs);
      return writerOf(parts, id);
    },
    take: ({ id, lines }) =>
      database.transaction(async (query) => {
        const [start] = lines.filter((line) => line.line === 'start');
        const taken = await query(
          `INSERT INTO telctl.runs (id, begun, alive, closed) VALUES ($1, to_timestamp($2), now(), true)
           ON CONFLICT DO NOTHING RETURNING id`,
          [id, (start?.atMs ?? 0) / 1000],
        );
        if (taken.length === 0) throw alreadyThere(`a run ${id} in ${database.shown}`);
        const numbered = lines.map((line, index) => ({ number: index + 1, line }));
        await query(
          `INSERT INTO telctl.lines (run, number, origin, account, owner, line) ${rows}`,
          values(id, numbered),
        );
        await query(
          "SELECT setval('telctl.runs_id_seq', greatest($1, (SELECT last_value FROM telctl.runs_id_seq)))",
          [id],
        );
      }),
    async read(id) {
      if (!/^\d{1,18}$/.test(id)) return undefined;
      const [row] = await database.query<RunRow>(`SELECT ${columns} FROM telctl.runs WHERE id = $1`, [id]);
      return row && storedRun(row);
    },
    async *newest({ account }: LogFilter = {}) {
      const meant =
        account === undefined
          ? 'true'
          : `(EXISTS (SELECT FROM telctl.lines WHERE run = id AND origin = $3 AND (account = $4 OR owner = $4))
             OR NOT EXISTS (SELECT FROM telctl.lines WHERE run = id AND origin IS NOT NULL))`;
      const values = account === undefined ? [] : [account.origin, account.accountId];
      for (let before: string | null = null; ; ) {
        const rows: readonly RunRow[] = await database.query<RunRow>(
          `SELECT ${columns} FROM telctl.runs WHERE ($1::bigint IS NULL OR id < $1) AND ${meant} ORDER BY id DESC LIMIT $2`,
          [before, pageSize, ...values],
        );
        for (const row of rows) yield storedRun(row);
        const last = rows.at(-1);
        if (last === undefined || rows.length < pageSize) return;
        before = last.id;
      }
    },
  };
}

function storedRun({ id, alive, lines: texts }: RunRow): StoredRun {
  const lines = texts.flatMap((text) => parseLine(text) ?? []);
  return { id, lines, damaged: texts.length - lines.length, begun: texts.length > 0, alive };
}

/** Removes runs that are older than the log is kept, where this user may do so. */
async function forget(database: Database, keepMs: number): Promise<void> {
  await database.query(
    `DO $$ BEGIN
       DELETE FROM telctl.runs WHERE begun < now() - interval '${Math.round(keepMs / 1000)} s'
         AND id < (SELECT max(id) FROM telctl.runs)
         AND NOT EXISTS (SELECT FROM telctl.lines WHERE run = id AND written > now() - interval '${Math.round(keepMs / 1000)} s');
     EXCEPTION WHEN insufficient_privilege THEN NULL; END $$`,
  );
}

/** A line that waits to be written. */
interface Waiting {
  readonly number: number;
  readonly line: LogLine;
}

/** Rows of lines; their values stand behind the run's number. */
const rows =
  'SELECT $1::bigint, * FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::text[])';

function values(id: string, lines: readonly Waiting[]): readonly unknown[] {
  const starts = lines.map(({ line }) => (line.line === 'start' ? line : undefined));
  return [
    ...[id, lines.map(({ number }) => number)],
    starts.map((start) => start?.account.origin ?? null),
    starts.map((start) => start?.account.id ?? null),
    starts.map((start) => start?.owner ?? null),
    lines.map(({ line }) => JSON.stringify(line)),
  ];
}

/** Sends what comes while others are under way together: the database writes to its disk once for all of it. */
function gathering<T>(send: (batch: readonly T[]) => Promise<void>): (each: T) => Promise<void> {
  let waiting: T[] = [];
  let next: Promise<void> | undefined;
  let running: Promise<void> = Promise.resolve();
  return (each) => {
    waiting.push(each);
    next ??= running.then(() => {
      const batch = waiting;
      waiting = [];
      next = undefined;
      const sent = send(batch);
      running = sent.catch(() => undefined);
      return sent;
    });
    return next;
  };
}

/** Writes a run, and tells others that its process goes on. */
function writerOf({ database, leases, timers, livesMs }: LogTables, id: string): RunWriter {
  let count = 0;
  let callOff = (): void => undefined;
  let isClosed = false;
  const beat = async (): Promise<void> => {
    await database
      .query("UPDATE telctl.runs SET alive = clock_timestamp() + $2 * interval '1 ms' WHERE id = $1", [
        ...[id, livesMs],
      ])
      .catch(() => undefined);
    schedule();
  };
  const schedule = (): void => {
    if (!isClosed && !database.isClosed()) callOff = timers.later(livesMs / 3, () => void beat());
  };
  schedule();
  const insert = async (batch: readonly Waiting[], tokens: readonly string[]): Promise<void> => {
    const numbers = batch.map(({ number }) => number);
    const written = await database.query(
      `INSERT INTO telctl.lines (run, number, origin, account, owner, line) ${rows}
       WHERE NOT EXISTS (SELECT FROM unnest($7::text[]) AS held (token)
         WHERE NOT EXISTS (SELECT FROM telctl.leases WHERE leases.token = held.token AND until > clock_timestamp()))
       ON CONFLICT DO NOTHING RETURNING number`,
      [...values(id, batch), tokens],
    );
    if (written.length === batch.length) return;
    // The connection may have broken after the first time that they were written.
    const there = await database.query('SELECT FROM telctl.lines WHERE run = $1 AND number = ANY ($2)', [
      ...[id, numbers],
    ]);
    if (there.length === batch.length) return;
    const held = new Set(leases.held());
    const still = tokens.filter((token) => held.has(token));
    // Another account of this process was released between the list of locks and its use: nothing was lost by that.
    if (still.length < tokens.length) return insert(batch, still);
    throw await leases.lost();
  };
  // What is about to be sent to the service needs the locks; how it ended is noted in any case.
  const begin = gathering<Waiting>((batch) => insert(batch, leases.held()));
  const note = gathering<Waiting>((batch) => insert(batch, []));
  return {
    id,
    write(line) {
      count += 1;
      return (line.line === 'begin' ? begin : note)({ number: count, line });
    },
    // What the database has taken outlives a loss of power.
    flush: async () => undefined,
    async close() {
      isClosed = true;
      callOff();
      await database.query('UPDATE telctl.runs SET closed = true WHERE id = $1', [id]);
    },
  };
}
