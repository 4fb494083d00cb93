import { describe, expect, test } from 'vitest';
import { throughValidatingProxy } from '../../support/validating-proxy.ts';
import { isSignIn, openWorld } from '../../support/world.ts';

throughValidatingProxy();

const alice = `username: alice
first_name: Alice
last_name: Archer
password: \${env.ALICE_PASSWORD}
`;
const lastBody = (requests: readonly { readonly body: unknown }[]): unknown => requests.at(-1)?.body;

describe('a file of records', () => {
  test('is completed from the environment and from other files, in create, update and patch', async () => {
    const world = await openWorld();
    const env = { ALICE_PASSWORD: 'from-outside-1', TOWN: 'Europe/Zurich' };
    const created = await world.telctl('users create -f in/alice.yaml', {
      env,
      files: {
        'in/alice.yaml': `${alice}presence_id: \${file.extension.txt}\n`,
        'in/extension.txt': '204\n',
      },
    });
    expect(created.code, created.stderr).toBe(0);
    expect(lastBody(created.requests)).toMatchObject({
      data: { password: 'from-outside-1', presence_id: '204' },
    });
    const patched = await world.telctl('users patch alice -f zone.json', {
      env,
      files: { 'zone.json': `{"timezone": "\${env.TOWN}"}` },
    });
    expect(lastBody(patched.requests)).toMatchObject({ data: { timezone: 'Europe/Zurich' } });
    const updated = await world.telctl('users update alice -f alice.yaml --yes', {
      env,
      files: { 'alice.yaml': alice },
    });
    expect(lastBody(updated.requests)).toMatchObject({ data: { password: 'from-outside-1' } });
  });

  test.each([
    [`password: \${env.NOT_THERE}`, 'u.yaml:5:11: the variable NOT_THERE is not set'],
    [`password: \${env.TELCTL_API_KEY}`, 'variables of telctl itself'],
    [`timezone: \${file./etc/hostname}`, '--allow-files'],
    [`timezone: \${file.none.txt}`, 'there is no file'],
    [`timezone: \${users.bob}`, 'names an object of a manifest, and there is none here'],
    [`timezone: \${var.zone}`, `\${env.NAME} reads the environment`],
    [`timezone: \${TOWN}`, `\${env.TOWN} is a variable of the environment`],
    [`timezone: \${env.TOWN`, 'has no "}"'],
  ])('with %s that cannot be resolved is refused with its place before any request', async (line, why) => {
    const world = await openWorld();
    const run = await world.telctl('users create -f u.yaml', {
      files: { 'u.yaml': `username: x\nfirst_name: X\nlast_name: X\nenabled: true\n${line}\n` },
    });
    expect([run.code, run.stderr]).toEqual([10, expect.stringContaining(why)]);
    expect(run.requests.filter((request) => !isSignIn(request))).toEqual([]);
  });

  test('treats a doubled dollar as a literal one, and option text literally', async () => {
    const world = await openWorld();
    const run = await world.telctl(['users', 'create', '-f', 'u.yaml', '--set', `last_name=\${env.X}`], {
      files: { 'u.yaml': `username: x\nfirst_name: "$\${env.X}"\npassword: Secret-1x\n` },
    });
    expect(run.code, run.stderr).toBe(0);
    expect(lastBody(run.requests)).toMatchObject({
      data: { first_name: `\${env.X}`, last_name: `\${env.X}` },
    });
  });

  test('omits a field whose optional variable is not set', async () => {
    const world = await openWorld();
    const files = { 'menu.yaml': `name: Main\nhunt_deny: \${env.DENY?}\n` };
    const run = await world.telctl('menus create -f menu.yaml', { files });
    expect(lastBody(run.requests)).toEqual({ data: { name: 'Main' } });
  });

  test('shows no outside values in a dry run or message', async () => {
    const world = await openWorld();
    const env = { ALICE_PASSWORD: 'canary-password', NAME: 'canary-name' };
    const files = { 'u.yaml': alice.replace('Alice', `\${env.NAME}`) };
    for (const format of ['table', 'json']) {
      const run = await world.telctl(`users create -f u.yaml --dry-run -v -o ${format}`, { env, files });
      expect(run.code, run.stderr).toBe(0);
      expect(run.stdout + run.stderr).not.toContain('canary');
    }
    const wrong = { 'u.yaml': `${alice}enabled: \${env.NAME}\n` };
    const run = await world.telctl('users create -f u.yaml', { env, files: wrong });
    expect(run.code).toBe(10);
    expect(run.stderr).not.toContain('canary');
  });
});
