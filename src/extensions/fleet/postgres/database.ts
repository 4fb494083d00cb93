import type { Pool, PoolClient } from 'pg';
import { Failure, type FailureKind } from '../../../base/failure.ts';
import type { Timers } from '../../../base/host/host.ts';
import { systemCode, systemReason } from '../../../base/read-errors.ts';
import type { DatabaseAddress } from '../../../engine/state/open-state.ts';

export interface ConnectionParts {
  readonly address: DatabaseAddress;
  /** Returns the password. If it returns `undefined`, `~/.pgpass` is read. */
  password(): Promise<string | undefined>;
  /** Certificates to trust (default: those of Node.js). */
  readonly ca: readonly string[] | undefined;
  readonly timers: Timers;
}

/** Sends one statement and returns its rows. */
export type Query = <R extends object>(text: string, values?: readonly unknown[]) => Promise<readonly R[]>;

/** An open database. Errors of the server and of the network are thrown as `Failure`. */
export interface Database {
  readonly shown: string;
  /** Sends one statement. If the connection breaks, it is sent again, so it must be idempotent. */
  readonly query: Query;
  /** Runs `work` in a transaction. If the connection breaks, it runs again from the beginning. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** Returns true after `close`. Periodic work stops then. */
  isClosed(): boolean;
  close(): Promise<void>;
}

/** Time limit for opening a connection, in milliseconds. */
const connectMs = 10_000;
/** Time limit for one statement, in milliseconds. */
const statementMs = 40_000;
/**
 * How long to wait for a database that stopped responding, in milliseconds. It can recover or fail over in this time.
 * All statements share it.
 */
const reconnectTimeoutMs = 60_000;
/** After `reconnectTimeoutMs`, statements fail immediately, except for one attempt in this time (milliseconds). */
const probeMs = 2000;

/** Idle time after which the server rolls back a transaction. A process that lost its connection then locks no rows. */
const idleLimit = '5s';

/**
 * Opens a database. Connects at the first statement. Waits for a server that restarts, but not for the first
 * connection.
 */
export function openDatabase(parts: ConnectionParts): Database {
  const { address, timers } = parts;
  let opening: Promise<Pool> | undefined;
  let isClosed = false;
  const pool = (): Promise<Pool> => {
    opening ??= openPool(parts);
    return opening;
  };
  const retry = retryWhileCut(address, timers);
  return {
    shown: address.shown,
    query: <R extends object>(text: string, values: readonly unknown[] = []) =>
      retry(async () => (await (await pool()).query<R>(text, [...values])).rows),
    transaction: (work) => retry(async () => runTransaction(await (await pool()).connect(), work)),
    isClosed: () => isClosed,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await (await opening)?.end();
    },
  };
}

async function openPool({ address, password, ca }: ConnectionParts): Promise<Pool> {
  const { host, port, database, user, tls } = address;
  const [{ default: pg }, secret] = await Promise.all([import('pg'), password()]);
  const pool = new pg.Pool({
    host,
    port,
    database,
    user,
    max: 4,
    ...(secret === undefined ? {} : { password: secret }),
    ssl: tls ? { rejectUnauthorized: true, ...(ca === undefined ? {} : { ca: [...ca] }) } : false,
    application_name: 'telctl',
    connectionTimeoutMillis: connectMs,
    query_timeout: statementMs,
    keepAlive: true,
    allowExitOnIdle: true,
  });
  // The next statement replaces a broken idle connection.
  pool.on('error', () => undefined);
  return pool;
}

/** Returns a function that repeats work while the connection breaks, for `reconnectTimeoutMs` after the last response. */
function retryWhileCut(address: DatabaseAddress, timers: Timers) {
  let wasReached = false;
  let silentSinceMs: number | undefined;
  let givenUp: { readonly atMs: number; readonly failure: Failure } | undefined;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (givenUp && timers.elapsedMs() - givenUp.atMs < probeMs) throw givenUp.failure;
    for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 2, 2000)) {
      const begunMs = timers.elapsedMs();
      try {
        const result = await work();
        wasReached = true;
        silentSinceMs = undefined;
        givenUp = undefined;
        return result;
      } catch (error) {
        if (error instanceof Failure) throw error;
        const failure = failureOf(error, address);
        if (!isCut(error)) throw failure;
        silentSinceMs = Math.min(silentSinceMs ?? begunMs, begunMs);
        if (!wasReached || timers.elapsedMs() - silentSinceMs >= reconnectTimeoutMs) {
          givenUp = { atMs: timers.elapsedMs(), failure };
          throw failure;
        }
        await new Promise<void>((resolve) => timers.later(pauseMs, resolve));
      }
    }
  };
}

async function runTransaction<T>(client: PoolClient, work: (query: Query) => Promise<T>): Promise<T> {
  // If the connection breaks between two statements, the next statement fails.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  try {
    await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = '${idleLimit}'`);
    const result = await work(
      async <R extends object>(text: string, values: readonly unknown[] = []) =>
        (await client.query<R>(text, [...values])).rows,
    );
    await client.query('COMMIT');
    client.off('error', ignore);
    client.release();
    return result;
  } catch (error) {
    // Closing the connection makes the server roll back.
    client.release(true);
    throw error;
  }
}

/** Runs a statement without values. Does nothing if the user lacks the permissions of the table owner. */
export async function asOwner(query: Query, text: string): Promise<void> {
  await query(`DO $$ BEGIN ${text}; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$`);
}

/** Reads rows in pages of `size`. `read` returns the rows that follow the last row of the previous page. */
export async function* readPages<R>(
  size: number,
  read: (last: R | undefined) => Promise<readonly R[]>,
): AsyncGenerator<R> {
  for (let last: R | undefined; ; ) {
    const rows = await read(last);
    yield* rows;
    if (rows.length < size) return;
    last = rows.at(-1);
  }
}

/** Returns the SQLSTATE of an error of the server. Returns `undefined` for a network error. */
function stateCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error ? error.code : undefined;
}

/** Returns true if the connection broke, or the server ended it, shuts down or starts. */
const isCut = (error: unknown): boolean => /^(?:08|57P0|25P03)/.test(stateCode(error) ?? '08');

const passwordHint =
  'Set TELCTL_STATE_PASSWORD, or set TELCTL_STATE_PASSWORD_COMMAND to a command that prints the password.';

const noListenerCodes = new Set(['ECONNREFUSED', 'ENOENT']);

function failureOf(error: unknown, { shown, user }: DatabaseAddress): Failure {
  const code = stateCode(error);
  const message = error instanceof Error ? error.message : String(error);
  const failure = (kind: FailureKind, why: string, hint: string): Failure =>
    new Failure(kind, `The state ${shown} ${why}.`, { hint, cause: error });
  if (code === undefined || isCut(error))
    return failure(
      'unavailable',
      `cannot be reached (${noListenerCodes.has(systemCode(error) ?? '') ? 'connection refused' : (systemReason(error) ?? message)})`,
      'Repeat the command when the database is available. telctl sends no requests without its state.',
    );
  if (code.startsWith('28')) return failure('auth', `rejected the sign-in of ${user}`, passwordHint);
  if (code === '3D000') return failure('not_found', 'does not exist', 'Create the database: createdb NAME');
  if (code === '42501')
    return failure(
      'refused',
      `does not allow ${user} to do this (${message})`,
      'Ask the owner of the database for the permission. See docs/teams.md, "Rights".',
    );
  return failure('failed', `returned an error (${code}: ${message})`, 'See the log of the database server.');
}
