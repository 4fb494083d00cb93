/**
 * Runs every check of the repository, or the named ones, one per processor, and prints which failed. It finds tools
 * and the pinned Node.js itself, so it runs without npm.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';

const root = join(import.meta.dirname, '..', '..');
const modules = join(root, 'node_modules');

/** Starts a tool by its file with a larger young generation, which avoids hundreds of garbage collections. */
const quickly = (...path: readonly string[]) =>
  ['node', '--min-semi-space-size=16', join(modules, ...path)] as const;

/** Slow checks come first, so that none runs alone at the end. */
const checks = [
  // The compiler keeps a hash of every file and only checks files that a change can affect.
  {
    name: 'types',
    // The older compiler, which bundles the library types, also installs a `tsc`.
    command: [
      'node',
      join(modules, 'typescript', 'bin', 'tsc'),
      // Several checkers would infer the same types and take processors from the other checks.
      '--checkers',
      '1',
      '--incremental',
      '--tsBuildInfoFile',
      join(modules, '.cache', 'types.tsbuildinfo'),
    ],
  },
  { name: 'format and lint', command: ['node', 'scripts/check/lint.mts'] },
  { name: 'dead code', command: [...quickly('knip', 'bin', 'knip.js'), '--no-progress'] },
  { name: 'generated files', command: ['node', 'scripts/generate.mts', '--check'] },
  {
    name: 'OpenAPI document',
    command: [
      ...quickly('@redocly', 'cli', 'bin', 'cli.js'),
      ...['lint', '--format=stylish', 'schemas/openapi.json', 'schemas/sandbox-openapi.json'],
    ],
  },
  { name: 'import boundaries', command: ['node', 'scripts/check-boundaries.mts'] },
  {
    name: 'documentation',
    command: ['node', '--disable-warning=ExperimentalWarning', 'scripts/check-docs.mts'],
  },
  { name: 'site', command: ['node', 'scripts/site.mts', join(modules, '.cache', 'site')] },
  { name: 'tests', command: ['node', 'scripts/check-tests.mts'] },
  { name: 'sizes', command: ['node', 'scripts/check-sizes.mts'] },
  { name: 'words', command: ['node', 'scripts/check-words.mts'] },
  { name: 'spread literals', command: ['node', 'scripts/check/literals.mts'] },
  { name: 'lists of resources', command: ['node', 'scripts/check-resource-lists.mts'] },
] as const;

const env = {
  ...process.env,
  PATH: [join(modules, '.bin'), process.env.PATH].join(delimiter),
  // Prevents the OpenAPI linter from searching for updates.
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
};

const secondsSince = (start: number): string => `${((performance.now() - start) / 1000).toFixed(1)} s`;

/** Runs one check and prints its output at the end, so that the output of checks is not mixed. */
async function runCheck({ name, command: [command, ...args] }: (typeof checks)[number]): Promise<boolean> {
  const start = performance.now();
  // On Windows, the tools in node_modules/.bin are shell scripts.
  const shell = process.platform === 'win32';
  const child = spawn(command, args, { cwd: root, env, shell, stdio: ['ignore', 'pipe', 'pipe'] });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name}  (${secondsSince(start)})`);
  if (code !== 0) console.error(Buffer.concat(chunks).toString().trimEnd());
  return code === 0;
}

const named = process.argv.slice(2);
const wanted = checks.filter(({ name }) => named.length === 0 || named.includes(name));
if (wanted.length < named.length) {
  console.error(`The checks are: ${checks.map(({ name }) => `"${name}"`).join(', ')}.`);
  process.exit(2);
}

const start = performance.now();
const failed: string[] = [];
const waiting = wanted.values();
const workers = Array.from({ length: availableParallelism() }, async () => {
  for (const check of waiting) if (!(await runCheck(check))) failed.push(check.name);
});
await Promise.all(workers);
console.log(`All in ${secondsSince(start)}`);
if (failed.length > 0) {
  console.error(`${failed.length} of ${wanted.length} checks failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
