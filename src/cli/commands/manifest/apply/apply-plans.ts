import { Failure } from '../../../../base/failure.ts';
import { requireDuration } from '../../../../base/moment.ts';
import { kindByName } from '../../../../engine/manifest/kinds.ts';
import { takeOverObjects } from '../../../../engine/manifest/ledger-entries.ts';
import { deriveSetIds, isMadeFor, knownOwnIds, noOwnIds } from '../../../../engine/manifest/own-ids.ts';
import type {
  ApplyReport,
  LiveObject,
  Observed,
  Step,
  StepResult,
} from '../../../../engine/manifest/plan.ts';
import type { RunParts } from '../../../../engine/manifest/run-plan.ts';
import { recoverLedger } from '../../../../engine/state/keep-ledger.ts';
import type { StartLine } from '../../../../engine/state/log.ts';
import type { Run } from '../../../../engine/state/runs.ts';
import type { Account, RunWriter } from '../../../../engine/state/state.ts';
import type { Consent, Context } from '../../../command/context.ts';
import type { GeneratedPasswords } from '../../passwords/passwords-file.ts';
import { openRuns } from '../../state/open-state.ts';
import { planAccount } from '../plan/plan-account.ts';
import {
  type AccountPlanning,
  confidentialIn,
  type Planning,
  type PlanningInput,
  type PlanOpening,
} from '../plan/planning.ts';
import { agreeToTakeOver, changedObjectsOfOtherSets, refuseUnsafe } from '../plan/refusals.ts';
import { savedOptions } from '../plan/save-plan.ts';
import { type AccountLocks, accountLocks } from './account-locks.ts';
import { carryOut } from './carry-out.ts';

/** Writes passwords to the file, then fills them into the requests. */
export type PasswordSource = Pick<GeneratedPasswords, 'prepare' | 'amend'>;

export const hasRequests = ({ plan }: Pick<AccountPlanning, 'plan'>): boolean =>
  plan.steps.some(({ by }) => by !== undefined);

export const stepsToSend = (accounts: readonly Pick<AccountPlanning, 'plan'>[]): readonly Step[] =>
  accounts.flatMap(({ plan }) => plan.steps.filter(({ by }) => by !== undefined));

/** Throws if a plan deletes objects that are in use, unless the user confirmed it or `--force` is set. */
export function refuseInUse(accounts: readonly Pick<AccountPlanning, 'inUse'>[]): void {
  for (const { inUse } of accounts) if (inUse) throw inUse;
}

/** Returns the account under which the runs of the command are logged. */
export async function currentAccount(context: Context): Promise<Account> {
  const { profile } = await context.session();
  return { origin: profile.baseUrl, accountId: await context.accountId() };
}

export interface PlannedRun {
  readonly planning: Planning;
  /** For a saved plan, the input from its file. */
  readonly planInput: PlanningInput;
}

/** Functions that make plans, check them before they are carried out, and receive the result of each step. */
export interface ApplyHooks<P extends PlannedRun> {
  plans(opening: PlanOpening): Promise<P>;
  /** Throws `Failure` to refuse the plans. Returns a consent to charges, if the user gave one. */
  agree(planned: P): Promise<Consent | undefined>;
  /** Called with the id of the logged run before the first request. If it throws, no request is sent. */
  onRunStart?(run: string): Promise<void>;
  readonly resumes?: Run | undefined;
  /** Called for each result when it arrives (default: prints the progress of an apply). */
  readonly onResult?: RunParts['onResult'] | undefined;
  /** Gives passwords to new users and devices without one, after the plans are confirmed. */
  readonly passwords?: PasswordSource | undefined;
}

