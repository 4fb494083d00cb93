import type { PgBoss } from 'pg-boss';
import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure, withFacts } from '../../../base/failure.ts';
import type { DoJob, Jobs } from '../../../engine/state/state.ts';
import type { Database } from './database.ts';

/** Seconds without a heartbeat after which another process gets the job. pg-boss requires at least 10. */
const heartbeatSeconds = 10;
const heartbeatRefreshSeconds = 3;
const pollingIntervalSeconds = 0.5;
/** Maximum duration of one attempt, in seconds. */
const expireInSeconds = 3600;
const addedAtOnce = 500;

/** Opens a queue of jobs with pg-boss, in its own schema `telctl_jobs`. */
export async function bossJobs(database: Database): Promise<Jobs> {
  const { boss, refusal } = await startBoss(database);
  const queues = new Set<string>();
  const workers = new Map<string, string>();
  const openQueue = async (rollout: string): Promise<string> => {
    const name = `rollout-${rollout}`;
    if (!queues.has(name)) await createQueue(boss, name);
    queues.add(name);
    return name;
  };
  return {
    async add(rollout, accounts) {
      const name = await openQueue(rollout);
      for (let from = 0; from < accounts.length; from += addedAtOnce)
        await boss.insert(
          name,
          accounts.slice(from, from + addedAtOnce).map(({ position, accountId }) => ({
            data: { position },
            singletonKey: accountId,
          })),
        );
      const worker = workers.get(name);
      if (worker !== undefined) boss.notifyWorker(worker);
    },
    async work(rollout, atOnce, work) {
      const name = await openQueue(rollout);
      const id = await startWorker(boss, name, atOnce, work);
      workers.set(name, id);
      return async () => {
        workers.delete(name);
        await boss.offWork(name, { id, wait: true });
      };
    },
    refusal,
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

/** Starts pg-boss. `refusal` returns the first permission error of its background work, which no call would throw. */
async function startBoss(database: Database) {
  const { PgBoss } = await import('pg-boss');
  let refused: Failure | undefined;
  let refusal: Failure | undefined;
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        try {
          return { rows: [...((await database.query(text, values)) ?? [])] };
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          if (error.kind === 'refused') refused = error;
          // Workers of pg-boss write their names into the message, so each gets a copy.
          throw withFacts(error, {});
        }
      },
    },
    schema: 'telctl_jobs',
    schedule: false,
    // Every process looks for jobs of processes that ended.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    monitorVacuum: false,
    reindex: false,
  });
  // The next call throws other errors again. Permission errors are kept, because without its background work jobs of
  // ended processes would wait forever.
  boss.on('error', () => {
    refusal ??= refused;
  });
  await boss.start();
  return { boss, refusal: () => refusal };
}

const createQueue = (boss: PgBoss, name: string): Promise<void> =>
  boss.createQueue(name, {
    policy: 'exclusive',
    retryLimit: 10,
    retryDelay: 1,
    retryBackoff: true,
    retryDelayMax: 60,
    expireInSeconds,
    heartbeatSeconds,
    deleteAfterSeconds: 3600,
  });

/** Starts a worker for the jobs of a queue, and returns its id. */
const startWorker = (boss: PgBoss, name: string, atOnce: number, work: DoJob): Promise<string> =>
  boss.work<{ readonly position: number }>(
    name,
    {
      // With a batch size of one, the next job would wait for the next poll.
      batchSize: Math.max(2, atOnce),
      burstWhenBatchFull: true,
      perJobResults: true,
      pollingIntervalSeconds,
      heartbeatRefreshSeconds,
    },
    (jobs) =>
      mapWithConcurrency(jobs, atOnce, async ({ id, data: { position }, retryCount: begun }) => {
        const why = await work({ position, begun });
        return why === undefined ? { id, status: 'completed' } : { id, status: 'failed', output: { why } };
      }),
  );
