import { type FrontMachine, frontPage } from './help/front-page.ts';
import { type Columns, type HelpPart, pageText } from './help/layout.ts';

/** Help pages by command words: those of one noun, or of the program. */
export type StoredPages = Readonly<Record<string, readonly HelpPart[]>>;

export const programName = 'telctl';

export interface QuickMachine extends FrontMachine {
  readonly pagesOf: (noun: string) => StoredPages | undefined;
  readonly columns: Columns;
  readonly rows: number | undefined;
}

function helpWords(argv: readonly string[]): readonly string[] | undefined {
  const words = argv.slice(0, -1);
  const isHelp = ['--help', '-h'].includes(argv.at(-1) ?? '');
  return isHelp && words.every((word) => /^[a-z][a-z-]*$/.test(word)) ? words : undefined;
}

function helpText(argv: readonly string[], machine: QuickMachine): string | undefined {
  if (argv.length === 0 || (argv.length === 1 && argv[0] === 'help'))
    return frontPage(machine, machine.columns);
  const words = helpWords(argv);
  if (words === undefined) return undefined;
  const pages = machine.pagesOf(words[0] ?? programName) ?? {};
  const name = words.join(' ');
  return Object.hasOwn(pages, name) ? pageText(pages[name] ?? [], machine.columns) : undefined;
}

const countRows = (text: string, columns: number): number =>
  text.split('\n').reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0);

/**
 * Returns the front page or a help page without loading the commands. Returns `undefined` for other lines, for
 * misspelled words, and for a page that needs a pager. The full program handles those.
 */
export function quickPage(argv: readonly string[], machine: QuickMachine): string | undefined {
  const text = helpText(argv, machine);
  const { columns, rows } = machine;
  if (text === undefined || !columns || !rows) return text;
  return countRows(text, columns) > rows ? undefined : text;
}
