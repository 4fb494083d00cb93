import { mapWithConcurrency } from '../../base/concurrency.ts';
import { Failure } from '../../base/failure.ts';
import type { JsonObject } from '../../base/json.ts';
import { type RecordReference, referencesOfRecord, refersByField } from '../../contract/record-references.ts';
import type { SchemaNode } from '../../contract/schema-node.ts';
import type { ResourceName } from '../../contract/types.ts';
import { type AccountReader, isListedWhole } from './account-reader.ts';
import { withMergePatch } from './canonical.ts';
import { isSubaccount, type Kind, type KindName, kindByName, kinds } from './kinds.ts';
import type { Observed, Plan, Step } from './plan.ts';

export interface ReferredRecord {
  readonly resource: ResourceName;
  readonly id: string;
}

export interface Use {
  readonly kind: Kind;
  /** The kind's name for objects that an account has once. */
  readonly id: string;
  readonly record: JsonObject;
  readonly target: ReferredRecord;
  readonly places: readonly RecordReference[];
}

/** References to the targets that the service shows. */
export interface Uses {
  readonly uses: readonly Use[];
  readonly unlisted: readonly KindName[];
}

interface Looking {
  readonly concurrency: number;
  readonly progress?: (done: number, total: number) => void;
}

/** Omits sub-accounts, because they refer to their own records. */
export function kindsReferringTo(resources: ReadonlySet<ResourceName>): ReadonlyMap<Kind, readonly string[]> {
  return new Map(
    kinds.flatMap((kind): readonly (readonly [Kind, readonly string[]])[] => {
      if (isSubaccount(kind)) return [];
      const fields = [...refersByField(kind)].flatMap(([field, to]) =>
        [...to].some((name) => resources.has(name)) ? [field] : [],
      );
      return fields.length === 0 ? [] : [[kind, fields]];
    }),
  );
}

/**
 * Records of the resource join records of a kind by these fields. The service shows the members there under
 * `shownAs`.
 */
export function membershipFields(resource: ResourceName) {
  const own = kinds.find((kind) => kind.resource.name === resource);
  return Object.entries<SchemaNode>(own?.schema.properties ?? {}).flatMap(([field, node]) => {
    const kind = kinds.find((each) => each.resource.name === node['x-key-ref']);
    const mirrors = Object.entries<SchemaNode>(kind?.schema.properties ?? {}).filter(
      ([name, shown]) => shown['x-worked-out'] && kind && refersByField(kind).get(name)?.has(resource),
    );
    return kind ? mirrors.map(([shownAs]) => ({ field, in: kind, shownAs })) : [];
  });
}

/** Reads each relevant list once. Lists that the service does not offer are in `unlisted`. */
export async function searchUses(
  reader: AccountReader,
  targets: readonly ReferredRecord[],
  { concurrency, progress }: Looking,
): Promise<Uses> {
  const referring = kindsReferringTo(new Set(targets.map(({ resource }) => resource)));
  const byId = Map.groupBy(targets, ({ id }) => id);
  const wanted: ReadonlySet<string> = new Set(byId.keys());
  const lists = await mapWithConcurrency([...referring], concurrency, async ([kind, fields]) => ({
    kind,
    fields,
    items:
      kind.shape === 'one' ? [{ id: kind.name }] : (await readForUses(kind, () => reader.list(kind)))?.items,
  }));
  const open = lists.flatMap(({ kind, fields, items = [] }) =>
    items.map((item) => ({ kind, item, isKnown: showsAll(kind, fields, item) })),
  );
  const unlisted = new Set(lists.flatMap(({ kind, items }) => (items ? [] : [kind.name])));
  const unread = open.filter(({ isKnown }) => !isKnown).length;
  let done = 0;
  const found = await mapWithConcurrency(
    open,
    concurrency,
    async ({ kind, item, isKnown }): Promise<readonly Use[]> => {
      const id = String(item.id ?? '');
      if (isKnown) return usesInRecord({ kind, id, record: item }, wanted, byId);
      const got = await readForUses(kind, () => reader.get(kind, id));
      progress?.(++done, unread);
      if (got.found === 'not-offered') unlisted.add(kind.name);
      return got.found === 'record' && got.record
        ? usesInRecord({ kind, id, record: got.record }, wanted, byId)
        : [];
    },
  );
  return { uses: found.flat(), unlisted: [...unlisted] };
}

/** Returns true if a list contains all fields with references as ids, not as counts. */
const showsAll = (kind: Kind, fields: readonly string[], item: JsonObject): boolean =>
  isListedWhole(kind) ||
  (kind.shape === 'many' &&
    fields.every((field) => isReference(kind, field) && typeof item[field] === 'string'));

const isReference = ({ schema }: Kind, field: string): boolean =>
  schema.properties?.[field]?.['x-ref'] !== undefined;

function usesInRecord(
  { kind, id, record }: Pick<Use, 'kind' | 'id' | 'record'>,
  wanted: ReadonlySet<string>,
  byId: ReadonlyMap<string, readonly ReferredRecord[]>,
): readonly Use[] {
  const references = Map.groupBy(referencesOfRecord(kind, record, wanted), (each) => each.id);
  return [...references].flatMap(([of, all]) =>
    (byId.get(of) ?? []).flatMap((target): readonly Use[] => {
      const isItself = of === id && target.resource === kind.resource.name;
      const places = all.filter((place) => refersTo(place, target));
      return isItself || places.length === 0 ? [] : [{ kind, id, record: { ...record, id }, target, places }];
    }),
  );
}

/** In the data of a step, an id counts as a reference to any resource. */
const refersTo = ({ id, to, step }: RecordReference, target: ReferredRecord): boolean =>
  id === target.id && (step !== undefined || to === target.resource);

/** Throws `unavailable`, because unknown references may exist. */
async function readForUses<T>({ name }: Kind, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'interrupted' || error.status === 401) throw error;
    const { status, code, requestId } = error;
    throw new Failure(
      'unavailable',
      `Its references are unknown: the ${name.replaceAll('_', ' ')} cannot be read (${error.message.replace(/\.$/, '')}).`,
      { hint: 'Repeat it later; --force deletes without looking.', status, code, requestId, cause: error },
    );
  }
}

export const plannedDeletions = ({
  steps,
}: Plan): readonly { readonly step: Step; readonly target: ReferredRecord }[] =>
  steps.flatMap((step) =>
    step.by === 'delete' && step.id !== undefined
      ? [{ step, target: { resource: kindByName(step.kind).resource.name, id: step.id } }]
      : [],
  );

/** Omits references that the plan removes, directly or with a deleted object. */
export function remainingUses(
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
  const references = [...referencesOfRecord(kind, next, new Set([target.id]))];
  return references.some((each) => refersTo(each, target)) ? places : [];
}

export const referredIds = (
  kind: Kind,
  record: JsonObject | undefined,
  ids: ReadonlySet<string>,
): ReadonlySet<string> =>
  new Set([...referencesOfRecord(kind, record ?? {}, ids)].flatMap(({ id }) => (ids.has(id) ? [id] : [])));
