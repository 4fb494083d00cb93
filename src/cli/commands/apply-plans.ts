import { Failure, leadsOn, nextStep } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { durationOf } from '../../base/moment.ts';
import { takeOver } from '../../engine/manifest/entries.ts';
import type { LiveObject } from '../../engine/manifest/plan.ts';
import { limitsOf, runSafety } from '../../engine/manifest/plan-safety.ts';
import type { Report, StepResult } from '../../engine/manifest/report.ts';
import type { RunParts } from '../../engine/manifest/run-plan.ts';
import { recoverLedger } from '../../engine/state/keep-ledger.ts';
import type { Run } from '../../engine/state/runs.ts';
import type { Account, RunWriter } from '../../engine/state/state.ts';
import type { Consent, Context } from '../command/context.ts';
import { type AccountLocks, accountLocks } from './manifest/apply/account-locks.ts';
import { carryOut } from './manifest/apply/carry-out.ts';
import type { PasswordGiver } from './manifest/apply/generate-passwords.ts';
import { ownIdsFor } from './manifest/apply/own-ids.ts';
import { agreeToTakeOver, changedOf } from './manifest/apply/unasked.ts';
import { optionsOf } from './manifest/plan/save-plan.ts';
import { runsOf } from './open-state.ts';
import {
  type AccountPlanning,
  type Opening,
  type Planning,
  type PlanningInput,
  planAccount,
} from './planning.ts';

/** The two steps of giving passwords: into the file, then into what is sent. */
export type GivingPasswords = Pick<PasswordGiver, 'prepare' | 'amend'>;

interface Applying {
  readonly planning: Planning;
  readonly input: PlanningInput;
  readonly locks: AccountLocks;
  readonly run: RunWriter | undefined;
  readonly owner: Account;
  /** Options that `--resume` needs to do the same again. */
  readonly options: JsonObject;
  readonly onError: 'stop' | 'continue';
  readonly overwrite: boolean;
  /** Called for each result as it comes; what an apply tells where left out. */
  readonly told?: RunParts['told'] | undefined;
  readonly passwords?: GivingPasswords | undefined;
  /** The consent to charges that was given for the plans. */
  readonly consent: Consent | undefined;
}

export const sendsAnything = ({ plan }: Pick<AccountPlanning, 'plan'>): boolean =>
  plan.steps.some(({ by }) => by !== undefined);

/** The account that a run of this context is begun as: the one acted on. */
export async function ownerOf(context: Context): Promise<Account> {
  const { profile } = await context.session();
  return { origin: profile.baseUrl, accountId: await context.accountId() };
}

/** Locks each account before it is looked at, and makes its ledger good after a run that was killed. */
function openingFor(
  context: Context,
  { ledger: file }: Pick<PlanningInput, 'ledger'>,
  locks: AccountLocks,
): Opening {
  return {
    async opened(account) {
      await locks.hold(account);
      const { id: accountId, origin } = account;
      const store = (await context.state()).ledger({ origin, accountId }, file);
      await recoverLedger(await runsOf(context), store);
    },
  };
}

export interface Planned {
  readonly planning: Planning;
  /** Input that the plans were made with; that of the file if the plan was kept in one. */
  readonly planInput: PlanningInput;
}

/** Functions that make plans, look at them before they are carried out, and hear the result of each step. */
interface Watching<P extends Planned> {
  plans(opening: Opening): Promise<P>;
  /**
   * Throws `Failure` where the plans are not to be carried out; returns the consent to their charges, if it
   * was given.
   */
  agree(planned: P): Promise<Consent | undefined>;
  /** Called for the run in the log before anything is sent; where it throws, nothing is. */
  begun?(run: string): Promise<void>;
  /** The run that is taken up again. */
  readonly resumes?: Run | undefined;
  /** Called for each result as it comes; what an apply tells where left out. */
  readonly told?: RunParts['told'] | undefined;
  /** Gives passwords to new users and devices that have none, once the plans are agreed to. */
  readonly passwords?: GivingPasswords | undefined;
}

