import { compare, format, plus, zero } from '../../base/decimal.ts';
import { type Charge, type Charges, countText, estimateText, orUnknown } from './charges.ts';

/** A column of the table: its heading, the short one for narrow terminals, and what stands in it. */
interface Column {
  readonly head: string;
  readonly short: string;
  readonly cell: (line: Charge) => string;
  readonly foot?: (charges: Charges) => string;
}

const items: readonly Column[] = [
  { head: 'ITEM', short: 'ITEM', cell: ({ item }) => item },
  { head: 'CATEGORY', short: 'CATEGORY', cell: ({ category }) => category },
  { head: 'QUANTITY', short: 'QTY', cell: ({ inAll }) => inAll },
  {
    head: 'ADDED',
    short: 'ADD',
    cell: ({ added, inAll }) => (added ? countText(added) : inAll === '' ? '' : 'unknown'),
  },
  { head: 'RATE', short: 'RATE', cell: ({ rate }) => rate },
  { head: 'DISCOUNT', short: 'DISC', cell: ({ discount }) => orUnknown(discount), foot: () => 'Estimate' },
];

/** Shown where the service tells what is due once from what recurs. */
const parts: readonly Column[] = [
  {
    head: 'DUE NOW',
    short: 'NOW',
    cell: ({ dueNow }) => orUnknown(dueNow),
    foot: ({ dueNow }) => orUnknown(dueNow),
  },
  {
    head: 'RECURRING',
    short: 'RECUR',
    cell: ({ recurring }) => orUnknown(recurring),
    foot: ({ recurring }) => orUnknown(recurring),
  },
];

const total: Column = {
  head: 'LINE TOTAL',
  short: 'TOTAL',
  cell: ({ dueNow, recurring }) => orUnknown(dueNow && recurring && plus(dueNow, recurring)),
  foot: estimateText,
};

/** True where something is due once, or the service names what each bill comes to. */
const isSplit = ({ lines, bill }: Charges): boolean =>
  bill !== undefined || lines.some(({ dueNow }) => dueNow === undefined || compare(dueNow, zero) !== 0);

/**
 * The charges as lines of text: a table, its totals, and what the figures are. Nothing of it is ever cut; where the
 * terminal is narrower than the table, its headings are.
 */
export function chargesTable(charges: Charges, columns?: number): readonly string[] {
  const lines = tableOf(charges, 'head');
  const isWide = columns !== undefined && lines.some(({ length }) => length > columns);
  const notes = notesOn(charges);
  return [...(isWide ? tableOf(charges, 'short') : lines), ...(notes.length > 0 ? ['', ...notes] : [])];
}

function notesOn({ lines, strange, bill }: Charges): readonly string[] {
  const takesAway = lines.some(({ recurring }) => recurring && compare(recurring, zero) < 0);
  return [
    ...(bill && compare(bill, zero) > 0 ? [`Each bill would come to ${format(bill)} in all.`] : []),
    ...(takesAway ? ['What the change takes away is not counted.'] : []),
    ...lines.flatMap(({ item, strange: fields }) =>
      fields.length > 0 ? [`${item} has fields that telctl does not know: ${fields.join(', ')}`] : [],
    ),
    ...(strange.length > 0 ? [`Besides the items there is: ${strange.join(', ')}`] : []),
  ];
}

function tableOf(charges: Charges, heading: 'head' | 'short'): readonly string[] {
  const columns = [...items, ...(isSplit(charges) ? parts : []), total];
  const rows = [
    columns.map((column) => column[heading]),
    ...charges.lines.map((line) => columns.map(({ cell }) => cell(line))),
    columns.map(({ foot }) => foot?.(charges) ?? ''),
  ];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => row[index]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return index < 2 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ');
  return rows.map((row) => `  ${line(row)}`.trimEnd());
}
