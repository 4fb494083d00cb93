import { compare, decimal, format, plus, zero } from '../../../base/decimal.ts';
import { Failure } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import type { Report } from '../../../engine/manifest/report.ts';
import { reportCounts } from '../../../engine/manifest/report.ts';
import { foundObjects } from '../../../engine/manifest/shown-plan.ts';
import { isWholeStep } from '../../../engine/state/log.ts';
import type { Rollout, RolloutAccount } from '../../../engine/state/rollouts.ts';
import type { Consent, Context } from '../../command/context.ts';
import { applyPlans, refuseInUse, sendsAnything } from '../apply-plans.ts';
import { applyResult } from '../apply-report.ts';
import { planHash } from '../manifest/accounts/fleet-plan.ts';
import { holderName } from '../manifest/apply/account-locks.ts';
import { contextOf } from '../over-accounts.ts';
import { planAccounts } from '../planning.ts';
import { failingHooks } from './health.ts';
import { stopIfTooMany } from './judge-wave.ts';
import { inputOfAccount, manifestOf, type Prepared } from './prepare.ts';
import { reversed } from './reversed.ts';

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
  readonly told?: ((account: RolloutAccount) => void) | undefined;
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
 * for what the service answers. The account is locked meanwhile, so that a second worker waits, and then finds nothing left to do.
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
    worker.told?.(tried.account);
    return tried;
  } catch (error) {
    // The state failed: what became of it is known nowhere.
    worker.told?.({ ...given, state: 'running', tries: given.tries + 1, worker: worker.name });
    throw error;
  }
}

/** A try for one account. It is begun in the record with the first thing that is kept of it. */
interface Attempt {
  readonly account: RolloutAccount;
  /** Keeps more of it. False where another attempt has begun, or the rollout does not run any more. */
  keep(more: Partial<RolloutAccount>): Promise<boolean>;
}

async function attemptOn({ context, rollout, name }: Worker, given: RolloutAccount): Promise<Attempt> {
  const { rollouts } = await context.state();
  const { error: _, ...before } = given;
  let account: RolloutAccount = { ...before, state: 'running', tries: given.tries + 1, worker: name };
  return {
    get account() {
      return account;
    },
    async keep(more) {
      const after = { ...account, ...more };
      if (!(await rollouts.put(rollout.id, after))) return false;
      account = after;
      return true;
    },
  };
}

async function tryOn(worker: Worker, given: RolloutAccount, before: number): Promise<Tried> {
  const { context, rollout } = worker;
  const startMs = context.host.timers.elapsedMs();
  const attempt = await attemptOn(worker, given);
  const { tries } = attempt.account;
  const keepEnd = async (
    more: Partial<RolloutAccount> & Pick<RolloutAccount, 'state'>,
    failure?: Failure,
  ): Promise<Tried> => {
    const tookMs = Math.round(context.host.timers.elapsedMs() - startMs);
    if (await attempt.keep({ ...more, tookMs })) return { account: attempt.account, failure };
    const { rollouts } = await context.state();
    return { account: (await rollouts.account(rollout.id, given.position)) ?? given };
  };
  const waitsAfter = (failure: Failure | undefined): boolean =>
    failure?.kind === 'interrupted' || (failure?.kind === 'unavailable' && tries < mostTries);
  if (before >= mostBegun) {
    const failure = endedTooOften();
    return keepEnd({ state: 'failed', error: errorOf(failure) }, failure);
  }
  try {
    const own = {
      ...charging(worker, contextOf(context, { id: given.accountId, word: given.word }, worker.warned)),
      facts: async () => ({ ...(await context.facts()), rollout: rollout.id }),
    };
    const begun = async (run: string): Promise<void> => {
      if (!(await attempt.keep({ runs: [...attempt.account.runs, run] }))) throw notBegun(rollout);
    };
    const reports =
      rollout.what === 'undo'
        ? await reversed(own, worker.prepared.input, given, begun)
        : await applied(worker, own, attempt, begun);
    const failure = applyResult(reports, `telctl rollout resume ${rollout.id}`).failure;
    const waits = waitsAfter(failure);
    return await keepEnd(
      {
        ...factsOf(attempt.account, reports, failure && (waits ? 'waiting' : 'failed')),
        ...(failure && !waits ? { error: errorOf(failure) } : {}),
      },
      failure,
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return keepEnd(
      {
        state: waitsAfter(error) ? 'waiting' : 'failed',
        ...(error.kind === 'interrupted' ? {} : { error: errorOf(error) }),
      },
      error,
    );
  }
}

const errorOf = ({ kind, message }: Failure): NonNullable<RolloutAccount['error']> => ({ kind, message });

/** An account whose processes ended again and again before it was done: it may be what ends them. */
const endedTooOften = (): Failure =>
  new Failure(
    'failed',
    `The processes that worked on it ended ${mostBegun} times before it was done; it is left as it is.`,
  );

/** The failure of an account that was about to be changed when its rollout ended, or another process took it. */
const notBegun = ({ id }: Rollout): Failure =>
  new Failure('interrupted', `Rollout ${id} does not go on here; nothing was sent to this account.`);

/** Facts of an account once its plans were carried out; `state` where they were not, or not whole. */
function factsOf(
  account: RolloutAccount,
  reports: readonly Report[],
  state: 'waiting' | 'failed' | undefined,
): Pick<RolloutAccount, 'state' | 'counts' | 'neverAdopted' | 'name'> {
  const counts = sumOf([
    ...(account.counts ? [{ ...account.counts, unchanged: 0, failed: 0, skipped: 0, unknown: 0 }] : []),
    ...reports.map((report) => ({ ...reportCounts(report) })),
  ]);
  const found = reports.flatMap(({ plan }) => foundObjects(plan).map(({ label }) => label));
  const changed = ['created', 'updated', 'deleted'].some((word) => (counts[word] ?? 0) > 0);
  return {
    state: state ?? (changed ? 'done' : 'unchanged'),
    counts,
    ...(found.length === 0 ? {} : { neverAdopted: found }),
    ...(reports[0] === undefined ? {} : { name: reports[0].plan.account.name }),
  };
}

function sumOf(all: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const counts of all)
    for (const [word, count] of Object.entries(counts)) sums[word] = (sums[word] ?? 0) + count;
  return sums;
}

