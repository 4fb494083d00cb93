import type { Command, OptionSpecs } from '../../command/command.ts';
import { chargesOptionsOf } from '../charges-options.ts';
import { fieldsOptionsOf } from '../fields-options.ts';
import { manyOptionsOf } from '../many/options.ts';
import type { ParsedLine } from '../parse-line.ts';
import { type Columns, paragraph, section, twoColumns } from './layout.ts';
import { optionRows } from './option-rows.ts';
import { programPage } from './program-page.ts';

type Page = Extract<ParsedLine, { kind: 'help' }>['page'];

/** The help of the program, of words that begin several commands, or of one command. */
export async function helpPage(page: Page, columns: Columns): Promise<string> {
  if (!('kind' in page)) return commandPage(page, await manyOptionsOf(page), columns);
  if (page.kind === 'program') return programPage(columns);
  const all = await page.noun.commands();
  const inside = all.filter(
    ({ path, hidden }) => !hidden && page.words.every((word, index) => path[index] === word),
  );
  return groupPage(page.words, page.words.length === 1 ? page.noun.summary : undefined, inside, columns);
}

function groupPage(
  words: readonly string[],
  summary: string | undefined,
  commands: readonly Command[],
  columns: Columns,
): string {
  const name = ['telctl', ...words].join(' ');
  const rows = commands.map(
    (command) =>
      [[...command.path.slice(words.length), ...argumentNames(command)].join(' '), command.summary] as const,
  );
  return [
    ...(summary === undefined ? [] : [`${paragraph(summary, columns)}\n`]),
    `Usage: ${name} <verb> [arguments] [options]\n`,
    section('Verbs', twoColumns(rows, columns)),
    `${name} <verb> --help shows its options and examples.\n`,
  ].join('\n');
}

/** Its arguments as its usage shows them: `ID...`, `[TOPIC]`. */
export function argumentNames(command: Command): readonly string[] {
  return Object.values(command.arguments).map(({ name, optional, rest }) => {
    const many = rest ? `${name}...` : name;
    return optional ? `[${many}]` : many;
  });
}

/** What is said of a command by what it does to the service. */
export const effects = {
  local: undefined,
  read: undefined,
  write: 'This changes something at the service.',
  destructive: 'This destroys something at the service and asks first.',
  charges: 'This may cost money; charges are never accepted unasked.',
} as const satisfies Record<Command['effect'], string | undefined>;

/** How a command is typed: `telctl users get [options] ID`. */
export function usageOf(command: Command): string {
  const end = command.passThrough ? '-- ' : '';
  return ['telctl', ...command.path, '[options]', `${end}${argumentNames(command).join(' ')}`]
    .join(' ')
    .trimEnd();
}

const optionSection = (title: string, specs: OptionSpecs, columns: Columns): readonly string[] =>
  Object.keys(specs).length === 0 ? [] : [section(title, twoColumns(optionRows(specs), columns))];

function commandPage(command: Command, many: OptionSpecs, columns: Columns): string {
  const given = Object.values(command.arguments);
  const effect = effects[command.effect];
  return [
    `${paragraph(`${command.summary}.`, columns)}\n`,
    ...(command.description === undefined ? [] : [`${paragraph(command.description, columns)}\n`]),
    ...(effect === undefined ? [] : [`${effect}\n`]),
    `Usage: ${usageOf(command)}\n`,
    ...(given.length === 0
      ? []
      : [
          section(
            'Arguments',
            twoColumns(
              given.map(({ name: label, doc }) => [label, doc] as const),
              columns,
            ),
          ),
        ]),
    ...optionSection('Options', { ...command.options, ...fieldsOptionsOf(command) }, columns),
    ...optionSection('Where it adds charges', chargesOptionsOf(command), columns),
    ...optionSection('In many accounts at once', many, columns),
    'Options of every command: telctl --help\n',
    section('Examples', command.examples.map(({ line, doc }) => `  # ${doc}\n  ${line}`).join('\n')),
  ].join('\n');
}
