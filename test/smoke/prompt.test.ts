import { expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { listen } from '../support/listening-sandbox.ts';
import { testFolders } from '../support/world.ts';

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
