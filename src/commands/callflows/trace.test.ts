import { expect, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';
import type { JsonObject } from '../../contract/json.ts';

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

test('goes where the digits lead, and into extensions', async () => {
  const { telctl } = await office();
  expect((await telctl('callflows trace 5551230000 --digits 2')).stdout).toBe(`+15551230000 → Main line
menu "Main menu"
└─ 2  callflow "After hours"
      └─ →  tts "Closed"
            └─ _  voicemail "Office"
`);
  expect((await telctl('callflows trace 5551230000 --digits 2900')).stdout).toContain(
    '└─ 2900  callflow "After hours"\n',
  );
  expect((await telctl('callflows trace 5551230000 --digits 7')).stdout).toContain(
    'menu "Main menu"  ("7" is no choice)\n└─ _  callflow "After hours"\n',
  );
});

test('takes a pattern where no number fits, and gives scripts the tree', async () => {
  const { telctl } = await office();
  const run = await telctl('callflows trace *512 --digits 1 -o json');
  expect(JSON.parse(run.stdout)).toMatchObject({
    version: 1,
    number: '*512',
    matched: { by: 'pattern', text: '^\\*5(\\d+)$' },
    callflow: { name: 'Main line' },
    digits: ['1'],
    first: { module: 'menu', branches: [{ key: '1', step: { module: 'user', seconds: 20 } }] },
  });
});

test('names the nearest numbers where nothing takes the call', async () => {
  const { telctl } = await office();
  expect(await telctl('callflows trace +15551230001')).toMatchObject({
    code: 5,
    stdout: '',
    stderr: expect.stringContaining('The nearest number is +15551230000.'),
  });
  expect(await telctl('callflows trace 2900 --digits two')).toMatchObject({ code: 2 });
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

test('says who is missing, and that nobody is rung for', async () => {
  const { telctl, service } = await office();
  const users: readonly { username: string; id: string }[] = JSON.parse(
    (await telctl('users list -o json')).stdout,
  );
  const carol = users.find(({ username }) => username === 'carol')?.id ?? '';
  await service('DELETE', `users/${carol}`);
  const run = await telctl('callflows trace 5551230000 --digits 1');
  expect(run.stdout).toBe(`+15551230000 → Main line
menu "Main menu"
└─ 1  user (missing)  (there is no user ${carol.slice(0, 4)}…${carol.slice(-4)})
      └─ _  nothing follows: the caller hears silence
`);
  const json = await telctl('callflows trace 5551230000 --digits 1 -o json');
  expect(JSON.parse(json.stdout).first.branches[0].step).toMatchObject({ module: 'user', missing: [carol] });
});
