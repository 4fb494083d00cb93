import { spawn } from '@lydell/node-pty';
import { expect, test } from 'vitest';
import { listen } from '../support/listening-sandbox.ts';
import { bin, processEnv } from '../support/process.ts';
import { testFolders } from '../support/world.ts';

/** Runs telctl at a real terminal; `type` gets what was shown so far and gives what is typed next. */
function atTerminal(
  argv: readonly string[],
  home: string,
  steps: readonly { readonly see: RegExp; readonly type: string }[],
): Promise<{ readonly code: number; readonly shown: string }> {
  const terminal = spawn(process.execPath, [bin, ...argv], {
    cols: 100,
    rows: 30,
    cwd: home,
    env: { ...processEnv({ home }), TERM: 'xterm-256color' },
  });
  const left = [...steps];
  let shown = '';
  let offset = 0;
  terminal.onData((text) => {
    shown += text;
    const [next] = left;
    if (!next?.see.test(shown.slice(offset))) return;
    left.shift();
    offset = shown.length;
    terminal.write(next.type);
  });
  return new Promise((resolve) => terminal.onExit(({ exitCode }) => resolve({ code: exitCode, shown })));
}

const login = (url: string): readonly string[] => [
  ...['login', '--base-url', url],
  ...['--account-name', 'acme', '--username', 'admin'],
];

test('a password typed at a terminal signs in and is not shown', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const run = await atTerminal(login(sandbox.url), home, [
    { see: /password/i, type: `${sandbox.seed.adminPassword}\r` },
  ]);
  expect(run.code, run.shown).toBe(0);
  expect(run.shown).not.toContain(sandbox.seed.adminPassword);
});

test('Ctrl-C in a prompt ends with 130 and gives the terminal back', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const run = await atTerminal(login(sandbox.url), home, [{ see: /password/i, type: '\u0003' }]);
  expect(run.code).toBe(130);
  expect(run.shown).not.toMatch(/\n\s+at /);
  expect(sandbox.signIns()).toBe(0);
});

test('the end of input in a prompt is no consent', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const run = await atTerminal(login(sandbox.url), home, [{ see: /password/i, type: '\u0004' }]);
  expect(run.code, run.shown).toBe(130);
  expect(run.shown).not.toMatch(/warning/i);
  expect(sandbox.signIns()).toBe(0);
});
