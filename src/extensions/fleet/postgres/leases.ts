import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { formatCount } from '../../../base/wording.ts';
import {
  type Account,
  byDatabase,
  type Lease,
  type LockWait,
  lostLock,
} from '../../../engine/state/state.ts';
import type { Database } from './database.ts';

export interface Leases {
  lock(account: Account, wait: LockWait): Promise<Lease | undefined>;
  /** Words for the holder of a lock; `undefined` where nobody has it. */
  holder(account: Account): Promise<string | undefined>;
  /** Tokens of the leases that this process holds or held and has not released. */
  held(): readonly string[];
  lost(): Promise<Failure>;
}

/** Time for which a lease lives without being renewed, in milliseconds. */
export const leaseMs = 15_000;

export interface LeaseParts {
  readonly database: Database;
  readonly host: Pick<Host, 'random' | 'timers' | 'processes'>;
  /** Time for which a lease lives without being renewed, in milliseconds. */
  readonly livesMs: number;
}

interface LeaseRow {
  readonly token: string;
  /** User of the database. */
  readonly writer: string;
  /** What its process says of itself. */
  readonly holder: string;
  readonly since: Date;
}

/** Longest pause between two tries for a lease, in milliseconds. */
const longestPauseMs = 1000;

/** Locks of accounts as leases: rows that their holder renews, and that anybody may take once they have run out. */
export function leaseTable({ database, host, livesMs }: LeaseParts): Leases {
  const { timers, random, processes } = host;
  const held = new Map<string, Account>();
  /** Takes a lease that is free, or that of a process which has ended. */
  const take = async (
    { origin, accountId }: Account,
    { token, holder, ended }: { readonly token: string; readonly holder: string; readonly ended: string },
  ): Promise<boolean> => {
    const [row] = await database.query<{ readonly taken: boolean }>(
      'SELECT telctl.take_lease($1, $2, $3, $4, $5, $6) AS taken',
      [origin, accountId, token, holder, livesMs, ended],
    );
    return row?.taken === true;
  };
  const holderOf = async ({ origin, accountId }: Account): Promise<LeaseRow | undefined> => {
    const [row] = await database.query<LeaseRow>(
      'SELECT token, writer, holder, since FROM telctl.leases WHERE origin = $1 AND account = $2 AND until > clock_timestamp()',
      [origin, accountId],
    );
    return row;
  };
  /** Renews a lease again and again. One that somebody else took is not there any more, and stays lost. */
  const renewing = (token: string): (() => void) => {
    let callOff = (): void => undefined;
    const renew = async (): Promise<void> => {
      const renewed = await database
        .query<{ readonly renewed: boolean }>('SELECT telctl.renew_lease($1, $2) AS renewed', [
          token,
          livesMs,
        ])
        .catch(() => undefined);
      // Where the database does not answer, the next renewal may come in time.
      const isOver = database.isClosed() || !held.has(token) || renewed?.[0]?.renewed === false;
      if (!isOver) callOff = timers.later(livesMs / 3, () => void renew());
    };
    callOff = timers.later(livesMs / 3, () => void renew());
    return () => callOff();
  };
  const wordsOf = (row: LeaseRow | undefined): string | undefined =>
    row && `${holderIn(row)}, since ${shownTime(row.since)}`;
  return {
    holder: async (account) => wordsOf(await holderOf(account)),
    held: () => [...held.keys()],
    async lock(account, { signal, waiting, who, forMs }) {
      // Whoever waits on this machine sees by it whether this process has ended.
      const identity = processes.identityOf(processes.pid) ?? '';
      const token = `${Buffer.from(random.bytes(16)).toString('hex')}:${identity}`;
      const holder = `${who} (process ${processes.pid})`;
      const startMs = timers.elapsedMs();
      let isTold = false;
      let ended = '';
      for (let pauseMs = 50; !(await take(account, { token, holder, ended })); ) {
        // A holder that has just released it is worth no word.
        const row = await holderOf(account);
        const [, theirs] = row?.token.split(':') ?? [];
        if (row && row.token !== ended && theirs !== undefined && processes.hasEnded(theirs)) {
          ended = row.token;
          continue;
        }
        const words: string | undefined = isTold ? undefined : wordsOf(row);
        if (words !== undefined) waiting(words);
        isTold ||= words !== undefined;
        const leftMs = forMs - (timers.elapsedMs() - startMs);
        if (leftMs <= 0) return undefined;
        await pause(timers, Math.min(leftMs, pauseMs), signal);
        pauseMs = Math.min(pauseMs * 1.5, longestPauseMs);
      }
      held.set(token, account);
      const stop = renewing(token);
      return {
        async release() {
          held.delete(token);
          stop();
          await database.query('SELECT telctl.drop_lease($1)', [token]);
        },
      };
    },
    async lost() {
      for (const [token, account] of held) {
        const now = await holderOf(account);
        if (now?.token === token) continue;
        const taken = now === undefined ? '' : `, and ${holderIn(now)} has it since ${shownTime(now.since)}`;
        return lostLock(account, `it was not renewed for ${formatCount(livesMs / 1000, 'second')}${taken}`);
      }
      return new Failure('conflict', 'A lock was lost for a moment. Nothing more was sent.', {
        hint: createHint`Go on: ${nextStep`apply --resume`}`,
      });
    },
  };
}

const holderIn = ({ writer, holder }: LeaseRow): string => byDatabase(writer, holder);

const shownTime = (time: Date): string => time.toISOString().replace('T', ' ').replace(/\.\d+/, '');

/** Waits, unless a signal ends it with its reason. */
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
