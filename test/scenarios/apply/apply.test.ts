import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Files, files } from '../../../src/base/host/files.ts';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld, type World } from '../../support/world.ts';

throughValidatingProxy();

const users = (...names: readonly string[]): string =>
  `users:\n${names.map((name) => `  ${name}: { username: ${name}, first_name: U, last_name: Ser, password: first-sign-in }`).join('\n')}\n`;

async function listUsernames(world: World): Promise<readonly string[]> {
  const list = await world.telctl('users list -o name');
  return list.stdout.trim().split('\n').sort();
}

test('applies nothing without a terminal and without --yes', async () => {
  const world = await openWorld();
  const run = await world.telctl('apply -f office.yaml', { files: { 'office.yaml': users('alice') } });
  expect(run.code).toBe(2);
  expect(run.stderr).toContain('Answer with --yes');
  expect(await listUsernames(world)).toEqual(['admin']);
});

test('shows the plan at a terminal and asks once', async () => {
  const world = await openWorld();
  const files = { 'office.yaml': users('alice') };
  const no = await world.telctl('apply -f office.yaml', {
    files,
    tty: true,
    answers: [{ to: /Apply these changes to acme\? \(y\/N\)/, type: 'n' }],
  });
  expect(no.stderr).toContain('+ user alice');
  expect(no.stderr).toContain('Nothing was changed.');
  expect(no.code).toBe(130);
  expect(await listUsernames(world)).toEqual(['admin']);
  const yes = await world.telctl('apply -f office.yaml', {
    tty: true,
    answers: [{ to: /Apply these changes to acme\?/, type: 'y' }],
  });
  expect(yes.code, yes.stderr).toBe(0);
  expect(await listUsernames(world)).toEqual(['admin', 'alice']);
});

