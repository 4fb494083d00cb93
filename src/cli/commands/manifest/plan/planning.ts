import { Failure } from '../../../../base/failure.ts';
import { valueAt } from '../../../../base/json.ts';
import { formatCount } from '../../../../base/wording.ts';
import { pluralIn } from '../../../../contract/resource.ts';
import { hasDays, withDaysIn, zoneOfManifest } from '../../../../engine/manifest/account-days.ts';
import { accountPlainNames, withAccountNames } from '../../../../engine/manifest/account-names.ts';
import { type AccountReader, readOnce, type Unmanaged } from '../../../../engine/manifest/account-reader.ts';
import { type Desired, type DesiredAccount, referencesIn } from '../../../../engine/manifest/desired.ts';
import {
  otherSources,
  sharedSet,
  sharedSetFailure,
  withRenames,
} from '../../../../engine/manifest/entries.ts';
import { kindByName } from '../../../../engine/manifest/kinds.ts';
import { makePlan } from '../../../../engine/manifest/make-plan.ts';
import { nothingObserved, observe } from '../../../../engine/manifest/observe.ts';
import {
  neededAccounts,
  onlySelected,
  readSelections,
  refuseEmptySelections,
  selectedOf,
} from '../../../../engine/manifest/only.ts';
import type { Observed, ObservedAccount, Plan } from '../../../../engine/manifest/plan.ts';
import { limitsOf, planSafety, refuseElsewhere } from '../../../../engine/manifest/plan-safety.ts';
import type { Manifest } from '../../../../engine/manifest/read-manifest.ts';
import { type Service, serviceOf } from '../../../../engine/manifest/service.ts';
import type { ShownPrice } from '../../../../engine/manifest/shown-plan.ts';
import type { Ledger } from '../../../../engine/state/ledger.ts';
import type { LedgerStore, State } from '../../../../engine/state/state.ts';
import { unmanagedLedger } from '../../../../engine/state/unmanaged-ledger.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { findAccount } from '../../bulk/choose-accounts.ts';
import { lockoutRefusal } from '../../guards/lockout-guard.ts';
import { emergencyRefusal } from '../../guards/plan-emergency.ts';
import { protectedFailure } from '../../guards/protection.ts';
import type { manifestOptions, planOptions } from '../../manifest-options.ts';
import { withPlaceholderPasswords } from '../../passwords/passwords-file.ts';
import { zoneOrAssumed } from '../../records/account-time.ts';
import { withAccountCountry } from '../../records/own-country.ts';
import { checkManifestConventions, readManifestInput, reportWarnings } from '../manifest-input.ts';
import { guardDeletes } from './refusals.ts';

/** Values of the options of `diff`, `plan` and `apply`. */
export type PlanningInput = InputOf<typeof manifestOptions & typeof planOptions>;

/** The values if no option is given. */
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

/** Returns the dotted paths of an object that are never shown, by its key. */
export function confidentialIn({ objects }: DesiredAccount): (key: string) => readonly string[] {
  const confidential = new Map(objects.map((object) => [object.key, object.confidential]));
  return (key) => confidential.get(key) ?? [];
}

/** Facts that are read before any change. */
export interface Planning {
  readonly manifest: Manifest;
  readonly desired: Desired;
  /** In the order of the manifest. An account follows the one that creates it. */
  readonly accounts: readonly AccountPlanning[];
}

/** One account of a manifest: its desired state, its current state, and the plan. */
export interface AccountPlanning {
  readonly desired: DesiredAccount;
  readonly observed: Observed;
  /** `undefined`: no ledger was written yet. */
  readonly ledger: Ledger | undefined;
  /** `undefined`, like `reader`, for an account that this manifest creates first. */
  readonly store: LedgerStore | undefined;
  /** The ledger in the state, if the user named another one. */
  readonly elsewhere: LedgerStore | undefined;
  readonly reader: AccountReader | undefined;
  /** Key of the object that creates the account, in the plan of an earlier account: `accounts.branch`. */
  readonly createdBy: string | undefined;
  readonly plan: Plan;
  /** Reason why `apply` would refuse the plan. */
  readonly refusal: Failure | undefined;
  /** Reason why `apply` would refuse it without a question: it deletes objects that are in use. */
  readonly inUse: Failure | undefined;
  /** Objects of the account that no manifest names, if requested. */
  readonly unmanaged?: Unmanaged;
  /** The service's prices of additions, if they were looked up. */
  readonly prices?: readonly ShownPrice[];
  /** Number of changes that may cost but have no known price, if prices were looked up. */
  readonly unpriced?: number;
}

/**
 * Reads the manifest, reads its accounts and plans each of them. Sends no writes. Throws `Failure`: `usage` without a
 * manifest, `invalid` with its problems or if it names an account in two ways, `conflict` if an object is ambiguous,
 * `refused` if `--prune` is not safe, and errors of the service.
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

/**
 * Throws `Failure` of kind `invalid` if two accounts of a manifest are the same one under different names. Each would
 * treat the objects of the other as removed from the manifest.
 */
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
        { hint: 'Name each account in one way, so that its documents are read as one.' },
      );
    seen.set(id, desired);
  }
}

