import { expect, test } from 'vitest';
import { findCommand } from './find-command.ts';
import { helpPage, helpParts } from './help/help-page.ts';
import { type QuickMachine, quickPage } from './quick-page.ts';

const machine = async (screen: Partial<QuickMachine> = {}): Promise<QuickMachine> => {
  const found = await findCommand(['users', 'list']);
  const parts = await helpParts(found.kind === 'command' ? found.command : found);
  return {
    env: {},
    cwd: '/',
    folders: { config: '/none', cache: '/none', state: '/none' },
    files: { readText: () => undefined },
    pagesOf: (noun) => (noun === 'users' ? { 'users list': parts } : undefined),
    columns: undefined,
    rows: undefined,
    ...screen,
  };
};

test.each([undefined, 60, 100])(
  'a stored page equals the help of the command (columns: %s)',
  async (columns) => {
    const found = await findCommand(['users', 'list']);
    const whole = await helpPage(found.kind === 'command' ? found.command : found, columns);
    expect(quickPage(['users', 'list', '--help'], await machine({ columns }))).toBe(whole);
    expect(quickPage(['users', 'list', '-h'], await machine({ columns }))).toBe(whole);
  },
);

test('leaves pages longer than the screen to the pager', async () => {
  const lines = quickPage(['users', 'list', '-h'], await machine({ columns: 200 }))?.split('\n').length ?? 0;
  expect(quickPage(['users', 'list', '-h'], await machine({ columns: 200, rows: lines }))).toBeDefined();
  expect(
    quickPage(['users', 'list', '-h'], await machine({ columns: 200, rows: lines - 1 })),
  ).toBeUndefined();
  expect(quickPage(['users', 'list', '-h'], await machine({ columns: 40, rows: lines }))).toBeUndefined();
});

test.each([
  ['users', 'list'],
  ['users', 'ls', '--help'],
  ['users', 'list', 'alice', '--help'],
  ['users', 'list', '--all', '--help'],
  ['users', 'list', '--help', '-q'],
  ['devices', 'list', '--help'],
  ['users', 'to-string', '--help'],
  ['constructor', '--help'],
  ['../users', '--help'],
  ['help', 'users'],
])('returns no page for other command lines: %s %s %s', async (...argv) => {
  expect(quickPage(argv, await machine())).toBeUndefined();
});

test('telctl and telctl help print the front page', async () => {
  expect(quickPage([], await machine())).toContain('Not signed in.');
  expect(quickPage(['help'], await machine())).toBe(quickPage([], await machine()));
});
