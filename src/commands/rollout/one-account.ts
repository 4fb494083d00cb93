import { compare, decimal, format, plus, zero } from '../../base/decimal.ts';
import { Failure } from '../../base/failure.ts';
import type { Consent, Context } from '../../command/context.ts';
import { foundObjects } from '../../manifest/kept.ts';
import type { Report } from '../../manifest/report.ts';
import { reportCounts } from '../../manifest/report.ts';
import { isWholeStep } from '../../state/log.ts';
import type { Rollout, RolloutAccount } from '../../state/rollouts.ts';
import { applyPlans, refuseInUse } from '../apply-plans.ts';
import { applyResult } from '../apply-report.ts';
import { planHash } from '../manifest/accounts/fleet-plan.ts';
import { contextOf } from '../over-accounts.ts';
import { planAccounts } from '../planning.ts';
import { failingHooks } from './health.ts';
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
  /** Told of each account after a try. */
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

/**
 * Carries a rollout out in one account, and keeps what became of it. Never throws for what the service answers.
 * The account is locked meanwhile, so that a second worker waits, and then finds nothing left to do.
 */
export async function workOn(worker: Worker, given: RolloutAccount): Promise<Tried> {
  const tried = await tryOn(worker, given);
  worker.told?.(tried.account);
  return tried;
}

async function tryOn(worker: Worker, given: RolloutAccount): Promise<Tried> {
  const { context, rollout } = worker;
  const { rollouts, ledger } = await context.state();
  const startMs = context.host.timers.elapsedMs();
  const account: RolloutAccount = {
    ...given,
    ...{ state: 'running', tries: given.tries + 1, worker: worker.name },
    // A try that was cut off left its run behind.
    runs: await runsWith(
      given,
      given.tries > 0
        ? await ledger({ origin: rollout.origin, accountId: given.accountId }).behind()
        : undefined,
    ),
  };
  await rollouts.put(rollout.id, account);
  if (given.tries >= mostBegun) return lost(worker, account);
  const { error: _, ...before } = account;
  /** Deletions that were counted for it, in this try as well. */
  let { deletes } = account;
  const counting = (sum: number | undefined): void => {
    deletes = sum;
  };
  const latest = (known: RolloutAccount): RolloutAccount =>
    deletes === undefined ? known : { ...known, deletes };
  const tookMs = (): number => Math.round(context.host.timers.elapsedMs() - startMs);
  try {
    const own = {
      ...charging(worker, contextOf(context, { id: account.accountId, word: account.word }, worker.warned)),
    };
    const watched = rollout.waves.length > account.wave && account.failingHooks === undefined;
    const known: RolloutAccount = watched ? { ...before, failingHooks: await failingHooks(own) } : before;
    const reports =
      rollout.what === 'undo'
        ? await reversed(own, worker.prepared.input, known)
        : await applied(worker, own, known, counting);
    return await ended(worker, { ...latest(known), tookMs: tookMs() }, reports);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { kind, message } = error;
    const isInterrupted = kind === 'interrupted';
    const waits = isInterrupted || (kind === 'unavailable' && account.tries < mostTries);
    const failed: RolloutAccount = {
      ...latest(before),
      ...{ state: waits ? 'waiting' : 'failed', tookMs: tookMs() },
      ...(isInterrupted ? {} : { error: { kind, message } }),
    };
    await rollouts.put(rollout.id, failed);
    return { account: failed, failure: error };
  }
}

/** An account whose processes ended again and again before it was done: it may be what ends them. */
async function lost({ context, rollout }: Worker, account: RolloutAccount): Promise<Tried> {
  const failure = new Failure(
    'failed',
    `The processes that worked on it ended ${mostBegun} times before it was done; it is left as it is.`,
  );
  const failed: RolloutAccount = {
    ...account,
    ...{ state: 'failed', error: { kind: failure.kind, message: failure.message } },
  };
  await (await context.state()).rollouts.put(rollout.id, failed);
  return { account: failed, failure };
}

const runsWith = async ({ runs }: RolloutAccount, run: string | undefined): Promise<readonly string[]> =>
  run === undefined || runs.includes(run) ? runs : [...runs, run];

async function ended(
  { context, rollout }: Worker,
  account: RolloutAccount,
  reports: readonly Report[],
): Promise<Tried> {
  const failure = applyResult(reports, `telctl rollout resume ${rollout.id}`).failure;
  const waits =
    failure?.kind === 'interrupted' || (failure?.kind === 'unavailable' && account.tries < mostTries);
  const counts = sumOf([
    ...(account.counts ? [{ ...account.counts, unchanged: 0, failed: 0, skipped: 0, unknown: 0 }] : []),
    ...reports.map((report) => ({ ...reportCounts(report) })),
  ]);
  const found = reports.flatMap(({ plan }) => foundObjects(plan).map(({ label }) => label));
  const changed = ['created', 'updated', 'deleted'].some((word) => (counts[word] ?? 0) > 0);
  let runs = account.runs;
  for (const { run } of reports) runs = await runsWith({ ...account, runs }, run);
  const after: RolloutAccount = {
    ...account,
    ...{
      state: waits ? 'waiting' : failure ? 'failed' : changed ? 'done' : 'unchanged',
      counts,
      runs,
    },
    ...(found.length === 0 ? {} : { neverAdopted: found }),
    ...(reports[0] === undefined ? {} : { name: reports[0].plan.account.name }),
    ...(failure && !waits ? { error: { kind: failure.kind, message: failure.message } } : {}),
  };
  await (await context.state()).rollouts.put(rollout.id, after);
  return { account: after, failure };
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
  account: RolloutAccount,
  counting: (deletes: number | undefined) => void,
): Promise<readonly Report[]> {
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
        counting(await countDeletes(worker, account, deletes));
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

/**
 * Counts deletions for the whole rollout before they are sent, and gives those of the account. Throws `Failure` of kind
 * `refused` beyond its limit.
 */
async function countDeletes(
  { context, rollout }: Worker,
  account: RolloutAccount,
  deletes: number,
): Promise<number | undefined> {
  const { deletes: before = 0 } = account;
  const more = Math.max(0, deletes - before);
  if (more === 0) return account.deletes;
  const { rollouts } = await context.state();
  const counted = await rollouts.change(rollout.id, (now) =>
    now.deletes + more > now.maxDeletesTotal ? undefined : { deletes: now.deletes + more },
  );
  if (counted === undefined)
    throw new Failure(
      'refused',
      `The rollout would delete more than ${rollout.maxDeletesTotal} objects in all accounts. Nothing was sent to this one.`,
      { hint: 'If that is meant, start it with a higher --max-deletes-total.' },
    );
  await rollouts.put(rollout.id, { ...account, deletes: before + more });
  return before + more;
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
