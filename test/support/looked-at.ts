import { openAdjustableClock } from '../../src/extensions/sandbox/control/adjustable-clock.ts';
import { Faults } from '../../src/extensions/sandbox/control/faults.ts';
import { RequestLog } from '../../src/extensions/sandbox/control/request-log.ts';
import { SharedLock } from '../../src/extensions/sandbox/control/shared-lock.ts';
import { openStore } from '../../src/extensions/sandbox/store/sqlite-store.ts';
import { calledSandbox } from './called-sandbox.ts';

/** Sleeps until the clock is turned. */
const untilTurned = (_: number, signal?: AbortSignal): Promise<void> =>
  new Promise((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason));
  });

/** A sandbox with the page at its root: creates records in acme and reads pages. */
export async function lookedAt() {
  const store = openStore(':memory:');
  const base = { now: () => Date.parse('2026-05-04T10:00:00Z'), sleep: untilTurned };
  const clock = await openAdjustableClock(base, store);
  const log = new RequestLog();
  const control = {
    key: 'k'.repeat(43),
    node: '0'.repeat(32),
    clock,
    log,
    faults: new Faults(),
    lock: new SharedLock(),
    seed: () => {
      throw new Error('These tests do not use the seed.');
    },
  };
  const sandbox = await calledSandbox({ store, control });
  const token = await sandbox.adminToken();
  /** Creates a record and returns its id. */
  const put = async (path: string, data: object) => {
    const reply = await sandbox.call('PUT', `/v2/accounts/${sandbox.seed.accountId}/${path}`, {
      token,
      body: JSON.stringify({ data }),
    });
    return reply.at('data.id');
  };
  const get = (query = '') => sandbox.call('GET', `/${query}`);
  /** Reads a page of acme: `kind=menus&find=night`. */
  const look = async (query: string): Promise<string> =>
    (await get(`?account=${sandbox.seed.accountId}&${query}`)).text;
  return { ...sandbox, clock, log, faults: control.faults, token, put, get, look };
}
