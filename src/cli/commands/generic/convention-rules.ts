import { isObject, type Json, valueAt } from '../../../base/json.ts';
import { suggestAllowed } from '../../../base/nearest.ts';
import { doubtKey, shownAtMost } from '../../../base/wording.ts';
import { comparedForm, missingCompanions, requiredFields } from '../../../contract/schema.ts';
import type { Resource } from '../../../contract/types.ts';
import { type Problem, problemsFailure } from '../../../engine/input/document.ts';
import type { InputRecord } from '../../../engine/input/read-records.ts';
import type { Context } from '../../command/context.ts';
import { checkNumberClasses } from '../records/number-classes.ts';
import type { Purpose } from './input.ts';

/**
 * Checks valid records by the rules of compatible services. Warns about violations, because this service may differ.
 * Throws `invalid` for values that services refuse or ignore, unless unknown fields are allowed. With `strictInput`,
 * throws for all violations.
 */
export async function checkConventions(
  context: Context,
  resource: Resource,
  purpose: Purpose,
  records: readonly InputRecord[],
  {
    strictInput,
    allowUnknownFields,
  }: { readonly strictInput: boolean; readonly allowUnknownFields: boolean },
): Promise<void> {
  const { notices } = context;
  const problems = [
    ...(await brokenConventions(resource, purpose, records)),
    ...(await unknownKeys(context, resource, records)),
  ];
  if (problems.length === 0) return;
  const refused = strictInput ? problems : allowUnknownFields ? [] : problems.filter((each) => each.refused);
  if (refused.length > 0)
    throw problemsFailure(
      refused,
      strictInput ? undefined : 'If this service supports the value, send it with --allow-unknown-fields.',
    );
  for (const { place, message, field, isAccepted } of problems.slice(0, shownAtMost)) {
    const refusal = isAccepted ? '' : '; a KAZOO-compatible service would refuse the request';
    notices.warnAboutField(field, `${place}: ${message}${refusal}`);
  }
  if (problems.length > shownAtMost)
    notices.warnAboutField('', `… and ${problems.length - shownAtMost} more of this kind`);
}

/** `isAccepted`: services accept the request, but ignore or misinterpret the key. */
type Violation = Problem & { readonly field: string; readonly isAccepted?: true };

async function unknownKeys(
  context: Context,
  { schema }: Resource,
  records: readonly InputRecord[],
): Promise<readonly Violation[]> {
  const { findNumberClasses: classesIn, wordFindings } = await import('../../../contract/word-findings.ts');
  const fieldOf = warningKeys(records);
  const found: readonly Violation[] = records.flatMap((record) =>
    wordFindings(schema, record.value).map(({ path, message, near: _, ...more }) => ({
      field: fieldOf(record, path),
      isAccepted: true as const,
      ...record.problem(path, message),
      ...more,
    })),
  );
  const named = records.flatMap((record) =>
    classesIn(schema, record.value).map(({ name, path }) => ({
      name,
      problem: (message: string): Violation => ({
        field: fieldOf(record, path),
        isAccepted: true,
        ...record.problem(path, message),
      }),
    })),
  );
  if (named.length === 0 && !found.some(({ unknownClass }) => unknownClass)) return found;
  return checkNumberClasses(context, await context.accountId(), found, named);
}

/** Returns the key of a warning about a field. The warning is dropped if the service refuses the field. */
const warningKeys =
  (records: readonly InputRecord[]) =>
  (record: InputRecord, field: string): string =>
    records.length === 1 ? field : doubtKey(record.place(), field);

async function brokenConventions(
  resource: Resource,
  purpose: Purpose,
  records: readonly InputRecord[],
): Promise<readonly Violation[]> {
  const [{ createValidator }, { isRefusedWord }, { recordFindings }] = await Promise.all([
    import('../../../contract/validate.ts'),
    import('../../../contract/word-findings.ts'),
    import('../../../contract/record-findings.ts'),
  ]);
  const partial = purpose === 'patch';
  const required = partial ? [] : requiredFields(resource, purpose, ['specification', 'convention']);
  // The records already match the specification, so any violation is one of a convention.
  const check = createValidator(resource.schema, 'conventions', { required, partial });
  // For a single record the service decides, and missing fields are asked for at a terminal.
  const fieldOf = warningKeys(records);
  const beside =
    purpose === 'create' && records.length > 1 ? dependentFields(resource, records, fieldOf) : [];
  const broken = records.flatMap((record) =>
    check(record.value).map(({ path, message, rule, target, value }) => ({
      field: fieldOf(record, path),
      ...(isRefusedWord(resource.schema, { path, rule }) ? { refused: true as const } : {}),
      ...record.problem(
        path.replaceAll('%2E', '.'),
        rule === 'required'
          ? `"${path}" is missing`
          : `${path === '' ? `the ${resource.singular}` : `"${path}"`} ${message}${suggestAllowed({ rule, target, value })}`,
      ),
    })),
  );
  return [
    ...broken,
    ...beside,
    ...records.flatMap((record) =>
      recordFindings(resource, record.value, { partial }).map(({ field, message }) => ({
        field: fieldOf(record, field),
        ...record.problem(field, message),
        isAccepted: true as const,
      })),
    ),
  ];
}

/** Finds fields that new records need because of others, such as a password for a username. */
const dependentFields = (
  resource: Resource,
  records: readonly InputRecord[],
  fieldOf: ReturnType<typeof warningKeys>,
) =>
  records.flatMap((record) =>
    missingCompanions(resource, record.value).map(({ field, beside }) => ({
      field: fieldOf(record, field),
      ...record.problem('', `"${field}" is missing, but "${beside}" is set`),
    })),
  );

/** Throws `invalid`, before the first request, with every unique value that two new records share. */
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
            record.problem(field, `${JSON.stringify(value)} is already the ${field} at ${before.place()}`),
          );
        else taken.set(key, record);
      }
  if (problems.length > 0) throw problemsFailure(problems);
}

const scalarsOf = (value: Json | undefined): readonly string[] =>
  (Array.isArray(value) ? value : [value]).flatMap((each: Json | undefined) =>
    each === undefined || each === null || isObject(each) || Array.isArray(each) ? [] : [String(each)],
  );
