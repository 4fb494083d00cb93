import type { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { type LogLine, searchableTexts } from '../../../engine/state/log.ts';
import type { RunWriter } from '../../../engine/state/state.ts';
import type { Database, Query } from './database.ts';
import type { Leases } from './leases.ts';

export interface LogTables {
  readonly database: Database;
  readonly leases: Pick<Leases, 'tokens' | 'lossFailure'>;
  readonly timers: Host['timers'];
  /** Runs are deleted this long after their last line, in milliseconds. */
  readonly keepMs: number;
  /** A run counts as ended if its process sends no heartbeat for this long, in milliseconds. */
  readonly livesMs: number;
}

/** Converts a text for searches: lower case, without NUL characters, which PostgreSQL rejects. */
export const searchText = (text: string): string => text.toLowerCase().replaceAll('\0', '');

interface RunLine {
  readonly run: string;
  readonly number: number;
  readonly line: LogLine;
}

/**
 * Adds missing lines and returns their number. Lines that begin a change are only added while every lease of `tokens`
 * is held.
 */
export async function addLines(
  query: Query,
  lines: readonly RunLine[],
  tokens: readonly string[],
): Promise<number> {
  const starts = lines.map(({ line }) => (line.line === 'start' ? line : undefined));
  const [row] = await query<{ readonly added: string }>(
    'SELECT telctl.add_lines($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) AS added',
    [
      lines.map(({ run }) => run),
      lines.map(({ number }) => number),
      starts.map((start) => start?.account.origin ?? null),
      starts.map((start) => start?.account.id ?? null),
      starts.map((start) => start?.owner ?? null),
      lines.map(({ line }) => JSON.stringify(line)).join('\n'),
      lines.map(({ line }) => line.line === 'begin'),
      tokens,
      starts.map((start) => (start === undefined ? null : searchText(searchableTexts(start).join('\n')))),
      starts.map((start) => start?.rollout ?? null),
    ],
  );
  return Number(row?.added);
}

/** Maximum time that a line waits for its batch, in milliseconds. */
const lingerMs = 3;

/** Weight of the newest gap in the moving average of gaps between lines. */
const newestWeight = 0.1;

/**
 * Returns a function that sends items in batches, because a statement costs much more than an additional line. A
 * batch is sent when the previous batch is done, and after `lingerMs` or an urgent item. If items arrive faster than
 * that, urgent items wait too.
 */
function batchItems<T, R>(
  timers: Host['timers'],
  send: (batch: readonly T[]) => Promise<R>,
): (each: T, isUrgent: boolean) => Promise<R> {
  let running: Promise<unknown> = Promise.resolve();
  let open: { readonly batch: T[]; readonly sent: Promise<R>; readonly go: () => void } | undefined;
  let cameMs = Number.NEGATIVE_INFINITY;
  let gapMs = lingerMs;
  const openBatch = (): NonNullable<typeof open> => {
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
    gapMs += (Math.min(nowMs - cameMs, 10 * lingerMs) - gapMs) * newestWeight;
    cameMs = nowMs;
    return gapMs < lingerMs;
  };
  return (each, isUrgent) => {
    open ??= openBatch();
    open.batch.push(each);
    if (isUrgent && !isBusy()) open.go();
    return open.sent;
  };
}

/**
 * Returns a function that writes lines of all runs of this process in batches. It throws `Failure` if a lock was lost
 * and the line begins a change. Ends of changes are always written.
 */
export function lineWriter({ database, leases, timers }: LogTables) {
  const insert = async (
    batch: readonly RunLine[],
    tokens: readonly string[],
  ): Promise<Failure | undefined> => {
    if ((await addLines(database.query, batch, tokens)) === batch.length) return undefined;
    // Lines may exist already, because a statement is repeated if the connection breaks.
    const existing = await database.query<Pick<RunLine, 'run' | 'number'>>(
      `SELECT run, number FROM telctl.lines
       WHERE (run, number) IN (SELECT * FROM unnest($1::bigint[], $2::integer[]))`,
      [batch.map(({ run }) => run), batch.map(({ number }) => number)],
    );
    const known = new Set(existing.map(({ run, number }) => `${run} ${number}`));
    const missing = batch.filter(({ run, number }) => !known.has(`${run} ${number}`));
    if (missing.length === 0) return undefined;
    const held = new Set(leases.tokens());
    const still = tokens.filter((token) => held.has(token));
    // This process may have released another account meanwhile. That is not a loss.
    return still.length < tokens.length ? insert(missing, still) : leases.lossFailure();
  };
  const add = batchItems<RunLine, Failure | undefined>(timers, (batch) => insert(batch, leases.tokens()));
  return async (one: RunLine): Promise<void> => {
    const lost = await add(one, one.line.line !== 'end');
    if (lost && one.line.line === 'begin') throw lost;
  };
}

/** Returns the writer of a run. It sends heartbeats until it is closed. */
export function writerOf(
  { database, timers, livesMs }: LogTables,
  add: (line: RunLine) => Promise<void>,
  id: string,
): RunWriter {
  let count = 0;
  let callOff = (): void => undefined;
  let isClosed = false;
  /** Writes that no caller awaits, and the first error among them. */
  const pending = new Set<Promise<void>>();
  let writeError: unknown;
  const beat = async (): Promise<void> => {
    await database.query('SELECT telctl.keep_run($1, $2)', [id, livesMs]).catch(() => undefined);
    schedule();
  };
  const schedule = (): void => {
    if (!isClosed && !database.isClosed()) callOff = timers.later(livesMs / 3, () => void beat());
  };
  schedule();
  return {
    id,
    async write(line) {
      if (writeError !== undefined) throw writeError;
      count += 1;
      const written = add({ run: id, number: count, line });
      // The caller does not wait for the end of a change, because the next line is in the same batch.
      if (line.line !== 'end') return written;
      const end = written
        .catch((error: unknown) => {
          writeError ??= error;
        })
        .finally(() => pending.delete(end));
      pending.add(end);
    },
    async flush() {
      await Promise.all(pending);
      if (writeError !== undefined) throw writeError;
    },
    async close() {
      isClosed = true;
      callOff();
      await Promise.all(pending);
      await database.query('SELECT telctl.end_run($1)', [id]);
      if (writeError !== undefined) throw writeError;
    },
  };
}
