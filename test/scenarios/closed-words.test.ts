import { expect, test } from 'vitest';
import { openWorld } from '../support/world.ts';

const manifest = (restriction: string) => ({
  'office.yaml': `users: { bob: { username: bob, first_name: B, last_name: B, call_restriction: ${restriction} } }\n`,
});

test.each([
  ['a word that has no effect', '{ international: { action: block } }', 'must be one of inherit, deny'],
  ['a capital letter', '{ international: { action: Deny } }', 'did you mean "deny"?'],
  ['text in the place of an object', '{ international: deny }', '"international" must be a map'],
])('refuses %s in a restriction in every command', async (_, restriction, message) => {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'A', last_name: 'A', password: 'Quay-Heron-4171' });
  const files = {
    ...manifest(restriction),
    'user.yaml': `first_name: C\nlast_name: C\ncall_restriction: ${restriction}\n`,
  };
  for (const line of [
    'validate -f office.yaml',
    'plan -f office.yaml',
    'apply -f office.yaml --yes',
    'users create -f user.yaml',
    'users patch alice -f user.yaml',
  ]) {
    const run = await world.telctl(line, { files });
    expect([line, run.code]).toEqual([line, 10]);
    expect(run.stderr).toContain(message);
  }
  expect((await world.telctl('users list -o json')).stdout).not.toContain('"C C"');
});

test('warns of a class that services do not know, and refuses it where this service lacks a near one', async () => {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'A', last_name: 'A', password: 'Quay-Heron-4171' });
  const files = manifest('{ internationl: { action: deny } }');
  const offline = await world.telctl('validate -f office.yaml', { files });
  expect(offline.code).toBe(0);
  expect(offline.stderr).toContain('did you mean "international"?');
  expect(await world.telctl('validate -f office.yaml --strict-input', { files })).toMatchObject({ code: 10 });
  for (const line of [
    'apply -f office.yaml --yes',
    'users patch alice --set call_restriction.internationl.action=deny',
    'users patch alice --set call_restriction.international.action=block',
  ])
    expect([line, (await world.telctl(line, { files })).code]).toEqual([line, 10]);
  const other = 'users patch alice --set call_restriction.satellite.action=deny';
  const warned = await world.telctl(other);
  expect(warned).toMatchObject({ code: 0, stderr: expect.stringContaining('"satellite"') });
  expect(await world.telctl(`${other} --strict-input`)).toMatchObject({ code: 10 });
  const audit = await world.telctl('audit -o json');
  expect(audit.stdout).toContain('"unknown-word"');
});
