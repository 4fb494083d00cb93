import { type JsonObject, omitKeys } from '../../../base/json.ts';
import type { ProblemReport } from '../../input/read-fields.ts';
import { type DesiredAccount, type DesiredObject, referencesIn } from '../desired.ts';
import { type Kind, kindByName, kinds } from '../kinds.ts';
import { type Step, secondStep } from '../plan.ts';
import type { DraftStep } from './plan-object.ts';

/** Starts with `keys`, in order. Iterative, because chains can be long. */
function* findCircles(
  keys: Iterable<string>,
  refersTo: (key: string) => readonly string[],
): Generator<readonly string[]> {
  const done = new Set<string>();
  const onPath = new Set<string>();
  for (const root of keys) {
    if (done.has(root)) continue;
    const path = [{ key: root, rest: refersTo(root).values() }];
    onPath.add(root);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { value: next, done: isOver } = top.rest.next();
      if (isOver) {
        path.pop();
        onPath.delete(top.key);
        done.add(top.key);
      } else if (onPath.has(next)) {
        const above = path.map(({ key }) => key);
        yield above.slice(above.indexOf(next));
      } else if (!done.has(next)) {
        path.push({ key: next, rest: refersTo(next).values() });
        onPath.add(next);
      }
    }
  }
}

/** Ignores fields that can be set later (`late`). */
export function checkCycles({ objects }: DesiredAccount, report: ProblemReport): void {
  const byKey = new Map(objects.map((object) => [object.key, object]));
  const neededObjects = (key: string): readonly string[] => {
    const object = byKey.get(key);
    return object === undefined ? [] : neededKeys(object);
  };
  for (const circle of findCircles(byKey.keys(), neededObjects)) reportCircle(circle, byKey, report);
}

function reportCircle(
  keys: readonly string[],
  byKey: ReadonlyMap<string, DesiredObject>,
  report: ProblemReport,
): void {
  const [first] = keys.flatMap((key) => byKey.get(key) ?? []);
  if (first === undefined) return;
  if (keys.length === 1) {
    report.problem(first.problem('', `${first.key} refers to itself`));
    return;
  }
  const steps = keys.map((key) => `${key} (${byKey.get(key)?.place()})`);
  report.problem(
    first.problem(
      '',
      `references are circular: ${[...steps, first.key].join(' → ')}; none of them can be created first`,
    ),
  );
}

/** Separates the fields that a later update can set (the contract's `late`). */
function splitFields(
  kind: Kind,
  fields: JsonObject,
): { readonly early: JsonObject; readonly late: JsonObject } {
  // Without PATCH, the update would replace the whole record.
  const names = kind.calls.patch ? (kind.resource.late ?? []) : [];
  if (!names.some((name) => Object.hasOwn(fields, name))) return { early: fields, late: {} };
  const early = omitKeys(fields, names);
  return { early, late: omitKeys(fields, Object.keys(early)) };
}

export function neededKeys(object: Pick<DesiredObject, 'kind' | 'fields' | 'refersTo'>): readonly string[] {
  if (object.refersTo.length === 0) return object.refersTo;
  const { early } = splitFields(kindByName(object.kind), object.fields);
  return early === object.fields ? object.refersTo : referencesIn(early);
}

/** Returns the references to remove so that no circle remains. Earlier `keys` keep references to later ones. */
export function findCuts(
  keys: readonly string[],
  refersTo: (key: string) => readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const cuts = new Map<string, Set<string>>();
  for (const circle of findCircles(keys, refersTo)) {
    const [to = ''] = circle;
    const from = circle.at(-1) ?? '';
    cuts.set(from, (cuts.get(from) ?? new Set()).add(to));
  }
  return cuts;
}

interface Created {
  readonly draft: DraftStep;
  readonly late: JsonObject;
  readonly needs: Set<string>;
  readonly lateNeeds: readonly string[];
}

const order = new Map(kinds.map(({ name }, index) => [name, index]));

/** Creates as few objects as possible without their late fields. A second step sends those fields. */
export function splitCircles(drafts: readonly DraftStep[]): readonly DraftStep[] {
  const created = listCreates(drafts);
  const candidates = [...created.values()]
    .filter(({ lateNeeds }) => lateNeeds.length > 0)
    .sort(
      ({ draft: { step: one } }, { draft: { step: other } }) =>
        (order.get(other.kind) ?? 0) - (order.get(one.kind) ?? 0) || (one.key < other.key ? -1 : 1),
    );
  const putOff = new Map<string, string>();
  for (const { draft, needs, lateNeeds } of candidates) {
    const { key } = draft.step;
    // The last reference usually closes the circle. In a user's directory, it is the callflow.
    const waitsFor = lateNeeds.findLast((other) => dependsOn(created, other, key));
    if (waitsFor === undefined) for (const other of lateNeeds) needs.add(other);
    else putOff.set(key, waitsFor);
  }
  if (putOff.size === 0) return drafts;
  return drafts.flatMap((draft) => {
    const waitsFor = putOff.get(draft.step.key);
    const known = created.get(draft.step.key);
    const other = waitsFor === undefined ? undefined : created.get(waitsFor);
    return known && other ? splitCreate(known, other.draft.step) : [draft];
  });
}

function listCreates(drafts: readonly DraftStep[]): ReadonlyMap<string, Created> {
  const creates = drafts.filter(({ step }) => step.by === 'create');
  const keys = new Set(creates.map(({ step }) => step.key));
  const knownReferences = (fields: JsonObject): readonly string[] =>
    referencesIn(fields).filter((key) => keys.has(key));
  return new Map(
    creates.map((draft) => {
      const { step, refersTo } = draft;
      // Most objects have no references.
      if (refersTo.length === 0) return [step.key, { draft, late: {}, needs: new Set(), lateNeeds: [] }];
      const { early, late } = splitFields(kindByName(step.kind), step.send ?? {});
      return [
        step.key,
        { draft, late, needs: new Set(knownReferences(early)), lateNeeds: knownReferences(late) },
      ];
    }),
  );
}

/** Returns true if an object depends on another, or is the same object. */
function dependsOn(created: ReadonlyMap<string, Created>, from: string, to: string): boolean {
  const seen = new Set([from]);
  const open = [from];
  for (let key = open.pop(); key !== undefined; key = open.pop()) {
    if (key === to) return true;
    for (const next of created.get(key)?.needs ?? [])
      if (!seen.has(next)) {
        seen.add(next);
        open.push(next);
      }
  }
  return false;
}

/** Splits a create into one without late fields, and an update that sends them. */
function splitCreate({ draft, late, needs, lateNeeds }: Created, waitsFor: Step): readonly DraftStep[] {
  const { step } = draft;
  const isLate = ({ path }: Step['changes'][number]): boolean => Object.hasOwn(late, path);
  const earlyFields = (fields: JsonObject = {}) => splitFields(kindByName(step.kind), fields).early;
  const changes = step.changes.filter((change) => !isLate(change));
  const first: Step = { ...step, changes, send: earlyFields(step.send), managed: earlyFields(step.managed) };
  const once = waitsFor.key === step.key ? 'it' : waitsFor.label;
  const second: Step = {
    ...secondStep(step, 'late', `set, once ${once} is there`),
    changes: step.changes.filter(isLate),
    send: late,
    by: 'patch',
    completes: step.key,
  };
  return [
    { ...draft, step: first, next: earlyFields(draft.next), refersTo: [...needs] },
    { step: second, record: undefined, next: late, refersTo: [step.key, ...lateNeeds] },
  ];
}
