/**
 * Writes the files that are generated from the source, and the list of manual pages in package.json. With `--check`,
 * only lists outdated files.
 */
import '../src/extensions.ts';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { resources } from '../src/contract/catalogue.ts';
import { openApiDocument } from '../src/contract/openapi.ts';
import { jsonSchema } from '../src/contract/published-schema.ts';
import { manifestSchema } from '../src/engine/manifest/manifest-schema.ts';
import { planSchema } from '../src/engine/manifest/plan-schema.ts';
import { casesSchema } from '../src/extensions/calls/cases/cases-schema.ts';
import { coverage } from '../test/conformance/coverage.ts';
import { operationRows } from '../test/conformance/operation-rows.ts';
import { exceptionsPage } from '../test/recordings/exceptions.ts';
import { callsPage } from './reference/calls-page.mts';
import { operationTypes } from './reference/operation-types.mts';
import { operationsPages } from './reference/operations-page.mts';
import { resourceNounsModule } from './reference/resource-nouns.mts';
import { sandboxOpenApi, sandboxTypes } from './reference/sandbox.mts';
import { templatesModule } from './reference/templates.mts';

const root = join(import.meta.dirname, '..');
const onlyChecks = process.argv.includes('--check');

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  console.log(`wrote ${path}`);
}

const isStale = ([path, text]: readonly [string, string]): boolean => {
  const file = join(root, path);
  return !existsSync(file) || readFileSync(file, 'utf8') !== text;
};

// Written first, because the commands below import them.
const nouns = ['src/contract/resource-nouns.ts', resourceNounsModule()] as const;
const templates = ['src/cli/commands/manifest/init/generated/templates.ts', templatesModule(root)] as const;
for (const [path, text] of [nouns, templates]) if (!onlyChecks && isStale([path, text])) write(path, text);
const { completionScript } = await import('../src/cli/shell/completion/scripts.ts');
const { allCommands } = await import('../src/cli/shell/self/list-commands.ts');
const { llmsPage } = await import('../src/extensions/assistant/skill.ts');
const { manPageNames } = await import('./man/pages.mts');
const { exitCodesPage, topicMarkdown, troubleshootingPage } = await import('./reference/help-pages.mts');

const jsonText = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

/** Returns JSON without indentation for large documents, with one line per entry so that git can merge it. */
function shortJson(value: unknown, depth = 3): string {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value);
  const entries = Object.entries(value).map(
    ([key, each]) => `${JSON.stringify(key)}:${shortJson(each, depth - 1)}`,
  );
  return `{\n${entries.join(',\n')}\n}`;
}

/** Maps each operation to its own test, or to the test of all operations. */
const testsById = new Map([
  ...[...operationRows.keys()].map((id) => [id, 'test/conformance/operations.test.ts'] as const),
  ...Object.entries(coverage).flatMap(([file, ids]) => ids.map((id) => [id, file] as const)),
]);

/** Returns package.json with the manual pages of the build. npm only links listed pages. */
function packageWithPages(): string {
  const {
    name,
    version,
    description,
    license,
    type,
    bin,
    exports,
    man: _,
    ...rest
  } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const man = manPageNames.map((page) => `dist/man/${page}`);
  return jsonText({ name, version, description, license, type, bin, exports, man, ...rest });
}

const written: readonly (readonly [path: string, text: string])[] = [
  ['completions/telctl.bash', completionScript('bash')],
  ['completions/_telctl', completionScript('zsh')],
  ['completions/telctl.fish', completionScript('fish')],
  ['completions/telctl.ps1', completionScript('powershell')],
  ['llms.txt', await llmsPage()],
  ['docs/reference/simulated-modules.md', callsPage()],
  ['docs/reference/kazoo-differences.md', exceptionsPage()],
  ['docs/reference/environment.md', topicMarkdown('environment', 'Environment variables')],
  ['docs/reference/output.md', topicMarkdown('output', 'Output formats')],
  ['docs/reference/files.md', topicMarkdown('files', 'Files that telctl uses')],
  ['docs/exit-codes.md', exitCodesPage()],
  ['docs/troubleshooting.md', troubleshootingPage()],
  ...operationsPages(await allCommands(), testsById),
  ['package.json', packageWithPages()],
  ['src/library/generated/operations.ts', operationTypes()],
  ['src/extensions/sandbox/generated/requests.ts', sandboxTypes()],
  templates,
  ['schemas/openapi.json', `${shortJson(openApiDocument('conventions'))}\n`],
  ['schemas/sandbox-openapi.json', `${shortJson(sandboxOpenApi())}\n`],
  ['schemas/manifest.json', `${shortJson(manifestSchema())}\n`],
  ['schemas/plan.json', jsonText(planSchema())],
  ['schemas/cases.json', jsonText(casesSchema())],
  ...resources.map(
    (resource) => [`schemas/${resource.name}.json`, jsonText(jsonSchema(resource, 'specification'))] as const,
  ),
];

/** Folders that contain only generated files. */
const folders = [...new Set(written.map(([path]) => posix.dirname(path)))].filter(
  (folder) => folder !== '.' && folder !== 'docs',
);

/** Generated files. Code hosts fold them in reviews, and `git diff` still shows their lines. */
const generated = [
  ...folders.map((folder) => `/${folder}/**`),
  `/${nouns[0]}`,
  '/docs/exit-codes.md',
  '/docs/troubleshooting.md',
  '/package-lock.json',
  '/bench/libraries/package-lock.json',
  '/test/openapi-client/package-lock.json',
  '/test/runtimes/package-lock.json',
  '/test/recordings/groups/**',
];
const attributes = `# Written by npm run generate.
* text=auto eol=lf
${generated.map((path) => `${path} linguist-generated`).join('\n')}
`;

const made: ReadonlyMap<string, string> = new Map([...written, nouns, ['.gitattributes', attributes]]);

/** Files in generated folders that the contract no longer has, such as the schema of a deleted resource. */
const orphaned = folders
  .flatMap((folder) => globSync(`${folder}/**`, { cwd: root }))
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !made.has(path) && statSync(join(root, path)).isFile());

const stale = [...made].filter(isStale);

if (onlyChecks) {
  for (const [path] of stale) console.error(`${path} is out of date. Run: npm run generate`);
  for (const path of orphaned) console.error(`${path} is no longer generated. Run: npm run generate`);
  if (stale.length > 0 || orphaned.length > 0) process.exitCode = 1;
} else {
  for (const [path, text] of stale) write(path, text);
  for (const path of orphaned) {
    rmSync(join(root, path));
    console.log(`removed ${path}`);
  }
}
