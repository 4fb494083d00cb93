import { compare, type Decimal, decimal, format, plus, zero } from '../../../base/decimal.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { cutTo, quoted } from '../../../base/wording.ts';
import { resourceByWord } from '../../../contract/catalogue.ts';
import type { Resource } from '../../../contract/types.ts';
import type { SaidTable } from '../../command/context.ts';

/** One charged item of a 402, as far as it is understood. Text of the service stands on one line. */
export interface Charge {
  readonly item: string;
  readonly category: string;
  /** Quantity that the change adds; negative if it takes some away, `undefined` if that is not known. */
  readonly added: Decimal | undefined;
  /** The quantity as the service names it: what there is in all after the change. */
  readonly inAll: string;
  readonly rate: string;
  /** All discounts on what is added; `undefined` where they are not understood. */
  readonly discount: Decimal | undefined;
  /** Amount that is due once, with the change. */
  readonly dueNow: Decimal | undefined;
  /** Amount that is added to each bill from now on. `undefined`: a field is missing, foreign or no number. */
  readonly recurring: Decimal | undefined;
  /** Facts from the service that telctl does not understand, as text. */
  readonly strange: readonly string[];
}

export interface Charges {
  readonly lines: readonly Charge[];
  /** Facts beside the items that are not understood, as text. */
  readonly strange: readonly string[];
  readonly dueNow: Decimal | undefined;
  /** Amount that is added to each bill; amounts that the change takes away are not counted. */
  readonly recurring: Decimal | undefined;
  /** Both together: what a budget covers. `undefined`: something in the charges is not understood. */
  readonly estimate: Decimal | undefined;
  /** Total of each bill of the account after the change, if the service says it. */
  readonly bill: Decimal | undefined;
}

/** Adds lines up. What is not understood makes the sum unknown, never a guess. */
export function chargesOf(
  lines: readonly Charge[],
  strange: readonly string[] = [],
  bill: Decimal | undefined = undefined,
): Charges {
  const isUnderstood = strange.length === 0 && lines.every((line) => line.strange.length === 0);
  const dueNow = isUnderstood ? sumOf(lines.map((line) => line.dueNow)) : undefined;
  const recurring = isUnderstood ? sumOf(lines.map((line) => line.recurring)) : undefined;
  return {
    lines,
    strange,
    dueNow,
    recurring,
    bill,
    estimate: dueNow && recurring ? plus(dueNow, recurring) : undefined,
  };
}

/** The sum of what is added; what is taken away is not set against it. */
const sumOf = (amounts: readonly (Decimal | undefined)[]): Decimal | undefined =>
  amounts.reduce<Decimal | undefined>(
    (sum, amount) => sum && amount && (compare(amount, zero) > 0 ? plus(sum, amount) : sum),
    zero,
  );

export const orUnknown = (value: Decimal | undefined): string => (value ? format(value) : 'unknown');

export const estimateText = ({ estimate }: Charges): string => orUnknown(estimate);

/** The sum of all amounts; `undefined` where one is not known. */
export const totalOf = (amounts: readonly (Decimal | undefined)[]): Decimal | undefined =>
  amounts.reduce<Decimal | undefined>((sum, each) => sum && each && plus(sum, each), zero);

/** True when every item is understood and the total is at most `budget`. */
export const isWithinBudget = ({ estimate }: Charges, budget: Decimal): boolean =>
  estimate !== undefined && compare(estimate, budget) <= 0;

export const countText = (count: Decimal): string => format(count).replace(/\.00$/, '');

/** `10 twoway_trunks, 1 more inbound_trunks (4 in all)`. */
const itemsText = ({ lines }: Charges): string => lines.map(itemText).join(', ');

function itemText({ item, added, inAll }: Charge): string {
  if (added === undefined) return `${inAll} ${item}`.trim();
  const count = countText(added);
  if (compare(added, zero) < 0) return `${count.slice(1)} fewer ${item}`;
  return count === inAll ? `${count} ${item}` : `${count} more ${item} (${inAll} in all)`;
}

/** `estimated 33.00 (3.00 now, 30.00 with each bill) for 3 more inbound_trunks (5 in all)` */
export function chargesText(charges: Charges): string {
  if (charges.lines.length === 0) return 'an unknown amount for items that the service does not name';
  const { dueNow, recurring } = charges;
  const parts =
    dueNow && recurring && compare(dueNow, zero) > 0
      ? ` (${format(dueNow)} now, ${format(recurring)} with each bill)`
      : '';
  return `estimated ${estimateText(charges)}${parts} for ${itemsText(charges)}`;
}

/** The question about charges: `Accept 30.00 for 3 inbound_trunks in acme?`; with several items `for 3 items`. */
export function chargesQuestion(charges: Charges, account: string): string {
  const [only, ...others] = charges.lines;
  if (only === undefined) return `Accept charges of an unknown amount in ${cutTo(account, widestWord)}?`;
  const what =
    others.length > 0
      ? `${charges.lines.length} items`
      : `${only.added ? countText(only.added) : cutTo(only.inAll, widestWord)} ${quoted(cutTo(only.item, widestWord))}`;
  const sum = charges.estimate ? format(charges.estimate) : 'charges of an unknown amount';
  return `Accept ${sum} for ${what} in ${cutTo(account, widestWord)}?`;
}

