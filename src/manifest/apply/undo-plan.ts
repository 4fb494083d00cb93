import { isObject, type Json, type JsonObject } from '../../contract/json.ts';
import { fieldAt } from '../../contract/schema.ts';
import type { DesiredAccount, DesiredObject } from '../desired/desired.ts';
import { referencesIn, referenceTo } from '../desired/references.ts';
import { type Kind, type KindName, kindByName } from '../kinds.ts';
import { driftOf } from '../ledger/drift.ts';
import { leafAt, leavesOf } from '../ledger/leaves.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { arranged } from '../plan/arrange.ts';
import { canonicalField, same } from '../plan/canonical.ts';
import { withMergePatch } from '../plan/merge-patch.ts';
import { namingOf } from '../plan/naming.ts';
import { type Plan, planVersion } from '../plan/plan.ts';
import { type Draft, type ObjectPlanning, planObject } from '../plan/plan-object.ts';
import { onOnePath } from '../plan/shown-change.ts';
import { deletion } from '../plan/step-object.ts';
import type { LiveObject, Observed } from '../state/observed.ts';
import { isDone, type RunPart, type RunStep } from './runs.ts';

/** What a part of a run is reversed by. */
export interface UndoInput {
  readonly part: RunPart;
  /**
   * The account as it is: `matches` has the live objects of the run's steps by their keys, `listed` the kinds of which
   * it deleted some.
   */
  readonly observed: Observed;
  /** Objects that name what the run deleted by its old id. */
  readonly referrers: readonly Referrer[];
  /** What others changed since is set back, too. */
  readonly overwrite: boolean;
  /** Names what the run did not change. */
  readonly ledger: Ledger | undefined;
  /** Makes a password for a user who is created again: the old one is kept nowhere, and none is not allowed. */
  newPassword(): string;
}

/** An object that names another one by an id that is no more. */
export interface Referrer {
  /** As the ledger calls it, or by its kind and id. */
  readonly key: string;
  readonly kind: KindName;
  readonly record: JsonObject;
}

/** What is not reversed, and why. */
export interface NotUndone {
  readonly key: string;
  readonly label: string;
  readonly why: string;
  /** `true`: it is done where what others changed is to be overwritten. */
  readonly overwritable?: true;
}

export interface Undoing {
  readonly plan: Plan;
  readonly left: readonly NotUndone[];
}

/**
 * The plan that reverses what a run did to one account: what it created is deleted, what it changed gets its old
 * values, what it deleted is created again. What others changed since stays, unless it is to be overwritten; so does
 * what nobody knows the old value of.
 */
export function undoPlan({
  part,
  observed: seen,
  referrers,
  overwrite,
  ledger,
  newPassword,
}: UndoInput): Undoing {
  const left: NotUndone[] = [];
  const leave: Leave = ({ planned: { key, label } }, why, overwritable) => {
    left.push({ key, label, why, ...(overwritable ? { overwritable } : {}) });
  };
  const steps = undoable(part);
  const recreated = recreatedBy(steps, seen);
  const observed = withReferrers(seen, referrers);
  const deletes: Draft[] = [];
  const objects: DesiredObject[] = [];
  for (const step of steps) {
    const { action } = step.planned;
    if (action === 'create') deletes.push(...uncreated(step, part, observed, overwrite, leave));
    else if (action === 'delete') objects.push(...undeleted(step, observed, recreated, leave, newPassword));
    else objects.push(...unchanged(step, part, observed, overwrite, recreated, leave));
  }
  const gone = new Set(deletes.map(({ step }) => step.id));
  for (const referrer of referrers) {
    const id = observed.matches.get(referrer.key)?.id;
    if (!gone.has(id)) repair(objects, referrer, referrerFields(referrer, recreated), observed);
  }
  const desired: DesiredAccount = { account: undefined, objects };
  const planning: ObjectPlanning = {
    observed,
    naming: namingOf(desired, observed, ledger?.entries),
    salt: part.start.salt,
    entries: new Map(),
    sendUnreadable: true,
  };
  const repaired = new Set(referrers.map(({ key }) => key));
  const drafts = objects
    .map((object) => planObject(planning, object))
    .map((draft) => (repaired.has(draft.step.key) ? withNote(draft) : draft));
  const { id, name, origin } = observed.account;
  const all = arranged([...drafts, ...deletes], observed);
  return {
    plan: {
      version: planVersion,
      account: { id, name, origin },
      set: part.start.set,
      steps: all.filter(({ by }) => by !== undefined),
    },
    left,
  };
}

/** Ids of what a part deleted and its reversal creates again, with their keys. */
export const recreatedIds = (part: RunPart, observed: Pick<Observed, 'listed'>): ReadonlySet<string> =>
  new Set(recreatedBy(undoable(part), observed).keys());

const recreatedBy = (
  steps: readonly RunStep[],
  observed: Pick<Observed, 'listed'>,
): ReadonlyMap<string, string> =>
  new Map(
    steps.flatMap(({ planned, begin }) => {
      const { before, id } = begin ?? {};
      const isBack =
        planned.action === 'delete' &&
        isMany(planned.kind) &&
        isObject(before) &&
        Object.keys(before).length > 0 &&
        namesake(kindByName(planned.kind), before, observed) === undefined;
      return isBack && id !== undefined ? [[id, planned.key] as const] : [];
    }),
  );

