import { expect, test } from 'vitest';
import { openWorld } from '../../../test/support/world.ts';

const passwords = [
  { to: 'Password of the new user:', type: 'correct-horse' },
  { to: 'Repeat it:', type: 'correct-horse' },
];

test('a create without options walks through what is needed and usual, and asks again for what does not fit', async () => {
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

test('a create asks for what its options leave out, at a terminal alone, and Ctrl-C leaves nothing', async () => {
  const { telctl } = await openWorld();
  expect((await telctl('menus create')).code).toBe(2);
  // Nobody can tell beforehand what a callflow needs.
  expect((await telctl('callflows create', { tty: true })).code).toBe(2);
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

test('what a service refuses is said once, and what it takes is still a warning', async () => {
  const { telctl } = await openWorld();
  const refused = await telctl('menus create --name Main --set-json retries=99');
  expect(refused.code).toBe(10);
  expect(refused.stderr.match(/retries/g)).toHaveLength(1);
  const hook = await telctl(
    'webhooks create --name a --uri https://hooks.example --hook channel_destory --dry-run',
  );
  expect(hook.stderr).toMatch(/must be one of .*… \(\d+ in all\) \(did you mean "channel_destroy"\?\)/);
});
