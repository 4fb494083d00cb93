import { type Charges, countText, orUnknown } from './charges.ts';
import { compare, format, zero } from './decimal.ts';

const head = ['ITEM', 'CATEGORY', 'ADDED', 'IN ALL', 'RATE', 'DISCOUNT', 'DUE NOW', 'RECURRING'];
const shortHead = ['ITEM', 'CATEGORY', 'ADD', 'ALL', 'RATE', 'DISC', 'NOW', 'RECUR'];

/**
 * The charges as lines of text: a table, its totals, and what the figures are. Nothing of it is ever cut; where the
 * terminal is narrower than the table, its headings are.
 */
export function chargesTable(charges: Charges, columns?: number): readonly string[] {
  const lines = tableOf(charges, head);
  const isWide = columns !== undefined && lines.some(({ length }) => length > columns);
  const notes = notesOn(charges);
  return [...(isWide ? tableOf(charges, shortHead) : lines), ...(notes.length > 0 ? ['', ...notes] : [])];
}

function notesOn({ lines, strange, bill }: Charges): readonly string[] {
  const takesAway = lines.some(({ recurring }) => recurring && compare(recurring, zero) < 0);
  return [
    ...(bill && compare(bill, zero) > 0 ? [`Each bill would come to ${format(bill)} in all.`] : []),
    ...(takesAway ? ['What the change takes away is not counted.'] : []),
    ...lines.flatMap(({ item, strange: fields }) =>
      fields.length > 0 ? [`${item} has fields that telctl does not know: ${fields.join(', ')}`] : [],
    ),
    ...(strange.length > 0 ? [`Beside the items there is: ${strange.join(', ')}`] : []),
  ];
}

function tableOf({ lines, dueNow, recurring }: Charges, heading: readonly string[]): readonly string[] {
  const rows = lines.map((line) => [
    ...[line.item, line.category, line.added ? countText(line.added) : line.inAll === '' ? '' : 'unknown'],
    ...[line.inAll, line.rate, orUnknown(line.discount), orUnknown(line.dueNow), orUnknown(line.recurring)],
  ]);
  const foot = ['', '', '', '', '', 'Estimate', orUnknown(dueNow), orUnknown(recurring)];
  const all = [heading, ...rows, foot];
  const widths = heading.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => {
        const width = widths[column] ?? 0;
        return column < 2 ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ');
  return all.map((row) => `  ${line(row)}`.trimEnd());
}
