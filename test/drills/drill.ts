import type { CalledSandbox } from '../support/called-sandbox.ts';
import type { Claim, End } from '../support/claim.ts';
import { countCharges, countRecords } from './account-state.ts';
import type { InjectedFault } from './injected-faults.ts';
import type { Job } from './jobs.ts';

/** A machine with telctl, signed in to a fresh sandbox through a proxy. */
export interface DrillBench {
  readonly sandbox: CalledSandbox;
  /** Runs telctl. With `injected`, the proxy injects that fault. */
  run(
    argv: readonly string[],
    job: Pick<Job, 'files' | 'stdin'>,
    injected?: InjectedFault,
  ): Promise<End & { readonly requests: number }>;
}

/** A record with its counts before and after a run, and the claim of that run. */
interface ClaimedRecord {
  readonly label: string;
  readonly claim: Claim;
  readonly before: number;
  readonly after: number;
  readonly expectedCount: number;
}

/** Describes how a claim contradicts the database. */
function describeContradiction(
  { label, claim, before, after, expectedCount }: ClaimedRecord,
  duration: InjectedFault['duration'],
): string | undefined {
  const state = `there ${after === 1 ? 'is' : 'are'} ${after} of ${label}`;
  switch (claim) {
    case 'done':
      return after > 0 === expectedCount > 0 ? undefined : `claimed that ${label} was changed, but ${state}`;
    case 'not done':
      return after === before ? undefined : `claimed that ${label} was not changed, but ${state}`;
    case 'exists':
      return after > 0 ? undefined : `claimed that ${label} exists, but ${state}`;
    case 'gone':
      return after === 0 ? undefined : `claimed that ${label} does not exist, but ${state}`;
    case 'unknown':
      return duration === 'for good' ? undefined : `did not check whether ${label} was changed`;
  }
}

/** Counts the requests of a job without faults. */
export async function countRequests(job: Job, bench: DrillBench): Promise<number> {
  await job.prepare?.(bench.sandbox);
  const { requests } = await bench.run(job.argv, job);
  return requests;
}

/**
 * Runs a job with one fault, then again without. Returns the findings as sentences: duplicate records or charges,
 * messages or exit codes that contradict the database, and a repeated run that does not produce the expected records.
 */
export async function drillJob(
  job: Job,
  injected: InjectedFault,
  bench: DrillBench,
): Promise<readonly string[]> {
  const { sandbox } = bench;
  await job.prepare?.(sandbox);
  const charges = countCharges(sandbox.store);
  const counts = () => Promise.all(job.records.map((record) => countRecords(sandbox, record)));
  const before = await counts();
  const faultyRun = await bench.run(job.argv, job, injected);
  const after = await counts();
  const chargedFirst = charges();
  const claimed = job.records.map((record, index) => ({
    ...record,
    claim: job.claim(faultyRun, record),
    before: before[index] ?? 0,
    after: after[index] ?? 0,
  }));
  const repeat = await bench.run(job.again ?? job.argv, job);
  const finished = await counts();
  // If the proxy duplicates a request, a service without unique names creates two records. telctl sent one request.
  const allowed = injected.name === 'duplicated' ? Math.max(...finished) : 1;
  return [
    ...claimed.flatMap((each) => describeContradiction(each, injected.duration) ?? []),
    ...(chargedFirst > job.charges ? [`charged ${chargedFirst} times, not ${job.charges}`] : []),
    ...(charges() > job.charges ? [`charged ${charges()} times in all, not ${job.charges}`] : []),
    ...[faultyRun, repeat]
      .filter(({ stderr }) => stderr.includes('bug in telctl'))
      .map(({ stderr }) => `crashed: ${stderr}`),
    ...(job.againCodes.includes(repeat.code)
      ? []
      : [`the repeated command exited with code ${repeat.code}: ${repeat.stderr}`]),
    ...job.records.flatMap(({ label, expectedCount }, index) => {
      const count = finished[index] ?? 0;
      const fits = expectedCount === 0 ? count === 0 : count >= 1 && count <= allowed;
      return fits ? [] : [`after the repeat, there are ${count} of ${label}, not ${expectedCount}`];
    }),
  ];
}
