import { expect, test } from 'vitest';
import { allNouns } from '../../../src/cli/shell/registry.ts';
import { version } from '../../../src/cli/shell/run-cli.ts';
import { forged, hostileText } from '../../support/hostile-service.ts';
import { isSignIn, openWorld } from '../../support/world.ts';

test('every request has the telctl version in its User-Agent', async () => {
  const { telctl } = await openWorld({ signIn: 'password' });
  const { requests } = await telctl('users list');
  expect(requests.map(({ headers }) => headers['user-agent'])).toEqual(
    requests.map(() => `telctl/${version}`),
  );
  expect(requests).not.toEqual([]);
});

test('hints with text of the service are sanitized like messages', async () => {
  const { telctl } = await openWorld();
  const headers = { 'retry-after': hostileText };
  const fault = { kind: 'answer', status: 429, headers, body: '{}' } as const;
  const run = await telctl('users list --retries 0', { faults: [{ path: /users$/, fault }] });
  expect(run.code).toBe(75);
  expect(run.stderr).toContain('Try again after HOSTILE\\n');
  const lines = run.stderr.split(/[\n\r\v\f\u0085\u2028\u2029]/);
  expect(lines.filter((line) => forged.some((sentence) => line.startsWith(sentence)))).toEqual([]);
  expect(run.stderr).not.toContain('\u001b');
});

test('a 403 is final: no renewal, no retry', async () => {
  const { telctl } = await openWorld();
  const fault = { kind: 'answer', status: 403, body: '{}' } as const;
  const run = await telctl('users list', { faults: [{ path: /users$/, fault }] });
  expect(run.code).toBe(4);
  expect(run.requests.filter(({ path }) => path.endsWith('/users'))).toHaveLength(1);
  expect(run.requests.filter(isSignIn)).toEqual([]);
});

test('a UTF-8 byte order mark in a file is ignored', async () => {
  const { telctl } = await openWorld();
  const mark = '\ufeff';
  const files = {
    'a.yaml': `${mark}username: ann\nfirst_name: Ann\nlast_name: Archer\n`,
    'b.json': `${mark}{"username":"bob","first_name":"Bob","last_name":"Berg"}`,
    'c.csv': `${mark}username,first_name,last_name,password\ncarl,Carl,Cole,first-sign-in\n`,
    'd.yaml': `${mark}users:\n  dora: { username: dora, first_name: Dora, last_name: Dean, password: first-sign-in }\n`,
    'secret.txt': `${mark}first-sign-in\n`,
  };
  for (const line of [
    'users create -f a.yaml --password-file secret.txt',
    'users create -f b.json --password-file secret.txt',
    'users import c.csv --yes',
    'apply -f d.yaml --yes',
  ]) {
    const run = await telctl(line, { files });
    expect(run.code, `${line}: ${run.stderr}`).toBe(0);
    expect(JSON.stringify(run.requests.map(({ body }) => body ?? null))).not.toContain(mark);
  }
  expect((await telctl('users list -o name')).stdout).toBe('admin\nann\nbob\ncarl\ndora\n');
});

test('completion offers every noun', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const words = (await telctl(['__complete', '--', ''])).stdout
    .split('\n')
    .map((line) => line.split('\t')[0]);
  for (const { name } of allNouns()) expect(words, name).toContain(name);
});

test('a global option with the name of a field is noted on stderr, and help explains both', async () => {
  const world = await openWorld();
  const run = await world.telctl('menus create --name Main --retries 5');
  expect(run).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('To set the field of the menu, use --menu-retries'),
  });
  expect(await world.telctl('menus create --name Other --menu-retries 5')).toMatchObject({
    stderr: expect.not.stringContaining('warning'),
  });
  const { stdout } = await world.telctl('menus create --help');
  expect(stdout.replaceAll(/\s+/g, ' ')).toContain('of the menu; --retries is a global option');
});

test('a fax sends text messages to numbers and e-mail to addresses', async () => {
  const { telctl } = await openWorld();
  const line = ['faxes', 'create', '--from-number', '+14155550100', '--to-number', '+14155550101'];
  const sendFax = (by: string, whom: string) =>
    telctl([
      ...line,
      '--set',
      'document.url=https://files.example/a.pdf',
      '--set-json',
      `notifications.${by}.send_to=["${whom}"]`,
      '--strict-input',
    ]);
  expect(await sendFax('sms', '+14155550123')).toMatchObject({ code: 0 });
  expect(await sendFax('email', 'ann@acme.example')).toMatchObject({ code: 0 });
  expect(await sendFax('email', '+14155550123')).toMatchObject({ code: 10 });
});
