import type { Report } from '../../input/read-fields.ts';
import type { DesiredAccount, DesiredObject } from './desired.ts';
import { neededFirst } from './late-fields.ts';

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