/**
 * Plans the accounts of a manifest while they are locked, and carries the plans out once they are agreed to, as a run
 * of the log unless there is nothing to do.
 */
export async function applyPlans<P extends Planned>(
  context: Context,
  input: Pick<PlanningInput, 'ledger'> & {
    readonly onError?: Applying['onError'] | undefined;
    readonly overwrite?: boolean | undefined;
    readonly wait?: string | undefined;
    readonly generatePasswords?: string | undefined;
  },
  { plans, agree, begun, resumes, told, passwords }: Watching<P>,
): Promise<readonly Report[]> {
  const { onError = 'stop', overwrite = false } = input;
  const locks = accountLocks(
    context,
    input.wait === undefined ? undefined : durationOf(input.wait, '--wait'),
  );
  let run: RunWriter | undefined;
  try {
    const planned = await plans(openingFor(context, input, locks));
    const { planning, planInput } = planned;
    const { accounts } = planning;
    refuseUnsafe(accounts, planInput, overwrite);
    const consent = await agree(planned);
    await agreeToTakeOver(context, changedOf(accounts), planInput.takeOver ?? false);
    await passwords?.prepare(accounts.map(({ plan }) => plan));
    const owner = await ownerOf(context);
    if (resumes !== undefined || accounts.some(sendsAnything))
      run = await (await context.state()).log.begin();
    if (run) await begun?.(run.id);
    const cwd = context.host.cwd;
    const { generatePasswords } = input;
    const file = generatePasswords === undefined ? {} : { generatePasswords };
    const options = { ...optionsOf(planning, planInput), onError, overwrite, cwd, ...file };
    const parts = { locks, run, owner, options, onError, overwrite, told, passwords, consent };
    return await applyAccounts(context, { planning, input: planInput, ...parts });
  } finally {
    try {
      await run?.close();
    } finally {
      await locks.release();
    }
  }
}

/** Throws where a plan deletes what is in use, which is done only where somebody was asked or it is forced. */
export function refuseInUse(accounts: readonly Pick<AccountPlanning, 'inUse'>[]): void {
  for (const { inUse } of accounts) if (inUse) throw inUse;
}

/**
 * Carries out the plans of all accounts of a manifest, one after the other. An account that the manifest creates is
 * looked at once more when it is there. After trouble in one the rest is left, unless errors do not stop.
 */
async function applyAccounts(context: Context, applying: Applying): Promise<readonly Report[]> {
  const { planning, onError } = applying;
  const reports: Report[] = [];
  const looked: AccountPlanning[] = [];
  let stopped: string | undefined;
  for (const [index, planned] of planning.accounts.entries()) {
    const { account, report } =
      stopped === undefined
        ? await attempted(context, applying, { planned, before: looked, index })
        : { account: planned, report: leftUndone(planned, stopped, context.host.interrupted.aborted) };
    reports.push(report);
    looked.push(withCreated(account, report));
    const failed = report.results.some(
      ({ outcome, failure }) => outcome === 'failed' && failure?.kind !== 'charges',
    );
    if (report.trouble || report.interrupted || context.host.interrupted.aborted) stopped ??= 'not begun';
    if (failed && onError === 'stop') stopped ??= 'not begun';
  }
  return reports;
}

/** Carries out the plan of one account; trouble on the way is in the report, so that those before it are told of. */
async function attempted(
  context: Context,
  applying: Applying,
  facts: {
    readonly planned: AccountPlanning;
    readonly before: readonly AccountPlanning[];
    readonly index: number;
  },
): Promise<{ readonly account: AccountPlanning; readonly report: Report }> {
  const { planned, before, index } = facts;
  try {
    const account = await existing(context, applying, planned, before);
    return account
      ? { account, report: await applyOne(context, applying, account, index) }
      : { account: planned, report: leftUndone(planned, 'its account was not created', false) };
  } catch (error) {
    if (!(error instanceof Failure) || index === 0) throw error;
    const report = leftUndone(planned, error.message, error.kind === 'interrupted');
    return { account: planned, report: { ...report, trouble: error } };
  }
}

