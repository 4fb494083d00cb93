import '../../src/extensions.ts';
import type { Command } from '../../src/cli/command/command.ts';
import { globalOptions } from '../../src/cli/commands/global-options.ts';
import { type Noun, nounGroups } from '../../src/cli/commands/nouns.ts';
import {
  argumentNames,
  effects,
  optionGroups,
  optionRows,
  usageLine,
} from '../../src/cli/shell/help/help-page.ts';
import type { Topic } from '../../src/cli/shell/help/topics.ts';
import { topics } from '../../src/cli/shell/help/topics.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';
import { definitions, heading, paragraph, roffText, subheading, title, verbatim } from './roff.mts';

const manifestPage = 'telctl-manifest.5';

/** Names of all manual pages below `dist/man`. package.json lists them, because npm only links listed pages. */
export const manPageNames: readonly string[] = [
  'telctl.1',
  ...allNouns().map(({ name }) => `telctl-${name}.1`),
  manifestPage,
];

const joined = (lines: readonly string[]): string => `${lines.join('\n')}\n`;

const named = (name: string, summary: string): readonly string[] =>
  heading('Name', roffText(`${name} - ${summary}`));

const seeAlso = (pages: readonly string[]): readonly string[] =>
  heading('See also', roffText(pages.map((page) => page.replace(/\.(\d)$/, '($1)')).join(', ')));

/** Returns the text of a topic without its heading, which would repeat that of the page. */
function topicBody({ parts }: Topic): readonly string[] {
  const headings = parts.filter((part) => 'heading' in part).length;
  return parts.flatMap((part) => {
    if (part.kind === 'text' || part.kind === 'line') return paragraph(part.text);
    const body = part.kind === 'rows' ? definitions(part.rows) : verbatim(part.lines);
    return part.heading === undefined || headings === 1 ? body : subheading(part.heading, ...body);
  });
}

function programPage(version: string): string {
  const manifests = topics.filter(({ name }) => name === 'manifests');
  return joined([
    ...title('telctl', 1, version),
    ...named('telctl', 'administer a multi-tenant telephony service'),
    ...heading('Synopsis', '.B telctl', roffText('<noun> <verb> [arguments] [options]')),
    ...heading(
      'Description',
      roffText('Administers accounts, users, callflows, limits and webhooks of a telephony service.'),
      ...paragraph('Each noun below has a page of its own, such as telctl-users(1).'),
    ),
    ...heading(
      'Commands',
      ...nounGroups.flatMap((group) =>
        subheading(
          group,
          ...definitions(
            allNouns()
              .filter((noun) => noun.group === group)
              .map(({ name, summary }) => [name, summary]),
          ),
        ),
      ),
    ),
    ...heading('Options of every command', ...definitions(optionRows(globalOptions))),
    ...topics
      .filter((topic) => !manifests.includes(topic))
      .flatMap((topic) => heading(topic.name.replaceAll('-', ' '), ...topicBody(topic))),
    ...seeAlso(manPageNames.slice(1)),
  ]);
}

async function commandPart(command: Command): Promise<readonly string[]> {
  const effect = effects[command.effect];
  const given = Object.values(command.arguments).map(({ name, doc }) => [name, doc] as const);
  return subheading(
    ['telctl', ...command.path, ...argumentNames(command)].join(' '),
    ...paragraph(`${command.summary}.`),
    ...(command.description === undefined ? [] : paragraph(command.description)),
    ...(effect === undefined ? [] : paragraph(effect)),
    ...definitions([...given, ...(await optionGroups(command)).flatMap(([, specs]) => optionRows(specs))]),
    ...verbatim(command.examples.flatMap(({ line, doc }) => [`# ${doc}`, line])),
  );
}

async function nounPage({ name, summary, group, commands }: Noun, version: string): Promise<string> {
  const shown = (await commands()).filter(({ hidden }) => !hidden);
  const parts = await Promise.all(shown.map(commandPart));
  return joined([
    ...title(`telctl-${name}`, 1, version),
    ...named(`telctl-${name}`, summary),
    ...heading('Synopsis', '.nf', ...shown.map((command) => roffText(usageLine(command))), '.fi'),
    ...heading('Commands', ...parts.flat()),
    ...seeAlso(['telctl.1', ...(group === 'Configuration as code' ? [manifestPage] : [])]),
  ]);
}

/** Returns all manual pages by name: of telctl, of each noun, and of manifest files. */
export async function manPages(version: string): Promise<ReadonlyMap<string, string>> {
  const ofNouns = await Promise.all(
    allNouns().map(async (noun) => [`telctl-${noun.name}.1`, await nounPage(noun, version)] as const),
  );
  const manifests = topics.filter(({ name }) => name === 'manifests');
  const ofManifests = manifests.map(
    (topic) =>
      [
        manifestPage,
        joined([
          ...title('telctl-manifest', 5, version),
          ...named('telctl-manifest', topic.summary),
          ...heading('Description', ...topicBody(topic)),
          ...seeAlso(['telctl.1', 'telctl-apply.1', 'telctl-export.1']),
        ]),
      ] as const,
  );
  return new Map([['telctl.1', programPage(version)], ...ofNouns, ...ofManifests]);
}
