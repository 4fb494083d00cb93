import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const { TELCTL_BASE_URL: url, TELCTL_API_KEY: key } = process.env;
const bin = join(import.meta.dirname, 'node_modules/.bin');
const host = new URL(url).host;

for (const [name, line] of [
  ['Node.js', [process.execPath]],
  ['Bun', [join(bin, 'bun'), 'run']],
  [
    'Deno',
    [join(bin, 'deno'), 'run', '--no-prompt', `--allow-net=${host}`, '--allow-env=SERVICE_URL,SERVICE_KEY'],
  ],
])
  test(`${name} runs the client`, async () => {
    const [program, ...options] = line;
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, SERVICE_URL: url, SERVICE_KEY: key };
    const { stdout } = await run(program, [...options, join(import.meta.dirname, 'program.mjs')], { env });
    assert.deepEqual(JSON.parse(stdout), {
      names: ['Runtime'],
      status: 200,
      hasRequestId: true,
      failures: ['not_found', 'interrupted', 'charges'],
      checked: ['secret', 'address'],
    });
  });