/** Describes how and where documents name their account. */
function accountNaming({ account, objects }: DesiredAccount): string {
  const place = objects[0] ? ` (${objects[0].place()})` : '';
  return `${account === undefined ? 'as the account acted on' : `as "${account}"`}${place}`;
}

/** Options of planning before an account is read. */
export interface PlanOpening {
  /** The manifest, if it was read before. */
  readonly manifest?: Manifest | undefined;
  /** New users without a password get one before they are sent. */
  readonly givesPasswords?: boolean;
  /** The ledger keeps no entries of the objects. */
  readonly isUnmanaged?: boolean;
  /** Returns the part of an account's plan that is carried out. */
  readonly selectSteps?: (plan: Plan, observed: Observed) => Plan;
  /** Makes the plan from records that a command reads, instead of those that the manifest names. */
  readonly planRecords?: (
    account: ObservedAccount,
  ) => Promise<{ readonly plan: Plan; readonly observed: Observed }>;
  /** Throws to refuse the plans before anything is reported about them. */
  readonly refuse?: (planning: Pick<Planning, 'accounts'>) => Promise<void>;
  /** Called before an existing account is read. `apply` locks it here. */
  readonly beforeReading?: (account: {
    readonly id: string;
    readonly name: string;
    readonly origin: string;
  }) => Promise<void>;
}

/** Plans one account of a manifest. `before`: the accounts before it. */
export async function planAccount(
  context: Context,
  input: PlanningInput,
  { set, source }: Pick<Desired, 'set' | 'source'>,
  wanted: DesiredAccount,
  {
    beforeReading,
    before,
    isUnmanaged = false,
    selectSteps = (plan) => plan,
    planRecords,
    needed = new Set(),
  }: PlanOpening & {
    readonly before: readonly Promise<AccountPlanning>[];
    /** Keys of accounts that are created because `--only` names objects in them. */
    readonly needed?: ReadonlySet<string>;
  },
): Promise<AccountPlanning> {
  const { account, createdBy } = await resolveAccount(context, wanted, before);
  const service = account.id === undefined ? undefined : readOnce(serviceOf(await context.api(), account.id));
  const named = await withAccountNames(service, wanted);
  const dialed = await withAccountCountry(context, account.id, named);
  const desired = withDaysIn(dialed, await zoneOfDays(context, dialed, service, { before, createdBy }));
  if (service) reportWarnings(context.notices, await accountPlainNames(service, desired));
  const { prune = false, sendUnreadable = false, deleteDoubles = false } = input;
  const common = { desired, set, prune, sendUnreadable, deleteDoubles };
  const limits = limitsOf(input);
  const selections = readSelections(input.only);
  const { profile } = await context.session();
  if (account.id === undefined || service === undefined) {
    const observed = nothingObserved(account);
    const whole = makePlan({ ...common, prune: false, observed, ledger: undefined });
    const plan = onlySelected(whole, selections, needed);
    refuseElsewhere(plan, profile.accountId);
    const none = { ledger: undefined, store: undefined, elsewhere: undefined, reader: undefined };
    const refusal = planSafety(plan, limits);
    return { ...none, desired, observed, createdBy, plan, refusal, inUse: undefined };
  }
  const { origin, name, id: accountId } = account;
  await beforeReading?.({ id: accountId, name, origin });
  const state = await context.state();
  const kept = state.ledger({ origin, accountId }, input.ledger);
  const store = isUnmanaged ? unmanagedLedger(kept) : kept;
  const known = await store.read();
  const elsewhere = input.ledger === undefined ? undefined : state.ledger({ origin, accountId });
  if (planRecords) {
    const { plan, observed } = await planRecords(account);
    const refusal =
      protectedDeletion(plan, known) ??
      (await refusalOf(context, state, plan, observed, { ...edited, limits }));
    return {
      desired,
      observed,
      ledger: known,
      store,
      elsewhere,
      reader: service,
      createdBy,
      plan,
      refusal,
      inUse: undefined,
    };
  }
  const others = await elsewhere?.read();
  const seen = await observe(service, {
    account,
    desired,
    ledger: known,
    elsewhere: others,
    deleteDoubles,
    set,
    concurrency: context.settings.concurrency.value,
    progress: (done, total) => context.notices.progress(done, total, 'read objects'),
    unlisted: ({ resource }, count) =>
      context.notices.warn(
        `The list of ${pluralIn(resource)} leaves out ${formatCount(count, resource.singular, pluralIn(resource))} that telctl manages. Found by id, and used.`,
      ),
  });
  const observed =
    selections.length === 0 ? seen : { ...seen, vanished: selectedOf(seen.vanished, selections) };
  const ledger = withRenames(known, set, observed.matches);
  // A run without its own set takes no objects from other sets.
  const ledgers = isUnmanaged ? { ledger: undefined } : { ledger, elsewhere: others };
  const whole = makePlan({ ...common, observed: seen, ...ledgers });
  const plan = selectSteps(onlySelected(whole, selections, needed), observed);
  refuseElsewhere(plan, profile.accountId);
  const sharing = source === undefined ? [] : otherSources(context.host, known, store, { set, source });
  const isShared = source !== undefined && sharing.length > 0;
  if (isShared) context.notices.warn(sharedSet({ set, source }, sharing));
  const isPruned = plan.steps.some(({ by }) => by === 'delete');
  const refusal =
    isShared && isPruned
      ? sharedSetFailure({ set, source }, sharing)
      : await refusalOf(context, state, plan, observed, {
          kind: 'invalid',
          allowed: allowedIn(desired),
          limits,
        });
  const reader = readOnce(service, observed);
  const guarded = await guardDeletes(context, reader, plan, observed, input.force ?? false);
  return { desired, observed, ledger, store, elsewhere, reader, createdBy, refusal, ...guarded };
}

