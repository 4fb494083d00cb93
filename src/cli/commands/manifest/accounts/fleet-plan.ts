import { hash } from 'node:crypto';
import { Failure, type HintSource } from '../../../../base/failure.ts';
import type { Json, JsonObject } from '../../../../base/json.ts';
import { formatCount, quoteName, toOneLine } from '../../../../base/wording.ts';
import { countSteps } from '../../../../engine/manifest/make-plan.ts';
import type { Counts } from '../../../../engine/manifest/plan.ts';
import { changesSafety, countChanges, type planLimits } from '../../../../engine/manifest/plan-safety.ts';
import { type ShownCharges, shownPlan } from '../../../../engine/manifest/shown-plan.ts';
import type { ReportLine } from '../../../command/result.ts';
import type { ChosenAccount } from '../../bulk/choose-accounts.ts';
import type { AccountOutcome } from '../../bulk/each-account.ts';
import { priceSum, priceSumText } from '../../charges/price-list.ts';
import {
  PlanGroups,
  type PlanKinds,
  planLines,
  refusalLine,
  type ShownAccountPlan,
} from '../plan/plan-lines.ts';
import { isChanging } from '../plan/plan-report.ts';
import type { AccountPlanning } from '../plan/planning.ts';
import type { Detail } from '../plan/step-lines.ts';

/** Limit for the kinds of plan that are shown. For the others, only the number of accounts is shown. */
const kindsShown = 40;
const failuresShown = 40;
const failuresListed = 1000;

type Unplanned = Exclude<AccountOutcome<unknown>, { readonly state: 'done' }>;

export const planHash = (accounts: readonly Pick<AccountPlanning, 'plan'>[]): string =>
  hash('sha256', JSON.stringify(accounts.map(({ plan }) => shownPlan(plan))), 'hex').slice(0, 32);

export const unplannedJson = (end: Unplanned): JsonObject => ({
  account: { id: end.account.id, name: end.account.label },
  error: errorJson(end.state === 'failed' ? end.failure : undefined),
});

const errorJson = (failure: Failure | undefined): Json => {
  if (failure === undefined) return { kind: 'partial', message: 'not begun' };
  const { kind, message, requestId } = failure;
  return { kind, message, ...(requestId === undefined ? {} : { request_id: requestId }) };
};

/** Adds up the plans of many accounts in bounded memory: sums, and one plan of each kind. */
export class FleetSummary {
  readonly sizes = { accounts: 0, changing: 0, failed: 0 };
  readonly #detail: Detail;
  readonly #groups: PlanGroups;
  readonly #safety = { objects: 0, deletes: 0, changes: 0 };
  readonly #prices = priceSum();
  readonly #failures: { account: ChosenAccount; failure: Failure }[] = [];
  readonly #unplanned: JsonObject[] = [];
  readonly #failureKinds = new Set<Failure['kind']>();
  #notStarted = 0;

  constructor(view: Pick<Detail, 'verbose' | 'drift' | 'where'>) {
    this.#detail = { ...view, fleet: true };
    this.#groups = new PlanGroups(this.#detail, kindsShown);
  }

  add(planned: readonly ShownAccountPlan[]): Counts {
    this.sizes.accounts += 1;
    if (planned.some(({ plan }) => isChanging(plan))) this.sizes.changing += 1;
    const counts = { create: 0, update: 0, delete: 0, unchanged: 0, unverifiable: 0 };
    for (const account of planned) {
      this.#groups.add(account);
      addTo(counts, countSteps(account.plan));
      addTo(this.#safety, countChanges(account.plan));
      this.#prices.add(account.prices ?? []);
    }
    return counts;
  }

  fail(outcome: Unplanned): void {
    this.sizes.accounts += 1;
    if (this.#unplanned.length < failuresListed) this.#unplanned.push(unplannedJson(outcome));
    if (outcome.state === 'left') {
      this.#notStarted += 1;
      return;
    }
    this.sizes.failed += 1;
    this.#failureKinds.add(outcome.failure.kind);
    if (this.#failures.length < failuresShown) this.#failures.push(outcome);
  }

  get failed(): readonly JsonObject[] {
    return this.#unplanned;
  }

  /** Sums over all accounts, by the prices of the service. */
  get charges(): ShownCharges | undefined {
    return this.#prices.charges;
  }

  groups(): PlanKinds {
    return this.#groups.kinds();
  }

  refusal(limits: ReturnType<typeof planLimits>): Failure | undefined {
    return changesSafety(this.#safety, formatCount(this.sizes.accounts, 'account'), limits);
  }

  failure(hint: HintSource): Failure | undefined {
    const { failed, accounts } = this.sizes;
    const unplanned = failed + this.#notStarted;
    if (unplanned === 0) return undefined;
    const [first] = this.#failures;
    const kind = this.#failureKinds.has('interrupted')
      ? 'interrupted'
      : first && unplanned === accounts && this.#failureKinds.size === 1
        ? first.failure.kind
        : 'partial';
    const parts = [
      ...(failed > 0 ? [`${failed} failed`] : []),
      ...(this.#notStarted > 0 ? [`${this.#notStarted} not begun`] : []),
    ];
    const sentence = `Of ${formatCount(accounts, 'account')} ${parts.join(', ')}.`;
    const reason = first && `The first: ${quoteName(first.account.label)}: ${first.failure.message}`;
    return new Failure(kind, reason === undefined ? sentence : [sentence, reason], {
      hint,
      details: { accounts: this.#unplanned },
    });
  }

  /** Lists the distinct plans with their accounts, then the sums. `refused`: reason for refusing all of them. */
  lines(refused?: Failure): readonly ReportLine[] {
    const more = this.sizes.failed - this.#failures.length;
    const reasons = [
      ...this.#failures.map(
        ({ account, failure }) => `${quoteName(account.label)}: ${toOneLine(failure.message)}`,
      ),
      ...(more > 0 ? [`… and ${more} more`] : []),
    ];
    const head = `${formatCount(this.sizes.failed, 'account')} could not be planned:`;
    return [
      ...planLines(this.groups(), this.#detail),
      ...chargesLines(this.charges),
      ...(reasons.length === 0 ? [] : [[], [{ text: head, mark: 'bad' } as const]]),
      ...reasons.map((text) => [{ text }]),
      ...(refused ? [refusalLine(refused)] : []),
    ];
  }
}

export const chargesLines = (charges: ShownCharges | undefined): readonly ReportLine[] =>
  charges === undefined ? [] : [[{ text: priceSumText(charges), mark: 'careful' }]];

function addTo<K extends string>(sums: Record<K, number>, more: Readonly<Record<K, number>>): void {
  for (const key in sums) sums[key] += more[key];
}
