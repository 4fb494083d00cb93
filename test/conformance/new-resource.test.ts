import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { root } from '../support/process.ts';

/** Generated folders. Everything else is copied, so that every file that a script reads is present. */
const made = new Set([...readFileSync(join(root, '.gitignore'), 'utf8').split(/\/?\n/), '.git']);
const lists = ['src/contract/resource-list.ts', 'src/contract/samples.ts'];

/** Returns lines of `after` that `before` does not have. */
const addedLines = (before: string, after: string): readonly string[] => {
  const known = new Set(before.split('\n'));
  return after.split('\n').filter((line) => !known.has(line));
};

/** A command of a resource, in the notation of its noun's file. */
const command = `  {
    path: ['agents', 'nap'],
    summary: 'Let an agent sleep',
    operation: operationFor(agents, 'set-state'),
    arguments: { agent },
    data: { status: 'pause', timeout: 600 },
    examples: [{ line: 'telctl agents nap alice', doc: 'Ten minutes' }],
    says: 'Agent {agent} sleeps.',
  },
`;

test('a resource is one file, one list entry and one sample; a command is one entry', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'telctl-resource-'));
  onTestFinished(() => rmSync(copy, { recursive: true }));
  for (const name of readdirSync(root))
    if (!made.has(name)) cpSync(join(root, name), join(copy, name), { recursive: true });
  const modules = join(root, 'node_modules');
  symlinkSync(modules, join(copy, 'node_modules'));
  const run = async (...args: readonly string[]) => {
    const env = { ...process.env, COMMANDS: 'all' };
    const child = spawn(process.execPath, args, { cwd: copy, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    const [code] = await once(child, 'close');
    const output = Buffer.concat(chunks).toString();
    expect(code, output).toBe(0);
    return output;
  };

  const agents = join(copy, 'src/cli/commands/agents/commands.ts');
  const begin = 'const calls: readonly OperationCommandFacts[] = [\n';
  writeFileSync(agents, readFileSync(agents, 'utf8').replace(begin, begin + command));
  await run('scripts/new-resource.mts', 'parks');
  for (const file of lists)
    expect(
      addedLines(readFileSync(join(root, file), 'utf8'), readFileSync(join(copy, file), 'utf8')),
    ).toEqual([expect.stringMatching(/\bparks\b/)]);
  await run('scripts/generate.mts', '--check');
  await run('scripts/check-resource-lists.mts');
  const tables = ['resources', 'operations', 'names', 'man-pages', 'effects', 'log'].map(
    (name) => `test/conformance/${name}.test.ts`,
  );
  const [tests] = await Promise.all([
    run(
      join(modules, 'vitest', 'vitest.mjs'),
      'run',
      '--reporter=verbose',
      // Rows in the other modes come from the same tables. One worker loads shared modules once.
      '--project=telctl',
      '--maxWorkers=1',
      ...tables,
      '-t',
      'parks|agents nap',
    ),
    // Other threads would check the shared types again.
    run(join(modules, 'typescript', 'bin', 'tsc'), '--singleThreaded'),
  ]);
  for (const done of [
    'is applied, found, exported and undone',
    'is an orphan',
    'parks.patch',
    'telctl parks list',
  ])
    expect(tests).toMatch(new RegExp(`✓ .*parks.*${done}|✓ .*${done}`));
  // The rows of these tables, including the undo record, are derived, as are help, completion and reference.
  for (const table of ['names', 'effects', 'log'])
    expect(tests).toMatch(new RegExp(`✓ .*${table}\\.test\\.ts.*agents nap`));
  expect(readFileSync(join(copy, 'docs/reference/agents.md'), 'utf8')).toContain('`telctl agents nap`');
  // Disables the rule about promises, which reads every package first.
  const rules = join(copy, 'biome.json');
  writeFileSync(rules, readFileSync(rules, 'utf8').replace(/^ *"nursery":.*\n/m, ''));
  await run(
    join(modules, '@biomejs', 'biome', 'bin', 'biome'),
    'check',
    '--vcs-enabled=false',
    'src/contract',
  );
});
