import type { JsonObject } from '../../../base/json.ts';
import type { Report } from '../../input/read-fields.ts';
import { type DesiredAccount, type DesiredObject, referencesIn } from '../desired.ts';
import { type Kind, type KindName, kindByName } from '../kinds.ts';

/**
 * Reports objects that refer to each other in a circle, since none of them could be created first. Each circle once,
 * with the place of every object in it. References in fields that may follow later close none.
 */
export function checkCycles({ objects }: DesiredAccount, report: Report): void {
  const byKey = new Map(objects.map((object) => [object.key, object]));
  const done = new Set<string>();
  for (const { key, refersTo } of objects)
    if (refersTo.length > 0 && !done.has(key)) walk(key, byKey, done, report);
}

/** Goes along references from one object, deepest first, without a call for each step: chains can be long. */
function walk(
  start: string,
  byKey: ReadonlyMap<string, DesiredObject>,
  done: Set<string>,
  report: Report,
): void {
  const path: { readonly key: string; readonly rest: Iterator<string> }[] = [];
  const onPath = new Set<string>();
  const needsOf = (key: string): readonly string[] => {
    const object = byKey.get(key);
    return object === undefined ? [] : neededFirst(object);
  };
  const enter = (key: string): void => {
    path.push({ key, rest: needsOf(key).values() });
    onPath.add(key);
  };
  enter(start);
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    const next = top.rest.next();
    if (next.done) {
      path.pop();
      onPath.delete(top.key);
      done.add(top.key);
    } else if (onPath.has(next.value)) {
      const keys = path.map(({ key }) => key);
      tell(keys.slice(keys.indexOf(next.value)), byKey, report);
    } else if (!done.has(next.value) && byKey.has(next.value)) enter(next.value);
  }
}

function tell(keys: readonly string[], byKey: ReadonlyMap<string, DesiredObject>, report: Report): void {
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
      `references go in a circle: ${[...steps, first.key].join(' → ')}; none could be created first`,
    ),
  );
}

interface SplitFields {
  /** Fields that a create needs. */
  readonly early: JsonObject;
  /** Fields that an update may bring once the object is there. */
  readonly late: JsonObject;
}

/** Takes the fields apart that a create may leave out (the contract's `late`). */
export function splitFields(kind: Kind, fields: JsonObject): SplitFields {
  // A replacement of the whole record would not be the field alone.
  const names = kind.calls.patch ? (kind.resource.late ?? []) : [];
  if (!names.some((name) => Object.hasOwn(fields, name))) return { early: fields, late: {} };
  const entries = Object.entries(fields);
  return {
    early: Object.fromEntries(entries.filter(([name]) => !names.includes(name))),
    late: Object.fromEntries(entries.filter(([name]) => names.includes(name))),
  };
}

/** Keys of the objects without which an object cannot be created. */
export function neededFirst(object: {
  readonly kind: KindName;
  readonly fields: JsonObject;
  readonly refersTo: readonly string[];
}): readonly string[] {
  if (object.refersTo.length === 0) return object.refersTo;
  const { early } = splitFields(kindByName(object.kind), object.fields);
  return early === object.fields ? object.refersTo : referencesIn(early);
}
