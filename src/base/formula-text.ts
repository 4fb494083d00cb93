/** Beginnings of text that a spreadsheet would run; some take wide characters for the plain ones. */
const beginsFormula = /^[=+\-@\t\r\n＝＋－＠]/;
/** Phone numbers and plain numbers, which a spreadsheet may read as it likes: they come to nothing else. */
const isNumber = /^[+-]?\d+(?:\.\d+)?$/;
const isProtected = /^'+[=+\-@\t\r\n＝＋－＠]/;

/**
 * Text for a cell of a file that a spreadsheet may open. What it would run as a formula gets an apostrophe before it;
 * so does text that already begins like that, so that `fromCell` gives every text back as it was. Numbers with and
 * without a sign (`+15551230000`, `-3.5`) stay as they are.
 */
export const toCell = (text: string): string =>
  isProtected.test(text) || (beginsFormula.test(text) && !isNumber.test(text)) ? `'${text}` : text;

/** The text that `toCell` made a cell of. */
export const fromCell = (cell: string): string => (isProtected.test(cell) ? cell.slice(1) : cell);

/** Cell of a list for what the service did not say of a record. */
export const unknownValue = '?';
