import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import type { Context } from '../../../cli/command/context.ts';
import { contextForAccount } from '../../../cli/commands/bulk/each-account.ts';
import { planHash } from '../../../cli/commands/manifest/accounts/fleet-plan.ts';
import { applyAccount, isUpToDate } from '../../../cli/commands/manifest/apply/account-job.ts';
import { holderName } from '../../../cli/commands/manifest/apply/account-locks.ts';
import { currentAccount, hasRequests } from '../../../cli/commands/manifest/apply/apply-plans.ts';
import { applyResult } from '../../../cli/commands/manifest/apply/apply-report.ts';
import { reverseRun } from '../../../cli/commands/manifest/apply/undo.ts';
import { type ApplyReport, reportCounts } from '../../../engine/manifest/plan.ts';
import { foundObjects } from '../../../engine/manifest/shown-plan.ts';
import { isWholeStep } from '../../../engine/state/log.ts';
import type { Rollout, RolloutAccount } from '../../../engine/state/rollouts.ts';
import { failingHooks, stopIfTooMany } from './judge-wave.ts';
import { charging, countDeletes } from './limits.ts';
import { inputOfAccount, manifestOf, type Prepared } from './prepare.ts';

/** A process that works on the accounts of a rollout. */
export interface Worker {
  readonly context: Context;
  readonly rollout: Rollout;
  readonly prepared: Prepared;
  /** Its name in the record: `alice@laptop (process 12)`. */
  readonly name: string;
  /** Texts of warnings that were said. */
  readonly warned: Set<string>;
  /** Called for each account after a try. */
  readonly told?: ((account: RolloutAccount) => void | Promise<void>) | undefined;
}

/** Times that an account is tried while the service, or the machines that work on it, fail. */
const mostTries = 3;

/** Times that an account is begun at most, whatever ended the processes that did. */
const mostBegun = 8;

/** What became of an account in one try. */
export interface Tried {
  readonly account: RolloutAccount;
  /** Reason of a failure; `interrupted`: the account waits for its next try. */
  readonly failure?: Failure | undefined;
}

/** Returns the name by which a process stands in the record of the accounts that it works on. */
export const workerName = async (context: Context): Promise<string> =>
  `${await holderName(context)} (process ${context.host.processes.pid})`;

/**
 * Carries a rollout out in one account, keeps what became of it, and stops the rollout where too many failed. Never throws
 * for what the service answers. Where a second worker has the account, it waits for the lock, and then finds nothing left to do.
 */
export async function workOn(
  worker: Worker,
  given: RolloutAccount,
  begun: number = given.tries,
): Promise<Tried> {
  try {
    const tried = await tryOn(worker, given, begun);
    if (tried.account.state === 'failed')
      await stopIfTooMany(worker.context, worker.rollout.id, tried.failure);
    await worker.told?.(tried.account);
    return tried;
  } catch (error) {
    // The state failed: what became of it is known nowhere.
    await worker.told?.({ ...given, state: 'running', tries: given.tries + 1, worker: worker.name });
    throw error;
  }
}

/** A try for one account. It is begun in the record with the first thing that is kept of it. */
interface Attempt {
  readonly account: RolloutAccount;
  /** Keeps more of it. False where another attempt has begun, or the rollout does not run any more. */
  keep(more: Partial<RolloutAccount>): Promise<boolean>;
  /** The same before something is sent. Throws `Failure` of kind `interrupted` where it is not kept. */
  begin(more: Partial<RolloutAccount>): Promise<void>;
}

async function attemptOn({ context, rollout, name }: Worker, given: RolloutAccount): Promise<Attempt> {
  const { rollouts } = await context.state();
  const { error: _, ...before } = given;
  let account: RolloutAccount = { ...before, state: 'running', tries: given.tries + 1, worker: name };
  const keep = async (more: Partial<RolloutAccount>): Promise<boolean> => {
    const after = { ...account, ...more };
    if (!(await rollouts.put(rollout.id, after))) return false;
    account = after;
    return true;
  };
  return {
    get account() {
      return account;
    },
    keep,
    async begin(more) {
      if (await keep(more)) return;
      const why = `Rollout ${rollout.id} does not go on here; nothing was sent to this account.`;
      throw new Failure('interrupted', why);
    },
  };
}

async function tryOn(worker: Worker, given: RolloutAccount, before: number): Promise<Tried> {
  const { context, rollout } = worker;
  const startMs = context.host.timers.elapsedMs();
  const attempt = await attemptOn(worker, given);
  const { tries } = attempt.account;
  const keepEnd = async (
    failure: Failure | undefined,
    more: (state: 'waiting' | 'failed' | undefined) => Partial<RolloutAccount>,
  ): Promise<Tried> => {
    const waits = failure?.kind === 'interrupted' || (failure?.kind === 'unavailable' && tries < mostTries);
    const end = {
      ...more(failure && (waits ? 'waiting' : 'failed')),
      ...(failure && failure.kind !== 'interrupted'
        ? { error: { kind: failure.kind, message: failure.message } }
        : {}),
      tookMs: Math.round(context.host.timers.elapsedMs() - startMs),
    };
    if (await attempt.keep(end)) return { account: attempt.account, failure };
    const { rollouts } = await context.state();
    return { account: (await rollouts.account(rollout.id, given.position)) ?? given };
  };
  if (before >= mostBegun) return keepEnd(endedTooOften(), () => ({ state: 'failed' }));
  try {
    const reports = await (rollout.what === 'undo' ? reversed : applied)(worker, attempt);
    const { failure } = applyResult(reports, nextStep`rollout resume ${rollout.id}`);
    return await keepEnd(failure, (state) => endFacts(attempt.account, reports, state));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return keepEnd(error, (state = 'failed') => ({ state }));
  }
}

