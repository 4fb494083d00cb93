import { isObject, type Json, valueAt } from '../../../base/json.ts';
import { comparedForm } from '../../../contract/schema.ts';
import type { Resource } from '../../../contract/types.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import type { InputRecord } from '../../../engine/input/read-records.ts';

/**
 * Sees to it that new records do not clash with one another, before the first of them is sent. Throws `Failure` of kind
 * `invalid` with every value that may stand once only, and stands in two records.
 */
export function checkClashes(resource: Resource, records: readonly InputRecord[]): void {
  const taken = new Map<string, InputRecord>();
  const problems: Problem[] = [];
  for (const record of records)
    for (const { field, pool } of resource.unique)
      for (const value of scalarsOf(valueAt(record.value, field))) {
        const key = `${pool ?? field}\n${comparedForm(resource, field, value)}`;
        const before = taken.get(key);
        if (before !== undefined && before !== record)
          problems.push(
            record.problem(field, `${JSON.stringify(value)} is the ${field} at ${before.place()} already`),
          );
        else taken.set(key, record);
      }
  if (problems.length > 0) throw problemsFailure(problems);
}

const scalarsOf = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((each: Json | undefined) =>
    each === undefined || each === null || isObject(each) || Array.isArray(each) ? [] : [String(each)],
  );
