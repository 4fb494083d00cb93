import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { formatCount } from '../../../base/wording.ts';
import {
  type Account,
  formatWriter,
  type Lease,
  type LockWait,
  lostLockFailure,
} from '../../../engine/state/state.ts';
import type { Database } from './database.ts';

/** Lifetime of a lease that is not renewed, in milliseconds. */
export const leaseMs = 15_000;

export interface LeaseParts {
  readonly database: Database;
  readonly host: Pick<Host, 'random' | 'timers' | 'processes'>;
  /** Lifetime of a lease that is not renewed, in milliseconds. */
  readonly livesMs: number;
}

interface LeaseRow {
  readonly token: string;
  readonly writer: string;
  /** The user and process, as reported by the process itself. */
  readonly holder: string;
  readonly since: Date;
}

/** Maximum pause between two attempts to take a lease, in milliseconds. */
const longestPauseMs = 1000;

/** Locks of accounts as leases: rows that their holder renews. Any process can take an expired lease. */
export class Leases {
  readonly #parts: LeaseParts;
  /** Accounts by the token of their lease. Includes leases that this process lost, until it releases them. */
  readonly #held = new Map<string, Account>();

  constructor(parts: LeaseParts) {
    this.#parts = parts;
  }

  /** Tokens of the leases that this process has not released, including lost ones. */
  tokens(): readonly string[] {
    return [...this.#held.keys()];
  }

  /** Describes the holder of a lock. Returns `undefined` if the account is not locked. */
  async holder(account: Account): Promise<string | undefined> {
    return describeHolder(await this.#readLease(account));
  }

  /** Takes the lease of an account. Returns `undefined` if another process still holds it after `forMs`. */
  async lock(account: Account, { signal, waiting, who, forMs }: LockWait): Promise<Lease | undefined> {
    const { database, host } = this.#parts;
    const { timers, random, processes } = host;
    // The identity shows other processes of this machine whether this process has ended.
    const identity = processes.identityOf(processes.pid) ?? '';
    const token = `${Buffer.from(random.bytes(16)).toString('hex')}:${identity}`;
    const holder = `${who} (process ${processes.pid})`;
    const startMs = timers.elapsedMs();
    let isReported = false;
    let ended = '';
    for (let pauseMs = 50; !(await this.#tryLock(account, { token, holder, ended })); ) {
      const row = await this.#readLease(account);
      const [, theirs] = row?.token.split(':') ?? [];
      if (row && row.token !== ended && theirs !== undefined && processes.hasEnded(theirs)) {
        ended = row.token;
        continue;
      }
      const other: string | undefined = isReported ? undefined : describeHolder(row);
      if (other !== undefined) waiting(other);
      isReported ||= other !== undefined;
      const leftMs = forMs - (timers.elapsedMs() - startMs);
      if (leftMs <= 0) return undefined;
      await pause(timers, Math.min(leftMs, pauseMs), signal);
      pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
    }
    this.#held.set(token, account);
    const stopRenewing = this.#keepRenewing(token);
    return {
      release: async () => {
        this.#held.delete(token);
        stopRenewing();
        await database.query('SELECT telctl.drop_lease($1)', [token]);
      },
    };
  }

  /** Returns the failure that describes the lease that this process lost. */
  async lossFailure(): Promise<Failure> {
    const { livesMs } = this.#parts;
    for (const [token, account] of this.#held) {
      const now = await this.#readLease(account);
      if (now?.token === token) continue;
      const taken =
        now === undefined ? '' : `, and ${holderOf(now)} has held it since ${shownTime(now.since)}`;
      return lostLockFailure(
        account,
        `it was not renewed for ${formatCount(livesMs / 1000, 'second')}${taken}`,
      );
    }
    return new Failure('conflict', 'A lock was lost for a moment. No more requests were sent.', {
      hint: createHint`Continue: ${nextStep`apply --resume`}`,
    });
  }

  /** Takes a free lease, or one whose token is `ended` because its process has ended. */
  async #tryLock(
    { origin, accountId }: Account,
    { token, holder, ended }: { readonly token: string; readonly holder: string; readonly ended: string },
  ): Promise<boolean> {
    const { database, livesMs } = this.#parts;
    const [row] = await database.query<{ readonly taken: boolean }>(
      'SELECT telctl.take_lease($1, $2, $3, $4, $5, $6) AS taken',
      [origin, accountId, token, holder, livesMs, ended],
    );
    return row?.taken === true;
  }

  async #readLease({ origin, accountId }: Account): Promise<LeaseRow | undefined> {
    const [row] = await this.#parts.database.query<LeaseRow>(
      'SELECT token, writer, holder, since FROM telctl.leases WHERE origin = $1 AND account = $2 AND until > clock_timestamp()',
      [origin, accountId],
    );
    return row;
  }

  /** Renews a lease until it is released, or until another process has taken it. */
  #keepRenewing(token: string): () => void {
    const { database, host, livesMs } = this.#parts;
    let callOff = (): void => undefined;
    const schedule = (): void => {
      callOff = host.timers.later(livesMs / 3, () => void renew());
    };
    const renew = async (): Promise<void> => {
      const rows = await database
        .query<{ readonly renewed: boolean }>('SELECT telctl.renew_lease($1, $2) AS renewed', [
          token,
          livesMs,
        ])
        .catch(() => undefined);
      // If the database does not respond, the next attempt can still be in time.
      const isOver = database.isClosed() || !this.#held.has(token) || rows?.[0]?.renewed === false;
      if (!isOver) schedule();
    };
    schedule();
    return () => callOff();
  }
}

const holderOf = ({ writer, holder }: LeaseRow): string => formatWriter(writer, holder);

const describeHolder = (row: LeaseRow | undefined): string | undefined =>
  row && `${holderOf(row)}, since ${shownTime(row.since)}`;

const shownTime = (time: Date): string => time.toISOString().replace('T', ' ').replace(/\.\d+/, '');

/** Waits. Rejects with the reason of `signal` if it is aborted. */
async function pause(timers: Host['timers'], ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      callOff();
      reject(signal.reason);
    };
    const callOff = timers.later(ms, () => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    });
    signal.addEventListener('abort', onAbort, { once: true });
  });
}
