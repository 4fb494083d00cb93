import type { JsonObject } from '../../../base/json.ts';
import { kindByName } from '../kinds.ts';
import type { Change, Observed, Step } from '../plan.ts';
import { idsIn } from '../prune.ts';
import { sendable } from '../sendable.ts';
import { type Clash, clashesOf, releasing } from './clashes.ts';
import { withLateSteps } from './late-steps.ts';
import type { Draft } from './plan-object.ts';

/** Steps that each step must follow, by key. */
type After = Map<string, Set<string>>;

/**
 * The steps in an order in which they can be done one by one: creates before what refers to them, in two steps where
 * they refer to each other; a value that can
 * stand once only is given up before another object takes it, and where two of them wait for each other, one gives
 * it up for a while; deletes last, downwards.
 */
export function arranged(planned: readonly Draft[], observed: Observed): readonly Step[] {
  const drafts = withLateSteps(planned);
  const after: After = new Map(drafts.map(({ step }) => [step.key, new Set()]));
  const afterOf = (key: string): readonly string[] => [...(after.get(key) ?? [])];
  const add = (key: string, other: string): boolean => {
    if (key === other || follows(afterOf, other, key)) return false;
    after.get(key)?.add(other);
    return true;
  };
  referencesFirst(drafts, add);
  deletesLast(drafts, add);
  partsAfterWholes(drafts, add);
  const { clashes, obstacles } = clashesOf(drafts, observed);
  // By name, so that the order of files does not decide who gives way.
  const stuck = clashes.toSorted(byKeys).filter(({ taker, holder }) => !add(taker.step.key, holder.step.key));
  const notes = new Map<string, readonly string[]>();
  for (const { taker, note } of obstacles) notes.set(taker, [...(notes.get(taker) ?? []), note]);
  const releases = [...Map.groupBy(stuck, ({ holder }) => holder)].map(([holder, given]) => {
    const release = releaseStep(holder, given);
    after.set(release.key, new Set());
    after.get(holder.step.key)?.add(release.key);
    for (const { taker } of given) after.get(taker.step.key)?.add(release.key);
    return { step: release, refersTo: [] };
  });
  const things = [...releases, ...drafts].map(({ step, refersTo }) => {
    const more = notes.get(step.key) ?? [];
    const whole: Step = { ...step, after: afterOf(step.key), notes: [...step.notes, ...more] };
    return { key: step.key, after: whole.after, rather: refersTo, step: whole };
  });
  return inOrder(things).map(({ step }) => step);
}

const byKeys = (one: Clash, other: Clash): number =>
  compare(one.taker.step.key, other.taker.step.key) || compare(one.holder.step.key, other.holder.step.key);

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

function referencesFirst(drafts: readonly Draft[], add: (key: string, other: string) => boolean): void {
  const created = new Set(drafts.flatMap(({ step }) => (step.action === 'create' ? [step.key] : [])));
  for (const { step, refersTo } of drafts) {
    if (step.send === undefined) continue;
    for (const key of refersTo) if (created.has(key)) add(step.key, key);
  }
}

/** Puts deletes after all that stops referring to them. */
function deletesLast(drafts: readonly Draft[], add: (key: string, other: string) => boolean): void {
  const doomed = new Map(
    drafts.flatMap(({ step }) => (step.action === 'delete' && step.id ? [[step.id, step] as const] : [])),
  );
  if (doomed.size === 0) return;
  const ids = new Set(doomed.keys());
  for (const { step, record, next } of drafts) {
    const left = step.action === 'delete' ? new Set<string>() : idsIn(next ?? record, ids);
    for (const id of idsIn(record, ids)) {
      const target = doomed.get(id);
      if (target !== undefined && target !== step && !left.has(id)) add(target.key, step.key);
    }
  }
}

/** Puts what the service keeps in one record one after the other: changed at once, one of them would be refused. */
function partsAfterWholes(drafts: readonly Draft[], add: (key: string, other: string) => boolean): void {
  const once = drafts.filter(({ step }) => step.send !== undefined && kindByName(step.kind).shape === 'one');
  for (const { step } of once) {
    const { partOf } = kindByName(step.kind).resource;
    const whole = once.find(({ step: other }) => kindByName(other.kind).resource.name === partOf);
    if (whole) add(step.key, whole.step.key);
  }
}

/** A step of its own in which an object gives values up, so that others can take them before its own step is done. */
function releaseStep({ step, record = {} }: Draft, given: readonly Clash[]): Step {
  const kind = kindByName(step.kind);
  const part = releasing(kind, record, given);
  const takers = [...new Set(given.map(({ taker }) => taker.step.label))].join(', ');
  const changes = given.map(
    ({ rule, value }): Change => ({ path: rule.field, how: 'changed', before: value }),
  );
  const send: JsonObject = kind.calls.patch ? part : sendable(kind, { ...record, ...part });
  return {
    key: `${step.key}:release`,
    kind: step.kind,
    name: step.name,
    label: step.label,
    action: 'update',
    ...(step.id === undefined ? {} : { id: step.id }),
    changes,
    send,
    by: kind.calls.patch ? 'patch' : 'replace',
    after: [],
    notes: [
      `gives up ${given.map(({ value }) => value).join(', ')} first, so that ${takers} can take ${given.length === 1 ? 'it' : 'them'}`,
    ],
    managed: {},
    protect: step.protect,
    releases: step.key,
  };
}

/** Something that has its place in an order. */
interface Ordered {
  readonly key: string;
  /** Keys of what must come before, if it is there at all. */
  readonly after: readonly string[];
  /** Keys of what should come before, as far as that is possible. */
  readonly rather: readonly string[];
}

/** The same things, each after what it must follow and, without a circle, what it should follow. */
export function inOrder<T extends Ordered>(things: readonly T[]): readonly T[] {
  const byKey = new Map(things.map((thing) => [thing.key, thing]));
  const done = new Set<string>();
  const result: T[] = [];
  const above = new Set<string>();
  /** Tells whether a thing has its place now: not while something that it must follow still waits for its turn. */
  const visit = (thing: T): boolean => {
    if (done.has(thing.key)) return true;
    if (above.has(thing.key)) return false;
    const before = (keys: readonly string[]): readonly T[] => keys.flatMap((key) => byKey.get(key) ?? []);
    above.add(thing.key);
    const isFree = before(thing.after).every(visit);
    if (isFree) {
      for (const other of before(thing.rather)) visit(other);
      done.add(thing.key);
      result.push(thing);
    }
    above.delete(thing.key);
    return isFree;
  };
  for (const thing of things) visit(thing);
  return result;
}

/** Tells whether one thing comes after another, directly or through others, by what each must follow. */
function follows(afterOf: (key: string) => readonly string[], key: string, other: string): boolean {
  const seen = new Set<string>();
  const visit = (here: string): boolean => {
    if (here === other) return true;
    if (seen.has(here)) return false;
    seen.add(here);
    return afterOf(here).some(visit);
  };
  return visit(key);
}
