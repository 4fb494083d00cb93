import { expect, test } from 'vitest';
import { hyphenate } from '../../base/wording.ts';
import { resourceByWord } from '../../contract/catalogue.ts';
import { globalOptions } from '../commands/global-options.ts';
import { groupOf } from '../commands/nouns.ts';
import { allNouns } from './registry.ts';
import { listCommands } from './self/list-commands.ts';

test('nouns of resources use the name and description in the contract', () => {
  for (const { name, alias, summary } of allNouns()) {
    const resource = groupOf(name) && resourceByWord(name);
    if (resource)
      expect({ alias, summary }).toEqual({ alias: hyphenate(resource.singular), summary: resource.summary });
  }
});

test('every resource with commands has a group on the help page', () => {
  const without = allNouns()
    .filter(({ name }) => !groupOf(name) && resourceByWord(name))
    .map(({ name }) => name);
  // These are about the sign-in in use, and a way to look for records.
  expect(without).toEqual(['tokens', 'search']);
});

test('command options do not hide global options, and flags and letters are unique', async () => {
  const global = Object.values(globalOptions);
  for (const noun of allNouns()) {
    for (const { path, options } of await noun.commands()) {
      const all = [...global, ...Object.values(options)];
      const names = all.flatMap((option) =>
        'short' in option && option.short ? [option.flag, option.short] : [option.flag],
      );
      expect({ path, twice: names.filter((name, index) => names.indexOf(name) !== index) }).toEqual({
        path,
        twice: [],
      });
    }
  }
});

test('every command starts with its noun', async () => {
  for (const noun of allNouns()) {
    for (const { path } of await noun.commands()) expect(path[0]).toBe(noun.name);
  }
});

test('the command tree marks commands that can send any request with their worst effect', async () => {
  const tree = await listCommands();
  const entries = tree.kind === 'list' && Symbol.iterator in tree.items ? [...tree.items] : [];
  expect(entries.find(({ command }) => command === 'api')).toMatchObject({ effect: 'charges' });
  expect(entries.find(({ command }) => command === 'users list')).toMatchObject({ effect: 'read' });
});
