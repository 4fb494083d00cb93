import type { Failure } from '../../../../base/failure.ts';
import { listUnmanaged } from '../../../../engine/manifest/account-reader.ts';
import { pathText } from '../../../../engine/manifest/change-lines.ts';
import type { Plan } from '../../../../engine/manifest/plan.ts';
import { type ShownPlan, shownPlan, shownPlans } from '../../../../engine/manifest/shown-plan.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Consent, Context } from '../../../command/context.ts';
import { plainColumns, type ReportResult } from '../../../command/result.ts';
import { agreeToPrices } from '../../charges/agree-to-prices.ts';
import { listedPrices, pricesTexts, sumPrices } from '../../charges/price-list.ts';
import type { viewOptions } from '../commands.ts';
import { describeOmissions } from '../export/export-target.ts';
import { groupPlans, planLines, refusalLine, type ShownAccountPlan } from './plan-lines.ts';
import type { AccountPlanning, Planning } from './planning.ts';
import { neededConfirmations } from './refusals.ts';
import type { Detail } from './step-lines.ts';

export const plannedJson = (account: ShownAccountPlan): ShownPlan => ({
  ...shownPlan(account.plan, account.refusal, neededConfirmations(account)),
  ...unmanagedJson(account),
  ...pricesJson(account.prices),
});

function pricesJson(prices: ShownAccountPlan['prices']): Pick<ShownPlan, 'prices' | 'charges'> {
  const charges = sumPrices(prices ?? []);
  return prices === undefined || charges === undefined ? {} : { prices, charges };
}

const unmanagedJson = ({ unmanaged }: ShownAccountPlan) =>
  unmanaged === undefined ? {} : { unmanaged: unmanaged.objects, unread: unmanaged.unread };

export const planColumns = plainColumns('account', 'action', 'key', 'label', 'id', 'fields', 'notes');

/** Rows of the plan of one account: steps, then remarks. */
export function planRows({ account: of, steps, unmanaged = [], kept = [], prices = [], refused }: ShownPlan) {
  const account = of.name;
  return [
    ...steps.map((step) => ({ account, ...step, fields: step.changes.map(({ path }) => pathText(path)) })),
    ...unmanaged.map((object) => ({ account, action: 'unmanaged', notes: [], ...object })),
    ...kept.map(({ key, label, note }) => ({
      account,
      action: 'kept',
      key,
      label,
      fields: [],
      notes: [note],
    })),
    ...pricesTexts(prices).map((label, index) => ({
      account,
      action: 'price',
      key: prices[index]?.key ?? '',
      label,
      fields: prices[index] ? [prices[index].path] : [],
      notes: [],
    })),
    ...(refused === undefined ? [] : [refusedRow(account, refused)]),
  ];
}

const refusedRow = (
  account: string,
  { message, hint }: Pick<Failure, 'message'> & { hint?: string | undefined },
) => ({
  account,
  action: 'refused',
  label: `apply would refuse this: ${message}`,
  notes: hint === undefined ? [] : [hint],
});

export const planNames = ({ steps }: ShownPlan): readonly string[] =>
  steps.flatMap(({ key, action, completes }) =>
    isDifference(action) && completes === undefined ? [key] : [],
  );

/** A comment for a review lists the fields of new objects. */
const detailFor = ({ options, settings }: Context): Pick<Detail, 'verbose' | 'newFields'> => {
  const verbose = options.verbosity === 'verbose';
  return { verbose, newFields: verbose || settings.output.value === 'markdown' };
};

/** `tooMuch`: reason for `apply` to refuse all plans together. */
export function planReport(
  context: Context,
  { accounts }: { readonly accounts: readonly ShownAccountPlan[] },
  tooMuch?: Failure,
  looking: Pick<Detail, 'drift' | 'undoes' | 'names'> = {},
): ReportResult {
  const detail = { ...detailFor(context), ...looking };
  const shown = accounts.map(plannedJson);
  const names = shown.flatMap(planNames);
  const refusals = accounts.flatMap(({ refusal }) => refusal ?? []);
  reportForNames(context, names.length === 0, [...refusals, ...(tooMuch ? [tooMuch] : [])]);
  return {
    kind: 'report',
    lines: [...planLines(groupPlans(accounts, detail), detail), ...(tooMuch ? [refusalLine(tooMuch)] : [])],
    value: shownPlans(shown, tooMuch),
    rows: [...shown.flatMap(planRows), ...(tooMuch ? [refusedRow('', tooMuch)] : [])],
    columns: planColumns,
    names,
  };
}

