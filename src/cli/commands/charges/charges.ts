import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  parseDecimal,
  zeroDecimal,
} from '../../../base/decimal.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { quoteName, truncateToWidth } from '../../../base/wording.ts';
import { resourceByWord } from '../../../contract/catalogue.ts';
import type { Resource } from '../../../contract/types.ts';
import type { NoticeTable } from '../../command/context.ts';

/** A charged item of a 402 response. Text of the service is on one line. */
export interface Charge {
  readonly item: string;
  readonly category: string;
  /** Quantity that the change adds. Negative if it removes items, `undefined` if unknown. */
  readonly added: Decimal | undefined;
  /** Total quantity after the change, as reported by the service. */
  readonly inAll: string;
  readonly rate: string;
  /** All discounts on the added quantity; `undefined` if telctl does not understand them. */
  readonly discount: Decimal | undefined;
  readonly dueNow: Decimal | undefined;
  /** Amount added to each later bill; `undefined` if a field is missing, unknown or not a number. */
  readonly recurring: Decimal | undefined;
  /** Fields of the service that telctl does not understand, as text. */
  readonly strange: readonly string[];
}

export interface Charges {
  readonly lines: readonly Charge[];
  readonly strange: readonly string[];
  readonly dueNow: Decimal | undefined;
  /** Amount added to each bill, without amounts that the change removes. */
  readonly recurring: Decimal | undefined;
  /** One-time and recurring amounts, which a budget must cover; `undefined` if a charge is unknown. */
  readonly estimate: Decimal | undefined;
  /** Total of each bill of the account after the change, if the service reports it. */
  readonly bill: Decimal | undefined;
}

/** The sum is unknown if telctl does not understand a line. */
export function sumCharges(
  lines: readonly Charge[],
  strange: readonly string[] = [],
  bill: Decimal | undefined = undefined,
): Charges {
  const isUnderstood = strange.length === 0 && lines.every((line) => line.strange.length === 0);
  const dueNow = isUnderstood ? sumOfAdditions(lines.map((line) => line.dueNow)) : undefined;
  const recurring = isUnderstood ? sumOfAdditions(lines.map((line) => line.recurring)) : undefined;
  return {
    lines,
    strange,
    dueNow,
    recurring,
    bill,
    estimate: dueNow && recurring ? addDecimals(dueNow, recurring) : undefined,
  };
}

const sumOfAdditions = (amounts: readonly (Decimal | undefined)[]): Decimal | undefined =>
  amounts.reduce<Decimal | undefined>(
    (sum, amount) =>
      sum && amount && (compareDecimals(amount, zeroDecimal) > 0 ? addDecimals(sum, amount) : sum),
    zeroDecimal,
  );

export const formatAmount = (value: Decimal | undefined): string =>
  value ? formatDecimal(value) : 'unknown';

export const estimateText = ({ estimate }: Charges): string => formatAmount(estimate);

/** Returns `undefined` if an amount is unknown. */
export const sumAmounts = (amounts: readonly (Decimal | undefined)[]): Decimal | undefined =>
  amounts.reduce<Decimal | undefined>((sum, each) => sum && each && addDecimals(sum, each), zeroDecimal);

/** Returns true if all items are understood and the total is at most `budget`. */
export const isWithinBudget = ({ estimate }: Charges, budget: Decimal): boolean =>
  estimate !== undefined && compareDecimals(estimate, budget) <= 0;

export const countText = (count: Decimal): string => formatDecimal(count).replace(/\.00$/, '');

/** `10 twoway_trunks, 1 more inbound_trunks (4 in all)`. */
const itemsText = ({ lines }: Charges): string => lines.map(itemText).join(', ');

function itemText({ item, added, inAll }: Charge): string {
  if (added === undefined) return `${inAll} ${item}`.trim();
  const count = countText(added);
  if (compareDecimals(added, zeroDecimal) < 0) return `${count.slice(1)} fewer ${item}`;
  return count === inAll ? `${count} ${item}` : `${count} more ${item} (${inAll} in all)`;
}

/** `estimated 33.00 (3.00 now, 30.00 with each bill) for 3 more inbound_trunks (5 in all)` */
export function chargesText(charges: Charges): string {
  if (charges.lines.length === 0) return 'an unknown amount for unknown items';
  const { dueNow, recurring } = charges;
  const parts =
    dueNow && recurring && compareDecimals(dueNow, zeroDecimal) > 0
      ? ` (${formatDecimal(dueNow)} now, ${formatDecimal(recurring)} with each bill)`
      : '';
  return `estimated ${estimateText(charges)}${parts} for ${itemsText(charges)}`;
}

/** `Accept 30.00 for 3 inbound_trunks in acme?`, or `for 3 items`. */
export function chargesQuestion(charges: Charges, account: string): string {
  const [only, ...others] = charges.lines;
  if (only === undefined)
    return `Accept charges of an unknown amount in ${truncateToWidth(account, widestWord)}?`;
  const what =
    others.length > 0
      ? `${charges.lines.length} items`
      : `${only.added ? countText(only.added) : truncateToWidth(only.inAll, widestWord)} ${quoteName(truncateToWidth(only.item, widestWord))}`;
  const sum = charges.estimate ? formatDecimal(charges.estimate) : 'charges of an unknown amount';
  return `Accept ${sum} for ${what} in ${truncateToWidth(account, widestWord)}?`;
}

