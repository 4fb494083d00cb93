import { Failure, leadsOn, nextStep } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { referencesOfRecord } from '../../contract/record-references.ts';
import { type Ledger, type LedgerEntry, objectName } from '../state/ledger.ts';
import { withMergePatch } from './canonical.ts';
import { type DesiredAccount, labelOf } from './desired.ts';
import { type KindName, kindByName, kinds } from './kinds.ts';
import { deletion } from './plan/late-steps.ts';
import type { Draft } from './plan/plan-object.ts';
import type { KeptObject, Observed, Plan, Step } from './plan.ts';
import { listsOf } from './read-kind.ts';
import type { Service } from './service.ts';
import type { Target, Use } from './used-by.ts';

/** Facts about the objects that a manifest no longer names. */
export interface Pruning {
  readonly desired: DesiredAccount;
  readonly observed: Observed;
  /** Entries of the manifest set, by key. */
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  /** Entries that other sets have of objects, by `objectName`. */
  readonly owners: ReadonlyMap<string, readonly LedgerEntry[]>;
  readonly set: string;
  readonly prune: boolean;
}

/** Result for the objects that the manifest no longer names. */
export interface Pruned {
  readonly deletes: readonly Draft[];
  readonly kept: readonly KeptObject[];
}

/**
 * Deletes what the ledger says that this set created or adopted, and nothing else: never the signed-in user, the
 * account, what is protected or what another set manages. Throws `Failure` of kind `refused` where nothing is known of the set, or where the
 * manifest is empty.
 */
export function pruned({ desired, observed, entries, owners, set, prune }: Pruning): Pruned {
  if (prune && entries.size === 0) throw unknownSet(observed, set);
  if (prune && desired.objects.length === 0)
    throw new Failure(
      'refused',
      `The manifest ${set} holds no object, so --prune would delete all that it made in ${observed.account.name}.`,
      { hint: 'Delete objects one by one, or leave one in the manifest.' },
    );
  const deletes: Draft[] = [];
  const kept: KeptObject[] = [];
  for (const [key, live] of observed.abandoned) {
    const entry = entries.get(key);
    if (entry === undefined) continue;
    const kind = kindByName(entry.kind);
    if (kind.calls.delete === undefined) continue;
    const name = key.includes('.') ? key.slice(key.indexOf('.') + 1) : key;
    const label = labelOf(kind, name, live.record ? [live.record] : [entry.natural]);
    const others = owners.get(objectName({ kind: entry.kind, id: live.id })) ?? [];
    const why = reasonToKeep(entry, others, live.id, observed, prune);
    if (why !== undefined) {
      kept.push({ key, label, why });
      continue;
    }
    deletes.push({
      step: deletion(
        { key, kind: kind.name, name, label, id: live.id },
        entry.kind === 'accounts' ? ['the account goes with everything in it'] : [],
      ),
      record: live.record,
      next: undefined,
      refersTo: [],
    });
  }
  return { deletes, kept };
}

function reasonToKeep(
  { origin, protect }: LedgerEntry,
  others: readonly LedgerEntry[],
  id: string,
  { account }: Observed,
  prune: boolean,
): KeptObject['why'] | undefined {
  if (id === account.ownerId || id === account.id) return 'signed-in';
  if (protect || others.some((other) => other.protect)) return 'protected';
  if (others.length > 0) return 'other-set';
  if (origin === 'found') return 'found';
  return prune ? undefined : 'not-pruned';
}

const unknownSet = ({ account }: Observed, set: string): Failure =>
  new Failure(
    'refused',
    `Nothing is known of what the manifest set ${JSON.stringify(set)} made in ${account.name}, so --prune cannot tell what to delete.`,
    {
      hint: leadsOn`Apply it once without --prune, or take objects under management first: ${nextStep`adopt -f FILE`}`,
    },
  );

/** The ids among some that a record holds anywhere, as a value or as a key. */
export function idsIn(record: JsonObject | undefined, ids: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>();
  const visit = (value: Json | undefined): void => {
    if (typeof value === 'string') {
      if (ids.has(value)) found.add(value);
    } else if (Array.isArray(value)) value.forEach(visit);
    else if (isObject(value))
      for (const [key, inner] of Object.entries(value)) {
        if (ids.has(key)) found.add(key);
        visit(inner);
      }
  };
  for (const [key, value] of Object.entries(record ?? {}))
    if (key !== 'id' && key !== 'metadata') visit(value);
  return found;
}

