import { type Decimal, decimal } from '../../base/decimal.ts';
import type { Json, JsonObject } from '../../base/json.ts';
import { said } from './charges.ts';

/** A number exactly as the service wrote it. */
export const signed = (value: Json | undefined): Decimal | undefined =>
  typeof value === 'number' ? decimal(String(value)) : undefined;

/** A number that is not negative. */
export function amount(value: Json | undefined): Decimal | undefined {
  const read = signed(value);
  return read && read.units >= 0n ? read : undefined;
}

/** A whole number. */
export const whole = (value: Json | undefined): Decimal | undefined =>
  Number.isSafeInteger(value) ? signed(value) : undefined;

/** The fields that are not among those known, as text. */
export const strangeFields = (fields: JsonObject, known: ReadonlySet<string>): readonly string[] =>
  Object.entries(fields)
    .filter(([field]) => !known.has(field))
    .map(([field, value]) => said(`${field}=${JSON.stringify(value)}`));
