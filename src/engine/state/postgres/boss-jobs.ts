import { Failure } from '../../../base/failure.ts';
import type { Job, Jobs } from '../jobs.ts';
import type { Database } from './database.ts';

/** Time without a sign of its process after which a job is given to another one, in seconds; ten at least. */
const heartbeatSeconds = 10;
/** Longest time of one try, in seconds. */
const expireInSeconds = 3600;
/** Jobs that are added at once. */
const addedAtOnce = 500;

const queueOf = (rollout: string): string => `rollout-${rollout}`;

/** Jobs by pg-boss, in a schema of its own beside that of the state: `telctl_jobs`. */
export async function bossJobs(database: Database): Promise<Jobs> {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        return { rows: [...((await database.query(text, values)) ?? [])] };
      },
    },
    schema: 'telctl_jobs',
    schedule: false,
    // Whoever works looks for jobs whose process died.
    ...{ superviseIntervalSeconds: 2, monitorIntervalSeconds: 2 },
    ...{ monitorVacuum: false, reindex: false },
  });
  // What goes wrong in between is found out by the next call, which throws it. Only what the supervision may not do
  // would be found out by nobody: jobs of dead processes would wait for ever.
  let refusal: Failure | undefined;
  boss.on('error', (error) => {
    if (error instanceof Failure && error.kind === 'refused') refusal = error;
  });
  await boss.start();
  const known = new Set<string>();
  const opened = async (rollout: string): Promise<string> => {
    const name = queueOf(rollout);
    if (known.has(name)) return name;
    await boss.createQueue(name, {
      ...{ policy: 'exclusive', retryLimit: 10, retryDelay: 1, retryBackoff: true, retryDelayMax: 60 },
      ...{ expireInSeconds, heartbeatSeconds, deleteAfterSeconds: 3600 },
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
    },
    async take(rollout, atMost) {
      if (refusal) throw refusal;
      const jobs = await boss.fetch<{ readonly position: number }>(await opened(rollout), {
        batchSize: atMost,
      });
      return jobs.map(({ id, data: { position }, retryCount }) => ({ id, position, retryCount }));
    },
    async touch(rollout, jobs) {
      if (jobs.length > 0) await boss.touch(queueOf(rollout), jobs.map(attemptOf));
    },
    async done(rollout, job) {
      await boss.complete(queueOf(rollout), attemptOf(job));
    },
    async retry(rollout, job, why) {
      await boss.fail(queueOf(rollout), attemptOf(job), { why });
    },
    close: () => boss.stop({ graceful: false, close: false }),
  };
}

const attemptOf = ({ id, retryCount }: Job) => ({ id, retryCount });
