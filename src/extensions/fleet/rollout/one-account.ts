import { createHint, Failure, nextStep } from '../../../base/failure.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Context } from '../../../cli/command/context.ts';
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
import { countFailingHooks, stopIfTooMany } from './judge-wave.ts';
import { countDeletes, withChargeLimit } from './limits.ts';
import { inputOfAccount, manifestOf, type Prepared } from './prepare.ts';

/** A process that works on the accounts of a rollout. */
export interface Worker {
  readonly context: Context;
  readonly rollout: Rollout;
  readonly prepared: Prepared;
  /** Its name in the record, such as `alice@laptop (process 12)`. */
  readonly name: string;
  /** Warnings that were already printed. */
  readonly warned: Set<string>;
  /** Called for each account after an attempt. */
  readonly onAttempt?: ((account: RolloutAccount) => void | Promise<void>) | undefined;
}

/** Maximum number of attempts while the service is unavailable. */
const mostTries = 3;

/** Maximum number of attempts if the processes end for any reason. */
const mostBegun = 8;

export interface AttemptResult {
  readonly account: RolloutAccount;
  /** If its kind is `interrupted`, the account waits for the next attempt. */
  readonly failure?: Failure | undefined;
}

/** Returns the name of this process in the record, such as `alice@laptop (process 12)`. */
export const workerName = async (context: Context): Promise<string> =>
  `${await holderName(context)} (process ${context.host.processes.pid})`;

/**
 * Runs a rollout in one account, stores the result, and stops the rollout if too many accounts failed. Errors of the
 * service are stored, not thrown. If another process works on the account, it waits for the lock and then finds nothing
 * to do.
 */
export async function workOnAccount(
  worker: Worker,
  given: RolloutAccount,
  own: Context,
  begun: number = given.tries,
): Promise<AttemptResult> {
  try {
    const tried = await attemptAccount(worker, given, ownContext(worker, own), begun);
    if (tried.account.state === 'failed')
      await stopIfTooMany(worker.context, worker.rollout.id, tried.failure);
    await worker.onAttempt?.(tried.account);
    return tried;
  } catch (error) {
    // The state is unavailable, so the result was not stored.
    await worker.onAttempt?.({ ...given, state: 'running', tries: given.tries + 1, worker: worker.name });
    throw error;
  }
}

/** An attempt for one account. The first `keep` or `begin` stores that it has begun. */
interface Attempt {
  readonly account: RolloutAccount;
  /** Stores more facts. Returns false if another attempt has begun, or if the rollout is not running. */
  keep(more: Partial<RolloutAccount>): Promise<boolean>;
  /** Like `keep`, before requests are sent. Throws `Failure` (`interrupted`) if the facts were not stored. */
  begin(more: Partial<RolloutAccount>): Promise<void>;
}

async function startAttempt({ context, rollout, name }: Worker, given: RolloutAccount): Promise<Attempt> {
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
      const why = `Rollout ${rollout.id} was stopped. No requests were sent to this account.`;
      throw new Failure('interrupted', why);
    },
  };
}

