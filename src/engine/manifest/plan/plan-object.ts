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
import { resolveReference } from '../../../contract/schema-node.ts';
import { containsSent } from '../../../contract/write-effect.ts';
import { problemsFailure } from '../../input/document.ts';
import type { LedgerEntry } from '../../state/ledger.ts';
import { type DesiredObject, withReferences } from '../desired.ts';
import { kindByName } from '../kinds.ts';
import { fieldHashes, findDrift, untakenPaths } from '../ledger/hashing.ts';
import type { Observed, Step } from '../plan.ts';
import { omitAssigned, omitPaths, requestBody, toSendable } from '../sendable.ts';
import {
  type Comparing,
  type FieldChange,
  type LastApplied,
  type MergedValue,
  mergeFields,
} from './merge-fields.ts';
import { areNested, labelOfObject, type ReferenceNames, type Showing, shownChange } from './shown-change.ts';

export interface ObjectPlanning {
  readonly observed: Observed;
  readonly naming: ReferenceNames;
  readonly salt: string;
  readonly entries: ReadonlyMap<string, LedgerEntry>;
  readonly sendUnreadable: boolean;
  /** Objects get old values. Keys that flows and maps did not have then are removed. */
  readonly restores?: true;
}

export interface DraftStep {
  readonly step: Step;
  /** `record` is `undefined` if it was not read, `next` for a delete. */
  readonly record: JsonObject | undefined;
  readonly next: JsonObject | undefined;
  readonly refersTo: readonly string[];
}

/** Throws `Failure` (`invalid`) if it is unknown which secrets the items of a list keep. */
export function planObject(planning: ObjectPlanning, object: DesiredObject): DraftStep {
  const { observed, sendUnreadable } = planning;
  const facts = gatherFacts(planning, object);
  const { live, kind } = facts;
  if (live === undefined && kind.shape === 'many') {
    if (sendUnreadable || !observed.unreadable.has(kind.name)) return planCreate(facts);
    return planUnverifiable(facts, 'this service has no list to find it; --send-unreadable creates it');
  }
  if (live?.known === 'as-applied')
    return createDraft(facts, { action: 'unchanged', changes: [], notes: [] });
  return live !== undefined && live.record === undefined ? planUnread(facts, live.id) : planCompared(facts);
}

function gatherFacts(planning: ObjectPlanning, object: DesiredObject) {
  const { matches } = planning.observed;
  const kind = kindByName(object.kind);
  const { fields, refersTo } = object;
  return {
    planning,
    object,
    live: matches.get(object.key),
    kind,
    root: resolveReference(kind.schema, kind.schema),
    wanted: refersTo.length === 0 ? fields : withReferences(fields, (key) => matches.get(key)?.id),
    entry: planning.entries.get(object.key),
  };
}

type Facts = ReturnType<typeof gatherFacts>;