/** Widest name in the question, in cells. */
const widestWord = 30;

/** Something that the service named, as text on one line, without runs of blanks and of no more cells than help anybody. */
export const oneLineText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === undefined ? 'unknown' : JSON.stringify(value);
  return cutTo(text.replaceAll(/\s+/gu, ' ').trim(), widestText);
};

/** Widest text of the service in charges, in cells. */
const widestText = 200;

/** A number exactly as the service wrote it. */
export const signed = (value: Json | undefined): Decimal | undefined =>
  typeof value === 'number' ? decimal(String(value)) : undefined;

export function readAmount(value: Json | undefined): Decimal | undefined {
  const read = signed(value);
  return read && read.units >= 0n ? read : undefined;
}

export const wholeAmount = (value: Json | undefined): Decimal | undefined =>
  Number.isSafeInteger(value) ? signed(value) : undefined;

export const strangeFields = (fields: JsonObject, known: ReadonlySet<string>): readonly string[] =>
  Object.entries(fields)
    .filter(([field]) => !known.has(field))
    .map(([field, value]) => oneLineText(`${field}=${JSON.stringify(value)}`));

/** A column of the table: its heading, the short one for narrow terminals, and what stands in it. */
interface Column {
  readonly head: string;
  readonly short: string;
  readonly isNumber?: true;
  readonly cell: (line: Charge) => string;
  readonly foot?: (charges: Charges) => string;
}

/** Where the service puts a text in place of a number, that is shown in a column of numbers, which are not cut. */
const number = (text: string): string => cutTo(text, 14);

const items: readonly Column[] = [
  { head: 'ITEM', short: 'ITEM', cell: ({ item }) => item },
  { head: 'CATEGORY', short: 'CATEGORY', cell: ({ category }) => category },
  { head: 'QUANTITY', short: 'QTY', isNumber: true, cell: ({ inAll }) => number(inAll) },
  {
    head: 'ADDED',
    short: 'ADD',
    isNumber: true,
    cell: ({ added, inAll }) => (added ? countText(added) : inAll === '' ? '' : 'unknown'),
  },
  { head: 'RATE', short: 'RATE', isNumber: true, cell: ({ rate }) => number(rate) },
  {
    head: 'DISCOUNT',
    short: 'DISC',
    isNumber: true,
    cell: ({ discount }) => orUnknown(discount),
    foot: () => 'Estimate',
  },
];

/** Shown where the service tells what is due once from what recurs. */
const parts: readonly Column[] = (
  [
    ['dueNow', 'DUE NOW', 'NOW'],
    ['recurring', 'RECURRING', 'RECUR'],
  ] as const
).map(([key, head, short]) => {
  const cell = (line: Pick<Charges, 'dueNow' | 'recurring'>): string => orUnknown(line[key]);
  return { head, short, isNumber: true, cell, foot: cell };
});

const total: Column = {
  head: 'LINE TOTAL',
  short: 'TOTAL',
  isNumber: true,
  cell: ({ dueNow, recurring }) => orUnknown(dueNow && recurring && plus(dueNow, recurring)),
  foot: estimateText,
};

/** True where something is due once, or the service names what each bill comes to. */
const isSplit = ({ lines, bill }: Charges): boolean =>
  bill !== undefined || lines.some(({ dueNow }) => dueNow === undefined || compare(dueNow, zero) !== 0);

/** The charges as a table, with their sum in the last row. */
export function chargesTable(charges: Charges): SaidTable {
  const columns = [...items, ...(isSplit(charges) ? parts : []), total];
  return {
    columns,
    rows: [
      ...charges.lines.map((line) => columns.map(({ cell }) => cell(line))),
      columns.map(({ foot }) => foot?.(charges) ?? ''),
    ],
  };
}

/** Sentences on the charges that the table has no room for. */
export function notesOn({ lines, strange, bill }: Charges): readonly string[] {
  const takesAway = lines.some(({ recurring }) => recurring && compare(recurring, zero) < 0);
  return [
    ...(bill && compare(bill, zero) > 0 ? [`Each bill would come to ${format(bill)} in all.`] : []),
    ...(takesAway ? ['What the change takes away is not counted.'] : []),
    ...lines.flatMap(({ item, strange: fields }) =>
      fields.length > 0
        ? [`Fields of ${JSON.stringify(item)} that telctl does not know: ${fields.join(', ')}`]
        : [],
    ),
    ...(strange.length > 0 ? [`Besides the items there is: ${strange.join(', ')}`] : []),
    'The service names no currency; the estimate is ours from the fields above.',
  ];
}

export const pricedAs = (kind: string): Resource['pricedAs'] => resourceByWord(kind)?.pricedAs;

/** The category of what steps of a kind add. */
export const categoryOf = (kind: string): string => pricedAs(kind)?.category ?? kind;