/** Plans accounts while they are locked, and carries out the confirmed plans as a run of the log. */
export async function applyPlans<P extends PlannedRun>(
  context: Context,
  input: Pick<PlanningInput, 'ledger'> & {
    readonly onError?: 'stop' | 'continue' | undefined;
    readonly overwrite?: boolean | undefined;
    readonly wait?: string | undefined;
    readonly generatePasswords?: string | undefined;
  },
  { plans, agree, onRunStart, resumes, onResult, passwords }: ApplyHooks<P>,
): Promise<readonly ApplyReport[]> {
  const { onError = 'stop', overwrite = false, generatePasswords, wait } = input;
  const locks = accountLocks(context, wait === undefined ? undefined : requireDuration(wait, '--wait'));
  let run: RunWriter | undefined;
  try {
    const planned = await plans({
      // Each account is locked before it is read, and its ledger is repaired if a run was killed.
      async beforeReading(account) {
        await locks.hold(account);
        const { id: accountId, origin } = account;
        const store = (await context.state()).ledger({ origin, accountId }, input.ledger);
        await recoverLedger(await openRuns(context), store);
      },
    });
    const { planning, planInput } = planned;
    const { accounts } = planning;
    refuseUnsafe(accounts, planInput, overwrite);
    const consent = await agree(planned);
    await agreeToTakeOver(context, changedObjectsOfOtherSets(accounts), planInput.takeOver ?? false);
    await passwords?.prepare(accounts.map(({ plan }) => plan));
    const owner = await currentAccount(context);
    if (resumes !== undefined || accounts.some(hasRequests)) run = await (await context.state()).log.begin();
    if (run) await onRunStart?.(run.id);
    const { cwd } = context.host;
    const start = {
      owner: owner.accountId,
      options: { ...savedOptions(planning, planInput), onError, overwrite, cwd, generatePasswords },
    };
    const parts = { locks, run, start, onError, overwrite, onResult, passwords, consent };
    return await applyAccounts(context, { planning, input: planInput, ...parts });
  } finally {
    try {
      await run?.close();
    } finally {
      await locks.release();
    }
  }
}

type Applying = Pick<ApplyHooks<PlannedRun>, 'onResult' | 'passwords'> & {
  readonly planning: Planning;
  readonly input: PlanningInput;
  readonly locks: AccountLocks;
  readonly run: RunWriter | undefined;
  /** For the log: the user who started the run, and the options that `--resume` needs. */
  readonly start: Pick<StartLine, 'owner' | 'options'>;
  readonly onError: 'stop' | 'continue';
  readonly overwrite: boolean;
  readonly consent: Consent | undefined;
};

/**
 * Carries out the plans of all accounts of a manifest in order. Reads an account again after the manifest created it.
 * Stops after an account with errors, unless `--on-error continue` is set.
 */
async function applyAccounts(context: Context, applying: Applying): Promise<readonly ApplyReport[]> {
  const { interrupted } = context.host;
  const reports: ApplyReport[] = [];
  const looked: AccountPlanning[] = [];
  let isStopped = false;
  for (const [index, planned] of applying.planning.accounts.entries()) {
    const { account, report }: AccountAttempt = isStopped
      ? { account: planned, report: skippedReport(planned, 'not begun', interrupted.aborted) }
      : await applyNext(context, applying, planned, looked, index);
    reports.push(report);
    looked.push(withCreated(account, report));
    const failed = report.results.some(
      ({ outcome, failure }) => outcome === 'failed' && failure?.kind !== 'charges',
    );
    isStopped ||= report.trouble !== undefined || report.interrupted || interrupted.aborted;
    isStopped ||= failed && applying.onError === 'stop';
  }
  return reports;
}

interface AccountAttempt {
  readonly account: AccountPlanning;
  readonly report: ApplyReport;
}

/** Carries out the plan of one account. Errors are in the report, so that earlier results are still shown. */
async function applyNext(
  context: Context,
  applying: Applying,
  planned: AccountPlanning,
  before: readonly AccountPlanning[],
  index: number,
): Promise<AccountAttempt> {
  try {
    const account = await planIfCreated(context, applying, planned, before);
    return account
      ? { account, report: await applyOne(context, applying, account, index) }
      : { account: planned, report: skippedReport(planned, 'its account was not created', false) };
  } catch (error) {
    if (!(error instanceof Failure) || index === 0) throw error;
    const report = skippedReport(planned, error.message, error.kind === 'interrupted');
    return { account: planned, report: { ...report, trouble: error } };
  }
}

