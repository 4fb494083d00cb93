import { describe, expect, test } from 'vitest';
import { isSignIn, openWorld, type Run } from '../../../../test/support/world.ts';
import { resources } from '../../../contract/catalogue.ts';
import { genericCommands } from './commands.ts';

const writes = ({ requests }: Run) =>
  requests.filter((request) => request.method !== 'GET' && !isSignIn(request));

test('edit exists for readable and changeable records, and takes no name for a singleton', () => {
  for (const resource of resources) {
    const verbs = new Set(resource.operations.map(({ verb }) => verb));
    const edit = genericCommands(resource, ['noun']).find(({ path }) => path[1] === 'edit');
    const canChange = verbs.has('patch') || verbs.has('update');
    const canEdit = verbs.has('get') && canChange && verbs.has('delete');
    expect(edit !== undefined, resource.name).toBe(canEdit);
    if (edit)
      expect(Object.keys(edit.arguments).length, resource.name).toBe(resource.kind === 'singleton' ? 0 : 1);
  }
});

describe('secrets from standard input', () => {
  const user = '--username ann --first-name Ann --last-name Bee';
  test.each([
    [`users create ${user} --password-stdin -f -`, 'first_name: Ann\n', 2],
    [`users create -f - -f - ${user}`, 'first_name: Ann\n', 2],
    [`users create ${user} --password-stdin`, 'Secret-Word-1\n', 0],
    [`users create ${user} --password-file word.txt`, '', 0],
  ])('%s', async (line, stdin, code) => {
    const world = await openWorld();
    const run = await world.telctl(line, { stdin, files: { 'word.txt': 'Secret-Word-1\n' } });
    expect(run.code, run.stderr).toBe(code);
    expect(writes(run).map(({ body }) => Object(body).data.password)).toEqual(
      code === 0 ? ['Secret-Word-1'] : [],
    );
    if (code === 2) expect(run.stderr).toMatch(/standard input/i);
  });
});

test('skips an optional read that the service lacks, and fails if the read fails', async () => {
  const world = await openWorld();
  const { id } = await world.service('PUT', 'menus', { name: 'Main' });
  const path = new RegExp(`menus/${String(id)}$`);
  const line = ['menus', 'patch', String(id), '--name', 'Other', '--dry-run'];
  const missing = await world.telctl(line, {
    faults: [{ method: 'GET', path, fault: { kind: 'answer', status: 405, body: '{}' } }],
  });
  expect([missing.code, missing.stderr]).toEqual([0, expect.stringContaining('This service does not offer')]);
  const failing = await world.telctl([...line, '--retries', '0'], {
    faults: [{ method: 'GET', path, fault: { kind: 'answer', status: 500, body: '{}' } }],
  });
  expect([failing.code === 0, failing.stderr.includes('does not offer')]).toEqual([false, false]);
});

test('resolves an owner by name, and rejects an unknown name without a write', async () => {
  const world = await openWorld();
  for (const name of ['Ann', 'Bea'])
    await world.addUser({ username: name.toLowerCase(), first_name: name, last_name: 'Bee' });
  const run = await world.telctl('devices patch Desk --owner ann');
  expect(run.code).toBe(5);
  await world.service('PUT', 'devices', { name: 'Desk' });
  const owned = await world.telctl('devices patch Desk --owner ann');
  expect(owned.code, owned.stderr).toBe(0);
  const nobody = await world.telctl('devices patch Desk --owner nobody');
  expect([nobody.code, writes(nobody)]).toEqual([10, []]);
});
