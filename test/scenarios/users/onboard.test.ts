import { expect, test } from 'vitest';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld } from '../../support/world.ts';

throughValidatingProxy();

const fay = ['users', 'onboard', '--first-name', 'Fay', '--last-name', 'Förster', '--extension', '2014'];

test('creates a user, phone, mailbox and extension together, and undo reverts all', async () => {
  const world = await openWorld();
  const dry = await world.telctl([...fay, '--softphone', '--generate', '--dry-run']);
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringContaining('4 to create') });
  expect(dry.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const refused = await world.telctl([...fay, '--softphone', '--generate']);
  expect(refused.code).toBe(2);
  const open = await world.telctl('users onboard --first-name Fay --last-name Foster --generate');
  expect(open.stderr).toContain('Cannot ask without a terminal: Extension.\nAnswer with --extension.');

  const run = await world.telctl([...fay, '--mac', '00:04:F2:AB:7E:FD', '--generate', '--yes', '-o', 'json']);
  expect(run.code, run.stderr).toBe(0);
  const { username, generated_password: password, sip, created } = JSON.parse(run.stdout);
  expect({ username, kinds: created.map(({ resource }: { resource: string }) => resource) }).toEqual({
    username: 'fay.forster',
    kinds: ['users', 'devices', 'vmboxes', 'callflows'],
  });
  expect(password).toMatch(/^\w{20}$/);
  expect(sip).toMatchObject({ username: 'fay.forster', password: expect.stringMatching(/^\w{20}$/) });
  const devices = JSON.parse((await world.telctl('devices list -o json')).stdout);
  expect(devices).toMatchObject([{ mac_address: '0004f2ab7efd', owner_id: created[0].id }]);
  const trace = await world.telctl('callflows trace 2014');
  expect(trace.stdout).toContain('fay.forster');

  const taken = await world.telctl([...fay, '--generate', '--yes']);
  expect(taken).toMatchObject({ code: 6, stderr: expect.stringContaining('The next free one is 2015.') });
  const undone = await world.telctl('undo --yes');
  expect(undone.code, undone.stderr).toBe(0);
  for (const noun of ['devices', 'vmboxes', 'callflows'])
    expect(JSON.parse((await world.telctl(`${noun} list -o json`)).stdout)).toEqual([]);
});

test('asks for everything at a terminal', async () => {
  const world = await openWorld();
  const answers = [
    { to: 'First name', type: 'Gus' },
    { to: 'Last name', type: 'Grant' },
    { to: 'E-mail (none)', type: '' },
    { to: 'Extension', type: '' },
    { to: 'Phone: softphone', type: 'softphone' },
    { to: 'Direct number', type: '' },
    { to: 'Create these 4?', type: 'y' },
  ];
  const run = await world.telctl('users onboard', { tty: true, answers });
  expect(run.code, run.stderr).toBe(0);
  expect(run.stderr).toMatch(/First password of gus\.grant, shown once: \w{20}/);
  expect(run.stderr).toContain('callflow "Gus Grant"');
});

test('reports what was created after a refusal, and how to revert it', async () => {
  const world = await openWorld();
  const faults = [
    { method: 'PUT', path: /\/vmboxes$/, fault: { kind: 'answer', status: 400, body: '{"message":"no"}' } },
  ] as const;
  const run = await world.telctl([...fay, '--generate', '--yes'], { faults });
  expect(run.code).toBe(8);
  expect(run.stderr).toContain('Created user fay.forster.');
  expect((await world.telctl('undo --yes')).code).toBe(0);
  expect((await world.telctl('users get fay.forster')).code).toBe(5);
});
