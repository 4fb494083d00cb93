import { isObject, type Json, type JsonObject } from '../base/json.ts';
import { resolved, type Schema, type SchemaNode } from './schema-node.ts';
import { routablePattern } from './structures.ts';

const routable = new RegExp(routablePattern);

/** A number without the blanks and marks that people write it with; text that holds anything else as it is. */
export const dialledDigits = (typed: string): string =>
  /^\s*\+?[\d\s()./-]*\d[\d\s()./-]*$/.test(typed) ? typed.replaceAll(/[\s()./-]/g, '') : typed;

/**
 * A number as services keep what was sent: ten digits, eleven with a leading 1, and what follows 011 or 00 become
 * E.164. Everything else stays as typed, numbers with blanks or marks in them, which no call matches (Conventions,
 * Phone numbers).
 */
export function keptNumber(sent: string): string {
  if (/^1?\d{10}$/.test(sent)) return `+1${sent.slice(-10)}`;
  const [, abroad] = /^(?:011|00)(\d{7,})$/.exec(sent) ?? [];
  return abroad ? `+${abroad}` : sent;
}

/** Digits as they are kept by services that take them for a number: `0300` is `300`. Other text stays as it is. */
export const countedDigits = (text: string): string =>
  /^\d+$/.test(text) ? text.replace(/^0+(?=\d)/, '') : text;

/** A hardware address as services keep it: `00:04:F2:AB:7E:FD` is `0004f2ab7efd`. Text without such digits stays. */
export const hexDigits = (text: string): string => text.toLowerCase().replaceAll(/[^\da-f]/g, '') || text;

/** The number that a call to what somebody typed is matched by, in E.164; extensions without blanks and marks. */
export const normalisedNumber = (typed: string): string => keptNumber(dialledDigits(typed));

/** True when text is a number of the public network rather than an extension (Conventions, Phone numbers). */
export const isRoutable = (typed: string): boolean => routable.test(dialledDigits(typed));

/** True for the fields in which calls are looked up, or numbers are named: texts, lists of them, keys of a map. */
const isDialled = (node: SchemaNode | undefined): boolean => node?.['x-dialled'] === true;

export const holdsNumbers = (schema: Schema, field: string): boolean =>
  isDialled(resolved(schema, schema).properties?.[field]);

/** Data whose numbers are free of blanks and marks: services keep them as typed, and no call matches them. */
export function withDialledNumbers(schema: Schema, data: JsonObject): JsonObject {
  const fields = Object.keys(data).filter((field) => holdsNumbers(schema, field));
  if (fields.length === 0) return data;
  return { ...data, ...Object.fromEntries(fields.map((field) => [field, dialledIn(data[field])])) };
}

function dialledIn(value: Json | undefined): Json | undefined {
  if (typeof value === 'string') return dialledDigits(value);
  if (Array.isArray(value))
    return value.map((item: Json) => (typeof item === 'string' ? dialledDigits(item) : item));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [dialledDigits(key), inner]));
}