test('--dry-run shows the plan and sends no write', async () => {
  const world = await openWorld();
  const run = await world.telctl('apply -f office.yaml --dry-run -o json', {
    files: { 'office.yaml': users('alice') },
  });
  expect(run.code).toBe(0);
  expect(JSON.parse(run.stdout).accounts[0].steps).toMatchObject([{ key: 'users.alice', action: 'create' }]);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('the second of two concurrent applies waits, says so, and finds nothing to do', async () => {
  const world = await openWorld();
  const files = { 'office.yaml': users('alice', 'bob', 'carol') };
  const runs = await Promise.all([
    world.telctl('apply -f office.yaml --yes', { files }),
    world.telctl('apply -f office.yaml --yes', { files }),
  ]);
  expect(runs.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toEqual([
    [0, ''],
    [0, ''],
  ]);
  const outputs = runs.map(({ stderr }) => stderr).sort();
  expect(outputs.join('')).toMatch(
    /Another apply on acme is running \(.+@.+ \(process \d+\), since .+\); waiting\./,
  );
  expect(outputs.join('')).toContain('Created 3');
  expect(outputs.join('')).toContain('Nothing to do: acme matches the manifest.');
  expect((await listUsernames(world)).toSorted()).toEqual(['admin', 'alice', 'bob', 'carol']);
});

test('retries rejected requests and succeeds', async () => {
  const world = await openWorld();
  const run = await world.telctl('apply -f office.yaml --yes --concurrency 4', {
    files: { 'office.yaml': users('a1', 'a2', 'a3', 'a4', 'a5', 'a6') },
    faults: [
      { fault: { kind: 'answer', status: 429, headers: { 'retry-after': '1' } }, method: 'PUT', times: 4 },
    ],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('Created 6');
});

test('after a failure, starts no new steps and skips dependent ones', async () => {
  const world = await openWorld();
  const manifest = `
users: { alice: { username: alice, first_name: Alice, last_name: Archer, password: first-sign-in } }
callflows:
  line:
    name: Line
    numbers: ["100"]
    flow: { module: user, data: { id: "\${users.alice}" }, children: {} }
menus: { main: { name: Main menu } }
`;
  const refusal = JSON.stringify({
    status: 'error',
    message: 'invalid_data',
    request_id: 'r-1',
    data: { username: { unique: { message: 'is taken' } } },
  });
  const faults = [
    { fault: { kind: 'answer', status: 400, body: refusal }, method: 'PUT', path: /\/users$/ },
  ] as const;
  const files = { 'office.yaml': manifest };
  const stopped = await world.telctl('apply -f office.yaml --yes --concurrency 1 -o json', { files, faults });
  expect(stopped.code).toBe(6);
  expect(JSON.parse(stopped.stdout)).toMatchObject({
    version: 1,
    accounts: [
      {
        account: 'acme',
        results: [
          { key: 'users.alice', outcome: 'failed', error: { kind: 'conflict' } },
          { key: 'menus.main', outcome: 'skipped' },
          { key: 'callflows.line', outcome: 'skipped' },
        ],
        counts: { created: 0, failed: 1, skipped: 2 },
      },
    ],
  });
  expect(JSON.parse(stopped.stderr.split('\n').findLast((line) => line.startsWith('{')) ?? '')).toMatchObject(
    {
      error: {
        kind: 'conflict',
        message: expect.stringMatching(
          /^1 of 3 changes failed; the first is user alice: The service refused/,
        ),
        hint: 'Correct the manifest and apply it again: telctl apply -f office.yaml',
      },
    },
  );

  const going = await world.telctl('apply -f office.yaml --yes --on-error continue', { faults });
  expect(going.code).toBe(8);
  expect(going.stderr).toContain('Created 1, updated 0, unchanged 0, failed 1, skipped 1');
  expect(going.stderr).toContain('failed  user alice: The service refused the input: username: is taken');
});

test('exits with code 7 for refused charges and completes the other steps', async () => {
  const world = await openWorld();
  const run = await world.telctl('apply -f office.yaml --yes', {
    files: { 'office.yaml': `limits: { twoway_trunks: 4 }\n${users('alice')}` },
  });
  expect(run.code).toBe(7);
  expect(run.stderr).toContain('Created 1, updated 0, unchanged 0, failed 1, skipped 0');
  expect(run.stderr).toContain('Charges must be accepted');
  expect(run.stderr).toContain(
    'telctl apply --resume, and --accept-charges or --accept-charges-up-to AMOUNT',
  );
  expect((await world.service('GET', 'limits')).twoway_trunks ?? 0).toBe(0);
});

test('reverts changes of others only with --overwrite', async () => {
  const world = await openWorld();
  const files = { 'office.yaml': 'menus: { main: { name: Main menu, retries: 3 } }\n' };
  const first = await world.telctl('apply -f office.yaml --yes -o json', { files });
  const { id } = JSON.parse(first.stdout).accounts[0].results[0];
  world.clock.turn(5000);
  await world.service('PATCH', `menus/${id}`, { retries: 7 });
  const held = await world.telctl('apply -f office.yaml --yes');
  expect(held.code).toBe(6);
  expect(held.stderr).toContain('menu "Main menu": retries');
  expect((await world.service('GET', `menus/${id}`)).retries).toBe(7);
  const set = await world.telctl('apply -f office.yaml --yes --overwrite');
  expect(set.code, set.stderr).toBe(0);
  expect((await world.service('GET', `menus/${id}`)).retries).toBe(3);
});

test('applies a saved plan without a terminal, and refuses it if the account has changed', async () => {
  const world = await openWorld();
  const files = { 'office.yaml': users('alice') };
  expect((await world.telctl('plan -f office.yaml --out office.plan', { files })).code).toBe(0);
  await world.addUser({ username: 'alice', first_name: 'Other', last_name: 'Alice' });
  const outdated = await world.telctl('apply office.plan');
  expect(outdated.code).toBe(6);
  expect(outdated.stderr).toContain('office.plan is out of date. Nothing was sent.');
  const other = { 'office.yaml': users('bob') };
  expect((await world.telctl('plan -f office.yaml --out office.plan', { files: other })).code).toBe(0);
  const run = await world.telctl('apply office.plan');
  expect(run.code, run.stderr).toBe(0);
  expect(await listUsernames(world)).toEqual(['admin', 'alice', 'bob']);
});

test('shows a saved plan at a terminal and asks, unless --yes is given', async () => {
  const world = await openWorld();
  const files = { 'office.yaml': users('alice') };
  await world.telctl('plan -f office.yaml --out office.plan', { files });
  const question = /Apply these changes to acme\?/;
  for (const type of ['n', '']) {
    const no = await world.telctl('apply office.plan', { tty: true, answers: [{ to: question, type }] });
    expect(no.code).toBe(130);
    expect(no.stderr).toContain('user alice');
    expect(await listUsernames(world)).toEqual(['admin']);
  }
  expect((await world.telctl('apply office.plan --yes', { tty: true })).code).toBe(0);
  expect(await listUsernames(world)).toEqual(['admin', 'alice']);
  const more = { 'office.yaml': users('alice', 'bob') };
  await world.telctl('plan -f office.yaml --out office.plan', { files: more });
  const yes = await world.telctl('apply office.plan', { tty: true, answers: [{ to: question, type: 'y' }] });
  expect(yes.code, yes.stderr).toBe(0);
  expect(await listUsernames(world)).toEqual(['admin', 'alice', 'bob']);
});

test('does not accept charges for a saved plan, with or without the question', async () => {
  const world = await openWorld();
  const files = { 'office.yaml': 'limits: { twoway_trunks: 40 }\n' };
  await world.telctl('plan -f office.yaml --out office.plan', { files });
  expect((await world.telctl('apply office.plan')).code).toBe(7);
  expect((await world.telctl('apply office.plan --yes')).code).toBe(7);
  const asked = await world.telctl('apply office.plan', {
    tty: true,
    answers: [
      { to: /Apply these changes to acme\?/, type: 'y' },
      { to: /Accept .* in acme/, type: 'n' },
    ],
  });
  expect(asked.code, asked.stderr).toBe(7);
  expect((await world.service('GET', 'limits')).twoway_trunks).not.toBe(40);
});

test('fills a sub-account in the run that creates it', async () => {
  const world = await openWorld();
  const manifest = `
accounts:
  branch: { name: Branch, realm: branch.acme.example }
---
account: \${accounts.branch}
${users('bea')}
`;
  const run = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': manifest } });
  expect(run.code, run.stderr).toBe(0);
  const list = await world.telctl('users list -o name --account Branch');
  expect(list.stdout).toBe('bea\n');
  const again = await world.telctl('apply -f office.yaml --yes');
  expect(again.stderr).toContain('Nothing to do: acme, Branch match the manifest.');
});

test('reports what it did to one account if the next one is unreachable', async () => {
  const world = await openWorld();
  const manifest = `
accounts:
  branch: { name: Branch, realm: branch.acme.example }
${users('alice')}
---
account: \${accounts.branch}
${users('bea')}
`;
  let isGone = false;
  const run = await world.telctl('apply -f office.yaml --yes --concurrency 1 -o json', {
    files: { 'office.yaml': manifest },
    faults: [
      { fault: { kind: 'refuse' }, when: () => isGone },
      { fault: { kind: 'pass' }, method: 'PUT', path: /\/users$/, met: () => (isGone = true) },
    ],
  });
  expect(run.code).toBe(8);
  expect(JSON.parse(run.stdout).accounts).toMatchObject([
    { account: 'acme', counts: { created: 2, failed: 0, skipped: 0 } },
    { account: 'Branch', counts: { created: 0, failed: 0, skipped: 1 } },
  ]);
  const next = await world.telctl('apply --resume --yes');
  expect(next.code, next.stderr).toBe(0);
  expect((await world.telctl('users list -o name --account Branch')).stdout).toBe('bea\n');
});

test('--resume refuses a manifest that has changed', async () => {
  const world = await openWorld();
  const run = await world.telctl('apply -f office.yaml --yes', {
    files: { 'office.yaml': users('alice', 'bob') },
    faults: [{ fault: { kind: 'refuse' }, method: 'PUT' }],
  });
  expect(run.code).toBe(75);
  const other = await world.telctl('apply --resume', { files: { 'office.yaml': users('alice') } });
  expect(other.code).toBe(6);
  expect(other.stderr).toContain('office.yaml was changed');
  const same = await world.telctl('apply --resume', { files: { 'office.yaml': users('alice', 'bob') } });
  expect(same.code, same.stderr).toBe(0);
});

test('applies nothing with a read-only profile', async () => {
  const world = await openWorld();
  await world.telctl(`profiles set ${world.profile} --protect read-only`);
  const run = await world.telctl('apply -f office.yaml --yes', { files: { 'office.yaml': users('alice') } });
  expect(run.code).toBe(9);
  expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

/** Returns a disk that is full after this number of log lines. */
const diskFullAfter = (lines: number): Partial<Files> => {
  let left = lines;
  return {
    openAppendOnly(path) {
      const file = files.openAppendOnly(path);
      return {
        ...file,
        add(text) {
          left -= 1;
          if (left < 0) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
          file.add(text);
        },
      };
    },
  };
};

test.each([0, 1, 2, 3, 4, 5, 6])(
  'stops cleanly if the disk is full after %i lines of the log',
  async (lines) => {
    const world = await openWorld();
    const run = await world.telctl('apply -f office.yaml --yes --concurrency 1', {
      files: { 'office.yaml': users('alice', 'bob', 'carol', 'dave') },
      disk: diskFullAfter(lines),
    });
    expect(run.stderr).toContain('cannot be written (no space left on the disk)');
    const sent = run.requests.filter(({ method }) => method === 'PUT').length;
    expect(sent).toBe(Math.floor(lines / 2));
    expect(run.code).toBe(sent === 0 ? 1 : 8);
    const next = await world.telctl('apply -f office.yaml --yes');
    expect(next.stderr).toContain(`Created ${4 - sent}, updated 0, unchanged ${sent}`);
    expect(next.code).toBe(0);
  },
);

test('writes no secrets to the log, the ledger or the output', async () => {
  const world = await openWorld();
  const canary = 'canary-5f1e';
  const manifest = (secret: string): string => `
users: { alice: { username: alice, first_name: "\${env.NAME}", last_name: Archer, password: "${secret}" } }
vmboxes: { alice: { name: Alice box, mailbox: "100", pin: "8471${secret.length}" } }
webhooks:
  crm: { name: CRM, uri: "https://crm.example/hook?key=${secret}", hook: channel_create, http_verb: post, format: json, custom_data: { token: "${secret}" } }
`;
  const shown: string[] = [];
  const telctl = async (line: string, secret?: string) => {
    const files = secret === undefined ? {} : { 'office.yaml': manifest(secret) };
    const run = await world.telctl(`${line} -v`, { files, env: { NAME: `${canary}-name` } });
    shown.push(run.stdout, run.stderr);
    return run;
  };
  const first = await telctl('apply -f office.yaml --yes', `${canary}-one`);
  expect(first.code, first.stderr).toBe(0);
  const second = await telctl('apply -f office.yaml --yes --max-change-percent 100', `${canary}-two!`);
  expect(second.code, second.stderr).toBe(0);
  await telctl('apply history');
  await telctl('undo --yes');
  await world.telctl('apply -f office.yaml --yes', {
    files: { 'office.yaml': manifest(`${canary}-two!`) },
    env: { NAME: `${canary}-name` },
  });
  const pruned = await world.telctl(
    'apply -f office.yaml --yes --prune --set-name office.yaml --max-change-percent 100',
    {
      files: { 'office.yaml': 'menus: { main: { name: Main } }\n' },
    },
  );
  shown.push(pruned.stdout, pruned.stderr);
  expect(pruned.code, pruned.stderr).toBe(0);
  const written = world.filesWritten().filter(({ isFolder }) => !isFolder);
  expect(written.some(({ path }) => path.includes('/log/'))).toBe(true);
  for (const { path, mode } of written) {
    const text = readFileSync(path, 'utf8');
    expect(text.includes(canary) || text.includes('8471'), path).toBe(false);
    if (path.includes('/log/') || path.includes('ledgers')) expect(mode, path).toBe(0o600);
  }
  expect(shown.join('\n')).not.toContain(canary);
  expect(shown.join('\n')).not.toContain('8471');
});
