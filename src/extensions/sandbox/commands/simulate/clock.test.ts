import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../../test/support/served-sandbox.ts';

test('tokens expire after an hour on the sandbox clock, and telctl renews its token', async () => {
  const { telctl, json } = await serveSandbox('--memory');
  expect((await telctl('users list -o name')).stdout).toBe('admin\n');
  const turned = await telctl('sandbox clock advance 61m');
  expect(turned).toMatchObject({ code: 0, stdout: '' });
  expect(turned.stderr).toMatch(
    /^The sandbox's clock is 1 hour 1 minute ahead: \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\n$/,
  );
  expect(await telctl('users list -o name')).toMatchObject({ code: 0, stdout: 'admin\n', stderr: '' });
  const log = await json('sandbox log');
  const statuses = Object.values(log).map((entry) => Object(entry).status);
  expect(statuses.slice(-3)).toEqual([401, 201, 200]);
});

test('a fax job progresses with the clock', async () => {
  const { telctl, json } = await serveSandbox('--memory');
  const fields = ['to_number=+15555550123', 'from_number=+15555550199'].flatMap((field) => ['--set', field]);
  const sent = await json([
    'faxes',
    'create',
    ...fields,
    '--set',
    'document.url=https://files.example/letter.pdf',
  ]);
  const id = String(sent.id);
  expect(await json(['faxes', 'get', id])).toMatchObject({ status: 'attaching files' });
  expect((await telctl('sandbox clock advance 2m')).code).toBe(0);
  expect(await json(['faxes', 'outbox', 'get', id])).toMatchObject({ status: 'completed' });
});

test('the clock cannot go back, reports its time, and keeps it over a restart', async () => {
  const { telctl, json, restart } = await serveSandbox();
  expect((await telctl('sandbox clock set 2099-12-24T08:00Z')).code).toBe(0);
  const back = await telctl('sandbox clock set 2098-01-01');
  expect(back.code).toBe(6);
  expect(back.stderr).toContain('The clock only goes forward. It is already 2099-12-24T08:00:');
  await restart();
  expect((await json('sandbox clock status')).now).toMatch(/^2099-12-24T08:00:/);
});

test('an invalid duration is refused with an example', async () => {
  const { telctl } = await serveSandbox('--memory');
  for (const [line, words] of [
    ['sandbox clock advance soon', 'For example 90s, 55m, 2h or 30d.'],
    ['sandbox clock set 10m', 'telctl sandbox clock advance 10m'],
    ['sandbox clock set tomorrow', 'TIME'],
    ['sandbox clock set 2099-02-30', 'TIME'],
    ['sandbox clock set 2099-04-31T08:00Z', 'TIME'],
    ['sandbox clock advance 999999999d', 'year 9998'],
  ] as const) {
    const run = await telctl(line);
    expect(run, line).toMatchObject({ code: 2, stdout: '' });
    expect(run.stderr, line).toContain(words);
  }
});

test('an invalid date is refused with the expected format', async () => {
  const { telctl } = await serveSandbox('--memory');
  const run = await telctl('sandbox clock set nope');
  expect(run).toMatchObject({ code: 2, stdout: '' });
  expect(run.stderr).toContain('TIME must be a date and time, not "nope".');
  expect(run.stderr).not.toContain('10m');
});

test('errors name the running sandbox if another one was requested', async () => {
  const { telctl } = await serveSandbox('--memory');
  const run = await telctl('sandbox clock status --name other');
  expect(run.code).toBe(75);
  expect(run.stderr).toContain('--name default');
});
