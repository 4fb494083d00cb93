import { type Json, type JsonObject, joinPath } from '../base/json.ts';
import { gregorianOffset } from '../base/moment.ts';
import { formatShownNumber } from '../base/shown-form.ts';
import { zoneCaveat } from './name-lists.ts';
import { findChildNode, resolveReference, type Schema, type SchemaNode } from './schema-node.ts';
import type { RecordFinding } from './types.ts';

/** Gregorian seconds of the years 316 to 3168. Unix times and dates written as digits are outside this range. */
const plausible = { from: 1e10, to: 1e11 } as const;

/** Returns the most likely meaning of a number outside the range, with its Unix time in milliseconds. */
function guessMeaning(count: number): { readonly is: string; readonly ms: number } | undefined {
  const [, year, month, day] =
    /^((?:19|20)\d\d)(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/.exec(String(count)) ?? [];
  if (year !== undefined) return { is: 'a date', ms: Date.UTC(Number(year), Number(month) - 1, Number(day)) };
  if (count >= plausible.to)
    return count < 1e13 ? { is: 'a Unix time in milliseconds', ms: count } : undefined;
  return count >= 1e8 ? { is: 'a Unix time', ms: count * 1000 } : undefined;
}

function implausibleTimeMessage(path: string, form: 'date' | 'moment', count: number): string {
  const what = `"${path}" takes Gregorian seconds`;
  const meaning = guessMeaning(count);
  if (meaning === undefined)
    return `${what}, and ${count} is not a recent time. Write a date such as 2026-12-24`;
  const shown = formatShownNumber(form, Math.floor(meaning.ms / 1000) + gregorianOffset).replace(' ', 'T');
  return `${what}, and ${count} is ${meaning.is}. Write ${shown} instead`;
}

/** Finds numbers that are probably not Gregorian seconds, and time zones that never use daylight saving time. */
export function timeFindings(schema: Schema, record: JsonObject): readonly RecordFinding[] {
  const findings: RecordFinding[] = [];
  const visit = (from: SchemaNode, value: Json | undefined, path: readonly string[]): void => {
    const node = resolveReference(schema, from);
    if (node.readOnly === true) return;
    const form = node['x-shown-as'];
    if (typeof value === 'number' && (form === 'date' || form === 'moment')) {
      if (value !== 0 && (value < plausible.from || value >= plausible.to))
        findings.push({
          field: joinPath(path),
          message: implausibleTimeMessage(joinPath(path), form, value),
        });
      return;
    }
    const caveat =
      typeof value === 'string' && node['x-names'] === 'time-zone' ? zoneCaveat(value) : undefined;
    if (caveat !== undefined)
      findings.push({ field: joinPath(path), message: `"${joinPath(path)}" ${value} ${caveat}` });
    if (typeof value !== 'object' || value === null) return;
    for (const [key, inner] of Object.entries(value))
      visit(findChildNode(schema, node, key) ?? {}, inner, [...path, key]);
  };
  visit(schema, record, []);
  return findings;
}
