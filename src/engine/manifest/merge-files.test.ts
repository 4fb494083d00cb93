// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openWorld, type World } from '../../../test/support/world.ts';

const read = (world: World, name: string): string => readFileSync(join(world.folders.cwd, name), 'utf8');

const office = `# Our office.

users:
  # The boss.
  boss:            # may do everything
    username: alice
    first_name: Alicia   # as on the door
    last_name: "Archer"
    password: \${env.BOSS_PASSWORD?}
    vm_to_email_enabled: true
    timezone: Europe/London
    caller_id: { internal: { name: Front desk, number: 0100 } }
  admin: { username: admin, first_name: Acme, last_name: Admin, email: admin@acme.example, priv_level: admin }

menus:
  main: {name: Main menu, retries: 5}

callflows:
  main-line:
    name: \${var.line}
    numbers: ["2000", "+1 415 555 0100"]   # extension first
    flow:
      module: menu
      data: { id: "\${menus.main}" }   # the menu
      children:
        "1": { module: user, data: { id: "\${users.boss}" } }
  gone:
    name: Gone
    numbers: ["2999"]
`;

async function account(): Promise<World> {
  const world = await openWorld();
  const alice = await world.addUser({
    username: 'alice',
    first_name: 'Alice',
    last_name: 'Archer',
    presence_id: '100',
    caller_id: { internal: { name: 'Front desk', number: '0100' } },
  });
  const menu = await world.service('PUT', 'menus', { name: 'Main menu', retries: 4 });
  await world.service('PUT', 'callflows', {
    name: 'Main line',
    numbers: ['+14155550100', '2000'],
    flow: {
      module: 'menu',
      data: { id: menu.id ?? '' },
      children: { 1: { module: 'user', data: { id: alice.id ?? '' }, children: {} } },
    },
  });
  await world.addUser({ username: 'bob', first_name: 'Bob', last_name: 'Baker' });
  return world;
}

