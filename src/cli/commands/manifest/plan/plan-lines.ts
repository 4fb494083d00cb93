import { type Failure, nextStep } from '../../../../base/failure.ts';
import { omitUndefined } from '../../../../base/json.ts';
import { formatCount, quoteName } from '../../../../base/wording.ts';
import type { Unmanaged } from '../../../../engine/manifest/account-reader.ts';
import { countSteps } from '../../../../engine/manifest/make-plan.ts';
import type { Action, Counts } from '../../../../engine/manifest/plan.ts';
import { describeDoubles, describeKept } from '../../../../engine/manifest/shown-plan.ts';
import type { ReportLine, ReportRow, Span } from '../../../command/result.ts';
import { unpricedText } from '../../charges/agree-to-prices.ts';
import { pricesTexts } from '../../charges/price-list.ts';
import { whereText } from '../../labels.ts';
import type { AccountPlanning } from './planning.ts';
import { type NeededConfirmation, neededConfirmations } from './refusals.ts';
import { type Detail, groupAlikeSteps, shownSteps, stepRows, stepsText } from './step-lines.ts';

/** Formats the plans of all accounts and their sum. Accounts with the same plan are grouped. */
export function planLines(plans: PlanKinds, detail: Detail): readonly ReportLine[] {
  const { groups, accounts, counts, others } = plans;
  const isBrief = (group: AccountGroup | undefined): boolean =>
    group !== undefined && accounts > 1 && !detail.verbose && hasNoChanges(group.first);
  return [
    ...groups.flatMap((group, index) => [
      ...(index === 0 || (isBrief(group) && isBrief(groups[index - 1])) ? [] : [[]]),
      ...(isBrief(group) ? [noChangesLine(group)] : [[...headSpans(group)], [], ...group.body]),
    ]),
    ...(others === 0 ? [] : [[], [{ text: `… and other plans in ${formatCount(others, 'account')}` }]]),
    ...(accounts > 1 && (detail.fleet || (groups.length < accounts && groups.length > 1))
      ? [[], [{ text: `${kindsText(plans, detail.where)}: ${countsText(counts)}`, mark: 'bold' } as const]]
      : []),
  ];
}

const kindsText = ({ accounts, groups, others }: PlanKinds, where: Detail['where']): string =>
  `${formatCount(accounts, 'account')}${whereText(where)}, ${others === 0 ? '' : 'more than '}${formatCount(groups.length, 'kind')} of plan`;

export interface AccountGroup {
  readonly first: ShownAccountPlan;
  readonly accounts: number;
  readonly names: readonly string[];
  readonly body: readonly ReportLine[];
}

/** The plans of many accounts: only sums, and one plan of each kind. */
export interface PlanKinds {
  readonly accounts: number;
  readonly counts: Counts;
  /** Accounts grouped by equal plans, largest group first. If all plans differ, in the order of the accounts. */
  readonly groups: readonly AccountGroup[];
  readonly others: number;
}

/** Groups equal plans in bounded memory. */
export class PlanGroups {
  readonly #detail: Detail;
  readonly #atMost: number;
  readonly #groups = new Map<string, AccountGroup & { accounts: number; readonly names: string[] }>();
  readonly #counts = { create: 0, update: 0, delete: 0, unchanged: 0, unverifiable: 0 };
  #accounts = 0;
  #others = 0;

  constructor(detail: Detail, atMost = Number.POSITIVE_INFINITY) {
    this.#detail = detail;
    this.#atMost = atMost;
  }

