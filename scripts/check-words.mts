/**
 * Looks in `src` for words that CONTRIBUTING.md retires, as words of file names and of exported names, counts the doc
 * comments that begin with a question word, and holds names that fit anything to one function each. Ends with 1 where a
 * word is found, where those comments are too many, or where two functions have one of the names.
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
const docComments = /\/\*\*[\s*]*(\w+)/g;
const mostQuestions = 0.05;

/** Short names that fit anything: each is of one function in all of the source, and others say what they are of. */
const general = 'textOf shown nameOf same pathOf keyOf listOf rowsOf bodyOf placeOf entryOf quoted'.split(
  ' ',
);
const defined = new RegExp(
  `function\\*? (${general.join('|')})\\b|` +
    `const (${general.join('|')})(?:: [^=\\n]+)? =\\s*(?:async )?` +
    '(?:\\((?:[^()]|\\([^()]*\\))*\\)(?:: (?:[^=]|=(?!>))+?)?|\\w+) =>',
  'g',
);
const places = new Map<string, string[]>(general.map((name) => [name, []]));

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
    for (const [, one, other = one ?? ''] of text.matchAll(defined)) places.get(other)?.push(file);
  for (const [, first = ''] of text.matchAll(docComments)) {
    comments += 1;
    if (/^(?:What|Whether|How|Where|Who|Why)$/.test(first)) questions += 1;
  }
}
if (questions >= comments * mostQuestions)
  found.push(
    `${questions} of ${comments} doc comments begin with a question word; begin with a verb or a noun`,
  );
for (const [name, files] of places)
  if (files.length > 1) found.push(`${name} is the name of several functions: ${files.join(', ')}`);
if (found.length > 0) {
  console.error(found.join('\n'));
  process.exitCode = 1;
}
