import { expect, test } from 'vitest';
import { openWorld } from '../../support/world.ts';

const manifest = (restriction: string) => ({
  'office.yaml': `users: { bob: { username: bob, first_name: B, last_name: B, call_restriction: ${restriction} } }\n`,
});

test.each([
  ['a word that has no effect', '{ international: { action: block } }', 'must be one of inherit, deny'],
  ['a capital letter', '{ international: { action: Deny } }', 'did you mean "deny"?'],
  ['text in the place of an object', '{ international: deny }', '"international" must be a map'],
])('every command refuses the restriction %s', async (_, restriction, message) => {
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

test('warns about an unknown class, and refuses it if the service has no similar one', async () => {
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

test('warns about a known class that the service lacks', async () => {
  const world = await openWorld();
  await world.addUser({ username: 'alice', first_name: 'A', last_name: 'A', password: 'Quay-Heron-4171' });
  const classes = { data: { did_us: { regex: '^x$', friendly_name: 'US' } }, status: 'success' };
  const faults = [
    { fault: { kind: 'answer', status: 200, body: JSON.stringify(classes) }, path: /classifiers$/ },
  ] as const;
  const files = manifest('{ international: { action: deny }, did_us: { action: deny } }');
  for (const line of [
    'users patch alice --set call_restriction.international.action=deny',
    'plan -f office.yaml',
  ]) {
    const run = await world.telctl(line, { faults, files });
    expect(run, run.stderr).toMatchObject({ code: 0 });
    expect(run.stderr).toContain('no class of numbers "international"');
    expect(run.stderr).not.toContain('no class of numbers "did_us"');
  }
});

test('keeps a refused word that the account already has: export warns, plan is empty, other changes apply', async () => {
  const world = await openWorld();
  const { id = '' } = await world.addUser({
    ...{ username: 'alice', first_name: 'A', last_name: 'Zed', password: 'Quay-Heron-4171' },
  });
  const record = await world.service('GET', `users/${id}`);
  const restriction = { international: { action: 'block' } };
  const reply = { status: 'success', data: { ...record, call_restriction: restriction } };
  const faults = [
    {
      fault: { kind: 'answer', status: 200, body: JSON.stringify(reply) },
      ...{ method: 'GET', path: new RegExp(`/users/${id}$`) },
    },
  ] as const;
  const made = await world.telctl('export --only users', { faults });
  expect(made.stderr).toContain('"call_restriction.international.action" must be one of');
  const text = made.stdout.replaceAll(/^.*password:.*\n/gm, '');
  const run = (line: string, manifest: string) =>
    world.telctl(line, { faults, files: { 'office.yaml': manifest } });
  expect(await run('diff -f office.yaml', text)).toMatchObject({ code: 0 });
  expect((await run('validate -f office.yaml', text)).code).toBe(10);
  const applied = await run('apply -f office.yaml --yes', text.replace('last_name: Zed', 'last_name: Zoe'));
  expect(applied, applied.stderr).toMatchObject({ code: 0 });
  expect(applied.stderr).toContain('call_restriction.international.action');
  const worse = await run('apply -f office.yaml --yes', text.replace('action: block', 'action: Deny'));
  expect(worse, worse.stderr).toMatchObject({ code: 10 });
});

test('lint reports unknown keys of module data at every depth', async () => {
  const { telctl } = await openWorld({ signIn: 'none' });
  const flow = `{ module: user, data: { id: "\${users.a}", zzz: 1, custom_sip_headers: {} } }`;
  const text = `users: { a: { username: a } }\ncallflows: { m: { name: M, numbers: ["100"], flow: ${flow} } }`;
  const run = await telctl('callflows lint -f a.yaml -o json', { files: { 'a.yaml': text } });
  expect(JSON.parse(run.stdout).map(({ message }: { message: string }) => message)).toContain(
    'user has no data.zzz',
  );
});