/** In cells. */
const widestWord = 30;

/** Formats a value of the service on one line, without repeated blanks, and cuts it to a readable width. */
export const oneLineText = (value: unknown): string => {
  const text = typeof value === 'string' ? value : value === undefined ? 'unknown' : JSON.stringify(value);
  return truncateToWidth(text.replaceAll(/\s+/gu, ' ').trim(), widestText);
};

/** In cells. */
const widestText = 200;

/** Reads a number with all digits that the service wrote. */
export const readNumber = (value: Json | undefined): Decimal | undefined =>
  typeof value === 'number' ? parseDecimal(String(value)) : undefined;

export function readAmount(value: Json | undefined): Decimal | undefined {
  const read = readNumber(value);
  return read && read.units >= 0n ? read : undefined;
}

export const wholeAmount = (value: Json | undefined): Decimal | undefined =>
  Number.isSafeInteger(value) ? readNumber(value) : undefined;

export const unknownFields = (fields: JsonObject, known: ReadonlySet<string>): readonly string[] =>
  Object.entries(fields)
    .filter(([field]) => !known.has(field))
    .map(([field, value]) => oneLineText(`${field}=${JSON.stringify(value)}`));

interface Column {
  readonly head: string;
  readonly short: string;
  readonly isNumber?: true;
  readonly cell: (line: Charge) => string;
  readonly foot?: (charges: Charges) => string;
}

/** Columns of numbers are never cut, so a text in place of a number is cut here. */
const shortNumber = (text: string): string => truncateToWidth(text, 14);

const items: readonly Column[] = [
  { head: 'ITEM', short: 'ITEM', cell: ({ item }) => item },
  { head: 'CATEGORY', short: 'CATEGORY', cell: ({ category }) => category },
  { head: 'QUANTITY', short: 'QTY', isNumber: true, cell: ({ inAll }) => shortNumber(inAll) },
  {
    head: 'ADDED',
    short: 'ADD',
    isNumber: true,
    cell: ({ added, inAll }) => (added ? countText(added) : inAll === '' ? '' : 'unknown'),
  },
  { head: 'RATE', short: 'RATE', isNumber: true, cell: ({ rate }) => shortNumber(rate) },
  {
    head: 'DISCOUNT',
    short: 'DISC',
    isNumber: true,
    cell: ({ discount }) => formatAmount(discount),
    foot: () => 'Estimate',
  },
];

const parts: readonly Column[] = (
  [
    ['dueNow', 'DUE NOW', 'NOW'],
    ['recurring', 'RECURRING', 'RECUR'],
  ] as const
).map(([key, head, short]) => {
  const cell = (line: Pick<Charges, 'dueNow' | 'recurring'>): string => formatAmount(line[key]);
  return { head, short, isNumber: true, cell, foot: cell };
});

const total: Column = {
  head: 'LINE TOTAL',
  short: 'TOTAL',
  isNumber: true,
  cell: ({ dueNow, recurring }) => formatAmount(dueNow && recurring && addDecimals(dueNow, recurring)),
  foot: estimateText,
};

const isSplit = ({ lines, bill }: Charges): boolean =>
  bill !== undefined ||
  lines.some(({ dueNow }) => dueNow === undefined || compareDecimals(dueNow, zeroDecimal) !== 0);

export function chargesTable(charges: Charges): NoticeTable {
  const columns = [...items, ...(isSplit(charges) ? parts : []), total];
  return {
    columns,
    rows: [
      ...charges.lines.map((line) => columns.map(({ cell }) => cell(line))),
      columns.map(({ foot }) => foot?.(charges) ?? ''),
    ],
  };
}

/** Returns sentences with facts that the table does not show. */
export function chargeNotes({ lines, strange, bill }: Charges): readonly string[] {
  const takesAway = lines.some(({ recurring }) => recurring && compareDecimals(recurring, zeroDecimal) < 0);
  return [
    ...(bill && compareDecimals(bill, zeroDecimal) > 0
      ? [`The total of each bill would be ${formatDecimal(bill)}.`]
      : []),
    ...(takesAway ? ['Amounts that the change removes are not subtracted.'] : []),
    ...lines.flatMap(({ item, strange: fields }) =>
      fields.length > 0
        ? [`Fields of ${JSON.stringify(item)} that telctl does not know: ${fields.join(', ')}`]
        : [],
    ),
    ...(strange.length > 0 ? [`Other charges: ${strange.join(', ')}`] : []),
    'Amounts are estimates. The service does not state a currency.',
  ];
}

export const pricedAs = (kind: string): Resource['pricedAs'] => resourceByWord(kind)?.pricedAs;

export const categoryOf = (kind: string): string => pricedAs(kind)?.category ?? kind;
