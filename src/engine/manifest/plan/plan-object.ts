import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { resolved } from '../../../contract/schema-node.ts';
import { holds } from '../../../contract/write-effect.ts';
import { problemsFailure } from '../../input/document.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import { type DesiredObject, withReferences } from '../desired.ts';
import { kindByName } from '../kinds.ts';
import { driftOf, fieldHashes, untakenPaths } from '../ledger/hashing.ts';
import type { LiveObject, Observed, Step } from '../plan.ts';
import { sendable, sending, unsettledServices, withoutPaths } from '../sendable.ts';
import { type Applied, type Comparing, mergeFields } from './merge-fields.ts';
import { dotted, labelOfObject, type Naming, onOnePath, type Showing, shownChange } from './shown-change.ts';

export interface ObjectPlanning {
  readonly observed: Observed;
  readonly naming: Naming;
  readonly salt: string;
  /** Entries of the manifest set, by key. */
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  readonly sendUnreadable: boolean;
  /** The objects are given back values that they had: flows and maps lose what they did not have then. */
  readonly restores?: true;
}

/** A step before its place in the order is known. */
export interface Draft {
  readonly step: Step;
  /** The live record, and what it becomes. Neither where it was not read; no `next` for a delete. */
  readonly record: JsonObject | undefined;
  readonly next: JsonObject | undefined;
  readonly refersTo: readonly string[];
}

/** Plans one object. Throws `Failure` (`invalid`) where items of a list keep nobody knows which secrets. */
export function planObject(planning: ObjectPlanning, object: DesiredObject): Draft {
  const { observed } = planning;
  const live = observed.matches.get(object.key);
  const kind = kindByName(object.kind);
  const idOf = (key: string): string | undefined => observed.matches.get(key)?.id;
  const fields = object.refersTo.length === 0 ? object.fields : withReferences(object.fields, idOf);
  const wanted = isObject(fields) ? fields : {};
  if (live === undefined && kind.shape === 'many') {
    if (observed.unreadable.has(kind.name) && !planning.sendUnreadable)
      return unverifiable(
        planning,
        object,
        undefined,
        'this service has no list to look for it; --send-unreadable creates it',
      );
    return created(planning, object, wanted);
  }
  if (live?.known === 'as-applied') return unchanged(planning, object, live);
  if (live !== undefined && live.record === undefined) return unread(planning, object, live, wanted);
  return compared(planning, object, live, wanted);
}

function baseOf(object: DesiredObject, live: LiveObject | undefined) {
  return {
    key: object.key,
    kind: object.kind,
    name: object.name,
    label: labelOfObject(object, live?.record),
    ...(live === undefined ? {} : { id: live.id }),
    after: [],
    managed: object.fields,
    protect: object.protect,
  } as const;
}

const draft = (object: DesiredObject, step: Step, record?: JsonObject, next?: JsonObject): Draft => ({
  step,
  record,
  next,
  refersTo: object.refersTo,
});

/** Hides values that came from outside the manifest, now or at the last apply. */
const showingOf = (
  { naming, entries }: ObjectPlanning,
  object: DesiredObject,
  drifted: readonly string[] = [],
): Showing => ({
  kind: kindByName(object.kind),
  naming,
  sources: object.sources,
  confidential: new Set([...object.confidential, ...(entries.get(object.key)?.confidential ?? [])]),
  drifted,
});

const unsetNotes = ({ unset }: DesiredObject): readonly string[] =>
  unset.length === 0 ? [] : [`left out, since its variable is not set: ${unset.join(', ')}`];

/** Fields whose change takes rights from the user who applies the plan. */
const ownRights = new Set(['enabled', 'priv_level']);

const ownNotes = (
  { observed }: ObjectPlanning,
  id: string | undefined,
  paths: readonly string[],
): readonly string[] =>
  id === observed.account.ownerId && paths.some((path) => ownRights.has(path))
    ? ['you are signed in as this user, and may lose the right to change it back']
    : [];

function created(planning: ObjectPlanning, object: DesiredObject, wanted: JsonObject): Draft {
  const kind = kindByName(object.kind);
  const send = sendable(kind, wanted);
  const showing = showingOf(planning, object);
  const root = resolved(kind.schema, kind.schema);
  const changes = Object.entries(send).flatMap(([key, after]) =>
    after === undefined ? [] : [shownChange(showing, { keys: [key], node: root, how: 'set', after })],
  );
  const step: Step = {
    ...baseOf(object, undefined),
    action: 'create',
    changes,
    send,
    by: 'create',
    ...(kind.mayCost ? { mayCost: true } : {}),
    notes: [
      ...(planning.entries.has(object.key) ? ['was deleted by others since the last apply'] : []),
      ...unsetNotes(object),
    ],
  };
  return draft(object, step, undefined, send);
}

function unchanged(_: ObjectPlanning, object: DesiredObject, live: LiveObject): Draft {
  const step: Step = { ...baseOf(object, live), action: 'unchanged', changes: [], notes: [] };
  return draft(object, step, live.record, live.record);
}

function unverifiable(
  planning: ObjectPlanning,
  object: DesiredObject,
  live: LiveObject | undefined,
  why: string,
): Draft {
  const entry = planning.entries.get(object.key);
  const notes = [why, ...(entry === undefined ? [] : [lastApplied(entry)])];
  return draft(object, { ...baseOf(object, live), action: 'unverifiable', changes: [], notes });
}

const lastApplied = ({ appliedMs }: LedgerEntry): string =>
  `was last applied on ${new Date(appliedMs).toISOString().slice(0, 10)}`;

const cannotBeRead = 'cannot be read from this service';

