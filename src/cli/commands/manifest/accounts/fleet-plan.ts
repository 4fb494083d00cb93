import { hash } from 'node:crypto';
import { Failure, type HintSource } from '../../../../base/failure.ts';
import type { Json, JsonObject } from '../../../../base/json.ts';
import { formatCount, quoteName, toOneLine } from '../../../../base/wording.ts';
import { countSteps } from '../../../../engine/manifest/make-plan.ts';
import type { Counts } from '../../../../engine/manifest/plan.ts';
import { changesIn, changesSafety, type limitsOf } from '../../../../engine/manifest/plan-safety.ts';
import { type ShownCharges, shownPlan } from '../../../../engine/manifest/shown-plan.ts';
import type { ReportLine } from '../../../command/result.ts';
import type { ChosenAccount } from '../../bulk/choose-accounts.ts';
import type { AccountOutcome } from '../../bulk/over-accounts.ts';
import { gatherPlans, planLines, refusalLine, type ShownAccountPlan } from '../plan/plan-lines.ts';
import { isChanging } from '../plan/plan-report.ts';
import type { AccountPlanning } from '../plan/planning.ts';
import { priceSum, priceSumText } from '../plan/price-list.ts';
import type { Detail } from '../plan/step-lines.ts';

/** Number of kinds of plan that are shown. Of the others, only the number of accounts is shown. */
const kindsShown = 40;
/** Number of failed accounts whose reasons are shown to people, and to scripts. */
const failuresShown = 40;
const failuresListed = 1000;

type Unplanned = Exclude<AccountOutcome<unknown>, { readonly state: 'done' }>;

/** The plans of many accounts: only sums, and one plan of each kind. */
export type FleetPlan = ReturnType<typeof fleetPlan>;

export const planHash = (accounts: readonly Pick<AccountPlanning, 'plan'>[]): string =>
  hash('sha256', JSON.stringify(accounts.map(({ plan }) => shownPlan(plan))), 'hex').slice(0, 32);

/** An account that was not planned, for scripts. */
export const unplannedJson = (end: Unplanned): JsonObject => ({
  account: { id: end.account.id, name: end.account.word },
  error: errorJson(end.state === 'failed' ? end.failure : undefined),
});

const errorJson = (failure: Failure | undefined): Json => {
  if (failure === undefined) return { kind: 'partial', message: 'not begun' };
  const { kind, message, requestId } = failure;
  return { kind, message, ...(requestId === undefined ? {} : { request_id: requestId }) };
};

/** Adds up the plans of many accounts in bounded memory. */
export function fleetPlan(looking: Pick<Detail, 'verbose' | 'drift' | 'where'>) {
  const detail = { ...looking, fleet: true } as const;
  const gathered = gatherPlans(detail, kindsShown);
  const safety = { objects: 0, deletes: 0, changes: 0 };
  const sizes = { accounts: 0, changing: 0, failed: 0 };
  const prices = priceSum();
  const failures: { account: ChosenAccount; failure: Failure }[] = [];
  const unplanned: JsonObject[] = [];
  const failureKinds = new Set<Failure['kind']>();
  let left = 0;
  return {
    /** Number of added accounts, and of those with changes. */
    sizes,
    add(planned: readonly ShownAccountPlan[]): Counts {
      sizes.accounts += 1;
      if (planned.some(({ plan }) => isChanging(plan))) sizes.changing += 1;
      const counts = { create: 0, update: 0, delete: 0, unchanged: 0, unverifiable: 0 };
      for (const account of planned) {
        gathered.add(account);
        addTo(counts, countSteps(account.plan));
        addTo(safety, changesIn(account.plan));
        prices.add(account.prices ?? []);
      }
      return counts;
    },
    /** Adds an account that could not be planned, or was not started. */
    fail(end: Unplanned): void {
      sizes.accounts += 1;
      if (unplanned.length < failuresListed) unplanned.push(unplannedJson(end));
      if (end.state === 'left') {
        left += 1;
        return;
      }
      sizes.failed += 1;
      failureKinds.add(end.failure.kind);
      if (failures.length < failuresShown) failures.push(end);
    },
    /** Reason why the whole plan is refused. */
    tooMuch: (limits: ReturnType<typeof limitsOf>) =>
      changesSafety(safety, formatCount(sizes.accounts, 'account'), limits),
    /** Accounts that were not planned, for scripts. */
    failed: () => unplanned,
    /** Reason why some accounts were not planned. */
    failure(hint: HintSource): Failure | undefined {
      const { failed, accounts } = sizes;
      if (failed + left === 0) return undefined;
      const [first] = failures;
      const isNothing = failed + left === accounts;
      const kind = failureKinds.has('interrupted')
        ? 'interrupted'
        : first && isNothing && failureKinds.size === 1
          ? first.failure.kind
          : 'partial';
      const parts = [...(failed > 0 ? [`${failed} failed`] : []), ...(left > 0 ? [`${left} not begun`] : [])];
      const sentence = `Of ${formatCount(accounts, 'account')} ${parts.join(', ')}.`;
      const reason = first && `The first: ${quoteName(first.account.word)}: ${first.failure.message}`;
      return new Failure(kind, reason === undefined ? sentence : [sentence, reason], {
        hint,
        details: { accounts: unplanned },
      });
    },
    kinds: gathered.kinds,
    /** Sums of the service's prices over all accounts. */
    charges: () => prices.charges,
    /** Distinct plans with their accounts, then the sums. */
    lines(tooMuch?: Failure): readonly ReportLine[] {
      const more = sizes.failed - failures.length;
      const why = [
        ...failures.map(
          ({ account, failure }) => `${quoteName(account.word)}: ${toOneLine(failure.message)}`,
        ),
        ...(more > 0 ? [`… and ${more} more`] : []),
      ];
      return [
        ...planLines(gathered.kinds(), detail),
        ...chargesLines(prices.charges),
        ...(why.length === 0
          ? []
          : [
              [],
              [
                {
                  text: `${formatCount(sizes.failed, 'account')} could not be planned:`,
                  mark: 'bad',
                } as const,
              ],
            ]),
        ...why.map((text) => [{ text }]),
        ...(tooMuch ? [refusalLine(tooMuch)] : []),
      ];
    },
  };
}

/** The sums of a fleet's prices, for people. */
export const chargesLines = (charges: ShownCharges | undefined): readonly ReportLine[] =>
  charges === undefined ? [] : [[{ text: priceSumText(charges), mark: 'careful' }]];

function addTo<K extends string>(sums: Record<K, number>, more: Readonly<Record<K, number>>): void {
  for (const key in sums) sums[key] += more[key];
}
