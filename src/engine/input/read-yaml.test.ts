import fc from 'fast-check';
import { expect, it } from 'vitest';
import yaml from 'yaml';
import { plainValue } from '../../cli/commands/api/send.ts';
import { parse } from './read-documents.ts';

/** Enough items that they are read in several pieces. */
const many = 2_000;
const lines = (each: (index: number) => string): string =>
  Array.from({ length: many }, (_, index) => each(index)).join('');

/** Result of reading a text, with the mark of a document's end behind it, which is left to the YAML package. */
async function valuesOf(text: string) {
  const { documents, problems } = await parse('a.yaml', `${text}...\n`);
  return {
    values: documents.map(plainValue),
    problems: problems.map(({ place, message }) => `${place}: ${message}`),
  };
}

it.each([
  ['a map of maps', `users:\n${lines((i) => `  u${i}: { name: n${i} } # c\n`)}menus:\n  a: { b: c }\n`],
  ['a list of maps', lines((i) => `- name: n${i}\n  flags: [a, b]\n\n`)],
  ['a map', `# head\n${lines((i) => `k${i}:\n  text: |\n    a\n    b\n  empty:\n`)}`],
  [
    'documents',
    `a: x\n---\nusers:\n${lines((i) => `  u${i}:\n    name: n${i}\n`)}---\nb:\n${lines((i) => `  - x${i}\n`)}...\n`,
  ],
  ['anchors at the end', `a:\n${lines((i) => `  k${i}: v${i}\n`)}b: &b { c: d }\ne: *b\n`],
])('reads %s in pieces with the same result as in one', async (_, text) => {
  const { values, problems } = await valuesOf(text);
  expect(problems).toEqual([]);
  const whole = yaml.parseAllDocuments(text, { schema: 'failsafe' }).map((each) => each.toJS());
  expect(JSON.stringify(values).replaceAll('null', '""')).toBe(JSON.stringify(whole));
});

it('keeps places, and finds duplicates and errors across pieces', async () => {
  const entries = lines((i) => `  u${i}: { a: b }\n`);
  expect((await valuesOf(`users:\n${entries}  u7: { a: b }\n`)).problems).toEqual([
    `a.yaml:${many + 2}:3: "u7" is given twice`,
  ]);
  const { values, problems } = await valuesOf(`users:\n  x: { a\n${entries}---\nb: c\n`);
  expect(values).toEqual([{ b: 'c' }]);
  expect(problems[0]).toMatch(/^a\.yaml:\d+:\d+: /);
  const deep = `a:\n${entries}  deep: ${'['.repeat(120)}${']'.repeat(120)}\n`;
  expect((await valuesOf(deep)).problems[0]).toContain('is nested deeper than 100 levels');
});

it('agrees with a single parser at any length', async () => {
  const scalar = fc.stringMatching(/^[a-z]{1,5}$/);
  const item = fc.oneof(
    scalar,
    fc.array(scalar, { maxLength: 2 }),
    fc.dictionary(scalar, scalar, { maxKeys: 2 }),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(item, { minLength: 150, maxLength: 700 }),
      fc.boolean(),
      async (items, nested) => {
        const map = Object.fromEntries(items.map((value, index) => [`k${index}`, value]));
        const value = nested ? { a: map, b: items } : map;
        expect((await valuesOf(yaml.stringify(value))).values).toEqual([value]);
      },
    ),
    { numRuns: 25 },
  );
});

it.each([
  ['a line of program output', 'Loading plugins\n# office\n', '3:1: cannot follow what begins in line 1: '],
  ['a list item', '- set: x\n', '2:1: cannot follow what begins in line 1: '],
  ['an indented line', '  x: y\n', '2:1: cannot follow what begins in line 1: '],
  ['a list followed by text', '[info] reading\n', '1:8: unexpected scalar'],
])('reports %s before the manifest as one problem', async (_, first, said) => {
  const rest = `set: office\nusers:\n${lines((i) => `  u${i}: { name: n${i} }\n`)}`;
  const { values, problems } = await valuesOf(first + rest);
  expect(problems).toEqual([expect.stringContaining(`a.yaml:${said}`)]);
  expect(values).toEqual([]);
});
