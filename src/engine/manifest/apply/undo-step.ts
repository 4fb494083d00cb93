import { nextStep } from '../../../base/failure.ts';
import {
  isEqualJson,
  isObject,
  type Json,
  type JsonObject,
  mapTexts,
  splitPath,
  valueAtKeys,
} from '../../../base/json.ts';
import { commandWordsOf } from '../../../contract/resource.ts';
import { findFieldNode } from '../../../contract/schema.ts';
import { placesAt } from '../../input/document.ts';
import { isProtected, type Ledger, objectName, otherOwners } from '../../state/ledger.ts';
import { isDone, type RunPart, type RunStep } from '../../state/runs.ts';
import { canonicalField, withMergePatch, withValue } from '../canonical.ts';
import type { DesiredObject } from '../desired.ts';
import { desiredObject } from '../desired-object.ts';
import { type Kind, kindByName, nameInKey } from '../kinds.ts';
import { findDrift, listLeaves } from '../ledger/hashing.ts';
import { type DraftStep, planDelete } from '../plan/plan-object.ts';
import { areNested } from '../plan/shown-change.ts';
import type { Observed } from '../plan.ts';

/** Records why a step is not, or only partly, reversed. */
export type Leave = (step: RunStep, why: string, overwritable?: true) => void;

/** Returns the completed steps. A step that completed a create is part of the create. */
export function undoableSteps({ steps }: RunPart): readonly RunStep[] {
  const done = new Set(steps.filter(isDone).map(({ planned }) => planned.key));
  const completing = new Map(steps.filter(isDone).map((step) => [step.planned.completes ?? '', step]));
  return steps.filter(isDone).flatMap((step): readonly RunStep[] => {
    const { releases, completes } = step.planned;
    if (completes !== undefined) return [];
    if (releases === undefined)
      return [{ ...step, ...addCompletingStep(step, completing.get(step.planned.key)) }];
    return done.has(releases) ? [] : [{ ...step, planned: { ...step.planned, key: releases } }];
  });
}

function addCompletingStep(
  { begin, end }: RunStep,
  last: RunStep | undefined,
): Pick<RunStep, 'begin' | 'end'> {
  const unkept = last?.begin?.unkept ?? [];
  return {
    begin: begin && unkept.length > 0 ? { ...begin, unkept: [...(begin.unkept ?? []), ...unkept] } : begin,
    end: last?.end ?? end,
  };
}

function changesSince(
  { end }: RunStep,
  { start, formerIds }: RunPart,
  kind: Kind,
  record: JsonObject,
): readonly string[] {
  if (!end?.entry) return [];
  // The hashes of the entry contain the former ids of other records.
  const then = formerIds?.size ? mapTexts(record, (text) => formerIds.get(text) ?? text) : record;
  return findDrift(end.entry, kind, then, start.salt);
}

/** Returns the delete of the created object, or nothing if the object stays. */
export function undoCreate(
  step: RunStep,
  part: RunPart,
  {
    observed,
    ledger,
    overwrite,
  }: { readonly observed: Observed; readonly ledger: Ledger | undefined; readonly overwrite: boolean },
  leave: Leave,
): readonly DraftStep[] {
  const { key, label } = step.planned;
  const kind = kindByName(step.planned.kind);
  const { name } = kind;
  const live = observed.matches.get(key);
  const keep = (why: string, overwritable?: true): readonly [] => {
    leave(step, why, overwritable);
    return [];
  };
  if (!live) {
    const sent = step.begin?.after;
    const other = isObject(sent) ? findNamesake(kind, sent, observed) : undefined;
    return other === undefined
      ? []
      : keep(`the record no longer exists; ${other}, which has its name, is kept`);
  }
  if (name === 'accounts')
    return keep(`an account is deleted only by name: ${nextStep`accounts delete NAME`}`);
  const object = { kind: name, id: live.id };
  if (step.end?.entry?.protect || isProtected(ledger, object)) return keep('it is protected');
  const [owner] = otherOwners([ledger], part.start.set).get(objectName(object)) ?? [];
  if (owner) return keep(`the manifest set ${JSON.stringify(owner.set)} manages it`);
  // An administrator who is signed in makes telctl refuse the whole plan.
  if (live.id === observed.account.ownerId && live.record?.priv_level !== 'admin')
    return keep('it is the signed-in user');
  if (!kind.calls.delete) return keep('the service cannot delete it');
  if (!live.record && !overwrite)
    return keep('it cannot be read, so it is unknown whether others changed it', true);
  const changed = live.record ? changesSince(step, part, kind, live.record) : [];
  if (changed.length > 0 && !overwrite) return keep(`others changed it since: ${changed.join(', ')}`, true);
  return [planDelete({ key, kind: name, name: nameInKey(key), label, id: live.id }, live.record)];
}

