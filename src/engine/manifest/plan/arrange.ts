import { type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { comparedForm } from '../../../contract/schema.ts';
import type { UniqueRule } from '../../../contract/types.ts';
import { canonicalField, withValue } from '../canonical.ts';
import { desiredLabel } from '../desired.ts';
import { referredIds } from '../find-references.ts';
import { type Kind, kindByName } from '../kinds.ts';
import { type Change, type Observed, type Step, secondStep } from '../plan.ts';
import { toSendable } from '../sendable.ts';
import { splitCircles } from './circles.ts';
import type { DraftStep } from './plan-object.ts';

type After = Map<string, Set<string>>;

/**
 * Creates come before references to them, and deletes after references are removed. Unique values are released first.
 */
export function arrangeSteps(planned: readonly DraftStep[], observed: Observed): readonly Step[] {
  const drafts = splitCircles(planned);
  const after: After = new Map(drafts.map(({ step }) => [step.key, new Set()]));
  const stepsBefore = (key: string): readonly string[] => [...(after.get(key) ?? [])];
  const add = (key: string, other: string): boolean => {
    if (key === other || isAfter(stepsBefore, other, key)) return false;
    after.get(key)?.add(other);
    return true;
  };
  addReferenceOrder(drafts, add);
  addDeleteOrder(drafts, add);
  addPartOrder(drafts, add);
  const { clashes, notes } = findClashes(drafts, observed);
  // Sorted by key, so that the order of files does not matter.
  const stuck = clashes
    .toSorted(compareClashes)
    .filter(({ taker, holder }) => !add(taker.step.key, holder.step.key));
  const releases = [...Map.groupBy(stuck, ({ holder }) => holder)].map(([holder, given]) => {
    const release = releaseStep(holder, given);
    after.set(release.key, new Set());
    after.get(holder.step.key)?.add(release.key);
    for (const { taker } of given) after.get(taker.step.key)?.add(release.key);
    return { step: release, refersTo: [] };
  });
  const things = [...releases, ...drafts].map(({ step, refersTo }) => {
    const more = notes.get(step.key) ?? [];
    const whole: Step = { ...step, after: stepsBefore(step.key), notes: [...step.notes, ...more] };
    return { key: step.key, after: whole.after, rather: refersTo, step: whole };
  });
  return sortByDependencies(things).map(({ step }) => step);
}

const compareClashes = (one: Clash, other: Clash): number =>
  compare(one.taker.step.key, other.taker.step.key) || compare(one.holder.step.key, other.holder.step.key);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function addReferenceOrder(drafts: readonly DraftStep[], add: (key: string, other: string) => boolean): void {
  const created = new Set(drafts.flatMap(({ step }) => (step.action === 'create' ? [step.key] : [])));
  for (const { step, refersTo } of drafts) {
    if (step.send === undefined) continue;
    for (const key of refersTo) if (created.has(key)) add(step.key, key);
  }
}

/** Puts a delete after steps that remove references to its object. */
function addDeleteOrder(drafts: readonly DraftStep[], add: (key: string, other: string) => boolean): void {
  const doomed = new Map(
    drafts.flatMap(({ step }) => (step.action === 'delete' && step.id ? [[step.id, step] as const] : [])),
  );
  if (doomed.size === 0) return;
  const ids = new Set(doomed.keys());
  for (const { step, record, next } of drafts) {
    const kind = kindByName(step.kind);
    const left = step.action === 'delete' ? new Set<string>() : referredIds(kind, next ?? record, ids);
    for (const id of referredIds(kind, record, ids)) {
      const target = doomed.get(id);
      if (target !== undefined && target !== step && !left.has(id)) add(target.key, step.key);
    }
  }
}

/** Orders steps of settings that the service keeps in one record, because it refuses concurrent changes. */
function addPartOrder(drafts: readonly DraftStep[], add: (key: string, other: string) => boolean): void {
  const once = drafts.filter(({ step }) => step.send !== undefined && kindByName(step.kind).shape === 'one');
  for (const { step } of once) {
    const { partOf } = kindByName(step.kind).resource;
    const whole = once.find(({ step: other }) => kindByName(other.kind).resource.name === partOf);
    if (whole) add(step.key, whole.step.key);
  }
}

/** Creates a step in which an object releases values, so that others can take them before its own step. */
function releaseStep({ step, record = {} }: DraftStep, given: readonly Clash[]): Step {
  const kind = kindByName(step.kind);
  const part = releasedFields(kind, record, given);
  const takers = [...new Set(given.map(({ taker }) => taker.step.label))].join(', ');
  const changes = given.map(
    ({ rule, value }): Change => ({ path: rule.field, how: 'changed', before: value }),
  );
  const send: JsonObject = kind.calls.patch ? part : toSendable(kind, { ...record, ...part });
  const values = given.map(({ value }) => value).join(', ');
  const note = `gives up ${values} first, so that ${takers} can take ${given.length === 1 ? 'it' : 'them'}`;
  return {
    ...secondStep(step, 'release', note),
    changes,
    send,
    by: kind.calls.patch ? 'patch' : 'replace',
    managed: {},
    releases: step.key,
  };
}

/** `rather` contains items that come before it if possible. */
type Ordered = Pick<Step, 'key' | 'after'> & { readonly rather: readonly string[] };

/**
 * Sorts items after the items that they must follow. Also after those that they should follow, if that is not
 * circular.
 */
export function sortByDependencies<T extends Ordered>(things: readonly T[]): readonly T[] {
  const byKey = new Map(things.map((thing) => [thing.key, thing]));
  const done = new Set<string>();
  const result: T[] = [];
  const above = new Set<string>();
  /** Adds an item after the items that it must follow. Returns false if a cycle prevents that. */
  const visit = (thing: T): boolean => {
    if (done.has(thing.key)) return true;
    if (above.has(thing.key)) return false;
    const findExisting = (keys: readonly string[]): readonly T[] =>
      keys.flatMap((key) => byKey.get(key) ?? []);
    above.add(thing.key);
    const isFree = findExisting(thing.after).every(visit);
    if (isFree) {
      for (const other of findExisting(thing.rather)) visit(other);
      done.add(thing.key);
      result.push(thing);
    }
    above.delete(thing.key);
    return isFree;
  };
  for (const thing of things) visit(thing);
  return result;
}

function isAfter(afterOf: (key: string) => readonly string[], key: string, other: string): boolean {
  const seen = new Set<string>();
  const visit = (here: string): boolean => {
    if (here === other) return true;
    if (seen.has(here)) return false;
    seen.add(here);
    return afterOf(here).some(visit);
  };
  return visit(key);
}

interface UniqueValue {
  readonly rule: UniqueRule;
  readonly value: string;
}

/** One object takes a value that another one still has. */
interface Clash extends UniqueValue {
  readonly taker: DraftStep;
  readonly holder: DraftStep;
}

function uniqueValues(kind: Kind, record: JsonObject | undefined): ReadonlyMap<string, UniqueValue> {
  const found = new Map<string, UniqueValue>();
  if (record === undefined) return found;
  for (const rule of kind.resource.unique) {
    const [top = ''] = rule.field.split('.');
    const field = Object.hasOwn(record, top) ? record[top] : undefined;
    if (field === undefined) continue;
    const value = valueAt({ [top]: canonicalField(kind, top, field) }, rule.field);
    const values: readonly Json[] = Array.isArray(value) ? value : value === undefined ? [] : [value];
    for (const each of values) {
      if (typeof each !== 'string' || each === '') continue;
      const text = comparedForm(kind.resource, rule.field, each);
      found.set(`${rule.pool ?? rule.field}\0${text}`, { rule, value: each });
    }
  }
  return found;
}

function findHolders(kind: Kind, drafts: readonly DraftStep[], listed: readonly JsonObject[]) {
  const holders = new Map<string, { readonly draft?: DraftStep; readonly label: string }>();
  const planned = new Set(drafts.map(({ step }) => step.id));
  for (const record of listed)
    if (typeof record.id === 'string' && !planned.has(record.id))
      for (const name of uniqueValues(kind, record).keys())
        holders.set(name, { label: desiredLabel(kind, record.id, [record]) });
  for (const draft of drafts)
    for (const name of uniqueValues(kind, draft.record).keys())
      holders.set(name, { draft, label: draft.step.label });
  return holders;
}

/** `notes` contains values that other objects keep, by key. */
function findClashes(drafts: readonly DraftStep[], { listed }: Observed) {
  const clashes: Clash[] = [];
  const notes = new Map<string, readonly string[]>();
  for (const [name, own] of Map.groupBy(drafts, ({ step }) => step.kind)) {
    const kind = kindByName(name);
    const takers = own.filter(({ step }) => step.send !== undefined);
    if (kind.shape === 'one' || kind.resource.unique.length === 0 || takers.length === 0) continue;
    const holders = findHolders(kind, own, listed.get(name) ?? []);
    if (holders.size === 0) continue;
    for (const taker of takers) {
      const before = uniqueValues(kind, taker.record);
      for (const [place, { rule, value }] of uniqueValues(kind, taker.next)) {
        const holder = holders.get(place);
        if (holder === undefined || before.has(place)) continue;
        if (holder.draft && releasesValue(kind, holder.draft, place))
          clashes.push({ rule, value, taker, holder: holder.draft });
        else {
          const { key } = taker.step;
          const note = `${rule.field} ${value} belongs to ${holder.label}, which keeps it: the service will refuse this`;
          notes.set(key, [...(notes.get(key) ?? []), note]);
        }
      }
    }
  }
  return { clashes, notes };
}

const releasesValue = (kind: Kind, { step, next }: DraftStep, place: string): boolean =>
  step.action === 'delete' || (step.send !== undefined && !uniqueValues(kind, next).has(place));

/** Returns the fields that release values. A placeholder replaces a required value. */
function releasedFields(kind: Kind, record: JsonObject, values: readonly UniqueValue[]): JsonObject {
  let part: JsonObject = {};
  for (const [rule, some] of Map.groupBy(values, (each) => each.rule)) {
    const given = new Set(some.map(({ value }) => value));
    part = withValue(
      part,
      rule.field.split('.'),
      releasedValue(kind, rule, valueAt(record, rule.field), given),
    );
  }
  return part;
}

function releasedValue(
  kind: Kind,
  { field }: UniqueRule,
  now: Json | undefined,
  given: ReadonlySet<string>,
): Json {
  const [value = ''] = given;
  if (Array.isArray(now)) {
    const left = now.filter((each: Json) => {
      const form = canonicalField(kind, field.split('.')[0] ?? field, [each]);
      return !(Array.isArray(form) && typeof form[0] === 'string' && given.has(form[0]));
    });
    return left.length === 0 && kind.name === 'callflows' ? [placeholder(value)] : left;
  }
  const isRequired = kind.resource.required.some(
    ({ fields, on }) => fields.includes(field) && on.includes('update'),
  );
  return isRequired ? placeholder(value) : null;
}

const placeholder = (value: string): string => `moving-${value}`.slice(0, 30);
