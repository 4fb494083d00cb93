import { hash } from 'node:crypto';
import type { Failure } from '../../../base/failure.ts';
import { counted, quoted } from '../../../base/wording.ts';
import type { ReportLine } from '../../../command/result.ts';
import { countsOf } from '../../../manifest/make-plan.ts';
import type { Counts, Plan } from '../../../manifest/plan.ts';
import { changesIn, changesSafety, type limitsOf } from '../../../manifest/plan-safety.ts';
import { shownPlan } from '../../../manifest/shown-plan.ts';
import type { ChosenAccount } from '../../choose-accounts.ts';
import type { AccountPlanning, Planning } from '../../planning.ts';
import { accountBody, type Detail } from '../plan/plan-lines.ts';

/** Kinds of change whose lines are shown; of more only the number is. */
const kindsShown = 40;
/** Accounts that a line names. */
const namedAtMost = 6;

/** Accounts whose plans change the same. */
interface Group {
  accounts: number;
  readonly names: string[];
  readonly lines: readonly ReportLine[];
}

/** The plans of many accounts, of which only the sums and the kinds of change are kept. */
export interface FleetPlan {
  /** Adds the plans of one account of a list. `agreed` changes with whatever would be done. */
  add(
    account: Pick<ChosenAccount, 'word'>,
    planning: Planning,
  ): { readonly agreed: string; readonly counts: Counts };
  /** Adds an account that could not be planned. */
  fail(account: Pick<ChosenAccount, 'word'>, failure: Failure): void;
  /** Number of accounts that were added. */
  accounts(): number;
  /** Reason why all of it is refused. */
  tooMuch(limits: ReturnType<typeof limitsOf>): Failure | undefined;
  /** The first account that could not be planned, and how many there are. */
  failed(): { readonly count: number; readonly first: Failure | undefined };
  /** Equal changes once, with the accounts that they are in; then the sums. */
  lines(): readonly ReportLine[];
}

/** Hash of all that would be done in an account. */
export const planHash = (accounts: readonly Pick<AccountPlanning, 'plan'>[]): string =>
  hash('sha256', JSON.stringify(accounts.map(({ plan }) => shownPlan(plan))), 'hex').slice(0, 32);

/** Adds up the plans of many accounts in memory that does not grow with their number. */
export function fleetPlan(detail: Detail): FleetPlan {
  const groups = new Map<string, Group>();
  const sums = { create: 0, update: 0, delete: 0, unchanged: 0, unverifiable: 0 };
  const safety = { objects: 0, deletes: 0, changes: 0 };
  const failures = { count: 0, lines: [] as ReportLine[] };
  let firstFailure: Failure | undefined;
  let accounts = 0;
  let idle = 0;
  let ungrouped = 0;
  const group = (name: string, lines: readonly ReportLine[]): void => {
    const key = hash('sha256', JSON.stringify(lines), 'hex');
    const known = groups.get(key);
    if (known === undefined && groups.size >= kindsShown) {
      ungrouped += 1;
      return;
    }
    const found = known ?? { accounts: 0, names: [], lines };
    found.accounts += 1;
    if (found.names.length < namedAtMost) found.names.push(name);
    groups.set(key, found);
  };
  return {
    add({ word }, { accounts: planned }) {
      accounts += 1;
      const counts = { create: 0, update: 0, delete: 0, unchanged: 0, unverifiable: 0 };
      for (const { plan } of planned) {
        addTo(counts, countsOf(plan));
        addTo(safety, changesIn(plan));
      }
      addTo(sums, counts);
      const isIdle = planned.every(
        ({ plan, refusal }) => refusal === undefined && plan.steps.every(changesNothing),
      );
      if (isIdle) idle += 1;
      else
        group(
          word,
          planned.flatMap((one) => accountBody(one, detail)),
        );
      return { agreed: planHash(planned), counts };
    },
    fail({ word }, failure) {
      accounts += 1;
      failures.count += 1;
      firstFailure ??= failure;
      if (failures.lines.length < kindsShown)
        failures.lines.push([{ text: `${quoted(word)}: `, mark: 'bad' }, { text: failure.message }]);
    },
    accounts: () => accounts,
    tooMuch: (limits) => changesSafety(safety, counted(accounts, 'account'), limits),
    failed: () => ({ count: failures.count, first: firstFailure }),
    lines() {
      const most = [...groups.values()].toSorted((one, other) => other.accounts - one.accounts);
      const { count } = failures;
      const more = count - failures.lines.length;
      return [
        ...line(`${counted(accounts, 'account')}, ${counted(groups.size + ungrouped, 'kind')} of change`),
        ...most.flatMap(({ accounts: many, names, lines }): readonly ReportLine[] => [
          [],
          ...line(`in ${counted(many, 'account')}${many > names.length ? '' : `: ${names.join(', ')}`}`),
          ...lines,
        ]),
        ...(ungrouped === 0 ? [] : [[], ...line(`… and other changes in ${counted(ungrouped, 'account')}`)]),
        ...(count === 0 ? [] : [[], ...line(`${counted(count, 'account')} could not be planned:`)]),
        ...failures.lines,
        ...(more > 0 ? line(`… and ${more} more`) : []),
        [],
        ...line(`${sumText(sums)}; nothing to change in ${counted(idle, 'account')}`),
      ];
    },
  };
}

const line = (text: string): readonly ReportLine[] => [[{ text, mark: 'bold' }]];

const changesNothing = ({ by, drifted }: Plan['steps'][number]): boolean =>
  by === undefined && drifted === undefined;

function addTo<K extends string>(sums: Record<K, number>, more: Readonly<Record<K, number>>): void {
  for (const key in sums) sums[key] += more[key];
}

const sumText = ({ create, update, delete: deletes, unchanged }: Counts): string =>
  `${create} to create, ${update} to update, ${deletes} to delete, ${unchanged} unchanged`;