/** An object that the service has no way to show: what telctl sent before is all that is known of it. */
function unread(
  planning: ObjectPlanning,
  object: DesiredObject,
  live: LiveObject,
  wanted: JsonObject,
): Draft {
  const kind = kindByName(object.kind);
  const applied = appliedOf(planning, object, live.id, wanted);
  const paths = [...applied.paths];
  if (paths.every((path) => applied.of(path) === 'same') && paths.length > 0)
    return unverifiable(planning, object, live, cannotBeRead);
  const isKnown = planning.entries.has(object.key);
  if (!isKnown && !planning.sendUnreadable)
    return unverifiable(planning, object, live, `${cannotBeRead}; --send-unreadable sends it`);
  const send = sendable(kind, wanted);
  const showing = showingOf(planning, object);
  const root = resolved(kind.schema, kind.schema);
  const step: Step = {
    ...baseOf(object, live),
    action: 'update',
    changes: paths
      .filter((path) => applied.of(path) !== 'same')
      .map((path) => path.split('.').map((key) => key.replaceAll('%2E', '.')))
      .map((keys) => shownChange(showing, { keys, node: root, how: 'set', after: valueIn(wanted, keys) })),
    send,
    by: kind.calls.patch ? 'patch' : 'replace',
    ...(kind.mayCost ? { mayCost: true } : {}),
    notes: [
      kind.calls.patch ? cannotBeRead : `${cannotBeRead}; what the manifest does not name is lost`,
      ...unsetNotes(object),
    ],
  };
  return draft(object, step);
}

const valueIn = (value: Json | undefined, keys: readonly string[]): Json | undefined =>
  keys.reduce<Json | undefined>((here, key) => (isObject(here) ? here[key] : undefined), value);

/** Returns what the ledger knows of the values that are wanted. */
function appliedOf({ entries, salt }: ObjectPlanning, object: DesiredObject, id: string, wanted: JsonObject) {
  const known = entries.get(object.key)?.fields ?? {};
  const hashes = fieldHashes({ salt, kind: kindByName(object.kind), id }, wanted);
  const paths = Object.keys(hashes);
  const of = (path: string): Applied => {
    const within = paths.filter((each) => each === path || each.startsWith(`${path}.`));
    if (within.every((each) => known[each] === hashes[each])) return 'same';
    if (within.some((each) => known[each] === '')) return 'withheld';
    return within.some((each) => Object.hasOwn(known, each)) ? 'other' : 'unknown';
  };
  return { paths, of };
}

function compared(
  planning: ObjectPlanning,
  object: DesiredObject,
  live: LiveObject | undefined,
  wanted: JsonObject,
): Draft {
  const kind = kindByName(object.kind);
  const record = live?.record ?? {};
  const unverified: string[] = [];
  const doubts = new Map<string, string>();
  let applied: ReturnType<typeof appliedOf> | undefined;
  const comparing: Comparing = {
    kind,
    sendUnreadable: planning.sendUnreadable,
    ...(planning.restores ? { restores: true } : {}),
    applied(keys) {
      applied ??= appliedOf(planning, object, live?.id ?? '', wanted);
      return applied.of(dotted(keys));
    },
    unverified: (keys) => unverified.push(dotted(keys)),
    doubtful: (keys, message) => doubts.set(dotted(keys), message),
  };
  const root = resolved(kind.schema, kind.schema);
  const open = kind.name === 'services' ? unsettledServices(wanted, record) : wanted;
  const mergedWith = (fields: JsonObject) => {
    unverified.length = 0;
    return mergeFields(comparing, { node: root, keys: [] }, record, fields);
  };
  const whole = mergedWith(open);
  if (doubts.size > 0)
    throw problemsFailure([...doubts].map(([path, message]) => object.problem(path, `${path}: ${message}`)));
  const entry = planning.entries.get(object.key);
  const untaken =
    whole.changes.length > 0 && entry !== undefined && entry.id === live?.id
      ? untakenPaths(entry, kind, { wanted, record }, planning.salt)
      : [];
  const merged = untaken.length === 0 ? whole : mergedWith(withoutPaths(open, untaken));
  const next = isObject(merged.value) ? merged.value : record;
  const managed = withoutPaths(object.fields, unverified);
  const hidden = [
    ...unverified.map(
      (path) => `${path} cannot be read, and telctl does not know it from before; --send-unreadable sends it`,
    ),
    // What the service only filled in beside it was taken.
    ...untaken
      .filter((path) => !holds(valueAt(record, path), valueAt(wanted, path)))
      .map((path) => `${path} was not taken by the service`),
  ];
  const base = { ...baseOf(object, live), managed };
  if (merged.changes.length === 0) {
    const action = hidden.length > 0 ? 'unverifiable' : 'unchanged';
    return draft(object, { ...base, action, changes: [], notes: hidden }, record, record);
  }
  const others = entry === undefined ? [] : driftOf(entry, kind, record, planning.salt);
  const drifted = others.filter((path) => merged.changes.some(({ keys }) => onOnePath(path, dotted(keys))));
  const { send, by } = sending(kind, record, next, wanted);
  const step: Step = {
    ...base,
    action: 'update',
    changes: merged.changes.map((change) => shownChange(showingOf(planning, object, drifted), change)),
    send,
    by,
    ...(kind.mayCost ? { mayCost: true } : {}),
    ...(drifted.length === 0 ? {} : { drifted }),
    notes: [
      ...hidden,
      ...unsetNotes(object),
      ...ownNotes(
        planning,
        live?.id,
        merged.changes.map(({ keys }) => dotted(keys)),
      ),
    ],
  };
  return draft(object, step, record, next);
}
