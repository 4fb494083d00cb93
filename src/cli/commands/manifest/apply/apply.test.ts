import { expect, test } from 'vitest';
import { officeWithWebhook } from '../../../../../test/support/small-office.ts';
import { openWorld } from '../../../../../test/support/world.ts';

const office = officeWithWebhook;

test('creates missing objects, and a second apply sends no writes', async () => {
  const world = await openWorld();
  const run = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': office } });
  expect(run.stderr).toContain('Created 4, updated 0, unchanged 0, failed 0, skipped 0');
  expect(run.code).toBe(0);
  const again = await world.telctl('apply -f office.yaml --yes');
  expect(again.stderr).toContain('Nothing to do: acme matches the manifest.');
  expect(again.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  expect(again.code).toBe(0);
});

const manyUsers = `users:\n${Array.from({ length: 12 }, (_, index) => `  u${index}: { username: u${index}, first_name: U, last_name: Ser, password: first-sign-in }`).join('\n')}\n`;

test('Ctrl-C finishes active requests, and --resume continues without a question', async () => {
  const world = await openWorld();
  const stop = new AbortController();
  const run = await world.telctl('apply -f many.yaml --yes --concurrency 3', {
    files: { 'many.yaml': manyUsers },
    interrupted: stop.signal,
    faults: [
      { fault: { kind: 'pass' }, method: 'PUT', path: /\/users$/, times: 4 },
      { fault: { kind: 'pass' }, method: 'PUT', path: /\/users$/, times: 1, met: () => stop.abort() },
    ],
  });
  expect(run.code).toBe(130);
  const sent = run.requests.filter(({ method }) => method === 'PUT').length;
  expect(sent).toBeLessThan(12);
  expect(run.stderr).toContain(`Created ${sent}, updated 0, unchanged 0, failed 0, skipped ${12 - sent}`);
  expect(run.stderr).toMatch(/Stopping after \d active requests\. Press Ctrl-C again to cancel them\./);
  expect(run.stderr).toContain('Resume it with: telctl apply --resume');

  const next = await world.telctl('apply --resume');
  expect(next.stderr).toContain(`Created ${12 - sent}, updated 0, unchanged ${sent}, failed 0, skipped 0`);
  expect(next.code).toBe(0);
  const nothing = await world.telctl('apply --resume');
  expect(nothing.stderr).toContain(
    'There is nothing to resume: the last apply on acme from this machine is done.',
  );
  expect(nothing.code).toBe(2);

  const history = await world.telctl('apply history -o json');
  expect(JSON.parse(history.stdout)).toMatchObject([
    { state: 'finished', done: 12 - sent, set: 'many.yaml', user: expect.any(String) },
    { state: 'interrupted', done: sent, failed: 0, skipped: 12 - sent },
  ]);
});

test('accepts a manifest named like a subcommand of apply', async () => {
  const world = await openWorld();
  const run = await world.telctl('apply -f history --yes', {
    files: { history: 'menus: { main: { name: Main } }\n' },
  });
  expect(run.stderr).toContain('Created 1');
  expect((await world.telctl('apply -o json history')).stdout).toContain('"set": "history"');
});

test('history shows user names and readable times to people, and ids and ISO times to scripts', async () => {
  const world = await openWorld({ signIn: 'password' });
  await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': office } });
  const { stdout } = await world.telctl('apply history');
  expect(stdout).toMatch(/ \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ +admin@\S+ +apply /);
  const [run] = JSON.parse((await world.telctl('apply history -o json')).stdout);
  expect(run).toMatchObject({
    at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    user: 'admin',
    user_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
});

test('history shows the steps of a run with the service request ids', async () => {
  const world = await openWorld();
  await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': office } });
  const runs = JSON.parse((await world.telctl('apply history -o json')).stdout);
  const steps = JSON.parse((await world.telctl(['apply', 'history', runs[0].run, '-o', 'json'])).stdout);
  expect(steps).toHaveLength(4);
  expect(steps[0]).toMatchObject({
    key: expect.any(String),
    action: 'create',
    outcome: 'done',
    request_id: expect.stringMatching(/^[0-9a-f]{32}$/),
  });
  const wrong = await world.telctl('apply history 1999');
  expect(wrong.code).toBe(5);
  expect(wrong.stderr).toContain('There is no run "1999".');
});

test('never prunes with an empty manifest', async () => {
  const world = await openWorld();
  const files = { 'empty.yaml': '', 'office.yaml': office };
  await world.telctl('apply -f office.yaml --yes', { files });
  const run = await world.telctl('apply -f empty.yaml --yes', { files });
  expect(run.stderr).toContain('Nothing to do: acme matches the manifest.');
  const pruned = await world.telctl('apply -f empty.yaml --set-name office.yaml --prune --yes');
  expect(pruned.code).toBe(9);
  expect(pruned.stderr).toContain(
    'The manifest office.yaml contains no objects, so --prune would delete everything',
  );
  expect(pruned.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('the resume hint includes the account', async () => {
  const world = await openWorld();
  await world.telctl(['accounts', 'create', '--name', "Joe's", '--realm', 'joes.example']);
  const line = ['apply', '-f', 'menu.yaml', '--yes', '--account', "Joe's"];
  const run = await world.telctl(line, {
    files: { 'menu.yaml': 'menus: { main: { name: Main } }\n' },
    faults: [{ fault: { kind: 'answer', status: 500 }, method: 'PUT', path: /\/menus$/, times: 9 }],
  });
  expect(run.stderr).toContain("Resume it with: telctl apply --resume --account 'Joe'\\''s'");
  const nearly = await world.telctl('diff -f menu.yaml --account acm');
  expect(nearly.stderr).toContain('There is no account "acm" below acme. Did you mean "acme"?');
  expect(nearly.code).toBe(5);
});

test('does not claim that unreadable objects match the manifest', async () => {
  const world = await openWorld();
  const user = 'users: { admin: { username: admin, password: canary-1 } }\n';
  const run = await world.telctl('apply -f user.yaml --yes', {
    files: { 'user.yaml': user },
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain(
    'Nothing to do: acme matches the manifest, as far as can be read; 1 object is unverifiable.',
  );
});

test.each(['', 'account: acme.sandbox.example\n'])(
  'rejects documents that name one account in two ways, even without --prune: %j',
  async (head) => {
    const world = await openWorld();
    const two = `account: acme\nmenus: { a: { name: A } }\n---\n${head}menus: { b: { name: B } }\n`;
    const run = await world.telctl('apply -f two.yaml --yes', { files: { 'two.yaml': two } });
    expect(run.code).toBe(10);
    expect(run.stderr).toContain(
      'The manifest names acme in two different ways: as "acme" (two.yaml:2:10), and',
    );
    expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  },
);

test('refuses an application that the service would create in the signed-in account', async () => {
  const world = await openWorld();
  await world.telctl('accounts create --name kidb --realm kidb.example');
  const files = { 'apps.yaml': 'apps: { portal: { client_id: portal, provider: google, secret: s } }\n' };
  for (const line of ['plan -f apps.yaml', 'apply -f apps.yaml --yes']) {
    const run = await world.telctl(`${line} --account kidb`, { files });
    expect(run.code, run.stderr).toBe(2);
    expect(run.stderr).toContain('in the account that is signed in, not in kidb');
    expect(run.requests.filter(({ method }) => method !== 'GET' && method !== 'PUT')).toEqual([]);
  }
  expect((await world.telctl('sso apps list -o json')).stdout.trim()).toBe('[]');
});

test('--resume explains that this machine has no record of an apply', async () => {
  const world = await openWorld();
  const run = await world.telctl('apply --resume --yes');
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('This machine has no record of an apply on acme.');
  expect(run.stderr).not.toContain('is done.');
});
