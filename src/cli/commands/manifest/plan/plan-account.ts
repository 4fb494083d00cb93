import { Failure } from '../../../../base/failure.ts';
import { valueAt } from '../../../../base/json.ts';
import { formatCount } from '../../../../base/wording.ts';
import { pluralIn } from '../../../../contract/resource.ts';
import { convertDays, hasDays, zoneOfManifest } from '../../../../engine/manifest/account-days.ts';
import { findAccountNames, resolveAccountNames } from '../../../../engine/manifest/account-names.ts';
import { cacheReads } from '../../../../engine/manifest/account-reader.ts';
import { type Desired, type DesiredAccount, referencesIn } from '../../../../engine/manifest/desired.ts';
import { kindByName } from '../../../../engine/manifest/kinds.ts';
import {
  applyRenames,
  describeSharedSet,
  otherSources,
  sharedSetFailure,
} from '../../../../engine/manifest/ledger-entries.ts';
import { makePlan } from '../../../../engine/manifest/make-plan.ts';
import { nothingObserved, observe } from '../../../../engine/manifest/observe.ts';
import type { Observed, ObservedAccount, Plan } from '../../../../engine/manifest/plan.ts';
import { planLimits, planSafety, refuseElsewhere } from '../../../../engine/manifest/plan-safety.ts';
import { onlySelected, readSelections, selectKeys } from '../../../../engine/manifest/select-steps.ts';
import { createService, type Service } from '../../../../engine/manifest/service.ts';
import type { Ledger } from '../../../../engine/state/ledger.ts';
import type { LedgerStore } from '../../../../engine/state/state.ts';
import { unmanagedLedger } from '../../../../engine/state/unmanaged-ledger.ts';
import type { Context } from '../../../command/context.ts';
import { findAccount } from '../../bulk/choose-accounts.ts';
import { planRefusal, protectedAccountRefusal, protectedDeletion } from '../../guards/plan-guards.ts';
import { withAccountCountry } from '../../records/account-country.ts';
import { zoneOrAssumed } from '../../records/account-time.ts';
import { reportWarnings } from '../manifest-input.ts';
import type { AccountPlanning, PlanningInput, PlanOpening } from './planning.ts';
import { guardDeletes } from './refusals.ts';

interface AccountOpening extends PlanOpening {
  readonly before: readonly Promise<AccountPlanning>[];
  /** Keys of accounts that are created because `--only` names objects in them. */
  readonly needed?: ReadonlySet<string>;
}

interface AccountTarget {
  readonly set: string;
  readonly source: readonly string[] | undefined;
  readonly desired: DesiredAccount;
  readonly account: ObservedAccount;
  readonly createdBy: string | undefined;
}

/** Plans one account of a manifest. Throws like `planAccounts`. */
export async function planAccount(
  context: Context,
  input: PlanningInput,
  { set, source }: Pick<Desired, 'set' | 'source'>,
  wanted: DesiredAccount,
  opening: AccountOpening,
): Promise<AccountPlanning> {
  const { account, createdBy } = await resolveAccount(context, wanted, opening.before);
  const service =
    account.id === undefined ? undefined : cacheReads(createService(await context.api(), account.id));
  const named = await resolveAccountNames(service, wanted);
  const dialed = await withAccountCountry(context, account.id, named);
  const zone = await zoneOfDays(context, dialed, service, { before: opening.before, createdBy });
  const desired = convertDays(dialed, zone);
  const target: AccountTarget = { desired, account, createdBy, set, source };
  if (service === undefined) return planNewAccount(context, input, opening, target);
  reportWarnings(context.notices, await findAccountNames(service, desired));
  const { origin, name } = account;
  await opening.beforeReading?.({ id: service.accountId, name, origin });
  return opening.planRecords
    ? planFoundRecords(context, input, service, target, opening.planRecords, opening)
    : planExistingAccount(context, input, service, target, opening);
}

const planFlags = ({ prune = false, sendUnreadable = false, deleteDoubles = false }: PlanningInput) => ({
  prune,
  sendUnreadable,
  deleteDoubles,
});

async function planNewAccount(
  context: Context,
  input: PlanningInput,
  { needed = new Set() }: AccountOpening,
  { desired, account, createdBy, set }: AccountTarget,
): Promise<AccountPlanning> {
  const observed = nothingObserved(account);
  const whole = makePlan({ ...planFlags(input), desired, set, prune: false, observed, ledger: undefined });
  const plan = onlySelected(whole, readSelections(input.only), needed);
  refuseElsewhere(plan, (await context.session()).profile.accountId);
  return {
    desired,
    observed,
    createdBy,
    plan,
    ledger: undefined,
    store: undefined,
    elsewhere: undefined,
    reader: undefined,
    refusal: planSafety(plan, planLimits(input)),
    inUse: undefined,
  };
}

