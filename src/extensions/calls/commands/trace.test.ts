import { expect, test } from 'vitest';
import { openWorld } from '../../../../test/support/world.ts';
import type { JsonObject } from '../../../base/json.ts';

const step = (module: string, data: JsonObject, children: JsonObject = {}) => ({ module, data, children });

async function office() {
  const world = await openWorld();
  const { service, addUser } = world;
  const { id: carol = '' } = await addUser({ username: 'carol', first_name: 'Carol', last_name: 'Chen' });
  const { id: box = '' } = await service('PUT', 'vmboxes', { name: 'Office', mailbox: '2900' });
  const { id: menu = '' } = await service('PUT', 'menus', { name: 'Main menu' });
  const { id: night = '' } = await service('PUT', 'callflows', {
    name: 'After hours',
    numbers: ['2900'],
    flow: step('tts', { text: 'Closed' }, { _: step('voicemail', { id: box }) }),
  });
  await service('PUT', 'callflows', {
    name: 'Main line',
    numbers: ['+15551230000'],
    patterns: ['^\\*5(\\d+)$'],
    flow: step(
      'menu',
      { id: menu },
      {
        1: step('user', { id: carol }),
        2: step('callflow', { id: night }),
        _: step('callflow', { id: night }),
      },
    ),
  });
  return world;
}

test('follows a number through menus and other callflows', async () => {
  const { telctl } = await office();
  expect(await telctl('callflows trace (555)123-0000')).toMatchObject({
    code: 0,
    stdout: `+15551230000 → Main line
menu "Main menu"
├─ 1  user "carol" (20 s)
│     └─ _  nothing follows: the caller hears silence
├─ 2  callflow "After hours"
│     └─ →  tts "Closed"
│           └─ _  voicemail "Office"
└─ _  callflow "After hours"  (as above)
`,
    stderr: '',
  });
});

test('notes steps without a registered phone, with the next step', async () => {
  const world = await openWorld();
  const { service, addUser, telctl } = world;
  const { id: carol = '' } = await addUser({ username: 'carol', first_name: 'Carol', last_name: 'Chen' });
  const { id: box = '' } = await service('PUT', 'vmboxes', { name: 'Office', mailbox: '2900' });
  const flow = step('user', { id: carol }, { _: step('voicemail', { id: box }) });
  await service('PUT', 'callflows', { name: 'Carol', numbers: ['2001'], flow });
  const traced = async (): Promise<string> => (await telctl('callflows trace 2001')).stdout;
  const note = '(no phone registered: goes to voicemail "Office")';
  expect(await traced()).not.toContain('registered');
  const sip = { username: 'carol1', password: 'not-a-guess-77' };
  const { id: desk = '' } = await service('PUT', 'devices', {
    ...{ name: 'Desk', owner_id: carol, device_type: 'sip_device', sip },
  });
  expect(await traced()).toContain(`user "carol" (20 s)  ${note}`);
  await service('PATCH', `devices/${desk}`, { call_forward: { enabled: true, number: '+14155550100' } });
  expect(await traced()).not.toContain('registered');
  await service('PATCH', `devices/${desk}`, { call_forward: { enabled: false } });
  expect(await traced()).toContain(note);
  const list = [{ username: 'carol1', authorizing_id: desk, owner_id: carol }];
  const answer = {
    kind: 'answer',
    status: 200,
    body: JSON.stringify({ data: list, status: 'success' }),
  } as const;
  const faults = [{ method: 'GET', path: /registrations$/, fault: answer }];
  expect((await telctl('callflows trace 2001', { faults })).stdout).not.toContain('registered');
  const missing = { kind: 'answer', status: 404, body: '{"message":"not found","status":"error"}' } as const;
  const without = [{ method: 'GET', path: /registrations$/, fault: missing }];
  expect(await telctl('callflows trace 2001', { faults: without })).toMatchObject({
    ...{ code: 0, stdout: expect.not.stringContaining('registered') },
  });
});

test('follows digits into branches and extensions', async () => {
  const { telctl } = await office();
  expect((await telctl('callflows trace 5551230000 --digits 2')).stdout).toBe(`+15551230000 → Main line
menu "Main menu"  (The caller presses 2)
└─ 2  callflow "After hours"
      └─ →  tts "Closed"
            └─ _  voicemail "Office"
In voicemail box "2900" without a message.
`);
  expect((await telctl('callflows trace 5551230000 --digits 2900')).stdout).toContain(
    '└─ 2900  callflow "After hours"\n',
  );
  expect((await telctl('callflows trace 5551230000 --digits 7')).stdout).toContain(
    'callflow "After hours"\n',
  );
});

test('matches a pattern if no number matches, and prints the tree as JSON', async () => {
  const { telctl } = await office();
  const run = await telctl('callflows trace *512 --digits 1 -o json');
  expect(JSON.parse(run.stdout)).toMatchObject({
    version: 1,
    number: '*512',
    matched: { by: 'pattern', text: '^\\*5(\\d+)$' },
    callflow: { name: 'Main line' },
    digits: ['1'],
    first: { module: 'menu', branches: [{ key: '1', step: { module: 'user' } }] },
  });
});

