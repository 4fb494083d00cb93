import { expect, test } from 'vitest';
import { serveSandbox } from '../../../../test/support/served-sandbox.ts';
import { openWorld } from '../../../../test/support/world.ts';

const people = { username: 'alice', first_name: 'Alice', last_name: 'Archer', password: 'first-sign-in' };

test('accepts and finds a MAC address in any notation, and sends twelve hex digits', async () => {
  const world = await openWorld();
  const made = await world.telctl('devices create --name desk --mac 00-04-F2-AB-7E-FD -o json');
  expect(made.code, made.stderr).toBe(0);
  expect(made.requests.at(-1)?.body).toEqual({ data: { name: 'desk', mac_address: '0004f2ab7efd' } });
  const found = await world.telctl('devices get 00:04:f2:ab:7e:fd -o json');
  expect([found.code, JSON.parse(found.stdout).name]).toEqual([0, 'desk']);
  const short = await world.telctl('devices create --name other --mac 00:04:F2');
  expect([short.code, short.requests.length]).toEqual([2, 0]);
  expect(short.stderr).toContain('--mac must have twelve hexadecimal digits');
  const again = await world.telctl('devices create --name other --mac 0004f2ab7efd');
  expect([again.code, again.stderr]).toEqual([6, expect.stringContaining('mac_address')]);
});

test('generates credentials on request, shows them once, and masks them later', async () => {
  const world = await openWorld();
  await world.service('PUT', 'users', people);
  const run = await world.telctl('devices create --name desk --owner alice --generate');
  expect(run.code, run.stderr).toBe(0);
  const [username = '', password = ''] = run.stdout.trim().split('\n');
  expect(username).toMatch(/^user_[a-z0-9]{12}$/);
  expect(password).toMatch(/^\w{20}$/);
  expect(run.stderr).toContain('shown only now');
  expect(run.stderr).not.toContain(password);
  const [stored] = await world.sandbox.store.allOfKind('devices');
  expect(stored?.body).toMatchObject({ sip: { username, password } });
  for (const line of ['devices get desk -o json', 'devices get desk', 'export --only devices', 'log -o json'])
    expect((await world.telctl(line)).stdout, line).not.toContain(password);
  const kept = await world.telctl('devices create --name two --generate -f - -o json', {
    stdin: '{"sip": {"username": "two"}}',
  });
  expect(JSON.parse(kept.stdout)).toMatchObject({ generated_username: 'two', sip: { username: 'two' } });
});

test('refuses to change the type of a device', async () => {
  const world = await openWorld();
  await world.service('PUT', 'devices', { name: 'desk', device_type: 'sip_device' });
  const run = await world.telctl('devices patch desk --type cellphone');
  expect([run.code, run.stderr]).toEqual([10, expect.stringContaining('device_type: cannot be changed')]);
});

test('registers, lists, rings and unregisters phones', async () => {
  const { telctl } = await serveSandbox('--memory');
  const json = async (line: string) => {
    const run = await telctl(`${line} -o json`);
    expect(run.code, run.stderr).toBe(0);
    return JSON.parse(run.stdout);
  };
  await telctl('users create -f -', { stdin: JSON.stringify(people) });
  await telctl('devices create --name desk --owner alice --generate');
  await telctl('devices create --name mobile --owner alice --type cellphone');
  const busy = await telctl('devices quickcall desk +15551230009');
  expect([busy.code, busy.stderr]).toEqual([
    6,
    expect.stringContaining('The call was not set up: USER_NOT_REGISTERED.'),
  ]);
  const registered = await telctl('sandbox phone register alice --expires 3600');
  expect(registered.stderr).toContain(
    'Not registered: device mobile: a device of type cellphone never registers.',
  );
  expect((await json('devices status')).map((each: { registered: string }) => each.registered)).toEqual(
    expect.arrayContaining(['yes', 'forwarded']),
  );
  expect(await json('users devices alice')).toHaveLength(2);
  expect(await json('registrations list')).toMatchObject([{ expires: 3600, authorizing_type: 'device' }]);
  expect((await telctl('registrations list')).stdout).toMatch(/ desk$/m);
  expect(await json('registrations count')).toEqual({ count: 1 });
  expect((await telctl('sandbox phone list')).stdout).toMatch(/desk .* yes/);
  const call = await telctl('users quickcall alice +15551230009');
  expect([call.code, call.stderr + call.stdout]).toEqual([
    0,
    expect.stringMatching(/as call [0-9a-f]{32}\./),
  ]);
  expect(await json('channels list --user alice')).not.toEqual([]);
  expect((await telctl('devices sync desk')).code).toBe(0);
  expect((await telctl('devices notify desk')).stderr).toContain('Sent NOTIFY check-sync to device desk.');
  expect((await telctl('registrations end nobody --yes')).code).toBe(5);
  expect((await telctl('registrations end --all --yes')).code).toBe(0);
  expect(await json('registrations count')).toEqual({ count: 0 });
});
