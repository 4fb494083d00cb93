import type { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { type LogLine, searchableTexts } from '../../../engine/state/log.ts';
import type { RunWriter } from '../../../engine/state/state.ts';
import type { Database, Query } from './database.ts';
import type { Leases } from './leases.ts';

export interface LogTables {
  readonly database: Database;
  readonly leases: Pick<Leases, 'held' | 'lost'>;
  readonly timers: Host['timers'];
  /** Time for which runs are kept after their last line, in milliseconds. */
  readonly keepMs: number;
  /** Time for which a run counts as going on without a sign of its process, in milliseconds. */
  readonly livesMs: number;
}

/** A text as it is looked for: in lower case, and without what a database does not take. */
export const searchText = (text: string): string => text.toLowerCase().replaceAll('\0', '');

interface RunLine {
  readonly run: string;
  readonly number: number;
  readonly line: LogLine;
}

/** Adds lines where they are not there yet, those that begin a change only while all of some leases are held. */
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
export function lineWriter({ database, leases, timers }: LogTables) {
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
export function writerOf(
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
      await database.query('SELECT telctl.end_run($1)', [id]);
      if (trouble !== undefined) throw trouble;
    },
  };
}
