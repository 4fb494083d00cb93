import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

async function office() {
  const world = await openWorld();
  const { service, addUser } = world;
  const { id: alice } = await addUser({
    ...{ username: 'alice', first_name: 'Alice', last_name: 'Archer', priv_level: 'admin' },
    password: 'first-sign-in',
  });
  await service('PUT', 'devices', {
    name: '<script>alert(1)</script>',
    sip: { username: 'lobby', password: 'lobby-2026-x' },
  });
  await service('PUT', 'devices', {
    name: 'Desk of Alice',
    owner_id: String(alice),
    enabled: false,
    sip: { username: 'alice', password: 'Quay-Heron-4171' },
  });
  await service('PUT', 'vmboxes', { name: 'Open', mailbox: '2001' });
  await service('PUT', 'vmboxes', { name: 'Closed', mailbox: '2002', pin: '482913' });
  await service('PUT', 'callflows', {
    name: 'Main line',
    numbers: ['+15551230000'],
    flow: { module: 'user', data: { id: String(alice) }, children: {} },
  });
  await service('PUT', 'webhooks', {
    name: 'CRM',
    hook: 'channel_create',
    uri: 'https://crm.example/hook?token=letmein-4711',
  });
  return world;
}

test('prints each finding with code, object, description and next command', async () => {
  const { telctl } = await office();
  const run = await telctl('audit -o json');
  expect(run.code, run.stderr).toBe(0);
  const rows: readonly Record<string, string>[] = JSON.parse(run.stdout);
  const codes = rows.map(({ code, name }) => `${code} ${name}`);
  for (const expected of [
    'user-without-email alice',
    'administrator alice',
    'weak-sip-password <script>alert(1)</script>',
    'device-without-owner <script>alert(1)</script>',
    'device-not-registered <script>alert(1)</script>',
    'mailbox-without-pin 2001',
    'callflow-reaches-nobody Main line',
    'webhook-address CRM',
    'no-manifest account',
  ])
    expect(codes).toContain(expected);
  expect(codes.filter((each) => /Desk of Alice|2002/.test(each))).toEqual([]);
  for (const row of rows)
    expect(row).toMatchObject({
      account: 'acme',
      sentence: expect.any(String),
      next: expect.stringMatching(/^telctl /),
    });
  // Secrets are what an audit is about, and in it nowhere.
  for (const secret of ['lobby-2026-x', 'letmein-4711', '482913', 'Quay-Heron'])
    expect(run.stdout).not.toContain(secret);
  const severities = rows.map(({ severity }) => severity);
  expect(severities).toEqual([...severities].sort((a = '', b = '') => rank(a) - rank(b)));
  const severe = await telctl('audit --severity warning -o csv');
  expect(severe.stdout).toContain('mailbox-without-pin');
  expect(severe.stdout).not.toContain('administrator');
});

const rank = (word: string) => ['error', 'warning', 'note'].indexOf(word);

test('uses a manifest to decide which records are managed, and --below summarizes accounts', async () => {
  const { telctl } = await office();
  const files = { 'menu.yaml': 'menus:\n  main:\n    name: Main\n' };
  expect((await telctl('apply -f menu.yaml --yes', { files })).code).toBe(0);
  expect((await telctl('accounts create --name branch --realm branch.example')).code).toBe(0);
  expect((await telctl('menus create --name Night --account branch')).code).toBe(0);
  const run = await telctl('audit --below -o json');
  const rows: readonly Record<string, string>[] = JSON.parse(run.stdout);
  const unmanaged = rows.filter(({ code }) => code === 'in-no-manifest').map(({ name }) => name);
  expect(unmanaged).toContain('alice');
  expect(unmanaged).not.toContain('Main');
  const branch = rows.find(({ account, code }) => account === 'branch' && code === 'no-manifest');
  expect(branch).toMatchObject({ next: expect.stringContaining('--account ') });
  const table = await telctl('audit --below');
  expect(table.stderr).toMatch(/\d+ findings in 2 accounts: 0 errors, \d+ warnings, \d+ notes/);
});

test('writes a self-contained HTML page with escaped text', async () => {
  const { telctl } = await office();
  const { stdout, code } = await telctl('audit -o html');
  expect(code).toBe(0);
  expect(stdout).toMatch(/^<!doctype html>/);
  expect(stdout).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
  expect(stdout).not.toMatch(/<script|src=|href=|url\(/);
  expect(stdout).toContain('@media print');
  expect((await telctl('users list -o html')).code).toBe(2);
});

test('reports unreadable records and derives no findings from them', async () => {
  const { telctl } = await office();
  const answer = {
    kind: 'answer',
    status: 403,
    body: '{"status":"error","message":"forbidden","data":{}}',
  } as const;
  const faults = [{ path: /\/(registrations|vmboxes)$/, fault: answer }];
  const run = await telctl('audit -o json', { faults });
  expect(run.code).toBe(8);
  expect(run.stderr).toContain('The vmboxes were not all read');
  expect(run.stdout).not.toContain('device-not-registered');
});

/** Values for the words in capitals that a proposed line leaves to its reader. */
const filledIn = (line: string, user: string): string =>
  line.replace('ADDRESS', 'alice@acme.example').replace('USER', user);

test.each(['', ' --below'])(
  'every command that audit%s suggests works as printed and keeps an administrator',
  async (below) => {
    const { telctl, service } = await office();
    expect((await telctl('accounts create --name branch --realm branch.example')).code).toBe(0);
    for (const username of ['boss', 'chief']) {
      const text = `username: ${username}\nfirst_name: A\nlast_name: B\npriv_level: admin\npassword: first-sign-in\n`;
      const made = await telctl('users create --account branch -f u.yaml', { files: { 'u.yaml': text } });
      expect(made.code, made.stderr).toBe(0);
    }
    await service('PUT', 'devices', { name: "O'Hara $(id) `x`", sip: { username: 'oh', password: '12345' } });
    const found: readonly Record<string, string>[] = JSON.parse(
      (await telctl(`audit${below} -o json`)).stdout,
    );
    const lines = new Set(found.map(({ next = '' }) => next));
    expect(lines.size).toBeGreaterThan(5);
    const wrong: string[] = [];
    for (const line of lines) {
      // An editor is a person's; the record that it would open is there.
      const typed = filledIn(line, 'alice')
        .replace(/^telctl /, '')
        .replace(/^(\w+) edit /, '$1 get ');
      const run = await telctl(`${typed} --yes${typed.startsWith('export') ? ' --force' : ''}`);
      if (run.code !== 0 && run.code !== 10) wrong.push(`${line}: ${run.stderr}`);
    }
    expect(wrong).toEqual([]);
    for (const account of below === '' ? [''] : ['', ' --account branch']) {
      const users: readonly Record<string, unknown>[] = JSON.parse(
        (await telctl(`users list --filter role=admin --filter enabled=true -o json${account}`)).stdout,
      );
      expect(users).toHaveLength(1);
    }
  },
);
