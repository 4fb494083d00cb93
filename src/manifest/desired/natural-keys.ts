import { type Json, valueAt } from '../../base/json.ts';
import { normalisedNumber } from '../../contract/phone-number.ts';
import { comparedForm } from '../../contract/schema.ts';
import type { UniqueRule } from '../../contract/types.ts';
import type { Report } from '../../input/read-fields.ts';
import type { DesiredObject } from '../desired.ts';
import { kindByName } from '../kinds.ts';
import type { ReadAccounts } from './read-accounts.ts';

/** A value of a field that tells objects apart. */
interface Claim {
  readonly object: DesiredObject;
  readonly field: string;
  /** As messages show it. */
  readonly value: string;
  /** As it is compared. */
  readonly compared: string;
}

const listOf = (items: readonly string[]): string =>
  items.length === 1
    ? `"${items[0]}"`
    : `${items
        .slice(0, -1)
        .map((item) => `"${item}"`)
        .join(', ')} or "${items.at(-1)}"`;

/** The values of a field, those of an array one by one; nothing that is empty. */
function valuesOf(value: Json | undefined): readonly string[] {
  const items: readonly (Json | undefined)[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) =>
    typeof item === 'number' || (typeof item === 'string' && item !== '') ? [String(item)] : [],
  );
}

/** A local name that is an id says by itself which object is meant, as exports write it where a name would not. */
const isId = (name: string): boolean => /^[0-9a-f]{32}$/.test(name);

const ruleOf = ({ kind }: DesiredObject, field: string): UniqueRule | undefined =>
  kindByName(kind).resource.unique.find((rule) => rule.field === field);

/** Returns the values that an object claims in a field. */
function claimsIn(object: DesiredObject, field: string): readonly Claim[] {
  const form = formOf(object, field);
  return valuesOf(valueAt(object.fields, field)).map((value) => ({
    object,
    field,
    value,
    compared: form(value),
  }));
}

/** The form in which the service compares values of a field. */
function formOf({ kind }: DesiredObject, field: string): (value: string) => string {
  if (kind === 'callflows' && field === 'numbers') return normalisedNumber;
  const { resource } = kindByName(kind);
  return (value) => comparedForm(resource, field, value);
}

/** Returns the claim of an object whose local name is its id: a phone number. */
const idClaim = (object: DesiredObject): Claim => ({
  object,
  field: 'id',
  value: object.name,
  compared: normalisedNumber(object.name),
});

/**
 * Reports objects that could not be found again, since they name none of the fields by which that is done (an unset
 * variable is excused with `allowUnset`), and objects that cannot both be: two of one natural key, or of one value of
 * a field that is unique.
 */
export function checkNaturalKeys(
  { accounts, broken }: ReadAccounts,
  report: Report,
  allowUnset = false,
): void {
  /** Across all accounts, for what is unique in the whole service. */
  const inService = new Map<string, Claim>();
  for (const { objects } of accounts) {
    const inAccount = new Map<string, Claim>();
    for (const object of objects) {
      const kind = kindByName(object.kind);
      if (kind.shape === 'one') continue;
      for (const { field, within } of kind.resource.unique)
        for (const claim of claimsIn(object, field))
          take(within === 'service' ? inService : inAccount, claim, report);
      if (kind.keys.includes('id')) take(inAccount, idClaim(object), report);
      if (kind.keys.includes('id') || isId(object.name)) continue;
      const best = kind.keys.find((key) => claimsIn(object, key).length > 0);
      if (best !== undefined) {
        if (!ruleOf(object, best)) for (const claim of claimsIn(object, best)) take(inAccount, claim, report);
      } else if (!broken.has(object) && !(allowUnset && isUnset(object, kind.keys)))
        report.problem(object.problem('', keyless(object, kind.keys)));
    }
  }
}

const isUnset = ({ unset }: DesiredObject, keys: readonly string[]): boolean =>
  keys.some((field) => unset.includes(field));

function keyless(object: DesiredObject, keys: readonly string[]): string {
  const why = isUnset(object, keys) ? ', which is not set' : '';
  return `${object.key} needs ${listOf(keys)}${why}: by that it is found in the account`;
}

function take(taken: Map<string, Claim>, claim: Claim, report: Report): void {
  const { object, field, value, compared } = claim;
  const slot = `${object.kind}\0${field}\0${compared}`;
  const first = taken.get(slot);
  if (first === undefined) taken.set(slot, claim);
  else if (first.object !== object) {
    const isSpelled = ruleOf(object, field)?.countsDigits === true && value !== first.value;
    const also = isSpelled ? `, which services keep as ${shown(object, field, compared)}` : '';
    report.problem(
      object.problem(
        field,
        `${first.object.key} (${first.object.place(field)}) has the same "${field}": ${shown(object, field, value)}${also}`,
      ),
    );
  }
}

const shown = ({ confidential }: DesiredObject, field: string, value: string): string =>
  confidential.some((path) => path === field || path.startsWith(`${field}.`))
    ? 'the same value from the environment or a file'
    : JSON.stringify(value);
