import { Failure } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { neutralise, neutraliseLines } from '../../base/neutralise.ts';
import { plainText } from './cells.ts';
import type { Style } from './style.ts';
import { measureFor } from './width.ts';

type Row = readonly [label: string, value: string | readonly string[]];

/** A value as labels and texts: what lies in an object or in a list of objects is moved in below its key. */
function describedRows(value: Json, indent: string): readonly Row[] {
  const entries: readonly (readonly [string, Json | undefined])[] = Array.isArray(value)
    ? value.map((item: Json, index) => [String(index), item])
    : isObject(value)
      ? Object.entries(value)
      : [];
  return entries.flatMap(([key, inner]): readonly Row[] => {
    const label = indent + neutralise(key);
    if (inner === undefined) return [];
    const nested =
      isObject(inner) || (Array.isArray(inner) && inner.some((item) => typeof item === 'object'));
    if (!nested) return [[label, plainText(inner)]];
    const below = describedRows(inner, `${indent}  `);
    return below.length === 0 ? [[label, 'none']] : [[label, ''], ...below];
  });
}

/** A record for people: a line for each value, labels on the left. Text of these fields is shown in its own lines. */
export async function describe(
  value: Json,
  style: Style,
  inLines: ReadonlySet<string> = new Set(),
): Promise<string> {
  if (!isObject(value) && !Array.isArray(value)) return `${neutraliseLines(plainText(value))}\n`;
  const rows = describedRows(value, '').map(
    ([label, text]): Row =>
      inLines.has(label) && typeof text === 'string' ? [label, text.trimEnd().split(/\r?\n/)] : [label, text],
  );
  return labelled(rows, style);
}

/** Labels and texts in two columns. */
export async function labelled(rows: readonly Row[], style: Style): Promise<string> {
  const { width: widthOf } = await measureFor(rows.map(([label]) => label));
  const width = rows.reduce((most, [label]) => Math.max(most, widthOf(label)), 0);
  return rows
    .map(([label, value]) => {
      const space = ' '.repeat(width - widthOf(label) + 2);
      const [first = '', ...more] = Array.isArray(value) ? value : [value];
      const below = more.map((line) => `${' '.repeat(width + 2)}${neutralise(line)}\n`);
      return `${style.dim(label)}${`${space}${neutralise(first)}`.trimEnd()}\n${below.join('')}`;
    })
    .join('');
}

/** Returns the text that `-o name` shows of a record: its natural key, else its id, in one line. */
export function nameInLine(record: JsonObject, naturalKeys: readonly string[]): string {
  const candidates = [...naturalKeys, 'id', 'name'].map((path) => firstText(valueAt(record, path)));
  return neutralise(candidates.find((text) => text !== '') ?? '');
}

function firstText(value: Json | undefined): string {
  if (Array.isArray(value)) return firstText(value[0]);
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** The failure that ends `-o name` of a record without name and id: silence would look like an empty list. */
export const nameless = (): Failure =>
  new Failure(
    'usage',
    'What is shown here has neither a name nor an id, so that -o name has nothing to print.',
    {
      hint: 'Choose another format, such as -o json; --query takes one value out of it.',
    },
  );
