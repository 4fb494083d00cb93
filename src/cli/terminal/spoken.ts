import type { Output } from './output.ts';

/** Words for signs that a plan, a report or a table uses. */
const words: ReadonlyMap<string, string> = new Map([
  ['+', 'create'],
  ['~', 'change'],
  ['-', 'delete'],
  ['?', 'cannot tell'],
  ['=', 'unchanged'],
  ['!', 'end'],
]);

/** Returns the word for the sign before a line of a report. */
export const signInWords = (sign: string): string => words.get(sign) ?? sign;

/** Text for people who listen to the terminal: arrows are words, and lines that draw a tree are gone. */
export const spokenText = (text: string): string =>
  text
    .replaceAll(/ ?→ ?/g, ' to ')
    .replaceAll(/[├└]─ /g, '  ')
    .replaceAll('│', ' ')
    .replaceAll('×', 'times');

/** An output that writes text in that form. */
export const spokenOutput = (out: Output): Output => ({
  ...out,
  write: async (text) => out.write(typeof text === 'string' ? spokenText(text) : text),
});
