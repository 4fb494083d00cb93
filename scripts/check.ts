/** Runs every check of the repository, all to the end, and says which failed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

const checks = [
  { name: 'format and lint', command: ['biome', 'check', '--error-on-warnings', '.'] },
  { name: 'types', command: ['tsc'] },
  { name: 'import boundaries', command: ['node', 'scripts/check-boundaries.ts'] },
  { name: 'tests', command: ['node', 'scripts/check-tests.ts'] },
  { name: 'dead code', command: ['knip', '--no-progress'] },
  { name: 'generated files', command: ['node', 'scripts/generate.ts', '--check'] },
  { name: 'OpenAPI document', command: ['redocly', 'lint', '--format=stylish', 'schemas/openapi.json'] },
  {
    name: 'documentation',
    command: ['node', '--disable-warning=ExperimentalWarning', 'scripts/check-docs.ts'],
  },
] as const;

/** The linter of the OpenAPI document would look for a newer version of itself. */
const quietEnv = { ...process.env, REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

/** Runs one check, holding back what it prints until it has ended. */
async function run([command, ...args]: readonly [string, ...string[]]): Promise<{
  ok: boolean;
  output: string;
}> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: quietEnv });
  const chunks: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [code] = await once(child, 'close');
  return { ok: code === 0, output: Buffer.concat(chunks).toString() };
}

const failed: string[] = [];
for (const { name, command } of checks) {
  const { ok, output } = await run(command);
  console.log(`${ok ? 'ok    ' : 'FAILED'}  ${name}`);
  if (ok) continue;
  failed.push(name);
  console.error(output.trimEnd());
}
if (failed.length > 0) {
  console.error(`${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
