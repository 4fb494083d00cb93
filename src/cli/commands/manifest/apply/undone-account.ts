import { mapWithConcurrency } from '../../../../base/concurrency.ts';
import { type Failure, ignoreMissing } from '../../../../base/failure.ts';
import { isObject } from '../../../../base/json.ts';
import { kindsNamed } from '../../../../contract/callflow-modules.ts';
import { referencesOfRecord } from '../../../../contract/record-references.ts';
import type { ResourceName } from '../../../../contract/types.ts';
import { type AccountReader, cacheReads } from '../../../../engine/manifest/account-reader.ts';
import { kindsReferringTo, referredIds } from '../../../../engine/manifest/find-references.ts';
import { type KindName, kindByName, kindOfSection } from '../../../../engine/manifest/kinds.ts';
import { nothingObserved } from '../../../../engine/manifest/observe.ts';
import { type LiveObject, type Observed, planVersion } from '../../../../engine/manifest/plan.ts';
import { refuseElsewhere } from '../../../../engine/manifest/plan-safety.ts';
import { replacedIds, withPresentIds } from '../../../../engine/manifest/present-ids.ts';
import { createService } from '../../../../engine/manifest/service.ts';
import { foldPart, settlePart } from '../../../../engine/manifest/undo-fold.ts';
import {
  type Referrer,
  recreatedIds,
  type Undoing,
  undoPlan,
} from '../../../../engine/manifest/undo-plan.ts';
import { recoverLedger } from '../../../../engine/state/keep-ledger.ts';
import type { Ledger } from '../../../../engine/state/ledger.ts';
import { type LoggedStep, objectKey } from '../../../../engine/state/log.ts';
import { isDone, type Run, type RunPart, readRun } from '../../../../engine/state/runs.ts';
import type { LedgerStore } from '../../../../engine/state/state.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { planRefusal } from '../../guards/plan-guards.ts';
import { namesOfRecords, readAccountSections } from '../../records/read-account.ts';
import { openRuns } from '../../state/open-state.ts';
import type { runArguments, undoOptions } from '../commands.ts';
import { guardDeletes } from '../plan/refusals.ts';
import type { AccountLocks } from './account-locks.ts';

export type UndoRunInput = InputOf<typeof undoOptions, typeof runArguments>;

export interface AccountReversal extends Undoing {
  readonly part: RunPart;
  readonly accountId: string;
  readonly observed: Observed;
  readonly reader: AccountReader;
  readonly store: LedgerStore;
  readonly inUse: Failure | undefined;
}

/** Returns the current state of a part of a run, and the plan that reverses it. */
export async function planAccountReversal(
  context: Context,
  run: Run,
  { start: { account, options, part: number } }: RunPart,
  { ledger, overwrite, force }: UndoRunInput,
  locks: AccountLocks,
): Promise<AccountReversal | undefined> {
  const { host } = context;
  const { id: accountId, name, origin } = account;
  if (accountId === undefined) return undefined;
  const kept = typeof options.ledger === 'string' ? options.ledger : undefined;
  const store = (await context.state()).ledger({ origin, accountId }, ledger ?? kept);
  const runs = await openRuns(context);
  if (!context.options.dryRun) {
    await locks.hold({ id: accountId, name, origin });
    await recoverLedger(runs, store);
  }
  const read = (await readRun(runs, run.run))?.parts.find(({ start }) => start.part === number);
  if (!read) return undefined;
  const logged = withPresentIds(read, await replacedIds(runs, run, { origin, accountId }));
  const known = await store.read();
  const reader = cacheReads(createService(await context.api(), accountId));
  const found = await settlePart(logged, {
    reader,
    ledger: known,
    atOnce: context.settings.concurrency.value,
    found: ({ planned: { label } }, id) =>
      context.notices.warn(
        `${label}: the run ended before the response. ${id} has the requested values, so the change counts as made`,
      ),
  });
  const { part, final } = foldPart(found);
  const newPassword = (): string => Buffer.from(host.random.bytes(24)).toString('base64url');
  const { profile } = await context.session();
  const acted = { id: accountId, name, origin, ownerId: profile.ownerId };
  const observed = await ignoreMissing(observeSteps(context, reader, part, acted));
  const leftOf = (why: string, steps: readonly LoggedStep[]) =>
    steps.map(({ key, label }) => ({ key, label, why }));
  if (!observed) {
    const steps = found.steps.filter(isDone).map(({ planned }) => planned);
    const plan = { version: planVersion, account: acted, set: part.start.set, steps: [] } as const;
    const left = leftOf('its account no longer exists', steps);
    const observed = nothingObserved(acted);
    return { part, accountId, observed, reader, store, plan, left, inUse: undefined };
  }
  const referrers = await referrersOf(context, { part, observed, reader, ledger: known });
  const facts = { part, observed, referrers, overwrite: overwrite ?? false, ledger: known, newPassword };
  const undone = undoPlan(facts);
  refuseElsewhere(undone.plan, profile.accountId);
  const emergency = { kind: 'refused', allowed: new Set<string>() } as const;
  const refusal = await planRefusal(context, undone.plan, observed, emergency);
  if (refusal) throw refusal;
  const guarded = await guardDeletes(context, reader, undone.plan, observed, force ?? false);
  const left = [...leftOf('it cannot be reversed', final), ...undone.left];
  return { part, accountId, observed, reader, store, ...undone, ...guarded, left };
}