const idOf = ({ kind, record }: Referrer): string => (isMany(kind) ? String(record.id ?? '') : kind);

/** What was seen, with the objects that are only repaired. One that the run changed, too, is there already. */
function withReferrers(observed: Observed, referrers: readonly Referrer[]): Observed {
  const more = referrers.flatMap((each): [string, LiveObject][] =>
    observed.matches.has(each.key) ? [] : [[each.key, { id: idOf(each), record: each.record }]],
  );
  return { ...observed, matches: new Map([...observed.matches, ...more]) };
}

/** The fields of a referrer that hold an id that is no more, with references in its place. */
function referrerFields(
  { kind: name, record }: Referrer,
  recreated: ReadonlyMap<string, string>,
): JsonObject {
  const { schema } = kindByName(name);
  const ids = [...recreated.keys()];
  const holding = Object.entries(record).filter(([field, value]) => {
    if (field === 'id' || fieldAt(schema, field)?.readOnly) return false;
    const text = JSON.stringify(value ?? null);
    return fieldAt(schema, field) !== undefined && ids.some((id) => text.includes(id));
  });
  return referring(Object.fromEntries(holding), recreated);
}

/** Puts fields of a referrer to what is done with it anyway, or makes it one more object. */
function repair(
  objects: DesiredObject[],
  { key, kind, record }: Referrer,
  fields: JsonObject,
  observed: Observed,
): void {
  if (referencesIn(fields).length === 0) return;
  const id = observed.matches.get(key)?.id;
  const at = objects.findIndex(
    (object) => object.kind === kind && observed.matches.get(object.key)?.id === id,
  );
  const there = objects[at];
  if (there) {
    const both = { ...fields, ...there.fields };
    objects[at] = { ...there, fields: both, refersTo: referencesIn(both) };
  } else {
    const name = isMany(kind) ? String(record.id ?? '') : kind;
    objects.push({ ...placeless, kind, key, name, fields, refersTo: referencesIn(fields), protect: false });
  }
}

const withNote = (draft: Draft): Draft => ({
  ...draft,
  step: { ...draft.step, notes: [...draft.step.notes, 'names what is created again by its new id'] },
});

const isMany = (kind: RunStep['planned']['kind']): boolean => kindByName(kind).shape === 'many';

/**
 * The steps that were done. One in which an object only made room for others counts as the object's own where that
 * never came; one that completed a create is part of it.
 */
function undoable({ steps }: RunPart): readonly RunStep[] {
  const done = new Set(steps.filter(isDone).map(({ planned }) => planned.key));
  const lastEnds = new Map(steps.filter(isDone).map(({ planned, end }) => [planned.completes ?? '', end]));
  return steps.filter(isDone).flatMap((step): readonly RunStep[] => {
    const { releases, completes } = step.planned;
    if (completes !== undefined) return [];
    if (releases === undefined) return [{ ...step, end: lastEnds.get(step.planned.key) ?? step.end }];
    return done.has(releases) ? [] : [{ ...step, planned: { ...step.planned, key: releases } }];
  });
}

/** Fields that others changed since the run wrote them. */
function changedSince(
  { end }: RunStep,
  { start }: RunPart,
  kind: Kind,
  record: JsonObject,
): readonly string[] {
  return end?.entry ? driftOf(end.entry, kind, record, start.salt) : [];
}

type Leave = (step: RunStep, why: string, overwritable?: true) => void;

function uncreated(
  step: RunStep,
  part: RunPart,
  observed: Observed,
  overwrite: boolean,
  leave: Leave,
): readonly Draft[] {
  const { key, kind: name, label } = step.planned;
  const kind = kindByName(name);
  const live = observed.matches.get(key);
  if (!live) return [];
  const keep = (why: string, overwritable?: true): readonly [] => {
    leave(step, why, overwritable);
    return [];
  };
  if (name === 'accounts') return keep('an account is deleted only by name: telctl accounts delete');
  if (step.end?.entry?.protect) return keep('it is protected');
  if (live.id === observed.account.ownerId) return keep('it is the signed-in user');
  if (!kind.calls.delete) return keep('the service has no way to delete it');
  if (!live.record && !overwrite)
    return keep('it cannot be read, so that nobody knows whether others changed it', true);
  const changed = live.record ? changedSince(step, part, kind, live.record) : [];
  if (changed.length > 0 && !overwrite) return keep(`others changed it since: ${changed.join(', ')}`, true);
  return [
    {
      step: deletion({ key, kind: name, name: nameOf(key), label, id: live.id }),
      record: live.record,
      next: undefined,
      refersTo: [],
    },
  ];
}

