import { nextStep } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import type { Column } from '../../../contract/types.ts';
import { type Desired, withReferences } from '../../../engine/manifest/desired.ts';
import { entryFor, storedSource, takeOverObjects } from '../../../engine/manifest/ledger-entries.ts';
import type { Step } from '../../../engine/manifest/plan.ts';
import { entriesOf, type Ledger, type LedgerEntry } from '../../../engine/state/ledger.ts';
import { type Command, defineCommand, type Handler, type InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { manifestOptions, planOptions } from '../manifest-options.ts';
import { type AccountPlanning, noPlanningOptions, planAccounts } from './plan/planning.ts';
import { agreeToTakeOver, objectsOfOtherSets } from './plan/refusals.ts';

const adoptOptions = {
  ...manifestOptions,
  ledger: planOptions.ledger,
  takeOver: planOptions.takeOver,
} as const;

export const adoptCommands: readonly Command[] = [
  defineCommand({
    path: ['adopt'],
    attended: true,
    summary: 'Take existing objects of a manifest under management',
    description: [
      'Finds the objects of the manifest that exist in the account, and records their ids in the ledger. Sends no writes',
      'to the service. After that, telctl reports changes made by others, and apply --prune may delete the objects once the',
      'manifest no longer names them. Objects that do not exist are skipped; apply creates them.',
    ].join('\n'),
    options: adoptOptions,
    account: true,
    effect: 'read',
    examples: {
      'telctl adopt -f office.yaml': 'Adopt existing objects that the manifest names',
      'telctl adopt -f office.yaml --dry-run': 'See what would be adopted',
      'telctl adopt -f office.yaml --ledger office.ledger.json': 'Keep the ledger in a repository',
    },
    load: async () => adopt,
  }),
];

type Status = 'adopted' | 'would adopt' | 'known' | 'missing' | 'unreadable';

type Taken = 'adopted' | 'would adopt';

interface Adoption {
  readonly account: string;
  readonly key: string;
  readonly status: Status;
  readonly id: string | undefined;
  readonly differs: boolean;
  readonly managedBy: string | undefined;
}

const columns: readonly Column[] = [
  { header: 'ACCOUNT', paths: ['account'], sparse: true },
  { header: 'OBJECT', paths: ['object'] },
  { header: 'STATUS', paths: ['status'] },
  { header: 'DIFFERS', paths: ['differs'], show: 'flag' },
  { header: 'MANAGED BY', paths: ['managed_by'], sparse: true },
  { header: 'ID', paths: ['id'], show: 'id' },
];

const adopt: Handler<InputOf<typeof adoptOptions>> = async (input, context) => {
  const { desired, accounts } = await planAccounts(context, {
    ...noPlanningOptions,
    ...input,
    takeOver: undefined,
  });
  const { dryRun } = context.options;
  const taken = dryRun ? 'would adopt' : 'adopted';
  if (!dryRun) await agreeToTakeOver(context, objectsOfOtherSets(accounts), input.takeOver ?? false);
  const adoptions: Adoption[] = [];
  for (const account of accounts) {
    if (!dryRun) await takeOverObjects(account, account.plan);
    const found = adoptionsOf(account, desired.set, taken);
    adoptions.push(...found);
    if (!dryRun && found.some(({ status }) => status === 'adopted'))
      await recordAdoptions(context, account, found, desired);
  }
  return {
    kind: 'list',
    items: adoptions.map((each) => adoptionRow(each, accounts.length > 1)),
    columns,
    noun: 'objects',
    message: formatAdoptionSummary(adoptions, desired.set, taken),
  };
};

function adoptionsOf(
  { observed, ledger, plan }: AccountPlanning,
  set: string,
  taken: Taken,
): readonly Adoption[] {
  const entries = entriesOf(ledger, set);
  const managedBy = otherManagers(ledger, set);
  return plan.steps
    .filter(({ by }) => by !== 'delete')
    .flatMap(({ key, kind, action }): readonly Adoption[] => {
      const live = observed.matches.get(key);
      if (live === undefined && action !== 'create' && action !== 'unverifiable') return [];
      const origin = entries.get(key)?.id === live?.id ? entries.get(key)?.origin : undefined;
      const isKnown = origin === 'created' || origin === 'adopted';
      const isUnread = observed.unreadable.has(kind) && live?.record === undefined;
      return [
        {
          account: plan.account.name,
          key,
          status: isKnown ? 'known' : isUnread ? 'unreadable' : live ? taken : 'missing',
          id: live?.id,
          differs: live !== undefined && action === 'update',
          managedBy: live && managedBy.get(`${kind} ${live.id}`),
        },
      ];
    });
}

/** Other manifest sets, by kind and id of the objects that they manage. */
const otherManagers = (ledger: Ledger | undefined, set: string): ReadonlyMap<string, string> =>
  new Map(
    ledger?.entries
      .filter((entry) => entry.set !== set && entry.origin !== 'found')
      .map((entry) => [`${entry.kind} ${entry.id}`, entry.set]),
  );

async function recordAdoptions(
  { host }: Context,
  { observed, store, plan, desired }: AccountPlanning,
  adoptions: readonly Adoption[],
  { set, source }: Desired,
): Promise<void> {
  if (store === undefined) return;
  const adopted = new Set(adoptions.flatMap(({ key, status }) => (status === 'adopted' ? [key] : [])));
  const steps = new Map(plan.steps.map((step) => [step.key, step]));
  await store.update((ledger) => {
    const known = entriesOf(ledger, set);
    const put = desired.objects.flatMap(({ key, kind, protect }): readonly LedgerEntry[] => {
      const live = observed.matches.get(key);
      if (!adopted.has(key) || live === undefined) return [];
      const before = known.get(key);
      if (before?.id === live.id) return [{ ...before, origin: 'adopted', protect }];
      return [
        entryFor(ledger.salt, {
          set,
          key,
          kind,
          id: live.id,
          origin: 'adopted',
          protect,
          fields: matchingFields(steps.get(key), (target) => observed.matches.get(target)?.id),
          record: live.record,
          atSeconds: observed.atSeconds,
          nowMs: host.clock.now(),
        }),
      ];
    });
    return { put, source: storedSource(store, set, source) };
  });
}

/** Returns the fields whose values match the service. Returns no fields for an object that still has to change. */
function matchingFields(step: Step | undefined, idOf: (key: string) => string | undefined): JsonObject {
  if (step?.action !== 'unchanged' && step?.action !== 'unverifiable') return {};
  const fields = withReferences(step.managed, idOf);
  return isObject(fields) ? fields : {};
}

const adoptionRow = (
  { account, key, status, id, differs, managedBy }: Adoption,
  severalAccounts: boolean,
): JsonObject => ({
  ...(severalAccounts ? { account } : {}),
  object: key,
  status,
  ...(id === undefined ? {} : { id, differs }),
  ...(managedBy === undefined ? {} : { managed_by: managedBy }),
});

function formatAdoptionSummary(adoptions: readonly Adoption[], set: string, taken: Taken): string {
  const count = (status: Status): number => adoptions.filter((each) => each.status === status).length;
  const differing = adoptions.filter(({ status, differs }) => status === taken && differs).length;
  const known = count('known') > 0 ? `, ${count('known')} known before` : '';
  const sentences = [
    count(taken) === 0
      ? `Nothing to adopt into the manifest set ${JSON.stringify(set)}${known}.`
      : `${taken === 'adopted' ? 'Adopted' : 'Would adopt'} ${formatCount(count(taken), 'object')} into the manifest set ${JSON.stringify(set)}${known}.`,
    ...(differing > 0
      ? [
          `${formatCount(differing, 'object')} differ${differing === 1 ? 's' : ''} from the manifest: ${nextStep`plan`} shows how.`,
        ]
      : []),
    ...(count('missing') > 0
      ? [`Missing: ${formatCount(count('missing'), 'object')}. ${nextStep`apply`} creates missing objects.`]
      : []),
    ...(count('unreadable') > 0
      ? [
          `${formatCount(count('unreadable'), 'object')} cannot be looked up: this service does not list them.`,
        ]
      : []),
  ];
  return sentences.join(' ');
}
