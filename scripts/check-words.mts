/**
 * Checks the names in `src`: no file name or exported name contains a word that CONTRIBUTING.md retires, each exported
 * name is declared in one file only and keeps its name, and few doc comments begin with a question word. Exits with code 1 otherwise.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';

const [, table = ''] = readFileSync('CONTRIBUTING.md', 'utf8').split('### Retired words');
const rows = [...table.matchAll(/^\| ([a-z, ]+) \| ([^|]+) \|$/gm)];
const retired = new Map(
  rows.flatMap(([, words = '', better = '']) => words.split(', ').map((word) => [word, better] as const)),
);
if (retired.size === 0) throw new Error('CONTRIBUTING.md has no table of retired words.');

const wordsOf = (name: string): readonly string[] =>
  (name.match(/[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
const exported = /^export (?:async )?(?:function\*?|const|type|interface|class) (\w+)/gm;
const exportedAs = /^export (?:type )?\{[^}]*\b(\w+ as \w+)/gm;
const docComments = /\/\*\*[\s*]*(\w+)/g;
const mostQuestions = 0.05;

/** Exported names that may be in two files, because a program uses only one of these entries. */
const alternatives = new Set(['connect']);
const exporters = new Map<string, string[]>();

const found: string[] = [];
let comments = 0;
let questions = 0;
for (const file of globSync('src/**/*.ts').filter((path) => !/[/\\]generated[/\\]/.test(path))) {
  const text = readFileSync(file, 'utf8');
  const names = [basename(file, '.ts'), ...[...text.matchAll(exported)].map(([, name = '']) => name)];
  for (const name of names) {
    for (const word of wordsOf(name)) {
      const better = retired.get(word);
      if (better !== undefined)
        found.push(`${file}: ${name} has the retired word "${word}"; write ${better} (CONTRIBUTING.md)`);
    }
  }
  if (!file.endsWith('.test.ts'))
    for (const name of new Set([...text.matchAll(exported)].map(([, each = '']) => each)))
      exporters.set(name, [...(exporters.get(name) ?? []), file]);
  for (const [, alias = ''] of text.matchAll(exportedAs))
    found.push(`${file}: exports ${alias}; give it one name`);
  for (const [, first = ''] of text.matchAll(docComments)) {
    comments += 1;
    if (/^(?:What|Whether|How|Where|Who|Why)$/.test(first)) questions += 1;
  }
}
if (questions >= comments * mostQuestions)
  found.push(
    `${questions} of ${comments} doc comments begin with a question word; begin with a verb or a noun`,
  );
for (const [name, files] of exporters)
  if (files.length > 1 && !alternatives.has(name))
    found.push(`${name} is exported with several meanings: ${files.join(', ')}`);
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
