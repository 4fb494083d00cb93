import { type Json, valueAt } from '../../../base/json.ts';
import { joinWithOr } from '../../../base/wording.ts';
import { normalisedNumber } from '../../../contract/phone-number.ts';
import { comparedForm } from '../../../contract/schema.ts';
import type { UniqueRule } from '../../../contract/types.ts';
import type { ProblemReport } from '../../input/read-fields.ts';
import type { DesiredObject } from '../desired.ts';
import { kindByName } from '../kinds.ts';
import type { ReadAccounts } from './read-accounts.ts';

type Named = Pick<DesiredObject, 'kind' | 'name' | 'fields' | 'id'>;

interface Claim<T extends Named> {
  readonly object: T;
  readonly field: string;
  readonly value: string;
  readonly compared: string;
}

function nonEmptyValues(value: Json | undefined): readonly string[] {
  const items: readonly (Json | undefined)[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) =>
    typeof item === 'number' || (typeof item === 'string' && item !== '') ? [String(item)] : [],
  );
}

/**
 * Returns true if the manifest contains the id, or if the local name is an id, as in exports of objects without a
 * unique name.
 */
export const isNamedById = ({ id, name }: Pick<Named, 'id' | 'name'>): boolean =>
  id !== undefined || /^[0-9a-f]{32}$/.test(name);

const findUniqueRule = ({ kind }: Named, field: string): UniqueRule | undefined =>
  kindByName(kind).resource.unique.find((rule) => rule.field === field);

function listClaims<T extends Named>(object: T, field: string): readonly Claim<T>[] {
  const form = createNormalizer(object, field);
  return nonEmptyValues(valueAt(object.fields, field)).map((value) => ({
    object,
    field,
    value,
    compared: form(value),
  }));
}

function createNormalizer({ kind }: Named, field: string): (value: string) => string {
  if (kind === 'callflows' && field === 'numbers') return normalisedNumber;
  const { resource } = kindByName(kind);
  return (value) => comparedForm(resource, field, value);
}

/** For objects whose local name is their id, such as phone numbers. */
const idClaim = <T extends Named>(object: T): Claim<T> => ({
  object,
  field: 'id',
  value: object.name,
  compared: normalisedNumber(object.name),
});

/** Two objects with the same value, or an object without a natural key. */
type Trouble<T extends Named> =
  | { readonly first: Claim<T>; readonly claim: Claim<T> }
  | { readonly keyless: T; readonly keys: readonly string[] };

/** Finds objects that cannot be distinguished. `inService` contains values that are unique in the whole service. */
function* findTroubles<T extends Named>(
  objects: readonly T[],
  inService: Map<string, Claim<T>>,
): Generator<Trouble<T>> {
  const inAccount = new Map<string, Claim<T>>();
  const claimValue = function* (taken: Map<string, Claim<T>>, claim: Claim<T>): Generator<Trouble<T>> {
    const slot = `${claim.object.kind}\0${claim.field}\0${claim.compared}`;
    const first = taken.get(slot);
    if (first === undefined) taken.set(slot, claim);
    else if (first.object !== claim.object && !(isNamedById(first.object) && isNamedById(claim.object)))
      yield { first, claim };
  };
  for (const object of objects) {
    const kind = kindByName(object.kind);
    if (kind.shape === 'one') continue;
    for (const { field, within } of kind.resource.unique)
      for (const claim of listClaims(object, field))
        yield* claimValue(within === 'service' ? inService : inAccount, claim);
    if (kind.keys.includes('id')) yield* claimValue(inAccount, idClaim(object));
    if (kind.keys.includes('id') || isNamedById(object)) continue;
    const best = kind.keys.find((key) => nonEmptyValues(valueAt(object.fields, key)).length > 0);
    if (best === undefined) yield { keyless: object, keys: kind.keys };
    else if (!findUniqueRule(object, best))
      for (const claim of listClaims(object, best)) yield* claimValue(inAccount, claim);
  }
}

/** Returns objects that only their ids distinguish. */
export const objectsThatNeedIds = <T extends Named>(objects: readonly T[]): ReadonlySet<T> =>
  new Set(
    [...findTroubles(objects, new Map())].flatMap((trouble) =>
      'keyless' in trouble ? [trouble.keyless] : [trouble.first.object, trouble.claim.object],
    ),
  );

/** With `allowUnset`, ignores objects whose key is an unset variable. */
export function checkNaturalKeys(
  { accounts, broken }: ReadAccounts,
  report: ProblemReport,
  allowUnset = false,
): void {
  const inService = new Map<string, Claim<DesiredObject>>();
  for (const { objects } of accounts)
    for (const trouble of findTroubles(objects, inService)) {
      if ('first' in trouble) {
        reportClash(trouble.first, trouble.claim, report);
        continue;
      }
      const { keyless: object, keys } = trouble;
      if (!broken.has(object) && !(allowUnset && isUnset(object, keys)))
        report.problem(object.problem('', keylessProblem(object, keys)));
    }
}

const isUnset = ({ unset }: DesiredObject, keys: readonly string[]): boolean =>
  keys.some((field) => unset.includes(field));

function keylessProblem(object: DesiredObject, keys: readonly string[]): string {
  const why = isUnset(object, keys) ? ', which is not set,' : '';
  return `${object.key} needs ${joinWithOr(keys.map((key) => `"${key}"`))}${why} to identify it in the account`;
}

function reportClash(
  first: Claim<DesiredObject>,
  { object, field, value, compared }: Claim<DesiredObject>,
  report: ProblemReport,
): void {
  const isSpelled = findUniqueRule(object, field)?.countsDigits === true && value !== first.value;
  const also = isSpelled ? `, which services keep as ${shownKeyValue(object, field, compared)}` : '';
  report.problem(
    object.problem(
      field,
      `${first.object.key} (${first.object.place(field)}) has the same "${field}": ${shownKeyValue(object, field, value)}${also}`,
    ),
  );
}

const shownKeyValue = ({ confidential }: DesiredObject, field: string, value: string): string =>
  confidential.some((path) => path === field || path.startsWith(`${field}.`))
    ? 'the same value from the environment or a file'
    : JSON.stringify(value);
