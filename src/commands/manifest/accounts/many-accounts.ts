import { Failure } from '../../../base/failure.ts';
import { quoted } from '../../../base/wording.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { countsOf } from '../../../manifest/make-plan.ts';
import type { Plan } from '../../../manifest/plan.ts';
import { limitsOf, runSafety } from '../../../manifest/plan-safety.ts';
import {
  type ChosenAccount,
  chooseAccounts,
  type ListedAccount,
  readAccountList,
} from '../../choose-accounts.ts';
import { type AccountEnd, overAccounts } from '../../over-accounts.ts';
import { type Planning, type PlanningInput, planAccounts } from '../../planning.ts';
import { readManifestInput } from '../manifest-input.ts';
import { lookedAt } from '../plan/looking.ts';
import type { lookingOptions } from '../plan/plan-commands.ts';
import { hasDifferences, planReport } from '../plan/plan-report.ts';
import { type AccountLine, accountsFailure, accountsReport, lineWithout } from './accounts-report.ts';

/**
 * The accounts that a list names, found at the service, once the manifest was read for each of them. Throws
 * `Failure`: `usage` where the manifest cannot be for many accounts, `invalid` where it or the list is wrong, and
 * what `chooseAccounts` throws.
 */
export async function openAccounts(
  context: Context,
  input: PlanningInput,
  file: string,
): Promise<readonly ChosenAccount[]> {
  if (input.file.includes('-'))
    throw new Failure(
      'usage',
      'With --accounts the manifest is read for each account; -f - can be read once.',
      {
        hint: 'Put the manifest into a file.',
      },
    );
  const listed = await readAccountList(context.host, file);
  await checkManifest(context, input, listed);
  return chooseAccounts(context, listed);
}

/**
 * Reads the manifest for each account that has other values than those before. Throws `Failure`: `usage` where it
 * cannot be for many accounts, `invalid` where it is wrong.
 */
export async function checkManifest(
  context: Context,
  input: PlanningInput,
  listed: readonly ListedAccount[],
): Promise<void> {
  const silent = { ...context, notices: { ...context.notices, warn: () => undefined } };
  const differing = new Map(listed.map((one) => [JSON.stringify([...one.vars]), one]));
  for (const one of differing.values()) await readFor(silent, input, one);
}

/** Returns the input of a command for one account of a list. */
export const inputFor = <I extends PlanningInput>(input: I, { vars }: ListedAccount): I => ({
  ...input,
  var: [...input.var, ...[...vars].map(([name, value]) => `${name}=${value}`)],
});

async function readFor(context: Context, input: PlanningInput, one: ListedAccount): Promise<void> {
  const { desired } = await readManifestInput(context, inputFor(input, one)).catch((error: unknown) => {
    if (!(error instanceof Failure) || one.vars.size === 0) throw error;
    const { kind, lines, hint, details } = error;
    throw new Failure(kind, [`For ${quoted(one.word)} (${one.file}:${one.line}):`, ...lines], {
      hint,
      details,
      cause: error,
    });
  });
  if (desired.accounts.every(({ account }) => account === undefined)) return;
  throw new Failure('usage', 'The manifest names its account, so that it cannot be for many accounts.', {
    hint: 'Leave "account:" out of the manifest, or the list of accounts out of the command line.',
  });
}

/** Looks at many accounts without changing any, and plans each. */
export const planEach = (
  context: Context,
  accounts: readonly ChosenAccount[],
  input: PlanningInput,
  after: (own: Context, planning: Planning) => Promise<Planning> = async (_, planning) => planning,
): Promise<readonly AccountEnd<Planning>[]> =>
  overAccounts(context, accounts, {
    what: 'accounts',
    work: async (account, own) => after(own, await planAccounts(own, inputFor(input, account))),
  });

/** The plans of the accounts that could be planned. */
export const plansIn = (ends: readonly AccountEnd<Planning>[]): readonly Plan[] =>
  ends.flatMap((end) => (end.state === 'done' ? end.result.accounts.map(({ plan }) => plan) : []));

/**
 * `diff` and `plan` of many accounts: the plan of each, and a table of those that could not be planned. Sends no
 * writes.
 */
export async function planMany(
  context: Context,
  input: PlanningInput &
    Partial<InputOf<typeof lookingOptions>> & { readonly exitCode?: boolean | undefined },
  given: string | readonly ChosenAccount[],
): Promise<Result> {
  const { drift, unmanaged } = input;
  const chosen = typeof given === 'string' ? await openAccounts(context, input, given) : given;
  const ends = await planEach(context, chosen, input, (own, planning) =>
    lookedAt(own, planning, { drift, unmanaged }),
  );
  const plannings = ends.flatMap((end) => (end.state === 'done' ? [end.result] : []));
  const lines = ends.map(plannedLine);
  const failure = accountsFailure(
    lines,
    'Nothing was sent. Look at one of them by itself: telctl diff --account NAME',
  );
  const [first] = plannings;
  const planning = first && { ...first, accounts: plannings.flatMap(({ accounts }) => accounts) };
  const tooMuch = drift ? undefined : runSafety(plansIn(ends), limitsOf(input));
  const report = planning ? planReport(context, planning, tooMuch, { drift }) : accountsReport(lines, []);
  const differs = planning !== undefined && hasDifferences(planning);
  if (failure) return { ...report, failure };
  return input.exitCode && differs ? { ...report, exit: 'differences' } : report;
}

/** Counts of a plan, by the words of its last line. */
export const planColumns = ['create', 'update', 'delete', 'unchanged', 'unverifiable'] as const;

/** The line of an account that was planned, or could not be. */
export function plannedLine(end: AccountEnd<Planning>): AccountLine {
  if (end.state !== 'done') return lineWithout(end);
  const { account, result } = end;
  const [planned] = result.accounts;
  if (!planned) return { account, state: 'unchanged', counts: {} };
  const { plan } = planned;
  const state = hasDifferences(result) ? 'to change' : 'unchanged';
  return { account, name: plan.account.name, state, counts: { ...countsOf(plan) } };
}