test('suggests the nearest numbers if no callflow matches', async () => {
  const { telctl } = await office();
  expect(await telctl('callflows trace +15551230001')).toMatchObject({
    code: 5,
    stdout: '',
    stderr: expect.stringContaining('The nearest number is +15551230000.'),
  });
  expect(await telctl('callflows trace 2900 --digits two')).toMatchObject({ code: 2 });
});

test('notes PINs, follows the preflow, and lists what is not simulated', async () => {
  const { telctl, service } = await office();
  const { id: room = '' } = await service('PUT', 'conferences', {
    ...{ name: 'Board', member: { pins: ['1111'] }, moderator: { pins: ['9999'] } },
    ...{ max_participants: 5, wait_for_moderator: true, profile_name: 'wide' },
  });
  const { id: box = '' } = await service('PUT', 'vmboxes', { name: 'Alice', mailbox: '2001', pin: '4321' });
  const { id: preflow = '' } = await service('PUT', 'callflows', {
    ...{ name: 'Notice', numbers: ['3000'], flow: step('tts', { text: 'Recorded' }) },
  });
  await service('PUT', 'callflows', {
    name: 'Board',
    numbers: ['3001'],
    flow: step('conference', { id: room }),
  });
  const check = step('voicemail', { action: 'check' });
  await service('PUT', 'callflows', { name: 'Messages', numbers: ['*97'], flow: check });
  await service('PUT', 'callflows', {
    name: 'Dial on',
    numbers: ['3002'],
    flow: step('disa', { pin: '7777' }),
  });
  const account = {
    preflow: { always: preflow },
    call_recording: { account: { any: { any: { enabled: true } } } },
  };
  const patched = await telctl(['accounts', 'patch', 'acme', '-f', '-'], { stdin: JSON.stringify(account) });
  expect(patched.code, patched.stderr).toBe(0);
  expect((await telctl('callflows trace 3001')).stdout).toBe(`3001 → Board
callflow "Notice"  (the preflow of the account)
├─ →  tts "Recorded"
└─ _  conference "Board"  (asks for a PIN; allows 5 participants)
`);
  const [wrong, right, heard, none, on] = await Promise.all(
    [
      '3001 --digits 1,2,3',
      '3001 --digits 9999',
      '*97 --digits 2001,4321',
      '*97 --digits 9',
      '3002 --digits 7777,2900',
    ].map(async (line) => (await telctl(`callflows trace ${line}`)).stdout),
  );
  expect(wrong).not.toContain('In conference');
  expect(right).toContain('In conference "Board"');
  expect(right).toContain('Not simulated here: profile name of Board');
  expect(heard).toContain('(The caller checked the mailbox)');
  expect(none).toContain('(The mailbox does not exist)');
  expect(on).toContain('└─ 2900  callflow "After hours"');
  for (const secret of ['9999', '4321', '7777']) expect([right, heard, on].join('')).not.toContain(secret);
  await service('PATCH', `vmboxes/${box}`, { pin: '9876' });
  expect((await telctl('callflows trace *97 --digits 2001,4321')).stdout).toContain('The PIN was wrong');
});

test('simulates a call from a user, and follows transfers', async () => {
  const { telctl, service } = await office();
  await service('PUT', 'callflows', {
    name: 'Hand over',
    numbers: ['2500'],
    flow: step('transfer', { target: '2900' }),
  });
  expect((await telctl('callflows trace 2500')).stdout).toContain('tts "Closed"');
  expect((await telctl('callflows trace 2500 --from user:carol')).stdout).toContain('tts "Closed"');
  expect(await telctl('callflows trace 2500 --from user:carl')).toMatchObject({
    code: 10,
    stderr: expect.stringContaining('Did you mean "carol"?'),
  });
});

test('reads a manifest instead of the service', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const run = await telctl('callflows trace 2001 -f office.yaml', {
    files: {
      'office.yaml': `users:
  alice: { username: alice, password: "\${env.NOT_SET}", first_name: Alice, last_name: Archer }
callflows:
  alice: { name: Alice, numbers: ["2001"], flow: { module: user, data: { id: "\${users.alice}", timeout: 9 } } }
`,
    },
  });
  expect(run).toMatchObject({ code: 0, requests: [] });
  expect(run.stdout).toContain('user "alice" (9 s)');
});

test('notes missing users, which do not ring', async () => {
  const { telctl, service } = await office();
  const users: readonly { username: string; id: string }[] = JSON.parse(
    (await telctl('users list -o json')).stdout,
  );
  const carol = users.find(({ username }) => username === 'carol')?.id ?? '';
  await service('DELETE', `users/${carol}`);
  const run = await telctl('callflows trace 5551230000 --digits 1');
  expect(run.stdout).toBe(`+15551230000 → Main line
menu "Main menu"  (The caller presses 1)
└─ 1  user (missing: ${carol.slice(0, 8)}…)  (The user does not exist)
The callflow "Main line" ends.
`);
  const json = await telctl('callflows trace 5551230000 -o json');
  expect(JSON.parse(json.stdout).first.branches[0].step).toMatchObject({ module: 'user', missing: [carol] });
});
