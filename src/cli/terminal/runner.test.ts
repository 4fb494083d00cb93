import { expect, test } from 'vitest';
import { turnedClock } from '../../../test/support/clock.ts';
import { fakeHost, makeFolders } from '../../../test/support/fake-host.ts';
import { openWorld } from '../../../test/support/world.ts';
import { annotationCommand, commandEscaper, detectRunner, maskCommands } from './runner.ts';

test('detects runners by their environment variables', () => {
  expect(detectRunner({ GITHUB_ACTIONS: 'true' })).toBe('github');
  expect(detectRunner({ TF_BUILD: 'True' })).toBe('azure');
  expect(detectRunner({ GITLAB_CI: 'true' })).toBe('gitlab');
  expect(detectRunner({ CI: 'true', GITHUB_ACTIONS: 'false' })).toBeUndefined();
});

test('masks a one-line secret, and each line of a multi-line secret', () => {
  expect(maskCommands('github', ['a%b', 'one\r\ntwo\n', 'a%b'])).toBe(
    '::add-mask::a%25b\n::add-mask::one\n::add-mask::two\n',
  );
  expect(maskCommands('azure', ['a%b;c]'])).toBe('##vso[task.setsecret]a%AZP25b;c]\n');
  expect(() => maskCommands('gitlab', ['x'])).toThrow('GitLab');
});

test('an annotation contains its location, and its text cannot contain a command', () => {
  const found = {
    level: 'notice',
    file: 'a,b:c.yaml',
    line: 3,
    column: 5,
    message: '1\n::error::2',
  } as const;
  const at = { cwd: '/repo/telephony', env: { GITHUB_WORKSPACE: '/repo' } };
  expect(annotationCommand('github', at, found)).toBe(
    '::notice file=telephony/a%2Cb%3Ac.yaml,line=3,col=5::1%0A::error::2\n',
  );
  expect(annotationCommand('azure', at, found)).toBe(
    '##vso[task.logissue type=warning;sourcepath=/repo/telephony/a,b:c.yaml;linenumber=3;columnnumber=5;]1%0A::error::2\n',
  );
  expect(annotationCommand('github', at, { level: 'error', message: 'x' })).toBe('::error::x\n');
});

test('escapes runner commands in untrusted text, even across chunks', () => {
  const folders = makeFolders();
  const machine = {
    folders,
    clock: turnedClock(0),
    random: { bytes: () => new Uint8Array(), fraction: () => 0 },
  };
  const { host } = fakeHost({ ...machine, env: { TF_BUILD: 'True' } });
  const harmless = commandEscaper(host, false);
  expect(harmless('::add-mask::x\n  ::error::y\na::b ##[error]z ##vso[task.complete]\n')).toBe(
    '\\u003a:add-mask::x\n  \\u003a:error::y\na::b \\u0023#[error]z \\u0023#vso[task.complete]\n',
  );
  expect([harmless('name '), harmless('::b\n'), harmless('::c')]).toEqual(['name ', '::b\n', '\\u003a:c']);
  expect(commandEscaper(host, true)('::error::a')).toBe('::error::a');
  expect(commandEscaper({ ...host, env: {} }, false)('::error::a')).toBe('::error::a');
  folders.remove();
});

test('record names cannot contain runner commands, on stdout or stderr', async () => {
  const world = await openWorld();
  const name = '::set-env name=PATH::/evil';
  await world.service('PUT', 'groups', { name, endpoints: {} });
  await world.service('PUT', 'groups', { name: 'x ##[add-mask]a ##vso[task.setsecret]b', endpoints: {} });
  const env = { GITHUB_ACTIONS: 'true' };
  for (const format of ['name', 'table', 'json', 'csv', 'yaml', 'ndjson']) {
    const run = await world.telctl(`groups list -o ${format}`, { env });
    expect(run.code, run.stderr).toBe(0);
    expect(`${run.stdout}\n${run.stderr}`).not.toMatch(/^\s*::|##\[|##vso\[/m);
    if (format === 'json') expect(run.stdout.replaceAll('\\u0023', '#')).toContain('##[add-mask]a');
  }
  const json = await world.telctl('groups list -o json', { env });
  expect((JSON.parse(json.stdout) as { name: string }[]).map((each) => each.name)).toContain(name);
  const missing = await world.telctl(['groups', 'get', '\n::error::x'], { env });
  expect(missing.code).toBe(5);
  expect(missing.stderr).not.toMatch(/^\s*::/m);
  const plain = await world.telctl('groups list -o name');
  expect(plain.stdout).toContain(name);
});