/** Returns the old values, except values that are unknown or that others changed since. */
export function undoUpdate(
  step: RunStep,
  part: RunPart,
  observed: Observed,
  overwrite: boolean,
  leave: Leave,
): readonly DesiredObject[] {
  const { key, kind: name } = step.planned;
  const kind = kindByName(name);
  const live = observed.matches.get(key);
  const { before, unkept = [] } = step.begin ?? {};
  const { unseen = [] } = step.end ?? {};
  if (unkept.length > 0) leave(step, `the old value is unknown: ${unkept.join(', ')}`);
  if (unseen.length > 0) leave(step, `the record does not show ${unseen.join(', ')}`);
  if (!isObject(before) || Object.keys(before).length === 0) return [];
  if (!live?.record) {
    leave(step, live ? 'it cannot be read from this service' : 'it no longer exists');
    return [];
  }
  const { record } = live;
  const next = withMergePatch(record, before);
  const wanted = listLeaves(kind.schema, before).map(({ path }) => path);
  const changed = changesSince(step, part, kind, record);
  const kept = overwrite ? [] : wanted.filter((path) => changed.some((other) => areNested(other, path)));
  if (kept.length > 0) leave(step, `others changed it since: ${kept.join(', ')}`, true);
  const free = wanted.filter((path) => !kept.includes(path));
  const paths = free.filter((path) => {
    const secret = requiredSecret(kind, path);
    if (secret === undefined) return true;
    const assignment = `${path}=${String(valueAtKeys(next, splitPath(path)) ?? '')}`;
    const command = nextStep`${commandWordsOf(kind.resource)} patch ${live.id} --set ${assignment} ${`--${secret}-file`} FILE`;
    leave(step, `the service accepts the old ${path} only with a new ${secret}: ${command}`);
    return false;
  });
  if (paths.length === 0) return [];
  const fields = paths.reduce<JsonObject>(
    (part, path) => withValue(part, splitPath(path), valueAtKeys(next, splitPath(path)) ?? null),
    {},
  );
  return [restoredObject(step, fields)];
}

/** Returns the secret that must be sent with a new value, such as a password with a username. It is not stored. */
function requiredSecret({ resource, schema }: Kind, path: string): string | undefined {
  const rule = resource.together?.find(({ fields }) => fields.includes(path));
  return rule?.fields.find((field) => field !== path && findFieldNode(schema, field)?.writeOnly === true);
}

/** Creates the deleted object again. Returns nothing if the object is unknown or its name is taken. */
export function undoDelete(
  step: RunStep,
  observed: Observed,
  leave: Leave,
  newPassword: () => string,
): readonly DesiredObject[] {
  const { kind: name } = step.planned;
  const kind = kindByName(name);
  const { before, unkept = [], entry } = step.begin ?? {};
  if (!isObject(before) || Object.keys(before).length === 0) {
    leave(step, 'its old values are unknown');
    return [];
  }
  if (!kind.calls.create) {
    leave(step, 'the service cannot create it again');
    return [];
  }
  if (name === 'accounts') leave(step, 'it is created again empty, because its content is not stored');
  const other = findNamesake(kind, before, observed);
  if (other !== undefined && other === step.begin?.id) return [];
  if (other !== undefined) {
    leave(step, `another one with its name exists: ${other}`);
    return [];
  }
  const isLoginName = name === 'users' && typeof before.username === 'string';
  const neverShown = Object.keys(entry?.fields ?? {}).filter(
    (path) => findFieldNode(kind.schema, path)?.writeOnly,
  );
  const lost = [...new Set([...unkept, ...neverShown])].filter((path) => !isLoginName || path !== 'password');
  if (lost.length > 0) leave(step, `it is created again without ${lost.join(', ')}, which is not stored`);
  if (isLoginName)
    leave(
      step,
      `it is created again with a random password: set one with ${nextStep`users password ${String(before.username)}`}`,
    );
  const fields = isLoginName ? { ...before, password: newPassword() } : before;
  return [restoredObject(step, fields)];
}

export function findNamesake(
  kind: Kind,
  record: JsonObject,
  { listed }: Pick<Observed, 'listed'>,
): string | undefined {
  const key = kind.keys.find((each) => record[each] !== undefined && record[each] !== null);
  if (key === undefined) return undefined;
  const canonicalForm = (value: Json): Json => canonicalField(kind, key, value);
  const found = listed.get(kind.name)?.find((item) => {
    const value = item[key];
    return value !== undefined && isEqualJson(canonicalForm(value), canonicalForm(record[key] ?? null));
  });
  return typeof found?.id === 'string' ? found.id : undefined;
}

function restoredObject({ planned, begin }: RunStep, fields: JsonObject): DesiredObject {
  const { key } = planned;
  const { name: kind, keys } = kindByName(planned.kind);
  const name = (keys[0] === 'id' ? begin?.id : undefined) ?? nameInKey(key);
  const protect = begin?.entry?.protect ?? false;
  return { ...desiredObject(kind, name, fields, placesAt('log')), key, protect };
}