/** An account as it is now, where it exists by now. */
async function existing(
  context: Context,
  { planning, input, locks, overwrite }: Applying,
  planned: AccountPlanning,
  before: readonly AccountPlanning[],
): Promise<AccountPlanning | undefined> {
  if (planned.service) return planned;
  const parent = before.find(({ observed }) => observed.matches.has(planned.createdBy ?? ''));
  if (!parent) return undefined;
  const account = await planAccount(context, input, planning.desired, planned.desired, {
    before: before.map(async (each) => each),
    opened: (one) => locks.hold(one),
  });
  refuseUnsafe([account], input, overwrite);
  return account;
}

async function applyOne(
  context: Context,
  { planning, input, run, owner, options, onError, told, passwords, consent }: Applying,
  { plan: planned, observed, store, elsewhere, desired }: AccountPlanning,
  index: number,
): Promise<Report> {
  const accountId = observed.account.id;
  if (accountId === undefined || store === undefined) throw new Error('The account is not there.');
  const plan = passwords ? passwords.amend(planned) : planned;
  // Whoever let one object be changed took over all that the manifest names.
  if (input.takeOver || changedOf([{ plan }]).length > 0) await takeOver({ store, elsewhere }, plan);
  const ownIds = await ownIdsFor(context, { accountId, set: plan.set }, observed);
  const confidential = new Map(desired.objects.map((object) => [object.key, object.confidential]));
  return carryOut(context, {
    plan,
    accountId,
    observed,
    store,
    onError,
    consent,
    source: planning.desired.source,
    ownIds,
    confidential: (key) => confidential.get(key) ?? [],
    run,
    told,
    start: {
      what: 'apply',
      owner: owner.accountId,
      part: index + 1,
      parts: planning.accounts.length,
      inputs: planning.desired.inputs,
      options,
    },
  });
}

/** An account with the sub-accounts that were created in it, so that those that come after find them. */
function withCreated(account: AccountPlanning, { results }: Report): AccountPlanning {
  const made = results.flatMap(({ step, id }): [string, LiveObject][] =>
    step.by === 'create' && id !== undefined ? [[step.key, { id, record: undefined }]] : [],
  );
  const { observed } = account;
  return { ...account, observed: { ...observed, matches: new Map([...observed.matches, ...made]) } };
}

function leftUndone({ plan, observed }: AccountPlanning, because: string, interrupted: boolean): Report {
  return {
    plan,
    accountId: observed.account.id,
    run: undefined,
    results: plan.steps
      .filter(({ by }) => by !== undefined)
      .map((step): StepResult => ({ step, outcome: 'skipped', because })),
    interrupted,
    tookMs: 0,
  };
}

/**
 * Throws `Failure` for plans that may not be carried out: `refused` where they do too much unasked, `conflict` where
 * others changed what telctl manages and nobody said that it is to be set back.
 */
function refuseUnsafe(accounts: readonly AccountPlanning[], input: PlanningInput, overwrite: boolean): void {
  for (const { refusal } of accounts) if (refusal) throw refusal;
  const tooMuch = runSafety(
    accounts.map(({ plan }) => plan),
    limitsOf(input),
  );
  if (tooMuch) throw tooMuch;
  if (overwrite) return;
  const drifted = accounts.flatMap(({ plan }) =>
    plan.steps.flatMap(({ key, label, drifted: fields = [] }) =>
      fields.map((field) => ({ account: plan.account.name, key, label, field })),
    ),
  );
  if (drifted.length === 0) return;
  const lines = drifted.slice(0, shownAtMost).map(({ label, field }) => `  ${label}: ${field}`);
  const more = drifted.length > shownAtMost ? [`  … and ${drifted.length - shownAtMost} more`] : [];
  throw new Failure(
    'conflict',
    ['Others changed what telctl manages since the last apply. Nothing was sent.', ...lines, ...more],
    {
      hint: leadsOn`See how: ${nextStep`diff`}. To set it back: --overwrite. To keep it: put it into the manifest.`,
      details: { drifted: drifted.map(({ account, key, field }) => ({ account, key, field })) },
    },
  );
}

const shownAtMost = 20;