async function observeSteps(
  context: Context,
  reader: AccountReader,
  { steps }: RunPart,
  account: Observed['account'],
): Promise<Observed> {
  const atOnce = context.settings.concurrency.value;
  const deleted = new Set<KindName>();
  const wanted = steps.filter(isDone).flatMap(({ planned, begin, end }) => {
    const id = end?.id ?? begin?.id;
    if (planned.action === 'delete') deleted.add(kindByName(planned.kind).name);
    return planned.action === 'delete' || id === undefined
      ? []
      : [{ key: objectKey(planned), kind: kindByName(planned.kind), id }];
  });
  let over = 0;
  const found = await mapWithConcurrency(
    wanted,
    atOnce,
    async ({ key, kind, id }): Promise<[string, LiveObject][]> => {
      const got = await reader.get(kind, id);
      context.notices.progress(++over, wanted.length, 'read objects');
      if (got.found === 'none') return [];
      const record = got.found === 'record' ? got.record : undefined;
      return [[key, record ? { id, record } : { id, record, known: 'unreadable' }]];
    },
  );
  const there = new Map(found.flat());
  // A deleted record may exist again under a new id. Only its name identifies it.
  const gone = wanted.flatMap(({ key, kind }) => (there.has(key) ? [] : [kind.name]));
  const lists = await mapWithConcurrency([...new Set([...deleted, ...gone])], atOnce, async (name) => {
    const listing = await reader.list(kindByName(name));
    return [name, listing?.items ?? []] as const;
  });
  return { ...nothingObserved(account), matches: there, listed: new Map(lists) };
}

/** Finds objects that refer by the old id to an object that is created again. */
async function referrersOf(
  context: Context,
  {
    part,
    observed,
    reader,
    ledger,
  }: Pick<AccountReversal, 'part' | 'observed' | 'reader'> & { readonly ledger: Ledger | undefined },
): Promise<readonly Referrer[]> {
  const ids = recreatedIds(part, observed);
  if (ids.size === 0) return [];
  const deleted = part.steps.flatMap(({ planned: { action, kind } }) =>
    action === 'delete' ? [kindByName(kind).resource.name] : [],
  );
  const referring = [...kindsReferringTo(new Set(deleted)).keys()].filter(
    ({ calls }) => calls.patch !== undefined || calls.replace !== undefined,
  );
  const whole = referring.map(({ name }) => name);
  const { sections } = await readAccountSections(context, { whole }, { reader });
  const keys = new Map(
    ledger?.entries.flatMap(({ set, kind, id, key }) =>
      set === part.start.set ? [[`${kind} ${id}`, key] as const] : [],
    ),
  );
  return sections.flatMap(({ kind, records }) =>
    records.flatMap((record): readonly Referrer[] => {
      if (referredIds(kind, record, ids).size === 0) return [];
      const id = kind.shape === 'one' ? kind.name : String(record.id ?? '');
      const fallback = kind.shape === 'one' ? kind.name : `${kind.name}.${id}`;
      return [{ key: keys.get(`${kind.name} ${id}`) ?? fallback, kind: kind.name, record }];
    }),
  );
}

/** Returns names by id for references in the shown changes. Lists each kind once per account. */
export async function namesForReversals(
  accounts: readonly AccountReversal[],
): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  for (const account of accounts) {
    const kinds = kindsToName(account);
    if (kinds.size === 0) continue;
    const lists = [...kinds].map((name) =>
      namesOfRecords(name, async () => {
        const kind = kindOfSection(name);
        return kind?.shape === 'many' ? (await account.reader.list(kind))?.items : undefined;
      }),
    );
    for (const list of await Promise.all(lists)) for (const [id, name] of list ?? []) names.set(id, name);
  }
  return names;
}

function kindsToName({ part, plan, observed }: AccountReversal): ReadonlySet<ResourceName> {
  const shown = JSON.stringify(
    plan.steps.flatMap(({ action, changes }) => (action === 'update' ? changes : [])),
  );
  const logged = part.steps.map(
    ({ planned, begin }) => [kindOfSection(planned.kind), begin?.before, begin?.after] as const,
  );
  const live = plan.steps.map(
    ({ key, kind }) => [kindOfSection(kind), observed.matches.get(key)?.record] as const,
  );
  return new Set(
    [...logged, ...live].flatMap(([kind, ...records]) =>
      records.flatMap((record) =>
        kind && isObject(record)
          ? [...referencesOfRecord(kind, record)].filter(({ id }) => shown.includes(id)).flatMap(kindsNamed)
          : [],
      ),
    ),
  );
}
