import {
  isObject,
  type JsonObject,
  joinPath,
  omitUndefined,
  splitPath,
  unlessEmpty,
  valueAt,
  valueAtKeys,
} from '../../../base/json.ts';
import { resolved } from '../../../contract/schema-node.ts';
import { holds } from '../../../contract/write-effect.ts';
import { problemsFailure } from '../../input/document.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import { type DesiredObject, withReferences } from '../desired.ts';
import { kindByName } from '../kinds.ts';
import { driftOf, fieldHashes, untakenPaths } from '../ledger/hashing.ts';
import type { Observed, Step } from '../plan.ts';
import { sendable, sending, withoutAssigned, withoutPaths } from '../sendable.ts';
import { type Comparing, type LastApplied, mergeFields } from './merge-fields.ts';
import { labelOfObject, onOnePath, type ReferenceNames, type Showing, shownChange } from './shown-change.ts';

export interface ObjectPlanning {
  readonly observed: Observed;
  readonly naming: ReferenceNames;
  readonly salt: string;
  /** Entries of the manifest set, by key. */
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  readonly sendUnreadable: boolean;
  /** The objects are given back values that they had: flows and maps lose what they did not have then. */
  readonly restores?: true;
}

/** A step before its place in the order is known. */
export interface DraftStep {
  readonly step: Step;
  /** The live record, and what it becomes. Neither where it was not read; no `next` for a delete. */
  readonly record: JsonObject | undefined;
  readonly next: JsonObject | undefined;
  readonly refersTo: readonly string[];
}

/** Plans one object. Throws `Failure` (`invalid`) where items of a list keep nobody knows which secrets. */
export function planObject(planning: ObjectPlanning, object: DesiredObject): DraftStep {
  const { observed, sendUnreadable } = planning;
  const facts = factsOf(planning, object);
  const { live, kind } = facts;
  if (live === undefined && kind.shape === 'many') {
    if (sendUnreadable || !observed.unreadable.has(kind.name)) return created(facts);
    return unverifiable(facts, 'this service has no list to look for it; --send-unreadable creates it');
  }
  if (live?.known === 'as-applied') return draft(facts, { action: 'unchanged', changes: [], notes: [] });
  return live !== undefined && live.record === undefined ? unread(facts, live.id) : compared(facts);
}

/** An object with what is known of it, its references filled in as far as their objects are there. */
function factsOf(planning: ObjectPlanning, object: DesiredObject) {
  const { matches } = planning.observed;
  const kind = kindByName(object.kind);
  const { fields, refersTo } = object;
  return {
    planning,
    object,
    live: matches.get(object.key),
    kind,
    root: resolved(kind.schema, kind.schema),
    wanted: refersTo.length === 0 ? fields : withReferences(fields, (key) => matches.get(key)?.id),
    entry: planning.entries.get(object.key),
  };
}

type Facts = ReturnType<typeof factsOf>;

function draft(
  { object, live }: Facts,
  step: Pick<Step, 'action' | 'changes' | 'notes'> & Partial<Step>,
  record?: JsonObject,
  next?: JsonObject,
): DraftStep {
  const { key, kind, name, fields, protect, refersTo } = object;
  const label = labelOfObject(object, live?.record);
  const base = {
    key,
    kind,
    name,
    label,
    ...omitUndefined({ id: live?.id }),
    after: [],
    managed: fields,
    protect,
  };
  return { step: { ...base, ...step }, record, next, refersTo };
}

/** Hides values that came from outside the manifest, now or at the last apply. */
const showingOf = ({ planning, object, kind, entry }: Facts, drifted: readonly string[] = []): Showing => ({
  kind,
  naming: planning.naming,
  sources: object.sources,
  confidential: new Set([...object.confidential, ...(entry?.confidential ?? [])]),
  drifted,
});

const unsetNotes = ({ object: { unset } }: Facts): readonly string[] =>
  unset.length === 0 ? [] : [`left out, since its variable is not set: ${unset.join(', ')}`];

/** Fields whose change takes rights from the user who applies the plan. */
const ownRights = new Set(['enabled', 'priv_level']);

function created(facts: Facts): DraftStep {
  const { kind, root, wanted, entry } = facts;
  const send = sendable(kind, wanted);
  const showing = showingOf(facts);
  const changes = Object.entries(send).flatMap(([key, after]) =>
    after === undefined ? [] : [shownChange(showing, { keys: [key], node: root, how: 'set', after })],
  );
  const notes = [...(entry ? ['was deleted by others since the last apply'] : []), ...unsetNotes(facts)];
  const step = {
    action: 'create',
    changes,
    send,
    by: 'create',
    ...omitUndefined({ mayCost: kind.mayCost }),
    notes,
  } as const;
  return draft(facts, step, undefined, send);
}