  add(account: ShownAccountPlan): void {
    const { plan, createdBy } = account;
    const { origin, name, id } = plan.account;
    this.#accounts += 1;
    const counts = countSteps(plan);
    for (const action of actions) this.#counts[action] += counts[action];
    const body = accountBody(account, this.#detail);
    const isNew = createdBy !== undefined && id === undefined;
    const key = JSON.stringify([origin, isNew, isNew ? createdBy : '', body]);
    const known = this.#groups.get(key);
    if (known === undefined && this.#groups.size >= this.#atMost) this.#others += 1;
    else if (known === undefined)
      this.#groups.set(key, { first: withoutObserved(account), accounts: 1, names: [name], body });
    else {
      known.accounts += 1;
      if (known.names.length < namedAccounts) known.names.push(name);
    }
  }

  kinds(): PlanKinds {
    const all = [...this.#groups.values()];
    const areDistinct = all.length === this.#accounts;
    const groups = areDistinct ? all : all.toSorted((one, other) => other.accounts - one.accounts);
    return { accounts: this.#accounts, counts: this.#counts, groups, others: this.#others };
  }
}

export const savedPlanGroup = (
  first: ShownAccountPlan,
  { accounts, names }: Pick<AccountGroup, 'accounts' | 'names'>,
  detail: Detail,
): AccountGroup => ({ first, accounts, names, body: accountBody(first, detail) });

export function groupPlans(accounts: readonly ShownAccountPlan[], detail: Detail): PlanKinds {
  const groups = new PlanGroups(detail);
  for (const account of accounts) groups.add(account);
  return groups.kinds();
}

const actions: readonly Action[] = ['create', 'update', 'delete', 'unchanged', 'unverifiable'];

const namedAccounts = 12;

/** `acme`, or `7 accounts: acme, branch, …` */
function accountsText({ names, accounts }: AccountGroup): string {
  const [only = ''] = names;
  if (accounts === 1) return only;
  const more = accounts - names.length;
  const some = names.map(quoteName).join(', ');
  return `${formatCount(accounts, 'account')}: ${some}${more > 0 ? ` and ${more} more` : ''}`;
}

const hasNoChanges = ({ plan, refusal, inUse, unmanaged }: ShownAccountPlan): boolean =>
  refusal === undefined &&
  unmanaged === undefined &&
  inUse === undefined &&
  (plan.kept ?? []).length === 0 &&
  plan.steps.every(
    ({ action, drifted = [], notes }) =>
      (action === 'unchanged' || action === 'unverifiable') && drifted.length === 0 && notes.length === 0,
  );

const noChangesLine = (group: AccountGroup): readonly Span[] => {
  const { unchanged, unverifiable } = countSteps(group.first.plan);
  const counts = [`${unchanged} unchanged`, ...(unverifiable > 0 ? [`${unverifiable} unverifiable`] : [])];
  return [
    ...headSpans(group),
    {
      text: `  nothing to change: ${counts.join(', ')}${group.accounts > 1 ? ' in each' : ''}`,
      mark: 'dim',
    },
  ];
};

export type ShownAccountPlan = Pick<
  AccountPlanning,
  'plan' | 'refusal' | 'inUse' | 'createdBy' | 'unmanaged' | 'prices' | 'unpriced'
> & {
  readonly unasked?: readonly NeededConfirmation[];
};

/** Returns the shown parts of a planned account, so that the memory of its records can be freed. */
export function withoutObserved(account: ShownAccountPlan): ShownAccountPlan {
  const { plan, refusal, inUse, createdBy, unmanaged, prices, unpriced, unasked } = account;
  return { plan, refusal, inUse, createdBy, ...omitUndefined({ unmanaged, prices, unpriced, unasked }) };
}

function headSpans(group: AccountGroup): readonly Span[] {
  const { plan, createdBy } = group.first;
  const isNew = createdBy !== undefined && plan.account.id === undefined;
  return [
    { text: `${accountsText(group)} at ${plan.account.origin}`, mark: 'bold' },
    ...(isNew ? [{ text: ` (created first, by ${createdBy})`, mark: 'dim' } as const] : []),
  ];
}

function accountBody(account: ShownAccountPlan, detail: Detail): readonly ReportLine[] {
  const { plan, refusal, unmanaged, prices = [] } = account;
  const rows = groupAlikeSteps(shownSteps(plan, detail.verbose), detail).flatMap((steps) =>
    stepRows(steps, detail),
  );
  const nothing = detail.drift ? 'No changes by others since the last apply.' : 'Nothing to change.';
  return [
    ...(rows.length === 0 ? [[{ text: nothing }]] : rows),
    [],
    ...(detail.drift ? [] : [[{ text: countsText(countSteps(plan)) }]]),
    ...describeKept(plan).map((text) => [{ text, mark: 'dim' } as const]),
    ...describeDoubles(plan).map((text) => [{ text, mark: 'careful' } as const]),
    ...pricesTexts(prices).map((text) => [{ text, mark: 'careful' } as const]),
    ...unpricedTexts(account).map((text) => [{ text, mark: 'careful' } as const]),
    ...unmanagedLines(unmanaged),
    ...neededConfirmations(account).map(({ message }) => [{ text: message, mark: 'careful' } as const]),
    ...(refusal === undefined ? [] : [refusalLine(refusal)]),
  ];
}

/** Counts changes that may cost and have no known price. Without price lookups, counts all changes that may cost. */
function unpricedTexts({ plan, prices = [], unpriced }: ShownAccountPlan): readonly string[] {
  const may = plan.steps.filter(({ mayCost, send }) => mayCost && send !== undefined).length;
  const count = unpriced ?? (prices.length > 0 ? 0 : may);
  return count === 0 ? [] : [unpricedText(count)];
}

function unmanagedLines(unmanaged: Unmanaged | undefined): readonly ReportLine[] {
  if (unmanaged === undefined) return [];
  const { objects, unread } = unmanaged;
  const count = objects.length;
  return [
    [],
    [
      {
        text:
          count === 0
            ? 'Everything in the account is in a manifest.'
            : `${formatCount(count, 'object')} of the account ${count === 1 ? 'is' : 'are'} not in a manifest. To manage such objects, use ${nextStep`adopt`}. To write them to a file, use ${nextStep`export`}:`,
      },
    ],
    ...[...Map.groupBy(objects, ({ kind }) => kind).values()].map(
      (some): ReportRow => ({ sign: { text: '·', mark: 'dim' }, text: stepsText(some), folds: true }),
    ),
    ...Object.entries(unread).map(([kind, why]) => [
      { text: `${kind} could not be read completely: ${why}`, mark: 'careful' } as const,
    ]),
  ];
}

export const refusalLine = ({ message, hint }: Failure): ReportLine => [
  { text: ['apply would refuse this:', message, hint ?? ''].join(' ').trim(), mark: 'bad' },
];

/** `1 to create, 3 to update, 12 unchanged, 1 unverifiable, 0 to delete` */
const countsText = (counts: Counts): string =>
  [
    `${counts.create} to create`,
    `${counts.update} to update`,
    `${counts.unchanged} unchanged`,
    ...(counts.unverifiable > 0 ? [`${counts.unverifiable} unverifiable`] : []),
    `${counts.delete} to delete`,
  ].join(', ');