function createDraft(
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

/** Hides values that are, or were at the last apply, from outside the manifest. */
const createShowing = (
  { planning, object, kind, entry }: Facts,
  drifted: readonly string[] = [],
): Showing => ({
  kind,
  naming: planning.naming,
  sources: object.sources,
  confidential: new Set([...object.confidential, ...(entry?.confidential ?? [])]),
  drifted,
});

const unsetNotes = ({ object: { unset } }: Facts): readonly string[] =>
  unset.length === 0 ? [] : [`left out, because its variable is not set: ${unset.join(', ')}`];

/** A change of these fields can remove rights from the user who applies the plan. */
const ownRights = new Set(['enabled', 'priv_level']);

function planCreate(facts: Facts): DraftStep {
  const { kind, root, wanted, entry } = facts;
  const send = toSendable(kind, wanted);
  const showing = createShowing(facts);
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
  return createDraft(facts, step, undefined, send);
}

function planUnverifiable(facts: Facts, why: string): DraftStep {
  const { entry } = facts;
  const day = entry && new Date(entry.appliedMs).toISOString().slice(0, 10);
  const notes = [why, ...(day === undefined ? [] : [`was last applied on ${day}`])];
  return createDraft(facts, { action: 'unverifiable', changes: [], notes });
}

const cannotBeRead = 'cannot be read from this service';

/** Plans an object that the service cannot show. Only values that telctl sent are known. */
function planUnread(facts: Facts, id: string): DraftStep {
  const { planning, kind, root, wanted, entry } = facts;
  const { paths, of } = compareApplied(facts, id);
  const changed = paths.filter((path) => of(path) !== 'same').map(splitPath);
  if (changed.length === 0 && paths.length > 0) return planUnverifiable(facts, cannotBeRead);
  if (!entry && !planning.sendUnreadable)
    return planUnverifiable(facts, `${cannotBeRead}; --send-unreadable sends it`);
  const showing = createShowing(facts);
  const isPart = kind.calls.patch !== undefined;
  return createDraft(facts, {
    action: 'update',
    changes: changed.map((keys) =>
      shownChange(showing, { keys, node: root, how: 'set', after: valueAtKeys(wanted, keys) }),
    ),
    send: toSendable(kind, wanted),
    by: isPart ? 'patch' : 'replace',
    ...omitUndefined({ mayCost: kind.mayCost }),
    notes: [
      isPart ? cannotBeRead : `${cannotBeRead}; what the manifest does not name is lost`,
      ...unsetNotes(facts),
    ],
  });
}

function compareApplied({ planning: { salt }, kind, wanted, entry }: Facts, id: string) {
  const known = entry?.fields ?? {};
  const hashes = fieldHashes({ salt, kind, id }, wanted);
  const paths = Object.keys(hashes);
  const compareAt = (path: string): LastApplied => {
    const within = paths.filter((each) => each === path || each.startsWith(`${path}.`));
    if (within.every((each) => known[each] === hashes[each])) return 'same';
    if (within.some((each) => known[each] === '')) return 'withheld';
    return within.some((each) => Object.hasOwn(known, each)) ? 'other' : 'unknown';
  };
  return { paths, of: compareAt };
}

function planCompared(facts: Facts): DraftStep {
  const { planning, object, live, kind, entry } = facts;
  const record = live?.record ?? {};
  const { changes, next, unverified, untaken } = mergeWanted(facts, record);
  const managed = omitPaths(object.fields, unverified);
  const hidden = [
    ...unverified.map(
      (path) => `${path} cannot be read, and telctl has no record of it; --send-unreadable sends it`,
    ),
    ...untaken.map((path) => `${path} was ignored by the service`),
  ];
  const paths = changes.map(({ keys }) => joinPath(keys));
  if (paths.length === 0) {
    const action = hidden.length > 0 ? 'unverifiable' : 'unchanged';
    return createDraft(facts, { managed, action, changes: [], notes: hidden }, record, record);
  }
  const others = entry === undefined ? [] : findDrift(entry, kind, record, planning.salt);
  const drifted = others.filter((path) => paths.some((changed) => areNested(path, changed)));
  const losesRights =
    live?.id === planning.observed.account.ownerId && paths.some((path) => ownRights.has(path));
  const step = {
    managed,
    action: 'update',
    changes: changes.map((change) => shownChange(createShowing(facts, drifted), change)),
    ...requestBody(kind, record, next, facts.wanted),
    ...omitUndefined({ mayCost: kind.mayCost, drifted: unlessEmpty(drifted) }),
    notes: [
      ...hidden,
      ...unsetNotes(facts),
      ...(losesRights ? ['you are signed in as this user, and may lose the right to change it back'] : []),
    ],
  } as const;
  return createDraft(facts, step, record, next);
}

interface MergedRecord {
  readonly changes: readonly FieldChange[];
  readonly next: JsonObject;
  /** Paths of values that cannot be compared. */
  readonly unverified: readonly string[];
  /** Paths of values that the service ignored. They are not sent again. */
  readonly untaken: readonly string[];
}

/** Throws `Failure` (`invalid`) if it is unknown which secrets the items of a list keep. */
function mergeWanted(facts: Facts, record: JsonObject): MergedRecord {
  const { planning, object, live, kind, root, wanted, entry } = facts;
  const unverified: string[] = [];
  const doubts = new Map<string, string>();
  let applied: ReturnType<typeof compareApplied> | undefined;
  const comparing: Comparing = {
    kind,
    sendUnreadable: planning.sendUnreadable,
    ...omitUndefined({ restores: planning.restores }),
    applied(keys) {
      applied ??= compareApplied(facts, live?.id ?? '');
      return applied.of(joinPath(keys));
    },
    unverified: (keys) => unverified.push(joinPath(keys)),
    doubtful: (keys, message) => doubts.set(joinPath(keys), message),
  };
  const merge = (fields: JsonObject): MergedValue => {
    unverified.length = 0;
    return mergeFields(comparing, { node: root, keys: [] }, record, fields);
  };
  const open = omitAssigned(kind, wanted, record);
  const whole = merge(open);
  if (doubts.size > 0)
    throw problemsFailure([...doubts].map(([path, message]) => object.problem(path, `${path}: ${message}`)));
  const untaken =
    whole.changes.length > 0 && entry !== undefined && entry.id === live?.id
      ? untakenPaths(entry, kind, { wanted, record }, planning.salt)
      : [];
  const { changes, value } = untaken.length === 0 ? whole : merge(omitPaths(open, untaken));
  return {
    changes,
    next: isObject(value) ? value : record,
    unverified,
    // A value was accepted if the service only added to it.
    untaken: untaken.filter((path) => !containsSent(valueAt(record, path), valueAt(wanted, path))),
  };
}

export const planDelete = (
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