const only = '--only users,menus,callflows';
describe('telctl export --merge', () => {
  it('updates only the values that differ from the account', async () => {
    const world = await account();
    const run = await world.telctl(`export ${only} --out office.yaml --merge --remove-missing`, {
      files: { 'office.yaml': office.replace('${var.line}', 'Main line') },
    });
    expect(run.code, run.stderr).toBe(0);
    const expected = office
      .replace('${var.line}', 'Main line')
      .replace('first_name: Alicia   # as', 'first_name: Alice # as')
      .replace('    timezone: Europe/London\n', '')
      .replace('number: 0100 } }\n', 'number: 0100 } }\n    presence_id: "100"\n')
      .replace('priv_level: admin }', 'priv_level: admin, password: "${env.USERS_ADMIN_PASSWORD?}" }')
      .replace(
        '\n\nmenus:\n  main: {name: Main menu, retries: 5}',
        [
          '\n  bob:',
          'username: bob',
          'password: ${env.USERS_BOB_PASSWORD?}',
          'first_name: Bob',
          'last_name: Baker\n\nmenus:\n  main: { name: Main menu, retries: 4 }',
        ].join('\n    '),
      )
      .replace('  gone:\n    name: Gone\n    numbers: ["2999"]\n', '');
    expect(read(world, 'office.yaml')).toBe(expected);
    const plan = await world.telctl('plan --exit-code -f office.yaml');
    expect(plan.stdout).toContain('0 to create, 0 to update, 5 unchanged');
    const text = read(world, 'office.yaml');
    await world.telctl(`export ${only} --out office.yaml --merge`);
    expect(read(world, 'office.yaml')).toBe(text);
  });

  it('keeps missing objects with a warning, unless --remove-missing is given', async () => {
    const world = await account();
    const files = { 'office.yaml': office };
    const run = await world.telctl(`export ${only} --out office.yaml --merge`, { files });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('The account has no callflows.gone; applying would create it.');
    expect(read(world, 'office.yaml')).toContain('  gone:\n');
    // What a variable comes to is not known here, so that the name stays as it is.
    expect(read(world, 'office.yaml')).toContain('name: ${var.line}');
  });

  it('writes no file if the account matches', async () => {
    const world = await account();
    await world.telctl(`export ${only} --out office.yaml`);
    const before = `# Mine\n${read(world, 'office.yaml').replaceAll('    ', '      ')}`;
    const run = await world.telctl(`export ${only} --out office.yaml --merge`, {
      files: { 'office.yaml': before },
    });
    expect(run.stderr).toContain('Nothing to change');
    expect(read(world, 'office.yaml')).toBe(before);
  });

  it('keeps objects in their files', async () => {
    const world = await account();
    const files = {
      'acme/people/staff.yaml': 'users:\n  chief: {username: alice, first_name: A, last_name: B}\n',
      'acme/other.yaml': '# nothing yet\n',
    };
    const run = await world.telctl(`export ${only} --out acme --merge`, { files });
    expect(run.code, run.stderr).toBe(0);
    expect(read(world, 'acme/people/staff.yaml')).toMatch(/chief:.*username: alice, first_name: Alice/s);
    expect(read(world, 'acme/people/staff.yaml')).toContain('bob:');
    expect(read(world, 'acme/other.yaml')).toBe('# nothing yet\n');
    expect(read(world, 'acme/callflows.yaml')).toContain('${users.chief}');
    expect((await world.telctl('plan --exit-code -f acme')).code).toBe(0);
  });

  it('resolves references to objects described in the files, even in a partial export', async () => {
    const world = await account();
    const files = { 'acme/users.yaml': 'users:\n  chief: {username: alice}\n' };
    await world.telctl('export --only callflows --out acme --merge', { files });
    expect(read(world, 'acme/callflows.yaml')).toContain('id: ${users.chief}');
    expect(read(world, 'acme/users.yaml')).toBe(files['acme/users.yaml']);
  });

  it('refuses a document about another account', async () => {
    const world = await account();
    const other = 'account: elsewhere\nusers:\n  x: {username: x}\n';
    const run = await world.telctl(`export ${only} --out o.yaml --merge`, { files: { 'o.yaml': other } });
    expect(run.code).toBe(9);
    expect(run.stderr).toContain('o.yaml describes another account than acme');
    expect(read(world, 'o.yaml')).toBe(other);
  });

  it.each([
    ['a file with invalid YAML', 'users: [', 10, 'o.yaml:1:9: flow sequence'],
    ['an empty file', '', 0, 'Exported'],
    ['an empty section', 'users:\n', 0, 'Exported'],
  ])('fills an empty target and rejects invalid YAML: %s', async (_, text, code, message) => {
    const world = await account();
    const run = await world.telctl(`export ${only} --out o.yaml --merge`, { files: { 'o.yaml': text } });
    expect(run.code, run.stderr).toBe(code);
    expect(run.stderr).toContain(message);
    if (code === 0) expect((await world.telctl('plan --exit-code -f o.yaml')).code).toBe(0);
    else expect(read(world, 'o.yaml')).toBe(text);
  });

  it('uses the ledger for objects with the same name, so diff and adopt agree with the file', async () => {
    const world = await openWorld();
    const webhook = (hook: string) => ({ name: 'crm', uri: 'https://crm.example/hook', hook });
    const files = { 'w.yaml': `webhooks:\n  crm: ${JSON.stringify(webhook('channel_create'))}\n` };
    await world.telctl('apply -f w.yaml --yes', { files });
    const { id } = await world.service('PUT', 'webhooks', webhook('channel_destroy'));
    const other = await world.telctl('diff -f v.yaml --exit-code', { files: { 'v.yaml': files['w.yaml'] } });
    expect(other.code, other.stderr).toBe(0);
    const merged = await world.telctl('export --only webhooks --out w.yaml --merge');
    expect(merged.code, merged.stderr).toBe(0);
    expect(
      read(world, 'w.yaml')
        .match(/^ {2}\S+(?=:)/gm)
        ?.map((name) => name.replaceAll(/[" ]/g, '')),
    ).toEqual(['crm', id]);
    const adopted = await world.telctl('adopt -f w.yaml -o json');
    expect(JSON.parse(adopted.stdout)).toMatchObject([
      { object: 'webhooks.crm', status: 'known' },
      { object: `webhooks.${id}`, status: 'adopted' },
    ]);
    expect((await world.telctl('diff -f w.yaml --exit-code')).code).toBe(0);
  });
});