/** Plans and applies one account while it is locked. */
function applied(
  worker: Worker,
  own: Context,
  attempt: Attempt,
  begun: (run: string) => Promise<void>,
): Promise<readonly Report[]> {
  const { account } = attempt;
  const { passwords } = worker.prepared;
  const planInput = inputOfAccount(worker.prepared, account.word);
  return applyPlans(
    own,
    { ...planInput, onError: planInput.onError ?? 'stop' },
    {
      async plans(opening) {
        const manifest = await manifestOf(worker.prepared, own, account.word);
        const givesPasswords = passwords !== undefined;
        const planning = await planAccounts(own, planInput, { ...opening, manifest, givesPasswords });
        return { planning, planInput };
      },
      passwords: passwords && {
        prepare: (plans) => passwords.prepare(plans, account.word),
        amend: (plan) => passwords.amend(plan, account.word),
      },
      begun,
      async agree({ planning: { accounts } }) {
        // What was done in a try before is no longer in the plan.
        if (
          account.runs.length === 0 &&
          account.agreed !== undefined &&
          account.agreed !== planHash(accounts)
        )
          throw otherPlan(worker.rollout);
        if (!planInput.force) refuseInUse(accounts);
        const deletes = accounts.flatMap(({ plan }) =>
          plan.steps.filter((step) => step.by === 'delete' && isWholeStep(step)),
        ).length;
        await countDeletes(worker, attempt, deletes);
        const { rollout } = worker;
        const isCompared = rollout.waves.length > account.wave && account.failingHooks === undefined;
        if (!isCompared || !accounts.some(sendsAnything)) return undefined;
        if (!(await attempt.keep({ failingHooks: await failingHooks(own) }))) throw notBegun(rollout);
        return undefined;
      },
    },
  );
}

/** The failure of an account for which another plan was shown, or reviewed. */
const otherPlan = ({ id, reviewed }: Rollout): Failure =>
  reviewed === undefined
    ? new Failure('conflict', 'The account changed since its plan was shown; nothing was sent to it.', {
        hint: `Look at it: telctl plan --account NAME. To go on all the same: telctl rollout resume ${id}.`,
      })
    : new Failure(
        'conflict',
        `Its plan is no longer the one of ${reviewed} that was reviewed; nothing was sent to it.`,
        {
          hint: 'Make the plan of the fleet again, for another review: telctl plan --accounts FILE --out PLAN',
        },
      );

/** Counts deletions for the whole rollout before they are sent. Throws `Failure` of kind `refused` beyond its limit. */
async function countDeletes(
  { context, rollout }: Worker,
  { account: { deletes: before = 0 }, keep }: Attempt,
  deletes: number,
): Promise<void> {
  const more = Math.max(0, deletes - before);
  if (more === 0) return;
  const { rollouts } = await context.state();
  const added = await rollouts.change(rollout.id, (now) =>
    now.deletes + more > now.maxDeletesTotal ? undefined : { deletes: now.deletes + more },
  );
  if (added === undefined)
    throw new Failure(
      'refused',
      `The rollout would delete more than ${counted(rollout.maxDeletesTotal, 'object')} in all accounts. Nothing was sent to this one.`,
      { hint: 'If that is meant, start it with a higher --max-deletes-total.' },
    );
  if (!(await keep({ deletes: before + more }))) throw notBegun(rollout);
}

/**
 * The context whose charges are those of the whole rollout: what one account accepts, no other one has left, on
 * whatever machine it is.
 */
function charging({ context, rollout }: Worker, own: Context): Context {
  const { charges, id } = rollout;
  if (charges === 'none')
    return { ...own, bulkApi: (name) => own.bulkApi(name, { recorded: false, consent: { kind: 'ask' } }) };
  const budget = charges === 'all' ? undefined : decimal(charges.upTo);
  const consent: Consent = {
    kind: 'decide',
    async decide({ estimate }) {
      const amount = estimate === undefined ? undefined : decimal(estimate);
      if (amount === undefined) return budget === undefined;
      const { rollouts } = await context.state();
      const taken = await rollouts.change(id, ({ charged }) => {
        const sum = plus(decimal(charged) ?? zero, amount);
        return budget !== undefined && compare(sum, budget) > 0 ? undefined : { charged: format(sum) };
      });
      return taken !== undefined;
    },
  };
  return { ...own, bulkApi: (name) => own.bulkApi(name, { recorded: false, consent }) };
}
