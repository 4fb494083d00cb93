import { type FrontMachine, frontPage } from './help/front-page.ts';
import { type Columns, type Part, pageText } from './help/layout.ts';

/** Pages of help by the words of their command: those of one noun, or of the program. */
export type StoredPages = Readonly<Record<string, readonly Part[]>>;

export const programName = 'telctl';

/** Parts of the machine that a quick answer needs. */
export interface QuickMachine extends FrontMachine {
  readonly pagesOf: (noun: string) => StoredPages | undefined;
  readonly columns: Columns;
  /** Height of the terminal; unknown in a pipe. */
  readonly rows: number | undefined;
}

/** The words of a line that asks for the help of a command and for nothing else. */
function helpWords(argv: readonly string[]): readonly string[] | undefined {
  const words = argv.slice(0, -1);
  const isHelp = ['--help', '-h'].includes(argv.at(-1) ?? '');
  return isHelp && words.every((word) => /^[a-z][a-z-]*$/.test(word)) ? words : undefined;
}

function textFor(argv: readonly string[], machine: QuickMachine): string | undefined {
  if (argv.length === 0 || (argv.length === 1 && argv[0] === 'help'))
    return frontPage(machine, machine.columns);
  const words = helpWords(argv);
  if (words === undefined) return undefined;
  const pages = machine.pagesOf(words[0] ?? programName) ?? {};
  const name = words.join(' ');
  return Object.hasOwn(pages, name) ? pageText(pages[name] ?? [], machine.columns) : undefined;
}

/** Number of lines of the screen that a text takes. */
const heightOf = (text: string, columns: number): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);

/**
 * The text that answers a command line which asks for the front page or a page of help, without loading what runs
 * commands. `undefined` for every other line, a word that is not spelled as the page has it, and a page that is longer
 * than the screen, which a pager may show: telctl itself answers those.
 */
export function quickPage(argv: readonly string[], machine: QuickMachine): string | undefined {
  const text = textFor(argv, machine);
  const { columns, rows } = machine;
  if (text === undefined || !columns || !rows) return text;
  return heightOf(text, columns) > rows ? undefined : text;
}
