import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';

const passwords = [
  { to: 'Password of the new user:', type: 'correct-horse' },
  { to: 'Repeat it:', type: 'correct-horse' },
];

test('create without options asks for required and common fields, and repeats invalid answers', async () => {
  const { telctl } = await openWorld();
  const run = await telctl('users create', {
    tty: true,
    answers: [
      { to: 'First name:', type: 'Dora' },
      { to: 'Last name:', type: 'Dean' },
      { to: 'Username (optional):', type: 'dora' },
      { to: 'Email (optional):', type: 'nowhere' },
      { to: /e-mail address\..*Email \(optional\):/s, type: 'dora@acme.example' },
      { to: 'Priv level (user, admin; optional):', type: 'admn' },
      { to: /did you mean.*Priv level/s, type: '' },
      ...passwords,
    ],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toContain('warning: email: must be an e-mail address.');
  expect(run.stderr).toContain('(did you mean "admin"?)');
  expect(JSON.parse((await telctl('users get dora -o json')).stdout)).toMatchObject({
    first_name: 'Dora',
    email: 'dora@acme.example',
  });
});

test('create asks for missing fields only in a terminal, and Ctrl-C sends no requests', async () => {
  const { telctl } = await openWorld();
  expect((await telctl('menus create')).code).toBe(2);
  expect((await telctl('menus create', { tty: true, env: { CI: '1' } })).code).toBe(2);
  const asked = await telctl('vmboxes create --mailbox 2002', {
    tty: true,
    answers: [{ to: 'Name:', type: 'Desk' }],
    env: { TELCTL_ACCESSIBLE: '1' },
  });
  expect(asked.code, asked.stderr).toBe(0);
  expect(asked.stderr).not.toContain('\u001b');
  const left = await telctl('menus create', { tty: true, answers: [{ to: 'Name:', type: '\u0003' }] });
  expect(left).toMatchObject({ code: 130, requests: [] });
});

test('reports a rejected value once, and a questionable one as a warning', async () => {
  const { telctl } = await openWorld();
  const refused = await telctl('menus create --name Main --set-json retries=99');
  expect(refused.code).toBe(10);
  expect(refused.stderr.match(/retries/g)).toHaveLength(1);
  const hook = await telctl(
    'webhooks create --name a --uri https://hooks.example --hook channel_destory --dry-run',
  );
  expect(hook.stderr).toMatch(/must be one of .*… \(\d+ in all\) \(did you mean "channel_destroy"\?\)/);
});

test('offers group members and callflow targets from the account', async () => {
  const { telctl } = await openWorld();
  const people = ['alice', 'bob'].map(
    (name) => `- { username: ${name}, first_name: A, last_name: B, password: correct-horse }`,
  );
  await telctl('users create -f people.yaml', { files: { 'people.yaml': people.join('\n') } });
  await telctl('vmboxes create --mailbox 2001 --name Desk');
  const group = await telctl('groups create --name Sales', {
    tty: true,
    answers: [
      { to: /1 {2}user admin.*Members \(numbers or names, with commas between\):/s, type: 'bob, nobody' },
      { to: /no user or device "nobody".*Members/s, type: 'bob, 1' },
    ],
  });
  expect(group.code, group.stderr).toBe(0);
  const { endpoints } = JSON.parse((await telctl('groups get Sales -o json')).stdout);
  expect(Object.values(endpoints)).toEqual([{ type: 'user' }, { type: 'user' }]);

  const flow = await telctl('callflows create', {
    tty: true,
    answers: [
      { to: 'Name (optional):', type: 'Hotline' },
      { to: 'Numbers (with commas between; optional):', type: '2077, +12125550177' },
      { to: /group Sales.*What answers/s, type: 'Sales' },
      { to: 'If there is no answer (Enter: finish):', type: '2001' },
    ],
  });
  expect(flow.code, flow.stderr).toBe(0);
  const made = JSON.parse((await telctl('callflows get Hotline -o json')).stdout);
  expect(made).toMatchObject({
    numbers: ['2077', '+12125550177'],
    flow: { module: 'group', children: { _: { module: 'voicemail', children: {} } } },
  });
  const anything = await telctl('callflows create', {
    tty: true,
    answers: [
      { to: 'Name (optional):', type: 'Any' },
      { to: 'Numbers (with commas between; optional):', type: '' },
      { to: 'Patterns (one; optional):', type: '^5[0-9]{1,3}$' },
      { to: 'What answers', type: '2001' },
    ],
  });
  expect(anything.code, anything.stderr).toBe(0);
  expect(JSON.parse((await telctl('callflows get Any -o json')).stdout).patterns).toEqual(['^5[0-9]{1,3}$']);
  const left = await telctl('callflows create', { tty: true, answers: [{ to: 'Name', type: '\u0003' }] });
  expect([left.code, left.requests.filter(({ method }) => method !== 'GET')]).toEqual([130, []]);
});

test('asks for lists of objects and records on one line, in option syntax', async () => {
  const { telctl } = await openWorld();
  await telctl('temporal-rules create --name Christmas --start-date 2026-12-25');
  const set = await telctl('temporal-rule-sets create --name Holidays', {
    tty: true,
    answers: [{ to: /Christmas.*Temporal rules \(numbers or names, with commas between\):/s, type: '1' }],
  });
  expect(set.code, set.stderr).toBe(0);
  const carrier = await telctl('carriers create --name Main', {
    tty: true,
    answers: [{ to: 'Gateways (server, with commas between):', type: 'sip1.example, sip2.example' }],
  });
  expect(carrier.code, carrier.stderr).toBe(0);
  const { gateways } = JSON.parse((await telctl('carriers get Main -o json')).stdout);
  expect(gateways.map(({ server }: { server: string }) => server)).toEqual(['sip1.example', 'sip2.example']);
});

test('reads a required secret without echo', async () => {
  const world = await openWorld();
  const { stdout } = await world.telctl('sso providers list -o name');
  const [provider = ''] = stdout.split('\n');
  const run = await world.telctl('sso apps create', {
    tty: true,
    answers: [
      { to: 'Client id:', type: 'acme-1' },
      { to: 'Provider (number or name):', type: provider },
      { to: 'Secret (not shown):', type: 'canary-secret' },
      { to: 'Name (optional):', type: 'Sign-in' },
    ],
  });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stdout + run.stderr).not.toContain('canary');
  const shown = await world.telctl('sso apps get Sign-in -o json --reveal');
  expect(JSON.parse(shown.stdout)).toMatchObject({ client_id: 'acme-1', secret: 'canary-secret' });
});
