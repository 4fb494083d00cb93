/**
 * Checks the documentation: named paths, npm scripts and tests exist, `telctl` command lines parse, the README lists
 * every folder, and the length is limited. Exits with code 1 if a check fails.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { telctlLines } from './docs/command-lines.mts';
import { findMissingTests } from './docs/named-tests.mts';
import { findParseProblem } from './docs/parse.mts';

const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', ...globSync('docs/**/*.md')]
  .filter((path) => existsSync(path))
  .sort();
const scripts = new Set(Object.keys(JSON.parse(readFileSync('package.json', 'utf8')).scripts));
const folders =
  /^(?:src|test|docs|examples|integrations|scripts|bench|bin|completions|schemas|\.ci|\.github|\.vscode)(?:\/|$)/;

const isUrl = (target: string): boolean => /^[a-z]+:|^#/.test(target);

/** Returns links to files, relative to the page, and repository paths in code. */
function namedPaths(page: string, text: string): readonly string[] {
  const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => !isUrl(target))
    .map((target) => join(dirname(page), target.replace(/#.*$/, '')));
  const marked = [...text.matchAll(/`([^`\s]+)`/g)]
    .map(([, target = '']) => target)
    .filter((target) => folders.test(target) && !/[<>{}$]/.test(target));
  return [...links, ...marked];
}

const pathExists = (path: string): boolean =>
  path.includes('*') ? globSync(path).length > 0 : existsSync(path);

const troubles: string[] = [];
for (const page of pages) {
  const text = readFileSync(page, 'utf8');
  for (const path of namedPaths(page, text))
    if (!pathExists(path)) troubles.push(`${page}: ${path} does not exist`);
  for (const [, name = ''] of text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)) {
    if (!scripts.has(name)) troubles.push(`${page}: there is no npm script ${name}`);
  }
  troubles.push(...findMissingTests(text).map((trouble) => `${page}: ${trouble}`));
  for (const line of telctlLines(text)) {
    const trouble = await findParseProblem(line);
    if (trouble !== undefined) troubles.push(`${page}: telctl ${line.words.join(' ')}: ${trouble}`);
  }
}

// Someone could register the name in a public registry and receive the API keys next to such a line.
for (const page of [...pages, ...globSync('{examples,integrations}/**/*.{yaml,yml}')])
  for (const [line] of readFileSync(page, 'utf8').matchAll(
    /\b(?:npx (?:-y |--yes )?|npm (?:install|i|exec)(?: -\S+)* )telctl\b(?![-./])[^\n]*/g,
  ))
    troubles.push(`${page}: ${line}: no registry has telctl; name the tarball: "$TELCTL_PACKAGE"`);

const readme = readFileSync('README.md', 'utf8');
const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n');
for (const folder of new Set(tracked.flatMap((path) => /^[^/]+\/(?=.)/.exec(path) ?? []))) {
  if (!readme.includes(`\n| \`${folder.slice(0, -1)}\` | `))
    troubles.push(`README.md: the table of folders has no line for ${folder}`);
}

/** The longest documentation that people still read, without the generated reference. */
const mostWords = 40_000;
const words = pages
  .filter((page) => page === 'README.md' || /^docs\/(?!reference\/)/.test(page))
  .reduce((sum, page) => sum + readFileSync(page, 'utf8').split(/\s+/).length, 0);
if (words > mostWords)
  troubles.push(
    `The documentation has ${words} words; at most ${mostWords} are allowed. Shorten or delete a page.`,
  );

for (const trouble of troubles) console.error(trouble);
if (troubles.length > 0) process.exitCode = 1;
else console.log(`${pages.length} pages name what exists`);