/** A step that deletes an object, and its object as what may be referred to. */
interface Deletion {
  readonly step: Step;
  readonly target: Target;
}

export const deletionsOf = ({ steps }: Plan): readonly Deletion[] =>
  steps.flatMap((step) =>
    step.by === 'delete' && step.id !== undefined
      ? [{ step, target: { resource: kindByName(step.kind).resource.name, id: step.id } }]
      : [],
  );

/**
 * The uses of what a plan deletes that are there when it was carried out: less those in objects that it deletes as
 * well, those that its updates remove, and those that the service shows only because of the deleted object itself
 * (who is in a directory).
 */
export function usesLeft(
  { steps }: Plan,
  uses: readonly Use[],
  { matches, abandoned }: Pick<Observed, 'matches' | 'abandoned'>,
): readonly Use[] {
  const byObject = new Map(
    steps.flatMap((step) =>
      step.id === undefined || step.releases !== undefined
        ? []
        : [[`${step.kind} ${step.id}`, step] as const],
    ),
  );
  const named = new Map(
    steps.flatMap((step) => {
      const { record } = abandoned.get(step.key) ?? matches.get(step.key) ?? {};
      return step.by === 'delete' && record
        ? [[step.id, [...referencesOfRecord(kindByName(step.kind), record)]] as const]
        : [];
    }),
  );
  const pointsBack = ({ kind, id, target }: Use): boolean =>
    named.get(target.id)?.some((each) => each.id === id && each.to === kind.resource.name) ?? false;
  return uses.flatMap((use): readonly Use[] => {
    const step = byObject.get(`${use.kind.name} ${use.id}`);
    if (step?.by === 'delete') return [];
    const left = step?.send === undefined ? use.places : placesAfter(use, step, step.send);
    const places = left.filter(({ workedOut }) => !workedOut || !pointsBack(use));
    return places.length === 0 ? [] : [{ ...use, places }];
  });
}

function placesAfter({ kind, record, target, places }: Use, { by }: Step, send: JsonObject): Use['places'] {
  const next = by === 'replace' ? send : withMergePatch(record, send);
  const ids = new Set([...referencesOfRecord(kind, next, new Set([target.id]))].map(({ id }) => id));
  return ids.has(target.id) ? places : [];
}

/** What an account holds and no manifest names. */
export interface Unmanaged {
  readonly objects: readonly { readonly kind: KindName; readonly id: string; readonly label: string }[];
  /** Reasons why sections could not be read whole. */
  readonly unread: Readonly<Record<string, string>>;
}

/**
 * Lists what is in an account and neither in this manifest nor in another that was applied from this state. Phone numbers
 * are left out, since callflows hold them. Throws `Failure` where nothing can be read.
 */
export async function unmanagedIn(
  service: Service,
  { matches, listed, account }: Observed,
  ledger: Ledger | undefined,
  concurrency: number,
): Promise<Unmanaged> {
  const managed = new Set([
    ...[...matches.values()].map(({ id }) => id),
    ...(ledger?.entries ?? []).map(({ id }) => id),
    ...(account.id === undefined ? [] : [account.id]),
  ]);
  const many = kinds.filter(({ shape, name }) => shape === 'many' && name !== 'numbers');
  const open = many.filter(({ name }) => !listed.has(name));
  const read = new Map((await listsOf(service, open, concurrency)).map((list) => [list.kind.name, list]));
  return {
    objects: many.flatMap((kind) =>
      (listed.get(kind.name) ?? read.get(kind.name)?.items ?? []).flatMap((item) => {
        const id = valueAt(item, 'id');
        return typeof id !== 'string' || managed.has(id)
          ? []
          : [{ kind: kind.name, id, label: labelOf(kind, id, [item]) }];
      }),
    ),
    unread: Object.fromEntries(
      [...read.values()].flatMap(({ kind, missing }) =>
        missing === undefined ? [] : [[kind.name, missing]],
      ),
    ),
  };
}