function unverifiable(facts: Facts, why: string): DraftStep {
  const { entry } = facts;
  const day = entry && new Date(entry.appliedMs).toISOString().slice(0, 10);
  const notes = [why, ...(day === undefined ? [] : [`was last applied on ${day}`])];
  return draft(facts, { action: 'unverifiable', changes: [], notes });
}

const cannotBeRead = 'cannot be read from this service';

/** An object that the service has no way to show: what telctl sent before is all that is known of it. */
function unread(facts: Facts, id: string): DraftStep {
  const { planning, kind, root, wanted, entry } = facts;
  const { paths, of } = appliedOf(facts, id);
  const changed = paths.filter((path) => of(path) !== 'same').map(splitPath);
  if (changed.length === 0 && paths.length > 0) return unverifiable(facts, cannotBeRead);
  if (!entry && !planning.sendUnreadable)
    return unverifiable(facts, `${cannotBeRead}; --send-unreadable sends it`);
  const showing = showingOf(facts);
  const isPart = kind.calls.patch !== undefined;
  return draft(facts, {
    action: 'update',
    changes: changed.map((keys) =>
      shownChange(showing, { keys, node: root, how: 'set', after: valueAtKeys(wanted, keys) }),
    ),
    send: sendable(kind, wanted),
    by: isPart ? 'patch' : 'replace',
    ...omitUndefined({ mayCost: kind.mayCost }),
    notes: [
      isPart ? cannotBeRead : `${cannotBeRead}; what the manifest does not name is lost`,
      ...unsetNotes(facts),
    ],
  });
}

/** Returns what the ledger knows of the values that are wanted. */
function appliedOf({ planning: { salt }, kind, wanted, entry }: Facts, id: string) {
  const known = entry?.fields ?? {};
  const hashes = fieldHashes({ salt, kind, id }, wanted);
  const paths = Object.keys(hashes);
  const of = (path: string): LastApplied => {
    const within = paths.filter((each) => each === path || each.startsWith(`${path}.`));
    if (within.every((each) => known[each] === hashes[each])) return 'same';
    if (within.some((each) => known[each] === '')) return 'withheld';
    return within.some((each) => Object.hasOwn(known, each)) ? 'other' : 'unknown';
  };
  return { paths, of };
}

function compared(facts: Facts): DraftStep {
  const { planning, object, live, kind, root, wanted, entry } = facts;
  const { salt, sendUnreadable, restores, observed } = planning;
  const record = live?.record ?? {};
  const unverified: string[] = [];
  const doubts = new Map<string, string>();
  let applied: ReturnType<typeof appliedOf> | undefined;
  const comparing: Comparing = {
    kind,
    sendUnreadable,
    ...omitUndefined({ restores }),
    applied(keys) {
      applied ??= appliedOf(facts, live?.id ?? '');
      return applied.of(joinPath(keys));
    },
    unverified: (keys) => unverified.push(joinPath(keys)),
    doubtful: (keys, message) => doubts.set(joinPath(keys), message),
  };
  const open = withoutAssigned(kind, wanted, record);
  const mergedWith = (fields: JsonObject) => {
    unverified.length = 0;
    return mergeFields(comparing, { node: root, keys: [] }, record, fields);
  };
  const whole = mergedWith(open);
  if (doubts.size > 0)
    throw problemsFailure([...doubts].map(([path, message]) => object.problem(path, `${path}: ${message}`)));
  const untaken =
    whole.changes.length > 0 && entry !== undefined && entry.id === live?.id
      ? untakenPaths(entry, kind, { wanted, record }, salt)
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
  const paths = merged.changes.map(({ keys }) => joinPath(keys));
  if (paths.length === 0) {
    const action = hidden.length > 0 ? 'unverifiable' : 'unchanged';
    return draft(facts, { managed, action, changes: [], notes: hidden }, record, record);
  }
  const others = entry === undefined ? [] : driftOf(entry, kind, record, salt);
  const drifted = others.filter((path) => paths.some((changed) => onOnePath(path, changed)));
  const losesRights = live?.id === observed.account.ownerId && paths.some((path) => ownRights.has(path));
  const step = {
    managed,
    action: 'update',
    changes: merged.changes.map((change) => shownChange(showingOf(facts, drifted), change)),
    ...sending(kind, record, next, wanted),
    ...omitUndefined({ mayCost: kind.mayCost, drifted: unlessEmpty(drifted) }),
    notes: [
      ...hidden,
      ...unsetNotes(facts),
      ...(losesRights ? ['you are signed in as this user, and may lose the right to change it back'] : []),
    ],
  } as const;
  return draft(facts, step, record, next);
}

/** The delete of a live object. */
export const deletion = (
  object: Pick<Step, 'key' | 'kind' | 'name' | 'label'> & { readonly id: string },
  record: JsonObject | undefined,
  ...notes: readonly string[]
): DraftStep => ({
  step: {
    ...object,
    action: 'delete',
    changes: [],
    by: 'delete',
    after: [],
    notes,
    managed: {},
    protect: false,
  },
  record,
  next: undefined,
  refersTo: [],
});
