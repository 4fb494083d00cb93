import type { Pool } from 'pg';
import { Failure, type FailureKind } from '../../../base/failure.ts';
import type { Timers } from '../../../base/host/host.ts';
import { systemCode, systemReason } from '../../../base/read-errors.ts';
import type { DatabaseAddress } from '../../../engine/state/open-state.ts';

export interface ConnectionParts {
  readonly address: DatabaseAddress;
  /** Where none is given, `~/.pgpass` is read. */
  password(): Promise<string | undefined>;
  /** Certificates to trust; the usual ones where left out. */
  readonly ca: readonly string[] | undefined;
  readonly timers: Timers;
}

/** Sends one statement and returns its rows. */
export type Query = <R extends object>(text: string, values?: readonly unknown[]) => Promise<readonly R[]>;

/** An open database. Methods throw `Failure` in place of the errors of the server and the network. */
export interface Database {
  readonly shown: string;
  /** Sends one statement. It may be sent twice where the connection breaks, so it has to bear that. */
  readonly query: Query;
  /** Does work in one transaction, which is done again from its beginning where the connection breaks. */
  transaction<T>(work: (query: Query) => Promise<T>): Promise<T>;
  /** True after its end: nothing is to be done regularly any more. */
  isClosed(): boolean;
  close(): Promise<void>;
}

/**
 * Time for one connection and for one statement, and for how long a database that does not answer is waited for: long
 * enough for a server that recovers after a crash, or that another one takes over from. All statements of a process share
 * that time: once it is over, they fail at once, but for one try every `probeMs`.
 */
const connectMs = 10_000;
const statementMs = 40_000;
const patienceMs = 60_000;
const probeMs = 2000;

/** Silence after which a transaction is taken back: a process that was cut off holds no rows. */
const silence = '5s';

/** Connects on the first statement. A server that restarts meanwhile is waited for; one that was never there is not. */
export function openDatabase({ address, password, ca, timers }: ConnectionParts): Database {
  const { host, port, database, user, tls, shown } = address;
  let opening: Promise<Pool> | undefined;
  let wasReached = false;
  let isClosed = false;
  /** When the database stopped to answer, until it answers again; and when it was given up last, and why. */
  let silentSinceMs: number | undefined;
  let givenUp: { readonly atMs: number; readonly failure: Failure } | undefined;
  const open = async (): Promise<Pool> => {
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
    // A connection that breaks while nothing uses it is made anew by the next statement.
    pool.on('error', () => undefined);
    return pool;
  };
  const pool = (): Promise<Pool> => {
    opening ??= open();
    return opening;
  };
  const patient = async <T>(work: () => Promise<T>): Promise<T> => {
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
        if (!wasReached || timers.elapsedMs() - silentSinceMs >= patienceMs) {
          givenUp = { atMs: timers.elapsedMs(), failure };
          throw failure;
        }
        await new Promise<void>((resolve) => timers.later(pauseMs, resolve));
      }
    }
  };
  return {
    shown,
    query: <R extends object>(text: string, values: readonly unknown[] = []) =>
      patient(async () => (await (await pool()).query<R>(text, [...values])).rows),
    transaction: (work) =>
      patient(async () => {
        const client = await (await pool()).connect();
        // A connection that breaks between two statements says so by this event; the next statement fails.
        client.on('error', ignored);
        const query: Query = async <R extends object>(text: string, values: readonly unknown[] = []) =>
          (await client.query<R>(text, [...values])).rows;
        try {
          await client.query(`BEGIN; SET LOCAL idle_in_transaction_session_timeout = '${silence}'`);
          const result = await work(query);
          await client.query('COMMIT');
          client.off('error', ignored);
          client.release();
          return result;
        } catch (error) {
          // The server takes a transaction back whose connection ends.
          client.release(true);
          throw error;
        }
      }),
    isClosed: () => isClosed,
    async close() {
      if (isClosed) return;
      isClosed = true;
      await (await opening)?.end();
    },
  };
}

/** Does what the owner of the tables may do; nothing where another user asks for it. `text`: a statement without values. */
export async function asOwner(query: Query, text: string): Promise<void> {
  await query(`DO $$ BEGIN ${text}; EXCEPTION WHEN insufficient_privilege THEN NULL; END $$`);
}

/** Rows page by page: `read` gives those after the last one of the page before. */
export async function* paged<R>(
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

const ignored = (): void => undefined;

/** Code of an error of the server (SQLSTATE); `undefined` for trouble on the way to it. */
function stateCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error) || typeof error.code !== 'string') return undefined;
  return /^[0-9A-Z]{5}$/.test(error.code) && 'severity' in error ? error.code : undefined;
}

/** True where the connection broke, or the server ended it, goes down or comes up. */
const isCut = (error: unknown): boolean => /^(?:08|57P0|25P03)/.test(stateCode(error) ?? '08');

const passwordHint =
  'Give the password in TELCTL_STATE_PASSWORD, or in TELCTL_STATE_PASSWORD_COMMAND a command that prints it.';

/** Codes of errors where no server listens. */
const unanswered = new Set(['ECONNREFUSED', 'ENOENT']);

function failureOf(error: unknown, { shown, user }: DatabaseAddress): Failure {
  const code = stateCode(error);
  const said = error instanceof Error ? error.message : String(error);
  const failure = (kind: FailureKind, why: string, hint: string): Failure =>
    new Failure(kind, `The state ${shown} ${why}.`, { hint, cause: error });
  if (code === undefined || isCut(error))
    return failure(
      'unavailable',
      `cannot be reached (${unanswered.has(systemCode(error) ?? '') ? 'nobody answers there' : (systemReason(error) ?? said)})`,
      'Repeat when the database answers. Nothing is sent to the service without the state that was chosen.',
    );
  if (code.startsWith('28')) return failure('auth', `refuses to sign ${user} in`, passwordHint);
  if (code === '3D000') return failure('not_found', 'is not there', 'Make the database first: createdb NAME');
  if (code === '42501')
    return failure(
      'refused',
      `does not let ${user} do this (${said})`,
      'Ask the owner of the database for the right: docs/teams.md, "Rights", has the lines.',
    );
  return failure('failed', `does not take this (${code}: ${said})`, 'See the log of the database server.');
}
