import type { Host } from '../../../base/host/host.ts';
import type { Command, OptionSpec, OptionSpecs } from '../../command/command.ts';
import { globalOptions } from '../../commands/global-options.ts';
import { nounGroups } from '../../commands/nouns.ts';
import type { Output } from '../../terminal/output.ts';
import { eitherOption, optionAsTyped } from '../input-for.ts';
import { manyOptions, manyOptionsOf } from '../many/options.ts';
import type { ParsedLine } from '../parse-line.ts';
import { allNouns, nounByWord } from '../registry.ts';
import { chargesOptions, chargesOptionsOf, resultOptionsOf } from '../run-options.ts';
import { type Columns, type HelpPart, pageText } from './layout.ts';

type Page = Extract<ParsedLine, { kind: 'help' }>['page'];

export async function helpParts(page: Page): Promise<readonly HelpPart[]> {
  if (!('kind' in page)) return commandParts(page);
  if (page.kind === 'program') return programParts();
  const all = await page.noun.commands();
  const inside = all.filter(
    ({ path, hidden }) => !hidden && page.words.every((word, index) => path[index] === word),
  );
  return groupParts(page.words, page.words.length === 1 ? page.noun.summary : undefined, inside);
}

export const helpPage = async (page: Page, columns: Columns): Promise<string> =>
  pageText(await helpParts(page), columns);

const text = (of: string): HelpPart => ({ kind: 'text', text: of });

function groupParts(
  words: readonly string[],
  summary: string | undefined,
  commands: readonly Command[],
): readonly HelpPart[] {
  const name = ['telctl', ...words].join(' ');
  const rows = commands.map(
    (command) =>
      [[...command.path.slice(words.length), ...argumentNames(command)].join(' '), command.summary] as const,
  );
  return [
    ...(summary === undefined ? [] : [text(summary)]),
    { kind: 'line', text: `Usage: ${name} <verb> [arguments] [options]` },
    { kind: 'rows', heading: 'Verbs', rows },
    text(`${name} <verb> --help shows its options and examples.`),
  ];
}

/** Returns arguments as usage lines show them: `ID...`, `[TOPIC]`. */
export function argumentNames(command: Command): readonly string[] {
  return Object.values(command.arguments).map(({ name, optional, rest }) => {
    const many = rest ? `${name}...` : name;
    return optional ? `[${many}]` : many;
  });
}

export const effects = {
  local: undefined,
  read: undefined,
  write: 'This command changes data on the service.',
  destructive: 'This command deletes data on the service. It asks first.',
  charges: 'This command may cost money. It never accepts charges without asking.',
} as const satisfies Record<Command['effect'], string | undefined>;

/** Returns the usage line of a command: `telctl users get [options] ID`. */
export function usageLine(command: Command): string {
  const end = command.passThrough ? '-- ' : '';
  return ['telctl', ...command.path, '[options]', `${end}${argumentNames(command).join(' ')}`]
    .join(' ')
    .trimEnd();
}

const optionPart = (heading: string, specs: OptionSpecs): readonly HelpPart[] =>
  Object.keys(specs).length === 0 ? [] : [{ kind: 'rows', heading, rows: optionRows(specs) }];

export async function optionGroups(command: Command): Promise<readonly (readonly [string, OptionSpecs])[]> {
  return [
    ['Options', { ...command.options, ...resultOptionsOf(command) }],
    ['If it adds charges', chargesOptionsOf(command)],
    ['In many accounts at once', await manyOptionsOf(command)],
  ];
}

/** Describes inputs of which at least one is required: `Give --user or --device.` */
export const requirementSentences = ({ anyOf = [], options }: Command): readonly string[] =>
  anyOf.map((group) => `Give ${eitherOption(options, group)}.`);

async function commandParts(command: Command): Promise<readonly HelpPart[]> {
  const given = Object.values(command.arguments).map(({ name: label, doc }) => [label, doc] as const);
  const effect = effects[command.effect];
  return [
    text(`${command.summary}.`),
    ...(command.description === undefined ? [] : [text(command.description)]),
    ...(effect === undefined ? [] : [text(effect)]),
    { kind: 'line', text: `Usage: ${usageLine(command)}` },
    ...requirementSentences(command).map(text),
    ...rowsBelow(await commandsBelow(command)),
    ...(given.length === 0 ? [] : [{ kind: 'rows', heading: 'Arguments', rows: given } as const]),
    ...(await optionGroups(command)).flatMap(([heading, specs], index) =>
      index === 0 ? optionPart(heading, specs) : sharedOptionsPart(heading, specs),
    ),
    text('Options of every command: telctl help options'),
    { kind: 'lines', heading: 'Examples', lines: await exampleLines(command) },
  ];
}

/** Formats a line with options that many commands share. `telctl help options` explains them. */
function sharedOptionsPart(heading: string, specs: OptionSpecs): readonly HelpPart[] {
  const named = Object.values(specs).map(({ flag, value }) => `--${flag}${value ? ` ${value}` : ''}`);
  return named.length === 0 ? [] : [text(`${heading}: ${named.join(', ')}`)];
}

async function exampleLines(command: Command): Promise<readonly string[]> {
  const { examples, operations = [] } = command;
  const lines = await Promise.all(
    examples.map(async ({ line, doc, file }) => {
      const [, name] = / ([\w-]+\.(?:yaml|csv))\b/.exec(line) ?? [];
      const [created] = operations.filter((id) => id.endsWith('.create'));
      const content =
        file ?? (/ -f \S+\.yaml/.test(line) && created ? await operationSample(created) : undefined);
      const shown = content === undefined ? [] : [`# ${name ?? 'The file'}:`, ...indentContent(content)];
      return [`# ${doc}`, line, ...shown];
    }),
  );
  return lines.flat();
}

