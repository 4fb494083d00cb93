import { Failure } from '../../../../base/failure.ts';
import type { AccountReader, Unmanaged } from '../../../../engine/manifest/account-reader.ts';
import type { Desired, DesiredAccount } from '../../../../engine/manifest/desired.ts';
import type { Observed, ObservedAccount, Plan } from '../../../../engine/manifest/plan.ts';
import type { Manifest } from '../../../../engine/manifest/read-manifest.ts';
import {
  neededAccounts,
  readSelections,
  refuseEmptySelections,
} from '../../../../engine/manifest/select-steps.ts';
import type { ShownPrice } from '../../../../engine/manifest/shown-plan.ts';
import type { Ledger } from '../../../../engine/state/ledger.ts';
import type { LedgerStore } from '../../../../engine/state/state.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { manifestOptions, planOptions } from '../../manifest-options.ts';
import { withPlaceholderPasswords } from '../../passwords/passwords-file.ts';
import { checkManifestConventions, readManifestInput } from '../manifest-input.ts';
import { planAccount } from './plan-account.ts';

export type PlanningInput = InputOf<typeof manifestOptions & typeof planOptions>;

export const noPlanningOptions: PlanningInput = {
  file: [],
  var: [],
  allowFiles: [],
  only: [],
  setName: undefined,
  strictInput: undefined,
  allowUnknownFields: undefined,
  ledger: undefined,
  prune: undefined,
  deleteDoubles: undefined,
  sendUnreadable: undefined,
  maxDeletes: undefined,
  maxDeletesTotal: undefined,
  maxChangePercent: undefined,
  force: undefined,
  takeOver: undefined,
};

/** Returns a function that returns the dotted paths of an object that are never shown, by its key. */
export function confidentialIn({ objects }: DesiredAccount): (key: string) => readonly string[] {
  const confidential = new Map(objects.map((object) => [object.key, object.confidential]));
  return (key) => confidential.get(key) ?? [];
}

export interface Planning {
  readonly manifest: Manifest;
  readonly desired: Desired;
  /** In the order of the manifest. An account follows the account that creates it. */
  readonly accounts: readonly AccountPlanning[];
}

export interface AccountPlanning {
  readonly desired: DesiredAccount;
  readonly observed: Observed;
  readonly ledger: Ledger | undefined;
  /** `undefined`, like `reader`, for an account that this manifest creates. */
  readonly store: LedgerStore | undefined;
  readonly elsewhere: LedgerStore | undefined;
  readonly reader: AccountReader | undefined;
  /** Key of the object that creates the account, in the plan of an earlier account: `accounts.branch`. */
  readonly createdBy: string | undefined;
  readonly plan: Plan;
  readonly refusal: Failure | undefined;
  /** Set if `apply` would refuse the plan because it deletes objects that are in use. */
  readonly inUse: Failure | undefined;
  readonly unmanaged?: Unmanaged;
  readonly prices?: readonly ShownPrice[];
  /** Number of changes that may cost but have no known price, if prices were looked up. */
  readonly unpriced?: number;
}

/**
 * Reads the manifest, reads its accounts and plans each of them. Sends no writes. Throws `usage` without a manifest,
 * `invalid` with its problems or if it names an account in two ways, `conflict` if an object is ambiguous, `refused`
 * if `--prune` is not safe, and errors of the service.
 */
export async function planAccounts(
  context: Context,
  input: PlanningInput,
  opening: PlanOpening = {},
): Promise<Planning> {
  const manifest = opening.manifest ?? (await readManifestInput(context, input, { conventionsLater: true }));
  const { desired } = manifest;
  const selections = readSelections(input.only);
  const needed = neededAccounts(desired.accounts, selections);
  const pending: Promise<AccountPlanning>[] = [];
  for (const account of desired.accounts) {
    const before = [...pending];
    pending.push(planAccount(context, input, desired, account, { ...opening, before, needed }));
  }
  const accounts = await Promise.all(pending);
  refuseSameAccount(accounts);
  refuseEmptySelections(desired.accounts, accounts, selections);
  await opening.refuse?.({ accounts });
  await checkManifestConventions(
    context,
    opening.givesPasswords
      ? accounts.map((account) => ({ ...account, plan: withPlaceholderPasswords(account.plan) }))
      : accounts,
    input,
  );
  return { manifest, desired, accounts };
}

/** Each account would treat the objects of the other as removed. Throws `invalid`. */
function refuseSameAccount(accounts: readonly AccountPlanning[]): void {
  const seen = new Map<string, DesiredAccount>();
  for (const { desired, observed } of accounts) {
    const { id, name } = observed.account;
    if (id === undefined) continue;
    const before = seen.get(id);
    if (before)
      throw new Failure(
        'invalid',
        `The manifest names ${name} in two different ways: ${accountNaming(before)}, and ${accountNaming(desired)}. Nothing was sent.`,
        { hint: 'Name the account in the same way in each of its documents.' },
      );
    seen.set(id, desired);
  }
}

function accountNaming({ account, objects }: DesiredAccount): string {
  const place = objects[0] ? ` (${objects[0].place()})` : '';
  return `${account === undefined ? 'as the current account' : `as "${account}"`}${place}`;
}

export interface PlanOpening {
  readonly manifest?: Manifest | undefined;
  /** New users without a password get one before they are sent. */
  readonly givesPasswords?: boolean;
  readonly isUnmanaged?: boolean;
  readonly selectSteps?: (plan: Plan, observed: Observed) => Plan;
  /** Makes the plan from records that a command reads, instead of those that the manifest names. */
  readonly planRecords?: (
    account: ObservedAccount,
  ) => Promise<{ readonly plan: Plan; readonly observed: Observed }>;
  /** Throws to refuse the plans before they are reported. */
  readonly refuse?: (planning: Pick<Planning, 'accounts'>) => Promise<void>;
  /** Called before an existing account is read. `apply` locks it here. */
  readonly beforeReading?: (account: {
    readonly id: string;
    readonly name: string;
    readonly origin: string;
  }) => Promise<void>;
}
