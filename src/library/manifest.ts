import '../extensions.ts';
import { Failure, type FailureKind, nextStep } from '../base/failure.ts';
import { replaceOutsideValues } from '../base/outside-values.ts';
import { formatCount } from '../base/wording.ts';
import type { Context } from '../cli/command/context.ts';
import { chooseAccounts } from '../cli/commands/bulk/choose-accounts.ts';
import { type AccountOutcome, runForAccounts } from '../cli/commands/bulk/each-account.ts';
import { applyAccount } from '../cli/commands/manifest/apply/account-job.ts';
import {
  applyResult,
  reportJson,
  resultJson,
  type ShownReport,
  type ShownResult,
} from '../cli/commands/manifest/apply/apply-report.ts';
import { exportedText } from '../cli/commands/manifest/export/export.ts';
import { type Planning, planAccounts } from '../cli/commands/manifest/plan/planning.ts';
import { type Validation, validateManifest } from '../cli/commands/manifest/validate.ts';
import { gatedFailure, gatedNotices } from '../cli/terminal/outside-gate.ts';
import { exportWarnings } from '../engine/manifest/exported.ts';
import {
  type ShownPlan,
  type ShownPlans,
  type ShownStep,
  shownPlan,
  shownPlans,
  shownStep,
} from '../engine/manifest/shown-plan.ts';
import type { Client } from './client-types.ts';
import { createNotices, type Listener, runForProgram, toProgramFailure } from './for-programs.ts';
import { type ManifestSource, manifestHost, type PlanOptions, toPlanningInput } from './manifest-source.ts';
import { clientHost, clientServices } from './services.ts';

export type {
  Listener,
  ManifestSource,
  PlanOptions,
  ShownPlan,
  ShownPlans,
  ShownReport,
  ShownResult,
  ShownStep,
  Validation,
};
export { Failure, type FailureKind };

/** The client's `onCharges` decides on charges. */
export interface ApplyOptions extends PlanOptions {
  readonly overwrite?: boolean;
  readonly onError?: 'stop' | 'continue';
  /** Called with the plans before any request. Return false to cancel. */
  onPlan?(plans: ShownPlans): boolean | Promise<boolean>;
  /** Decides whether to delete objects. Without it, plans with deletes are refused. */
  onDeletes?(deletes: readonly ShownStep[]): boolean | Promise<boolean>;
  /** Called after each step. */
  onStep?(result: ShownResult): void;
}

/** Includes the failure if the apply is incomplete. */
export interface Applied {
  readonly report: ShownReport;
  readonly failure?: Failure;
}

export interface AccountSource {
  /** Id, name or realm. */
  readonly account: string;
  readonly vars?: Readonly<Record<string, string>>;
}

/** Both parts are missing if the account was not started. */
export interface AccountApplied extends Partial<Applied> {
  readonly account: string;
}

/** Options of `telctl export`. */
export interface ExportOptions extends Listener {
  readonly only?: readonly string[];
  readonly portable?: boolean;
  readonly allFields?: boolean;
  readonly withAccount?: boolean;
}

export interface ExportedManifest {
  /** The manifest as YAML. */
  readonly text: string;
  /** The manifest as data. */
  readonly value: Readonly<Record<string, unknown>>;
  /** False if a part of the account could not be read. The warnings name the part. */
  readonly isWhole: boolean;
  readonly warnings: readonly string[];
}

/** Validates a manifest offline. Throws a `Failure` of kind `invalid` with the place of each problem in its details. */
export async function validate(
  source: ManifestSource & { readonly allowUnset?: boolean },
): Promise<Validation> {
  const host = manifestHost(clientHost({}), source);
  const context = { host, notices: gatedNotices(createNotices(source), host.outside) };
  const input = { ...toPlanningInput(source), allowUnset: source.allowUnset ?? false };
  return runForProgram(async () => (await validateManifest(context, input)).value, context.host.outside);
}

/** Plans an apply without sending changes. */
export async function plan(client: Client, options: PlanOptions): Promise<ShownPlans> {
  const context = contextFor(client, options);
  return runForProgram(
    async () => toShownPlans(await planAccounts(context, toPlanningInput(options))),
    context.host.outside,
  );
}

/** Applies a manifest to its accounts. Throws `Failure` if no change was sent. Later failures are in the result. */
export async function apply(client: Client, options: ApplyOptions): Promise<Applied> {
  const context = contextFor(client, options);
  await refuseProtected(context);
  return runForProgram(() => applyInContext(context, options), context.host.outside);
}

