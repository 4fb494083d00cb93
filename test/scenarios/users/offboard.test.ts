import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { openWorld } from '../../support/world.ts';

throughValidatingProxy();

const hangup = { module: 'hangup', data: {}, children: {} };

/** Creates an office with many references to dora. erin can take over. */
async function openOffice() {
  const world = await openWorld();
  const { service, addUser, telctl } = world;
  const person = (name: string) => ({
    username: name,
    first_name: name,
    last_name: 'Dean',
    password: 'first-sign-in',
  });
  const { id: erin = '' } = await addUser(person('erin'));
  const queue = await service('PUT', 'queues', { name: 'Support' });
  const directory = await service('PUT', 'directories', { name: 'Sales' });
  const { id: dora = '' } = await addUser({ ...person('dora'), queues: [String(queue.id)] });
  const device = await service('PUT', 'devices', {
    name: "Dora's desk",
    owner_id: dora,
    sip: { username: 'dora', password: 'first-sign-in' },
  });
  const box = await service('PUT', 'vmboxes', { name: 'Dora', mailbox: '2001', owner_id: dora });
  const voicemail = { module: 'voicemail', data: { id: String(box.id) }, children: {} };
  const ringStep = (next: JsonObject) => ({
    module: 'user',
    data: { id: String(dora), timeout: 20 },
    children: { _: next },
  });
  const own = await service('PUT', 'callflows', {
    name: 'Dora',
    numbers: ['2001'],
    owner_id: dora,
    flow: ringStep(voicemail),
  });
  await service('PATCH', `users/${dora}`, { directories: { [String(directory.id)]: String(own.id) } });
  const main = await service('PUT', 'callflows', {
    name: 'Main line',
    numbers: ['2000'],
    flow: ringStep(hangup),
  });
  const group = await service('PUT', 'groups', {
    name: 'Sales',
    endpoints: { [String(dora)]: { type: 'user' }, [String(device.id)]: { type: 'device' } },
  });
  const ids = { dora: String(dora), erin: String(erin), main: String(main.id), group: String(group.id) };
  const listNames = async (noun: string) =>
    JSON.parse((await telctl(`${noun} list -o json`)).stdout)
      .map(({ name }: { name: string }) => name)
      .toSorted();
  return {
    ...world,
    ids,
    own: String(own.id),
    queue: String(queue.id),
    box: String(box.id),
    list: listNames,
  };
}

test('without a successor, objects that only served the user are deleted, and the rest continues without the user', async () => {
  const { telctl, service, ids, list } = await openOffice();
  const dry = await telctl('users offboard dora --dry-run');
  expect(dry).toMatchObject({ code: 0, stdout: expect.stringMatching(/- user dora[\s\S]* 4 to delete\n/) });
  expect(dry.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  const run = await telctl('users offboard dora', { tty: true, answers: [{ to: 'Make these', type: 'y' }] });
  expect(run.code, run.stderr).toBe(0);
  for (const line of [
    /~ callflow "Main line" +without dora/,
    /~ group Sales +without dora/,
    /! sessions of dora/,
    /- callflow Dora +for 2001/,
    /- vmbox 2001 +with its messages/,
    /- device "Dora's desk"/,
    /- user dora +leaves 1 directory and 1 queue/,
  ])
    expect(run.stderr).toMatch(line);
  expect((await service('GET', `callflows/${ids.main}`)).flow).toEqual(hangup);
  expect((await service('GET', `groups/${ids.group}`)).endpoints ?? {}).toEqual({});
  expect([await list('devices'), await list('vmboxes'), await list('callflows')]).toEqual([
    [],
    [],
    ['Main line'],
  ]);
  expect((await telctl('users get dora')).code).toBe(5);
  expect((await telctl('orphans -o json')).stdout).not.toContain('reference to nothing');

  const undone = await telctl('undo --yes');
  expect(undone, undone.stderr).toMatchObject({
    code: 8,
    stderr: expect.stringContaining('Created 4, updated 2'),
  });
  expect((await list('callflows')).toSorted()).toEqual(['Dora', 'Main line']);
  const [again] = JSON.parse((await telctl('users list -o json')).stdout).filter(
    ({ username }: { username: string }) => username === 'dora',
  );
  expect((await service('GET', `callflows/${ids.main}`)).flow).toMatchObject({ data: { id: again.id } });
});

test('a successor takes over the positions, and the mailbox if messages are kept', async () => {
  const { telctl, service, ids, own, queue, box, list } = await openOffice();
  const run = await telctl('users offboard dora --to erin --keep-messages --yes -o json');
  expect(run.code, run.stderr).toBe(0);
  expect((await service('GET', `callflows/${ids.main}`)).flow).toMatchObject({
    module: 'user',
    data: { id: ids.erin, timeout: 20 },
  });
  expect(await service('GET', `callflows/${own}`)).toMatchObject({
    owner_id: ids.erin,
    flow: { data: { id: ids.erin }, children: { _: { data: { id: box } } } },
  });
  expect((await service('GET', `groups/${ids.group}`)).endpoints).toEqual({ [ids.erin]: { type: 'user' } });
  expect(await service('GET', `vmboxes/${box}`)).toMatchObject({ owner_id: ids.erin });
  const erin = await service('GET', `users/${ids.erin}`);
  expect(erin.queues).toEqual([queue]);
  expect(Object.values(erin.directories ?? {})).toEqual([own]);
  expect(await list('devices')).toEqual([]);
  const { deleted } = JSON.parse(run.stdout);
  expect(deleted.map(({ resource }: { resource: string }) => resource)).toEqual(['devices', 'users']);
});

test('offboarding oneself or to oneself is refused, and --keep-messages needs a successor', async () => {
  const { telctl } = await openOffice();
  expect(await telctl('users offboard dora --to dora --yes')).toMatchObject({ code: 2 });
  expect(await telctl('users offboard dora --keep-messages --yes')).toMatchObject({ code: 2 });
  expect(await telctl('users offboard dora')).toMatchObject({ code: 2 });
  const self = await openWorld({ signIn: 'password' });
  const run = await self.telctl(['users', 'offboard', self.seed.adminUserId, '--yes']);
  expect(run).toMatchObject({ stderr: expect.stringContaining('You are signed in as') });
});

test('after a refusal, completed steps are reported and a repeat continues', async () => {
  const { telctl, list } = await openOffice();
  const faults = [
    {
      method: 'DELETE',
      path: /\/vmboxes\//,
      fault: { kind: 'answer', status: 403, body: '{"message":"no"}' },
    },
  ] as const;
  const run = await telctl('users offboard dora --yes', { faults });
  expect(run.code).toBe(4);
  expect(run.stderr).toMatch(/Completed before it: .*callflow Dora/);
  expect(run.stderr).toContain('telctl undo');
  const again = await telctl('users offboard dora --yes --resume');
  expect(again.code, again.stderr).toBe(0);
  expect(await list('vmboxes')).toEqual([]);
  expect(await telctl('users offboard erin --yes --resume')).toMatchObject({ code: 2 });
});
