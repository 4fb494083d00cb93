import type { Command, OptionSpec, OptionSpecs } from '../../command/command.ts';
import { groups } from '../../commands/nouns.ts';
import { chargesOptionsOf, fieldsOptionsOf, templateOptionsOf } from '../charges-options.ts';
import { globalOptions } from '../global-options.ts';
import { asTyped } from '../input-for.ts';
import { manyOptionsOf } from '../many/options.ts';
import type { ParsedLine } from '../parse-line.ts';
import { nouns } from '../registry.ts';

/** Width of the terminal; unknown in a pipe, where nothing is broken. */
export type Columns = number | undefined;

const indent = 2;
const gap = 2;
/** A second column narrower than this goes below the first. */
const leastRight = 24;
/** Indent of a second column that goes below the first. */
const belowIndent = 8;

/** Breaks a text between words; what is too long by itself stays whole. */
function broken(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** A text of one paragraph. */
export const paragraph = (text: string, columns: Columns): string =>
  columns === undefined ? text : broken(text, columns).join('\n');

/**
 * Two columns of text, the first as wide as its widest entry (at least `least`), moved in by two blanks. At a terminal
 * the second is broken inside its column, or below the first where little room is left.
 */
export function twoColumns(
  rows: readonly (readonly [string, string])[],
  columns: Columns,
  least = 0,
): string {
  const width = Math.max(least, ...rows.map(([left]) => left.length));
  const beside = indent + width + gap;
  if (columns === undefined || columns - beside >= leastRight) {
    const right = columns === undefined ? Number.POSITIVE_INFINITY : columns - beside;
    return rows
      .map(([left, text]) => {
        const hanging = broken(text, right).join(`\n${' '.repeat(beside)}`);
        return `${' '.repeat(indent)}${left.padEnd(width)}${' '.repeat(gap)}${hanging}`.trimEnd();
      })
      .join('\n');
  }
  const margin = ' '.repeat(belowIndent);
  return rows
    .map(([left, text]) => {
      const below = broken(text, columns - belowIndent).map((line) => `\n${margin}${line}`);
      return `${' '.repeat(indent)}${left}${text === '' ? '' : below.join('')}`;
    })
    .join('\n');
}

/** A heading with what stands below it. */
export function section(heading: string, body: string): string {
  return `${heading}\n${body}\n`;
}

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

/** Texts about a command by its effect on the service. */
export const effects = {
  local: undefined,
  read: undefined,
  write: 'This changes something at the service.',
  destructive: 'This destroys something at the service and asks first.',
  charges: 'This may cost money; charges are never accepted unasked.',
} as const satisfies Record<Command['effect'], string | undefined>;

/** Returns how a command is typed: `telctl users get [options] ID`. */
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
    ...optionSection(
      'Options',
      { ...command.options, ...fieldsOptionsOf(command), ...templateOptionsOf(command) },
      columns,
    ),
    ...optionSection('Where it adds charges', chargesOptionsOf(command), columns),
    ...optionSection('In many accounts at once', many, columns),
    'Options of every command: telctl help options\n',
    section('Examples', command.examples.map(({ line, doc }) => `  # ${doc}\n  ${line}`).join('\n')),
  ].join('\n');
}

function docOf(specs: OptionSpecs, spec: OptionSpec): string {
  const { doc, value, choices, suggestions, repeat, env, excludes, needs, only = {} } = spec;
  const words = choices ?? suggestions;
  const notes = [
    words && value !== words.join('|') && `${choices ? 'one of' : 'such as'} ${words.join(', ')}`,
    repeat && 'may be given several times',
    env && `or ${env}`,
    needs && `needs ${needs.map((each) => `--${each}`).join(' or ')}`,
    ...Object.entries(only).map(([name, taken]) => `only where ${name} is ${taken.join(' or ')}`),
    excludes && `not with ${excludes.map((each) => asTyped(specs, each)).join(' or ')}`,
  ].filter((note) => note);
  return notes.length === 0 ? doc : `${doc} (${notes.join('; ')})`;
}

/** Options with what they are for, as help pages show them. */
export function optionRows(specs: OptionSpecs): readonly (readonly [string, string])[] {
  return Object.values(specs).map((spec) => {
    const short = spec.short === undefined ? '    ' : `-${spec.short}, `;
    return [`${short}--${spec.flag}${spec.value === undefined ? '' : ` ${spec.value}`}`, docOf(specs, spec)];
  });
}

/** `telctl help commands`: the nouns, by what they are for. */
export function nounsPage(columns: Columns): string {
  const parts = groups.flatMap((group) => {
    const rows = nouns
      .filter((noun) => noun.group === group)
      .map(({ name, summary }) => [name, summary] as const);
    return rows.length === 0 ? [] : [section(group, twoColumns(rows, columns, 14))];
  });
  return [
    `${paragraph('Administer accounts, users, callflows, limits and webhooks of a telephony service.', columns)}\n`,
    'Usage: telctl <noun> <verb> [arguments] [options]\n',
    ...parts,
    `${paragraph('telctl <noun> --help lists its verbs; the help of a verb ends with examples. telctl commands lists each verb of each noun.', columns)}\n`,
  ].join('\n');
}

/** `telctl help options`. */
export const optionsPage = (columns: Columns): string =>
  section('Options of every command', twoColumns(optionRows(globalOptions), columns));

/** `telctl --help`: both. */
export const programPage = (columns: Columns): string =>
  [nounsPage(columns), optionsPage(columns)].join('\n');