function unchanged(
  step: RunStep,
  part: RunPart,
  observed: Observed,
  overwrite: boolean,
  recreated: ReadonlyMap<string, string>,
  leave: Leave,
): readonly DesiredObject[] {
  const { key, kind: name } = step.planned;
  const kind = kindByName(name);
  const live = observed.matches.get(key);
  const { before, unkept = [] } = step.begin ?? {};
  if (unkept.length > 0) leave(step, `the old value is not known: ${unkept.join(', ')}`);
  if (!isObject(before) || Object.keys(before).length === 0) return [];
  if (!live?.record) {
    leave(step, live ? 'it cannot be read from this service' : 'it is no longer there');
    return [];
  }
  const { record } = live;
  const next = withMergePatch(record, before);
  const wanted = leavesOf(kind.schema, before).map(({ path }) => path);
  const changed = changedSince(step, part, kind, record);
  const kept = overwrite ? [] : wanted.filter((path) => changed.some((other) => onOnePath(other, path)));
  if (kept.length > 0) leave(step, `others changed it since: ${kept.join(', ')}`, true);
  const paths = wanted.filter((path) => !kept.includes(path));
  if (paths.length === 0) return [];
  const fields = paths.reduce<JsonObject>(
    (part, path) => withLeaf(part, path, leafAt(next, path) ?? null),
    {},
  );
  return [desiredObject(step, referring(fields, recreated))];
}

function undeleted(
  step: RunStep,
  observed: Observed,
  recreated: ReadonlyMap<string, string>,
  leave: Leave,
  newPassword: () => string,
): readonly DesiredObject[] {
  const { kind: name } = step.planned;
  const kind = kindByName(name);
  const { before, unkept = [], entry } = step.begin ?? {};
  if (!isObject(before) || Object.keys(before).length === 0) {
    leave(step, 'what it was is not known');
    return [];
  }
  const other = namesake(kind, before, observed);
  if (other !== undefined) {
    leave(step, `another of that name is there now: ${other}`);
    return [];
  }
  const isLoginName = name === 'users' && typeof before.username === 'string';
  const neverShown = Object.keys(entry?.fields ?? {}).filter((path) => fieldAt(kind.schema, path)?.writeOnly);
  const lost = [...new Set([...unkept, ...neverShown])].filter((path) => !isLoginName || path !== 'password');
  if (lost.length > 0) leave(step, `it is created again without ${lost.join(', ')}, which is kept nowhere`);
  if (isLoginName)
    leave(step, 'it is created again with a password that nobody knows: set one with telctl users password');
  const fields = isLoginName ? { ...before, password: newPassword() } : before;
  return [desiredObject(step, referring(fields, recreated))];
}

/** Id of a live object that has the best natural key of a record. */
function namesake(kind: Kind, record: JsonObject, { listed }: Pick<Observed, 'listed'>): string | undefined {
  const key = kind.keys.find((each) => record[each] !== undefined && record[each] !== null);
  if (key === undefined) return undefined;
  const form = (value: Json): Json => canonicalField(kind, key, value);
  const found = listed.get(kind.name)?.find((item) => {
    const value = item[key];
    return value !== undefined && same(form(value), form(record[key] ?? null));
  });
  return typeof found?.id === 'string' ? found.id : undefined;
}

/** A value in which the ids of objects that are created again are references to them. */
function referring(fields: JsonObject, recreated: ReadonlyMap<string, string>): JsonObject {
  if (recreated.size === 0) return fields;
  const text = (here: string): string => {
    const key = recreated.get(here);
    return key === undefined ? here : referenceTo(key);
  };
  const visit = (here: Json): Json => {
    if (typeof here === 'string') return text(here);
    if (Array.isArray(here)) return here.map((item: Json) => visit(item));
    return isObject(here) ? visitObject(here) : here;
  };
  const visitObject = (here: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(here).map(([key, inner]) => [text(key), inner === undefined ? inner : visit(inner)]),
    );
  return visitObject(fields);
}

function desiredObject({ planned, begin }: RunStep, fields: JsonObject): DesiredObject {
  const { key, kind } = planned;
  const isNamedById = kindByName(kind).keys[0] === 'id';
  return {
    ...placeless,
    kind,
    key,
    name: isNamedById ? (begin?.id ?? nameOf(key)) : nameOf(key),
    fields,
    refersTo: referencesIn(fields),
    protect: begin?.entry?.protect ?? false,
  };
}

/** What objects that come from no file have of one. */
const placeless: Pick<DesiredObject, 'unset' | 'confidential' | 'renamedFrom' | 'place' | 'problem'> = {
  unset: [],
  confidential: [],
  renamedFrom: undefined,
  place: () => 'journal',
  problem: (path, message) => ({
    file: 'journal',
    line: undefined,
    column: undefined,
    place: path,
    message,
  }),
};

const nameOf = (key: string): string => (key.includes('.') ? key.slice(key.indexOf('.') + 1) : key);

function withLeaf(fields: JsonObject, path: string, value: Json): JsonObject {
  const [first = '', ...rest] = path.split('.');
  const key = first.replaceAll('%2E', '.');
  if (rest.length === 0) return { ...fields, [key]: value };
  const inner = fields[key];
  return { ...fields, [key]: withLeaf(isObject(inner) ? inner : {}, rest.join('.'), value) };
}
