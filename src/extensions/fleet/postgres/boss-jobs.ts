import { mapWithConcurrency } from '../../../base/concurrency.ts';
import { Failure, withFacts } from '../../../base/failure.ts';
import type { Jobs } from '../../../engine/state/state.ts';
import type { Database } from './database.ts';

/** Time without a sign of its process after which a job is given to another one, in seconds; ten at least. */
const heartbeatSeconds = 10;
/** Signs of life for jobs that are under way. */
const heartbeatRefreshSeconds = 3;
/** Pause where there is nothing to take. */
const pollingIntervalSeconds = 0.5;
/** Longest time of one try, in seconds. */
const expireInSeconds = 3600;
const addedAtOnce = 500;

const queueOf = (rollout: string): string => `rollout-${rollout}`;

/** Jobs by pg-boss, in a schema of its own beside that of the state: `telctl_jobs`. */
export async function bossJobs(database: Database): Promise<Jobs> {
  const { PgBoss } = await import('pg-boss');
  let refused: Failure | undefined;
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        try {
          return { rows: [...((await database.query(text, values)) ?? [])] };
        } catch (error) {
          if (!(error instanceof Failure)) throw error;
          if (error.kind === 'refused') refused = error;
          // Its workers write their names into the message.
          throw withFacts(error, {});
        }
      },
    },
    schema: 'telctl_jobs',
    schedule: false,
    // Whoever works looks for jobs whose process died.
    superviseIntervalSeconds: 2,
    monitorIntervalSeconds: 2,
    monitorVacuum: false,
    reindex: false,
  });
  // What goes wrong in between is found out by the next call, which throws it. Only what the supervision and the workers
  // may not do would be found out by nobody: jobs of dead processes would wait for ever.
  let refusal: Failure | undefined;
  boss.on('error', () => {
    refusal ??= refused;
  });
  await boss.start();
  const known = new Set<string>();
  const workers = new Map<string, string>();
  const opened = async (rollout: string): Promise<string> => {
    const name = queueOf(rollout);
    if (known.has(name)) return name;
    await boss.createQueue(name, {
      policy: 'exclusive',
      retryLimit: 10,
      retryDelay: 1,
      retryBackoff: true,
      retryDelayMax: 60,
      expireInSeconds,
      heartbeatSeconds,
      deleteAfterSeconds: 3600,
    });
    known.add(name);
    return name;
  };
  return {
    async add(rollout, accounts) {
      const name = await opened(rollout);
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
      const name = await opened(rollout);
      const id = await boss.work<{ readonly position: number }>(
        name,
        {
          // Of a single job at a time the next one would wait for the next look.
          batchSize: Math.max(2, atOnce),
          burstWhenBatchFull: true,
          perJobResults: true,
          pollingIntervalSeconds,
          heartbeatRefreshSeconds,
        },
        (jobs) =>
          mapWithConcurrency(jobs, atOnce, async ({ id: job, data: { position }, retryCount: begun }) => {
            const why = await work({ position, begun });
            return why === undefined
              ? { id: job, status: 'completed' }
              : { id: job, status: 'failed', output: { why } };
          }),
      );
      workers.set(name, id);
      return async () => {
        workers.delete(name);
        await boss.offWork(name, { id, wait: true });
      };
    },
    refusal: () => refusal,
    close: () => boss.stop({ graceful: false, close: false }),
  };
}
