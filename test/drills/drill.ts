import type { CalledSandbox } from '../support/called-sandbox.ts';
import type { Claim, End } from '../support/claim.ts';
import { countCharges, countOf } from './account-state.ts';
import type { Job } from './jobs.ts';
import type { Strike } from './strikes.ts';

/** A machine with telctl on it, signed in to a fresh sandbox, and a proxy between them. */
export interface Bench {
  readonly sandbox: CalledSandbox;
  /** Runs telctl; its requests meet the strike where there is one. */
  run(
    argv: readonly string[],
    job: Pick<Job, 'files' | 'stdin'>,
    strike?: Strike,
  ): Promise<End & { readonly requests: number }>;
}

/** A deed before and after a run, with what the run said of it. */
interface Told {
  readonly what: string;
  readonly claim: Claim;
  readonly before: number;
  readonly after: number;
  readonly wished: number;
}

/** Says how a claim and the database disagree; `undefined` where they agree. */
function untruth(
  { what, claim, before, after, wished }: Told,
  lasting: Strike['lasting'],
): string | undefined {
  const state = `there ${after === 1 ? 'is' : 'are'} ${after} of ${what}`;
  switch (claim) {
    case 'done':
      return after > 0 === wished > 0 ? undefined : `said that ${what} was done, but ${state}`;
    case 'not done':
      return after === before ? undefined : `said that ${what} was not done, but ${state}`;
    case 'exists':
      return after > 0 ? undefined : `said that ${what} exists, but ${state}`;
    case 'gone':
      return after === 0 ? undefined : `said that there is no ${what}, but ${state}`;
    case 'unknown':
      return lasting === 'for good' ? undefined : `did not look whether ${what} was done`;
  }
}

/** Counts the requests that a job sends when nothing goes wrong. */
export async function positionsOf(job: Job, bench: Bench): Promise<number> {
  await job.prepare?.(bench.sandbox);
  const { requests } = await bench.run(job.argv, job);
  return requests;
}

/**
 * Runs a job with one fault, and once more without. Returns what went wrong, a sentence each: a record or charge too
 * many, a sentence or exit code that the database contradicts, a repeat that does not bring about what was wished.
 */
export async function drill(job: Job, strike: Strike, bench: Bench): Promise<readonly string[]> {
  const { sandbox } = bench;
  await job.prepare?.(sandbox);
  const charges = countCharges(sandbox.store);
  const counts = () => Promise.all(job.deeds.map((deed) => countOf(sandbox, deed)));
  const before = await counts();
  const struck = await bench.run(job.argv, job, strike);
  const after = await counts();
  const chargedFirst = charges();
  const told = job.deeds.map((deed, index) => ({
    ...deed,
    claim: job.claim(struck, deed),
    before: before[index] ?? 0,
    after: after[index] ?? 0,
  }));
  const again = await bench.run(job.again ?? job.argv, job);
  const finished = await counts();
  // What a proxy delivers twice, a service without unique names makes twice; telctl sent it once.
  const allowed = strike.name === 'duplicated' ? Math.max(...finished) : 1;
  return [
    ...told.flatMap((each) => untruth(each, strike.lasting) ?? []),
    ...(chargedFirst > job.charges ? [`charged ${chargedFirst} times, not ${job.charges}`] : []),
    ...(charges() > job.charges ? [`charged ${charges()} times in all, not ${job.charges}`] : []),
    ...[struck, again]
      .filter(({ stderr }) => stderr.includes('bug in telctl'))
      .map(({ stderr }) => `broke: ${stderr}`),
    ...(job.againCodes.includes(again.code)
      ? []
      : [`repeated, it ended with ${again.code}: ${again.stderr}`]),
    ...job.deeds.flatMap(({ what, wished }, index) => {
      const count = finished[index] ?? 0;
      const fits = wished === 0 ? count === 0 : count >= 1 && count <= allowed;
      return fits ? [] : [`repeated, there are ${count} of ${what}, not ${wished}`];
    }),
  ];
}