async function attemptAccount(
  worker: Worker,
  given: RolloutAccount,
  own: Context,
  before: number,
): Promise<AttemptResult> {
  const { context, rollout } = worker;
  const startMs = context.host.timers.elapsedMs();
  const attempt = await startAttempt(worker, given);
  const { tries } = attempt.account;
  const keepEnd = async (
    failure: Failure | undefined,
    more: (state: 'waiting' | 'failed' | undefined) => Partial<RolloutAccount>,
  ): Promise<AttemptResult> => {
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
  if (before >= mostBegun) return keepEnd(tooManyAttempts(), () => ({ state: 'failed' }));
  try {
    const reports = await (rollout.what === 'undo' ? reverseAccount : applyToAccount)(worker, attempt, own);
    const { failure } = applyResult(reports, nextStep`rollout resume ${rollout.id}`);
    return await keepEnd(failure, (state) => endFacts(attempt.account, reports, state));
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return keepEnd(error, (state = 'failed') => ({ state }));
  }
}

/** Creates the failure of an account that may itself be the reason why its processes ended. */
const tooManyAttempts = (): Failure =>
  new Failure(
    'failed',
    `The processes that worked on this account ended ${mostBegun} times before they finished. telctl does not retry it.`,
  );

/**
 * Returns the facts of an account after its plans were applied. `state` is given if they were not applied completely.
 */
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

/** Adds the rollout to the context of an account: its runs belong to it, and it limits charges. */
const ownContext = ({ context, rollout }: Worker, own: Context): Context => ({
  ...withChargeLimit(context, own, rollout),
  facts: async () => ({ ...(await context.facts()), rollout: rollout.id }),
});

const recordRun =
  ({ account: { runs }, begin }: Attempt) =>
  (run: string): Promise<void> =>
    begin({ runs: [...runs, run] });

async function applyToAccount(
  worker: Worker,
  attempt: Attempt,
  own: Context,
): Promise<readonly ApplyReport[]> {
  const { context, rollout, prepared } = worker;
  const { word, agreed, runs, wave, failingHooks: known, deletes: before = 0 } = attempt.account;
  const { passwords } = prepared;
  const input = inputOfAccount(prepared, word);
  return applyAccount(own, {
    input: { ...input, onError: input.onError ?? 'stop' },
    manifest: await manifestOf(prepared, own, word),
    passwords: passwords && {
      prepare: (plans) => passwords.prepare(plans, word),
      amend: (plan) => passwords.amend(plan, word),
    },
    // An account without changes that was not planned before the rollout is finished without a run.
    isFinished: agreed === undefined && !input.takeOver ? (planning) => isUpToDate(own, planning) : undefined,
    onRunStart: recordRun(attempt),
    async agree({ accounts }) {
      // A repeated attempt has a different plan, without the changes of earlier attempts.
      if (runs.length === 0 && agreed !== undefined && agreed !== planHash(accounts))
        throw planChangedFailure(rollout);
      const steps = accounts.flatMap(({ plan }) => plan.steps);
      const deletes = steps.filter((step) => step.by === 'delete' && isWholeStep(step)).length;
      if (deletes > before) {
        await countDeletes(context, rollout, deletes - before);
        await attempt.begin({ deletes });
      }
      if (rollout.waves.length > wave && known === undefined && accounts.some(hasRequests))
        await attempt.begin({ failingHooks: await countFailingHooks(own) });
    },
  });
}

const planChangedFailure = ({ id, reviewed }: Rollout): Failure =>
  reviewed === undefined
    ? new Failure(
        'conflict',
        'The account has changed since its plan was shown. No requests were sent to it.',
        {
          hint: createHint`Show the new plan: ${nextStep`plan --account NAME`}. Apply it: ${nextStep`rollout resume ${id}`}.`,
        },
      )
    : new Failure(
        'conflict',
        `Its plan differs from the reviewed plan in ${reviewed}. No requests were sent to it.`,
        {
          hint: createHint`Make a new plan for review: ${nextStep`plan --accounts FILE --out PLAN`}`,
        },
      );

/**
 * Reverses the runs of a rollout in one account, newest first. Throws `Failure` (`partial`) if a change could not be
 * reversed because others changed the object, or its old value is unknown.
 */
async function reverseAccount(
  worker: Worker,
  attempt: Attempt,
  own: Context,
): Promise<readonly ApplyReport[]> {
  const { force, overwrite, ledger } = worker.prepared.input;
  const { accountId: id, word: name, reverses = [] } = attempt.account;
  const { origin } = await currentAccount(own);
  const reports: ApplyReport[] = [];
  const left: string[] = [];
  for (const run of reverses.toReversed()) {
    const input = { run, force, overwrite, ledger, onError: 'stop' } as const;
    const reversal = await reverseRun(own, { id, name, origin }, input, recordRun(attempt));
    reports.push(...(reversal?.reports ?? []));
    left.push(
      ...(reversal === undefined
        ? [`run ${run}, which the log no longer has`]
        : reversal.left.map(({ label, why }) => `${label}: ${why}`)),
    );
  }
  if (left[0] === undefined) return reports;
  throw new Failure(
    'partial',
    `${formatCount(left.length, 'change')} could not be reversed. The first is ${left[0]}.`,
  );
}