/**
 * Applies one manifest to several accounts, a few at a time, each with its own plan. The manifest must not name an
 * account. A failure in one account does not stop the others, unless `onError` is `stop`. Throws `Failure` before any
 * change if an account is not found.
 */
export async function applyAccounts(
  client: Client,
  accounts: readonly (string | AccountSource)[],
  options: ApplyOptions,
): Promise<readonly AccountApplied[]> {
  const context = contextFor(client, options);
  await refuseProtected(context);
  const listed = accounts.map((each, index) => {
    const { account, vars = {} } = typeof each === 'string' ? { account: each } : each;
    return { label: account, vars: new Map(Object.entries(vars)), file: 'accounts', line: index + 1 };
  });
  const isLast = options.onError === 'stop';
  const ends = await runForAccounts(context, await chooseAccounts(context, listed), {
    stopsAfter: (end: AccountOutcome<Applied>) =>
      isLast && (end.state === 'failed' || (end.state === 'done' && end.result.failure !== undefined)),
    work: ({ id, vars }, own) => {
      const { onProgress: _, ...common } = options;
      const filled = { ...common, vars: { ...options.vars, ...Object.fromEntries(vars) } };
      return applyInContext({ ...own, host: manifestHost(own.host, options) }, filled, id);
    },
  });
  return ends.map((end) => ({
    account: end.account.label,
    ...(end.state === 'done'
      ? end.result
      : end.state === 'failed'
        ? { failure: gatedFailure(toProgramFailure(end.failure), context.host.outside) }
        : {}),
  }));
}

/** Throws `refused` if the profile or the client does not allow changes. */
async function refuseProtected(context: Context): Promise<void> {
  const { profile } = await context.session();
  if (profile.protect === 'read-only')
    throw new Failure('refused', 'This client, or its profile, allows no changes. Nothing was sent.');
}

/** `only` is the account that the manifest may change. */
async function applyInContext(context: Context, options: ApplyOptions, only?: string): Promise<Applied> {
  const { onPlan, onDeletes, onStep, onProgress, overwrite, onError } = options;
  const show = <T>(given: T): T => replaceOutsideValues(given, context.host.outside);
  const reports = await applyAccount(context, {
    input: { ...toPlanningInput(options), overwrite, onError },
    async agree(planning) {
      if (only !== undefined && planning.accounts.some(({ observed }) => observed.account.id !== only))
        throw new Failure(
          'usage',
          'The manifest names an account, so it cannot be applied to several accounts.',
        );
      if ((await onPlan?.(show(toShownPlans(planning)))) === false)
        throw new Failure('interrupted', 'Nothing was changed.');
      const deletes = listDeletes(planning);
      if (deletes.length === 0 || (await onDeletes?.(show(deletes))) === true) return;
      throw new Failure(
        'refused',
        `The plan deletes ${formatCount(deletes.length, 'object')}, but deletes were not accepted. No request was sent.`,
        { hint: 'Return true from onDeletes to accept them.' },
      );
    },
    onResult(result, done, total) {
      onStep?.(show(resultJson(result)));
      onProgress?.({ done, total, what: result.step.kind });
    },
  });
  const { failure } = applyResult(reports, nextStep`apply --resume`);
  return {
    report: show(reportJson(reports)),
    ...(failure && { failure: gatedFailure(toProgramFailure(failure), context.host.outside) }),
  };
}

/** Exports the account of the client as a manifest, without secrets. */
export async function exportManifest(client: Client, options: ExportOptions = {}): Promise<ExportedManifest> {
  const { only = [], portable, allFields, withAccount } = options;
  if (portable && only.length > 0) throw new Failure('usage', 'Give only or portable, not both.');
  const input = { only, portable, allFields, withAccount };
  const { exported, text, value } = await runForProgram(() =>
    exportedText(contextFor(client, options), input),
  );
  return { text, value, isWhole: exported.isWhole, warnings: [...exportWarnings(exported)] };
}

const toShownPlans = ({ accounts }: Planning): ShownPlans =>
  shownPlans(accounts.map(({ plan: one, refusal }) => shownPlan(one, refusal)));

const listDeletes = ({ accounts }: Planning): readonly ShownStep[] =>
  accounts.flatMap((account) => account.plan.steps.filter(({ by }) => by === 'delete').map(shownStep));

function contextFor(client: Client, source: ManifestSource): Context {
  const services = clientServices(client);
  const host = manifestHost(services.host, source);
  return { ...services, host, notices: gatedNotices(createNotices(source), host.outside) };
}