/** An account whose processes ended again and again before it was done: it may be what ends them. */
const endedTooOften = (): Failure =>
  new Failure(
    'failed',
    `The processes that worked on it ended ${mostBegun} times before it was done; it is left as it is.`,
  );

/** Facts of an account once its plans were carried out; `state` where they were not, or not whole. */
export function endFacts(
  { counts: before }: Pick<RolloutAccount, 'counts'>,
  reports: readonly ApplyReport[],
  state?: 'waiting' | 'failed',
): Pick<RolloutAccount, 'state' | 'counts' | 'neverAdopted' | 'name'> {
  const counts: Record<string, number> =
    before === undefined ? {} : { ...before, unchanged: 0, failed: 0, skipped: 0, unknown: 0 };
  for (const report of reports)
    for (const [word, count] of Object.entries(reportCounts(report)))
      counts[word] = (counts[word] ?? 0) + count;
  const found = reports.flatMap(({ plan }) => foundObjects(plan).map(({ label }) => label));
  const changed = ['created', 'updated', 'deleted'].some((word) => (counts[word] ?? 0) > 0);
  return {
    state: state ?? (changed ? 'done' : 'unchanged'),
    counts,
    ...(found.length === 0 ? {} : { neverAdopted: found }),
    ...(reports[0] === undefined ? {} : { name: reports[0].plan.account.name }),
  };
}

/** The context of one account, whose runs are those of the rollout. */
function ownContext({ context, rollout, warned }: Worker, { accountId: id, word }: RolloutAccount): Context {
  return {
    ...charging(context, contextForAccount(context, { id, word }, warned), rollout),
    facts: async () => ({ ...(await context.facts()), rollout: rollout.id }),
  };
}

const noted =
  ({ account: { runs }, begin }: Attempt) =>
  (run: string): Promise<void> =>
    begin({ runs: [...runs, run] });

/** Makes one account as the manifest says. */
async function applied(worker: Worker, attempt: Attempt): Promise<readonly ApplyReport[]> {
  const { context, rollout, prepared } = worker;
  const { word, agreed, runs, wave, failingHooks: known, deletes: before = 0 } = attempt.account;
  const own = ownContext(worker, attempt.account);
  const { passwords } = prepared;
  const input = inputOfAccount(prepared, word);
  return applyAccount(own, {
    input: { ...input, onError: input.onError ?? 'stop' },
    manifest: await manifestOf(prepared, own, word),
    passwords: passwords && {
      prepare: (plans) => passwords.prepare(plans, word),
      amend: (plan) => passwords.amend(plan, word),
    },
    // What was planned before the rollout began is over already where nothing is to be done.
    isFinished: agreed === undefined && !input.takeOver ? (planning) => isUpToDate(own, planning) : undefined,
    onRunStart: noted(attempt),
    async agree(accounts) {
      // What was done in a try before is no longer in the plan.
      if (runs.length === 0 && agreed !== undefined && agreed !== planHash(accounts))
        throw otherPlan(rollout);
      const steps = accounts.flatMap(({ plan }) => plan.steps);
      const deletes = steps.filter((step) => step.by === 'delete' && isWholeStep(step)).length;
      if (deletes > before) {
        await countDeletes(context, rollout, deletes - before);
        await attempt.begin({ deletes });
      }
      if (rollout.waves.length > wave && known === undefined && accounts.some(hasRequests))
        await attempt.begin({ failingHooks: await failingHooks(own) });
    },
  });
}

/** The failure of an account for which another plan was shown, or reviewed. */
const otherPlan = ({ id, reviewed }: Rollout): Failure =>
  reviewed === undefined
    ? new Failure('conflict', 'The account changed since its plan was shown; nothing was sent to it.', {
        hint: createHint`Look at it: ${nextStep`plan --account NAME`}. To go on all the same: ${nextStep`rollout resume ${id}`}.`,
      })
    : new Failure(
        'conflict',
        `Its plan is no longer the one of ${reviewed} that was reviewed; nothing was sent to it.`,
        {
          hint: createHint`Make the plan of the fleet again, for another review: ${nextStep`plan --accounts FILE --out PLAN`}`,
        },
      );

/**
 * Reverses what a rollout did in one account, its last run first. Throws `Failure` of kind `partial` where something
 * could not be reversed: others changed it, or its old value is not known.
 */
async function reversed(worker: Worker, attempt: Attempt): Promise<readonly ApplyReport[]> {
  const { force, overwrite, ledger } = worker.prepared.input;
  const { accountId: id, word: name, reverses = [] } = attempt.account;
  const own = ownContext(worker, attempt.account);
  const { origin } = await currentAccount(own);
  const reports: ApplyReport[] = [];
  const left: string[] = [];
  for (const run of reverses.toReversed()) {
    const input = { run, force, overwrite, ledger, onError: 'stop' } as const;
    const reversal = await reverseRun(own, { id, name, origin }, input, noted(attempt));
    reports.push(...(reversal?.reports ?? []));
    left.push(
      ...(reversal === undefined
        ? [`run ${run}, which the log no longer has`]
        : reversal.left.map(({ label, why }) => `${label}: ${why}`)),
    );
  }
  if (left[0] === undefined) return reports;
  throw new Failure('partial', `${left.length} of what was done stayed as it is; the first is ${left[0]}.`);
}