const indentContent = (content: string): readonly string[] =>
  content
    .trimEnd()
    .split('\n')
    .map((each) => `#   ${each}`);

const sampleNames = {
  user: 'alice',
  menu: 'Main menu',
  device: 'Desk phone',
  queue: 'Support',
  rule: 'Office hours',
  group: 'Reception',
} as const;

async function operationSample(operation: string): Promise<string | undefined> {
  const [{ sampleIds, samples }, { yamlText }] = await Promise.all([
    import('../../../contract/samples.ts'),
    import('../../terminal/yaml-text.ts'),
  ]);
  const sample = Object.entries(samples).find(([name]) => operation === `${name}.create`)?.[1];
  if (sample === undefined) return undefined;
  const named = Object.entries(sampleNames).reduce(
    (json, [kind, name]) => json.replaceAll(Reflect.get(sampleIds, kind), name),
    JSON.stringify(sample.record),
  );
  return yamlText(JSON.parse(named));
}

/** Returns commands whose words start with those of another: `log show` for `log`. */
async function commandsBelow({ path }: Command): Promise<readonly Command[]> {
  const all = (await nounByWord(path[0] ?? '')?.commands()) ?? [];
  return all.filter(
    (each) =>
      !each.hidden &&
      each.path.length > path.length &&
      path.every((word, index) => each.path[index] === word),
  );
}

const rowsBelow = (commands: readonly Command[]): readonly HelpPart[] =>
  commands.length === 0
    ? []
    : [
        {
          kind: 'rows',
          heading: 'Subcommands',
          rows: commands.map(({ path, summary }) => [`telctl ${path.join(' ')}`, summary] as const),
        },
      ];

function optionDescription(specs: OptionSpecs, spec: OptionSpec): string {
  const { doc, choices, suggestions, beside, needs, excludes, only = {} } = spec;
  const words = choices ?? suggestions;
  const notes = [
    spec.required && 'required',
    words && spec.value !== words.join('|') && `${choices ? 'one of' : 'such as'} ${words.join(', ')}`,
    beside && `of the ${beside.whose}; --${beside.flag} is a global option`,
    spec.repeat && 'repeatable',
    spec.env && `or ${spec.env}`,
    needs && `needs ${needs.map((each) => `--${each}`).join(' or ')}`,
    ...Object.entries(only).map(([name, taken]) => `only if ${name} is ${taken.join(' or ')}`),
    excludes && `not with ${excludes.map((each) => optionAsTyped(specs, each)).join(' or ')}`,
  ].filter((note) => note);
  return notes.length === 0 ? doc : `${doc} (${notes.join('; ')})`;
}

export function optionRows(specs: OptionSpecs): readonly (readonly [string, string])[] {
  return Object.values(specs).map((spec) => {
    const short = spec.short === undefined ? '    ' : `-${spec.short}, `;
    return [
      `${short}--${spec.flag}${spec.value === undefined ? '' : ` ${spec.value}`}`,
      optionDescription(specs, spec),
    ];
  });
}

function nounsParts(): readonly HelpPart[] {
  const ofGroups = nounGroups.flatMap((group): readonly HelpPart[] => {
    const rows = allNouns()
      .filter((noun) => noun.group === group)
      .map(({ name, summary }) => [name, summary] as const);
    return rows.length === 0 ? [] : [{ kind: 'rows', heading: group, rows, least: 14 }];
  });
  return [
    text('Administer accounts, users, callflows, limits and webhooks of a telephony service.'),
    { kind: 'line', text: 'Usage: telctl <noun> <verb> [arguments] [options]' },
    ...ofGroups,
    text(
      'telctl <noun> --help lists its verbs. The help of a verb ends with examples. telctl commands lists all verbs of all nouns.',
    ),
  ];
}

const optionsParts = (): readonly HelpPart[] => [
  ...optionPart('Options of every command', globalOptions),
  ...optionPart('If a command adds charges', chargesOptions),
  ...optionPart('In many accounts at once', manyOptions),
];

/** `telctl --help`: the nouns by purpose, and the options of every command. */
export const programParts = (): readonly HelpPart[] => [...nounsParts(), ...optionsParts()];

/** `telctl help commands`: the nouns of `telctl --help`. */
export const nounsPage = (columns: Columns): string => pageText(nounsParts(), columns);

/** `telctl help options`: the options of `telctl --help`. */
export const optionsPage = (columns: Columns): string => pageText(optionsParts(), columns);

type HelpLine = Extract<ParsedLine, { kind: 'help' }>;

/** Prints a help page. At a terminal, a page longer than the screen opens in the pager. */
export async function showHelpPage({ page, global }: HelpLine, host: Host, out: Output): Promise<void> {
  const text = await helpPage(page, out.columns);
  const paged = out.terminal ? await openPager(out, host, global) : undefined;
  await (paged ?? out).write(text);
  await paged?.end();
}

/** Invalid settings do not prevent help. */
async function openPager(out: Output, machine: Host, global: HelpLine['global']) {
  const [{ settingTroubles }, { resolveSettings }, { openNotices }, { styleFor }, { pagedOutput }] =
    await Promise.all([
      import('../../../client/session/setting-troubles.ts'),
      import('../../../client/session/resolve-settings.ts'),
      import('../../terminal/notices.ts'),
      import('../../terminal/style.ts'),
      import('../../terminal/pager.ts'),
    ]);
  const { noPager } = global;
  const { pager, noInput } = resolveSettings({ options: { noPager }, host: settingTroubles(machine).host });
  if (noInput.value) return undefined;
  const notices = openNotices(machine, { quiet: false, style: await styleFor(false, false) });
  return pagedOutput(out, machine, notices, pager);
}