/** Plans an account that an earlier plan may have created. */
async function planIfCreated(
  context: Context,
  { planning, input, locks, overwrite }: Applying,
  planned: AccountPlanning,
  before: readonly AccountPlanning[],
): Promise<AccountPlanning | undefined> {
  if (planned.reader) return planned;
  const parent = before.find(({ observed }) => observed.matches.has(planned.createdBy ?? ''));
  if (!parent) return undefined;
  const account = await planAccount(context, input, planning.desired, planned.desired, {
    before: before.map(async (each) => each),
    beforeReading: locks.hold,
  });
  refuseUnsafe([account], input, overwrite);
  return account;
}

async function applyOne(
  context: Context,
  { planning, input, run, start, onError, onResult, passwords, consent }: Applying,
  { plan: planned, observed, store, elsewhere, desired }: AccountPlanning,
  index: number,
): Promise<ApplyReport> {
  const accountId = observed.account.id;
  if (accountId === undefined || store === undefined) throw new Error('The account does not exist.');
  const plan = passwords ? passwords.amend(planned) : planned;
  // Confirming a take-over of one object takes over all objects that the manifest names.
  if (input.takeOver || changedObjectsOfOtherSets([{ plan }]).length > 0)
    await takeOverObjects({ store, elsewhere }, plan);
  return carryOut(context, {
    plan,
    accountId,
    observed,
    store,
    onError,
    consent,
    source: planning.desired.source,
    ownIds: await ownIdsFor(context, { accountId, set: plan.set }, observed),
    confidential: confidentialIn(desired),
    run,
    onResult: onResult,
    start: {
      ...start,
      what: 'apply',
      part: index + 1,
      parts: planning.accounts.length,
      inputs: planning.desired.inputs,
    },
  });
}

/**
 * Returns ids that creates of a manifest may choose, unless the service is known to assign ids itself. A reply or
 * `conformance --write` shows that. On a new machine, the replies to the first creates show it.
 */
async function ownIdsFor(
  context: Context,
  owner: { readonly accountId: string; readonly set: string },
  { matches, listed }: Observed,
): Promise<RunParts['ownIds']> {
  const session = await context.session();
  const isShown = (): boolean => [...matches].some(([key, { id }]) => isMadeFor(owner, key, id));
  if (session.learned().takesOwnIds === undefined && isShown()) await session.learn({ takesOwnIds: true });
  const taken = new Map(
    [...listed].map(([kind, items]) => [
      kind,
      new Set(items.flatMap(({ id }) => (typeof id === 'string' ? [id] : []))),
    ]),
  );
  return ({ key, kind }) =>
    kindByName(kind).resource.takesOwnId
      ? knownOwnIds(session, () => deriveSetIds(owner, key, taken.get(kind)))
      : noOwnIds;
}

/** Adds created sub-accounts to an account, so that later steps find them. */
function withCreated(account: AccountPlanning, { results }: ApplyReport): AccountPlanning {
  const made = results.flatMap(({ step, id }): [string, LiveObject][] =>
    step.by === 'create' && id !== undefined ? [[step.key, { id, record: undefined }]] : [],
  );
  const { observed } = account;
  return { ...account, observed: { ...observed, matches: new Map([...observed.matches, ...made]) } };
}

export const unchangedReport = ({ plan, observed }: AccountPlanning): ApplyReport => ({
  plan,
  accountId: observed.account.id,
  run: undefined,
  results: [],
  interrupted: false,
  tookMs: 0,
});

const skippedReport = (account: AccountPlanning, because: string, interrupted: boolean): ApplyReport => ({
  ...unchangedReport(account),
  results: account.plan.steps
    .filter(({ by }) => by !== undefined)
    .map((step): StepResult => ({ step, outcome: 'skipped', because })),
  interrupted,
});