async function openLedgers(
  context: Context,
  { ledger }: PlanningInput,
  { origin }: ObservedAccount,
  { accountId }: Service,
  isUnmanaged = false,
): Promise<Pick<AccountPlanning, 'ledger' | 'elsewhere'> & { readonly store: LedgerStore }> {
  const state = await context.state();
  const kept = state.ledger({ origin, accountId }, ledger);
  const store = isUnmanaged ? unmanagedLedger(kept) : kept;
  const elsewhere = ledger === undefined ? undefined : state.ledger({ origin, accountId });
  return { ledger: await store.read(), store, elsewhere };
}

async function planFoundRecords(
  context: Context,
  input: PlanningInput,
  service: Service,
  { desired, account, createdBy }: AccountTarget,
  planRecords: NonNullable<PlanOpening['planRecords']>,
  { isUnmanaged }: AccountOpening,
): Promise<AccountPlanning> {
  const ledgers = await openLedgers(context, input, account, service, isUnmanaged);
  const { plan, observed } = await planRecords(account);
  const refusal =
    protectedDeletion(plan, ledgers.ledger) ??
    (await refusalOf(context, input, plan, observed, { kind: 'refused', allowed: new Set() }));
  return {
    ...ledgers,
    desired,
    observed,
    reader: service,
    createdBy,
    plan,
    refusal,
    inUse: undefined,
  };
}

async function planExistingAccount(
  context: Context,
  input: PlanningInput,
  service: Service,
  target: AccountTarget,
  { isUnmanaged = false, selectSteps = (plan) => plan, needed = new Set() }: AccountOpening,
): Promise<AccountPlanning> {
  const { desired, account, createdBy, set } = target;
  const {
    ledger: known,
    store,
    elsewhere,
  } = await openLedgers(context, input, account, service, isUnmanaged);
  const others = await elsewhere?.read();
  const flags = planFlags(input);
  const seen = await observe(service, {
    account,
    desired,
    ledger: known,
    elsewhere: others,
    deleteDoubles: flags.deleteDoubles,
    set,
    concurrency: context.settings.concurrency.value,
    progress: (done, total) => context.notices.progress(done, total, 'read objects'),
    unlisted: ({ resource }, count) =>
      context.notices.warn(
        `The list of ${pluralIn(resource)} does not contain ${formatCount(count, resource.singular, pluralIn(resource))} that telctl manages. telctl found them by id.`,
      ),
  });
  const selections = readSelections(input.only);
  const observed =
    selections.length === 0 ? seen : { ...seen, vanished: selectKeys(seen.vanished, selections) };
  const ledger = applyRenames(known, set, observed.matches);
  // A run without its own set takes no objects from other sets.
  const ledgers = isUnmanaged ? { ledger: undefined } : { ledger, elsewhere: others };
  const whole = makePlan({ ...flags, desired, set, observed: seen, ...ledgers });
  const plan = selectSteps(onlySelected(whole, selections, needed), observed);
  refuseElsewhere(plan, (await context.session()).profile.accountId);
  const refusal =
    sharedSetRefusal(context, target, plan, { known, store }) ??
    (await refusalOf(context, input, plan, observed, { kind: 'invalid', allowed: allowedIn(desired) }));
  const reader = cacheReads(service, observed);
  const guarded = await guardDeletes(context, reader, plan, observed, input.force ?? false);
  return { desired, observed, ledger, store, elsewhere, reader, createdBy, refusal, ...guarded };
}

/** Warns if other manifests use the same set, and returns the reason for refusing a plan that deletes objects of it. */
function sharedSetRefusal(
  { host, notices }: Context,
  { set, source }: AccountTarget,
  { steps }: Plan,
  { known, store }: { readonly known: Ledger | undefined; readonly store: LedgerStore },
): Failure | undefined {
  if (source === undefined) return undefined;
  const sharing = otherSources(host, known, store, { set, source });
  if (sharing.length === 0) return undefined;
  notices.warn(describeSharedSet({ set, source }, sharing));
  return steps.some(({ by }) => by === 'delete') ? sharedSetFailure({ set, source }, sharing) : undefined;
}

async function refusalOf(
  context: Context,
  input: PlanningInput,
  plan: Plan,
  observed: Observed,
  emergency: Parameters<typeof planRefusal>[3],
): Promise<Failure | undefined> {
  return (
    (await protectedAccountRefusal(context, plan)) ??
    (await planRefusal(context, plan, observed, emergency)) ??
    planSafety(plan, planLimits(input))
  );
}

const allowedIn = ({ objects }: DesiredAccount): ReadonlySet<string> =>
  new Set(objects.flatMap(({ key, allowsShadow }) => (allowsShadow ? [key] : [])));

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
    return { account: { ...common, id, name: await readAccountName(context, id) }, createdBy: undefined };
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

async function readAccountName(context: Context, id: string): Promise<string> {
  const { profile } = await context.session();
  if (id === profile.accountId && profile.accountName !== undefined) return profile.accountName;
  const got = await createService(await context.api(), id).get(kindByName('account_settings'), id);
  const name = got.found === 'record' ? valueAt(got.record, 'name') : undefined;
  return typeof name === 'string' && name !== '' ? name : id;
}
