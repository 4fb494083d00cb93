import { expect, test } from 'vitest';
import { atTerminal } from '../support/at-terminal.ts';
import { listen } from '../support/listening-sandbox.ts';
import { testFolders } from '../support/world.ts';

const loginArguments = (url: string): readonly string[] => [
  ...['login', '--base-url', url],
  ...['--account-name', 'acme', '--username', 'admin'],
];

test('a password typed at a terminal signs in and is not shown', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const run = await atTerminal(loginArguments(sandbox.url), home, [
    { see: /password/i, type: `${sandbox.seed.adminPassword}\r` },
  ]);
  expect(run.code, run.shown).toBe(0);
  expect(run.shown).not.toContain(sandbox.seed.adminPassword);
});

test('a host name is a sufficient address, a wrong password can be retried, and plain prompts draw nothing', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const { host } = new URL(sandbox.url);
  const run = await atTerminal(
    ['login'],
    home,
    [
      { see: /Address of the service/, type: `${host}\r` },
      { see: /User name:/, type: 'admin\r' },
      { see: /Name of the account:/, type: 'acme\r' },
      { see: /Password of admin:/, type: 'not-this-one\r' },
      { see: /Password of admin:/, type: `${sandbox.seed.adminPassword}\r` },
    ],
    { TELCTL_ACCESSIBLE: '1' },
  );
  expect(run.code, run.shown).toBe(0);
  expect(run.shown).toContain(`Signing in to http://${host}`);
  expect(run.shown).not.toMatch(new RegExp(`\\u001b|not-this-one|${sandbox.seed.adminPassword}`));
});

test('Ctrl-C in a prompt exits with code 130 and restores the terminal', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const run = await atTerminal(loginArguments(sandbox.url), home, [{ see: /password/i, type: '\u0003' }]);
  expect(run.code).toBe(130);
  expect(run.shown).not.toMatch(/\n\s+at /);
  expect(sandbox.signIns()).toBe(0);
});

test('the end of input in a prompt is not consent', async () => {
  const sandbox = await listen();
  const { home } = testFolders();
  const run = await atTerminal(loginArguments(sandbox.url), home, [{ see: /password/i, type: '\u0004' }]);
  expect(run.code, run.shown).toBe(130);
  expect(run.shown).not.toMatch(/warning/i);
  expect(sandbox.signIns()).toBe(0);
});

test('output longer than the screen uses the pager, and a broken pager is reported once', async () => {
  const { home } = testFolders();
  const explainWithPager = (pager: string, ...more: readonly string[]) =>
    atTerminal(['explain', 'users', ...more], home, [], { TELCTL_PAGER: pager });
  const paged = await explainWithPager("sed 's/^/> /'");
  expect(paged.shown).toMatch(/^> /);
  expect(paged.shown).not.toContain('warning');
  const broken = await explainWithPager('no-such-pager --plain');
  expect(
    broken.shown.match(/The pager "no-such-pager --plain" of TELCTL_PAGER cannot be started/g),
  ).toHaveLength(1);
  expect(broken.shown.length).toBeGreaterThan(1500);
  expect(broken.code, broken.shown).toBe(0);
  const left = await explainWithPager('head -n 5');
  expect(left.shown.trim().split('\n')).toHaveLength(5);
  expect(left.code).toBe(0);
  expect((await explainWithPager("sed 's/^/> /'", '--no-pager')).shown).not.toMatch(/^> /m);
});

test('help longer than the screen uses the pager', async () => {
  const { home } = testFolders();
  const showAtTerminal = async (argv: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const run = await atTerminal(argv, home, [], { TELCTL_PAGER: "sed 's/^/> /'", ...env });
    expect(run.code, run.shown).toBe(0);
    return run.shown;
  };
  const page = ['--help'];
  expect(await showAtTerminal(page)).toMatch(/^> /);
  expect(await showAtTerminal([...page, '--no-pager'])).toMatch(/^[^>]/);
  expect(await showAtTerminal(page, { CI: '1' })).toMatch(/^[^>]/);
  expect(await showAtTerminal(page, { TELCTL_PAGER: '', TELCTL_ACCESSIBLE: '1' })).toMatch(/^[^>]/);
  expect(await showAtTerminal(['help'])).toMatch(/^[^>]/);
});