/** `-o name` prints only names. Other messages go to stderr. */
export function reportForNames(
  { settings, notices }: Context,
  isNothing: boolean,
  refused: readonly Pick<Failure, 'message'>[],
): void {
  if (settings.output.value !== 'name') return;
  for (const { message } of refused) notices.warn(`apply would refuse this: ${message}`);
  if (isNothing) notices.say('Nothing would change.');
}

const isDifference = (action: string): boolean =>
  action === 'create' || action === 'update' || action === 'delete';

export const isChanging = ({ steps }: Plan): boolean => steps.some(({ action }) => isDifference(action));

export const hasDifferences = ({ accounts }: Planning): boolean =>
  accounts.some(({ plan }) => isChanging(plan));

export const showPlans = (
  context: Context,
  accounts: readonly ShownAccountPlan[],
  looking: Pick<Detail, 'undoes' | 'names'> = {},
): Promise<void> => {
  const detail = { ...detailFor(context), ...looking };
  return context.notices.report(planLines(groupPlans(accounts, detail), detail));
};

/** Adds prices to plans. With `--drift` or `--unmanaged`, keeps only changes by others or unmanaged objects. */
export async function withDetails(
  context: Context,
  planning: Planning,
  { drift, unmanaged }: Partial<InputOf<typeof viewOptions>>,
): Promise<Planning> {
  const accounts: AccountPlanning[] = [];
  for (const account of planning.accounts)
    accounts.push({
      ...(drift ? driftPlanning(context, account) : account),
      ...(unmanaged ? await findUnmanaged(context, account) : {}),
      ...(drift ? {} : await listedPrices(context, account.plan)),
    });
  return { ...planning, accounts };
}

/** Looks up the prices of additions and asks about them once. Throws like `agreeToPrices`. */
export async function agreeToPlannedPrices(
  context: Context,
  planning: Planning,
): Promise<Consent | undefined> {
  const isAsked = context.ask.available && context.options.consent.kind === 'ask';
  const { accounts } = isAsked ? await withDetails(context, planning, {}) : planning;
  return agreeToPrices(context, accounts);
}

function driftPlanning({ notices }: Context, account: AccountPlanning): AccountPlanning {
  const { plan, observed, ledger } = account;
  if (ledger === undefined)
    notices.warn(`This state has no apply on ${plan.account.name}, so drift is unknown.`);
  const shown = driftOnly(plan, observed.vanished);
  return { ...account, plan: shown, refusal: undefined, inUse: undefined };
}

async function findUnmanaged(
  { api, notices, settings }: Context,
  { reader, observed, ledger }: AccountPlanning,
): Promise<Pick<AccountPlanning, 'unmanaged'>> {
  const { id } = observed.account;
  if (reader === undefined || id === undefined) return {};
  for (const each of await describeOmissions(await api(), id, reader))
    notices.say(`${observed.account.name}: ${each}`);
  return { unmanaged: await listUnmanaged(reader, observed, ledger, settings.concurrency.value) };
}

/** Returns the steps that revert changes by others since the last apply. They send no requests. */
function driftOnly(plan: Plan, vanished: ReadonlySet<string>): Plan {
  const { kept: _, ...rest } = plan;
  return {
    ...rest,
    steps: plan.steps.flatMap(({ send: _send, by: _by, ...step }) => {
      if (step.action === 'create' && vanished.has(step.key)) return [{ ...step, changes: [] }];
      const changes = step.changes.filter(({ drift }) => drift === true);
      return step.action === 'update' && changes.length > 0 ? [{ ...step, changes }] : [];
    }),
  };
}