/** Returns the failure of a plan that deletes what a manifest protects. */
function protectedDeletion({ steps }: Plan, ledger: Ledger | undefined): Failure | undefined {
  const deleted = new Map(steps.flatMap((step) => (step.by === 'delete' ? [[step.id, step.label]] : [])));
  const entry = ledger?.entries.find(({ protect, id }) => protect && deleted.has(id));
  return entry && protectedFailure(deleted.get(entry.id) ?? entry.key, entry);
}

/** The name of a plan without a manifest. */
const edited = { kind: 'refused', allowed: new Set<string>() } as const;

/** Returns the reason for refusing a plan, unless it is safe. */
async function refusalOf(
  context: Context,
  state: State,
  plan: Plan,
  observed: Observed,
  {
    limits,
    ...shadows
  }: Parameters<typeof emergencyRefusal>[3] & { readonly limits: Parameters<typeof planSafety>[1] },
): Promise<Failure | undefined> {
  return (
    (await protectedInAccounts(state, plan)) ??
    (await lockoutRefusal(context, plan, observed)) ??
    (await emergencyRefusal(context, plan, observed, shadows)) ??
    planSafety(plan, limits)
  );
}

/** Returns the keys of the objects that may take emergency numbers or bar emergency calls. */
const allowedIn = ({ objects }: DesiredAccount): ReadonlySet<string> =>
  new Set(objects.flatMap(({ key, allowsShadow }) => (allowsShadow ? [key] : [])));

/** Returns the reason for refusing a plan that deletes accounts in which a manifest protects something. */
async function protectedInAccounts(
  state: State,
  { account: { origin }, steps }: Plan,
): Promise<Failure | undefined> {
  for (const { kind, by, id, label } of steps) {
    if (kind !== 'accounts' || by !== 'delete' || id === undefined) continue;
    const inside = await state.ledger({ origin, accountId: id }).read();
    const entry = inside?.entries.find(({ protect }) => protect);
    if (entry) return protectedFailure(label, entry);
  }
  return undefined;
}

/** Returns the account of a document, if it exists. */
async function resolveAccount(
  context: Context,
  { account: word, objects }: DesiredAccount,
  before: readonly Promise<AccountPlanning>[],
): Promise<{ readonly account: ObservedAccount; readonly createdBy: string | undefined }> {
  const { profile } = await context.session();
  const common = { origin: profile.baseUrl, ownerId: profile.ownerId };
  const [reference] = referencesIn(word);
  if (reference === undefined) {
    const id = await findAccount(context, word);
    return { account: { ...common, id, name: await accountNameOf(context, id) }, createdBy: undefined };
  }
  for (const parent of await Promise.all(before)) {
    const described = parent.desired.objects.find(({ key }) => key === reference);
    if (described === undefined) continue;
    const id = parent.observed.matches.get(reference)?.id;
    const name = described.fields.name;
    const account = { ...common, id, name: typeof name === 'string' ? name : described.name };
    return { account, createdBy: reference };
  }
  const place = objects[0]?.place() ?? 'The manifest';
  throw new Failure('invalid', `${place}: no document before this one describes its account ${reference}.`);
}

/** Returns the time zone for dates without a time; `undefined` if there are none, or if the manifest has the zone. */
async function zoneOfDays(
  context: Context,
  desired: DesiredAccount,
  service: Service | undefined,
  {
    before,
    createdBy,
  }: { readonly before: readonly Promise<AccountPlanning>[]; readonly createdBy: string | undefined },
): Promise<string | undefined> {
  if (!hasDays(desired) || zoneOfManifest(desired) !== undefined) return undefined;
  if (service === undefined) {
    const parents = await Promise.all(before);
    const described = parents.flatMap(({ desired: { objects } }) => objects);
    return zoneOrAssumed(described.find(({ key }) => key === createdBy)?.fields.timezone, context);
  }
  const got = await service.get(kindByName('account_settings'), service.accountId);
  return zoneOrAssumed(got.found === 'record' ? got.record?.timezone : undefined, context);
}

async function accountNameOf(context: Context, id: string): Promise<string> {
  const { profile } = await context.session();
  if (id === profile.accountId && profile.accountName !== undefined) return profile.accountName;
  const got = await serviceOf(await context.api(), id).get(kindByName('account_settings'), id);
  const name = got.found === 'record' ? valueAt(got.record, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name : id;
}
