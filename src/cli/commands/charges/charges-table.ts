import { compare, format, plus, zero } from '../../../base/decimal.ts';
import { cutTo } from '../../../base/wording.ts';
import type { SaidTable } from '../../command/context.ts';
import { type Charge, type Charges, countText, estimateText, orUnknown } from './charges.ts';

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
const parts: readonly Column[] = [
  {
    head: 'DUE NOW',
    short: 'NOW',
    isNumber: true,
    cell: ({ dueNow }) => orUnknown(dueNow),
    foot: ({ dueNow }) => orUnknown(dueNow),
  },
  {
    head: 'RECURRING',
    short: 'RECUR',
    isNumber: true,
    cell: ({ recurring }) => orUnknown(recurring),
    foot: ({ recurring }) => orUnknown(recurring),
  },
];

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
