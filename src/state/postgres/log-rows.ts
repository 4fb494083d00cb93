import type { Failure } from '../../base/failure.ts';
import type { Host } from '../../host/host.ts';
import { looksAround } from '../files/log-files.ts';
import { parseLine } from '../files/read-line.ts';
import type { LogLine } from '../log.ts';
import { alreadyThere, type Log, type LogFilter, type RunWriter, type StoredRun } from '../state.ts';
import type { Database, Query } from './database.ts';
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
  const add = lineWriter(parts);
  let begun = 0;
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
      begun += 1;
      if (looksAround(begun)) await forget(database, keepMs);
      return writerOf(parts, add, id);
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
        const numbered = lines.map((line, index) => ({ run: id, number: index + 1, line }));
        await addLines(query, numbered, []);
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

/** A line of a run. */
interface RunLine {
  readonly run: string;
  readonly number: number;
  readonly line: LogLine;
}

/** Adds lines where they are not there yet, those that begin a change only while all of some leases are held. */
async function addLines(query: Query, lines: readonly RunLine[], tokens: readonly string[]): Promise<number> {
  const starts = lines.map(({ line }) => (line.line === 'start' ? line : undefined));
  const [row] = await query<{ readonly added: string }>(
    'SELECT telctl.add_lines($1, $2, $3, $4, $5, $6, $7, $8) AS added',
    [
      lines.map(({ run }) => run),
      lines.map(({ number }) => number),
      starts.map((start) => start?.account.origin ?? null),
      starts.map((start) => start?.account.id ?? null),
      starts.map((start) => start?.owner ?? null),
      lines.map(({ line }) => JSON.stringify(line)).join('\n'),
      lines.map(({ line }) => line.line === 'begin'),
      tokens,
    ],
  );
  return Number(row?.added);
}

/** Time for which lines wait for others to be sent along with, in milliseconds. */
const lingerMs = 3;

/** Weight of the last gap between lines in the mean of all. */
const lastWeight = 0.1;

/**
 * Sends what comes while others are under way together: a statement costs much more than a line of it. What is not
 * urgent waits for a moment, for something urgent to go along with; and so does what is, as long as so much comes that
 * more will have come by then.
 */
function gathering<T, R>(
  timers: Host['timers'],
  send: (batch: readonly T[]) => Promise<R>,
): (each: T, isUrgent: boolean) => Promise<R> {
  let running: Promise<unknown> = Promise.resolve();
  let open: { readonly batch: T[]; readonly sent: Promise<R>; readonly go: () => void } | undefined;
  let cameMs = Number.NEGATIVE_INFINITY;
  let gapMs = lingerMs;
  const opened = (): NonNullable<typeof open> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const batch: T[] = [];
    const callOff = timers.later(lingerMs, resolve);
    const go = (): void => {
      callOff();
      resolve();
    };
    const sent = Promise.all([promise, running]).then(() => {
      open = undefined;
      const sending = send(batch);
      running = sending.catch(() => undefined);
      return sending;
    });
    return { batch, sent, go };
  };
  const isBusy = (): boolean => {
    const nowMs = timers.elapsedMs();
    gapMs += (Math.min(nowMs - cameMs, 10 * lingerMs) - gapMs) * lastWeight;
    cameMs = nowMs;
    return gapMs < lingerMs;
  };
  return (each, isUrgent) => {
    open ??= opened();
    open.batch.push(each);
    if (isUrgent && !isBusy()) open.go();
    return open.sent;
  };
}

/**
 * Writes lines of all runs of this process, those that come at once together. What is about to be sent to the service
 * needs the locks; how it ended is noted in any case.
 */
function lineWriter({ database, leases, timers }: LogTables) {
  const insert = async (
    batch: readonly RunLine[],
    tokens: readonly string[],
  ): Promise<Failure | undefined> => {
    if ((await addLines(database.query, batch, tokens)) === batch.length) return undefined;
    // The connection may have broken after the first time that they were written.
    const there = await database.query<Pick<RunLine, 'run' | 'number'>>(
      `SELECT run, number FROM telctl.lines
       WHERE (run, number) IN (SELECT * FROM unnest($1::bigint[], $2::integer[]))`,
      [batch.map(({ run }) => run), batch.map(({ number }) => number)],
    );
    const known = new Set(there.map(({ run, number }) => `${run} ${number}`));
    const missing = batch.filter(({ run, number }) => !known.has(`${run} ${number}`));
    if (missing.length === 0) return undefined;
    const held = new Set(leases.held());
    const still = tokens.filter((token) => held.has(token));
    // Another account of this process was released between the list of locks and its use: nothing was lost by that.
    return still.length < tokens.length ? insert(missing, still) : leases.lost();
  };
  const add = gathering<RunLine, Failure | undefined>(timers, (batch) => insert(batch, leases.held()));
  return async (one: RunLine): Promise<void> => {
    const lost = await add(one, one.line.line !== 'end');
    if (lost && one.line.line === 'begin') throw lost;
  };
}

/** Writes a run, and tells others that its process goes on. */
function writerOf(
  { database, timers, livesMs }: LogTables,
  add: (line: RunLine) => Promise<void>,
  id: string,
): RunWriter {
  let count = 0;
  let callOff = (): void => undefined;
  let isClosed = false;
  /** Lines on their way that nobody waited for, and why one of them could not be written. */
  const late = new Set<Promise<void>>();
  let trouble: unknown;
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
  return {
    id,
    async write(line) {
      if (trouble !== undefined) throw trouble;
      count += 1;
      const written = add({ run: id, number: count, line });
      // Nothing waits for how a change ended: what is begun next takes it along.
      if (line.line !== 'end') return written;
      const end = written
        .catch((error: unknown) => {
          trouble ??= error;
        })
        .finally(() => late.delete(end));
      late.add(end);
    },
    // What the database has taken outlives a loss of power.
    async flush() {
      await Promise.all(late);
      if (trouble !== undefined) throw trouble;
    },
    async close() {
      isClosed = true;
      callOff();
      await Promise.all(late);
      await database.query('UPDATE telctl.runs SET closed = true WHERE id = $1', [id]);
      if (trouble !== undefined) throw trouble;
    },
  };
}
