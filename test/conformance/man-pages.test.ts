import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manPageNames, manPages } from '../../scripts/man/pages.mts';
import { definitions, roffText } from '../../scripts/man/roff.mts';
import type { Command } from '../../src/cli/command/command.ts';
import { argumentNames, helpPage, optionGroups } from '../../src/cli/shell/help/help-page.ts';
import { allNouns } from '../../src/cli/shell/registry.ts';
import { allCommands } from '../../src/cli/shell/self/list-commands.ts';
import { root } from '../support/process.ts';

const pages = await manPages('1.2.3');

/** Returns a page as displayed, without line breaks. */
const renderText = (page: string): string =>
  page
    .replaceAll(/^\.(?:B|SS|SH) "(.*)"$/gm, '$1')
    .replaceAll('\\(dq', '"')
    .replaceAll('\\(aq', "'")
    .replaceAll('\\(ga', '`')
    .replaceAll('\\(ha', '^')
    .replaceAll('\\(ti', '~')
    .replaceAll('\\-', '-')
    .replaceAll('\\&', '')
    .replaceAll('\\e', '\\');

test('package.json lists every manual page', () => {
  const { man, files } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect([...pages.keys()]).toEqual(manPageNames);
  expect(man).toEqual(manPageNames.map((name) => `dist/man/${name}`));
  expect(files).toContain('dist');
});

test.each([...pages])('%s contains no accidental roff requests', (_, page) => {
  const lines = page.trimEnd().split('\n');
  const requests = lines.filter((line) => /^[.']/.test(line)).map((line) => line.replace(/ .*/, ''));
  const known = '.TH .SH .SS .PP .TP .B .RS .RE .EX .EE .nf .fi .nh .ad'.split(' ');
  expect(requests.filter((request) => !known.includes(request))).toEqual([]);
  expect(
    lines.filter((line) => /\\(?![-e&]|\(dq|\(aq|\(ga|\(ha|\(ti|\[u[0-9A-F]{4,6}\])/.test(line)),
  ).toEqual([]);
  expect(lines.filter((line) => /(?<!\\)-|[^ -~]|['`^~]/.test(line))).toEqual([]);
});

test('text that looks like a roff request, escape or option is printed as text', () => {
  expect(roffText(".telctl.yaml\n'x' \\n --no-input “q”")).toBe(
    '\\&.telctl.yaml\n\\(aqx\\(aq \\en \\-\\-no\\-input \\[u201C]q\\[u201D]',
  );
  expect(definitions([['a "b"', '.c']])).toEqual(['.TP', '.B "a \\(dqb\\(dq"', '\\&.c']);
});

test('every command is on the page of its noun, with its examples', async () => {
  for (const { path, summary, examples } of await allCommands()) {
    const page = renderText(pages.get(`telctl-${path[0]}.1`) ?? '');
    expect(page).toContain(`\ntelctl ${path.join(' ')} [options]`);
    expect(page).toContain(`\n${summary}.\n`);
    for (const { line } of examples) expect(page).toContain(`\n${line}\n`);
  }
});

/** Returns the options at the beginning of lines. */
const findOptions = (text: string): readonly string[] =>
  [...text.matchAll(/^ *(?:-\w, +)?--([a-z][\w-]*)/gm)].map(([, flag = '']) => flag);

test('a page has exactly the options of its commands', async () => {
  for (const noun of allNouns()) {
    const commands = (await noun.commands()).filter(({ hidden }) => !hidden);
    const nameOf = ({ path, ...command }: Command): string =>
      ['telctl', ...path, ...argumentNames({ path, ...command })].join(' ');
    const headings = ['SEE ALSO', ...commands.map(nameOf)].map((heading) => `\n${heading}\n`);
    for (const command of commands) {
      const page = renderText(pages.get(`telctl-${noun.name}.1`) ?? '');
      const name = nameOf(command);
      const [, part = ''] = page.split(`\n${name}\n`);
      const ends = headings.map((heading) => part.indexOf(heading)).filter((end) => end >= 0);
      const own = part.slice(0, Math.min(part.length, ...ends));
      const help = findOptions(await helpPage(command, undefined));
      const all = (await optionGroups(command)).flatMap(([, specs]) => Object.values(specs));
      expect(new Set(findOptions(own)), name).toEqual(new Set([...help, ...all.map(({ flag }) => flag)]));
    }
  }
});

test('telctl(1) has the environment variables, exit codes and global options', () => {
  const page = renderText(pages.get('telctl.1') ?? '');
  for (const word of ['TELCTL_PROFILE', '\n75\n', '--dry-run', 'telctl-manifest(5)'])
    expect(page).toContain(word);
});
