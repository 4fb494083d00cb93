// biome-ignore-all lint/suspicious/noTemplateCurlyInString: they are references of manifests
import { readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { busyAccount } from '../../../../../test/support/busy-account.ts';
import { openWorld, type World } from '../../../../../test/support/world.ts';

const read = (world: World, name: string): string => readFileSync(join(world.folders.cwd, name), 'utf8');
const names = (world: World, folder: string): readonly string[] =>
  readdirSync(join(world.folders.cwd, folder), { recursive: true, encoding: 'utf8' }).toSorted();

/** Nothing to do, whatever is in it. */
const noChange = /0 to create, 0 to update, \d+ unchanged, 0 to delete/;

describe('telctl export', () => {
  it.each([undefined, 'kazoo'] as const)(
    'writes files and folders for which plan reports no changes (%s)',
    async (like) => {
      const world = await openWorld({ like });
      await busyAccount(world);
      for (const line of [
        '--out all.yaml',
        '--out all.json',
        '--out sections/',
        '--out objects --split objects',
      ]) {
        const run = await world.telctl(`export ${line}`);
        expect(run.code, run.stderr).toBe(0);
        expect(run.stdout).toBe('');
        const plan = await world.telctl(`plan --exit-code -f ${line.split(' ')[1]}`);
        expect(plan.stdout).toMatch(noChange);
        expect(plan.code).toBe(0);
      }
      expect(names(world, 'sections')).toContain('callflows.yaml');
      expect(names(world, 'objects')).toContain('menus/menu-haupt.yaml');
    },
  );

  it('--merge skips objects created by modules, and updates the others', async () => {
    const world = await openWorld();
    const module = 'with: { name: }\nmenus:\n  main: { name: "${with.name}", retries: 2 }\n';
    const uses = ['north', 'south'].map((name) => `{ ${name}: ./modules/menu, with: { name: ${name} } }`);
    const files = {
      'base/office.yaml': `use: [${uses}]\nmenus:\n  own: { name: Own, retries: 3 }\n`,
      'base/modules/menu/menu.yaml': module,
    };
    const merge = 'export --only menus --out base --merge --remove-missing';
    const early = await world.telctl(merge, { files });
    expect([early.code, early.stderr]).toEqual([
      9,
      expect.stringContaining('the ledger has no objects of it'),
    ]);
    const applied = await world.telctl('apply -f base --yes');
    expect(applied.code, applied.stderr).toBe(0);
    await world.telctl('menus patch --all --set-json retries=5 --yes');
    const run = await world.telctl(merge);
    expect([run.code, run.stderr]).toEqual([0, expect.stringContaining('2 objects are created by modules')]);
    expect(read(world, 'base/office.yaml')).toBe(
      files['base/office.yaml'].replace('retries: 3', 'retries: 5'),
    );
    expect(read(world, 'base/modules/menu/menu.yaml')).toBe(module);
    expect(names(world, 'base').filter((name) => name.endsWith('.yaml'))).toHaveLength(2);
    const plan = await world.telctl('plan -f base');
    expect(plan.stdout).toMatch(/0 to create, 2 to update, 1 unchanged, 0 to delete/);
  });

  it('writes references by name, and omits generated and default values', async () => {
    const world = await openWorld();
    await busyAccount(world);
    const { stdout } = await world.telctl('export --only users,menus,callflows');
    expect(stdout).toContain('  menu-haupt:\n    name: "Menü «Haupt»"\n');
    expect(stdout).toContain(
      '      data:\n        captures: "before ${users.alice}, after"\n        id: ${menus.menu-haupt}\n',
    );
    expect(stdout).not.toMatch(/metadata|modules|features|vm_to_email_enabled|_read_only/);
    expect(stdout).toContain('note: |\n        costs $${env.HOME}\n        and $$${more}\n');
    expect(stdout).toContain('nicknames: ["no", "1e5", "12:30", "~", "- x", ""]');
    expect(stdout).toContain('presence_id: "0100"');
  });

  it('omits empty lists that the service fills in', async () => {
    const world = await openWorld({ like: 'kazoo' });
    await world.service('PUT', 'callflows', { numbers: ['2000'], flow: { module: 'hangup', data: {} } });
    const vmbox = await world.service('PUT', 'vmboxes', { name: 'Box', mailbox: '100' });
    expect(vmbox.notify_email_addresses).toEqual([]);
    const { stdout } = await world.telctl('export --only callflows,vmboxes');
    expect(stdout).toContain('numbers: ["2000"]');
    expect(stdout).not.toContain('[]');
  });

  it('writes variable names instead of secrets in every format', async () => {
    const world = await openWorld();
    await busyAccount(world);
    const mailbox = world.behaviour.messages.mailboxes === 'counted' ? '100' : '0100';
    for (const format of ['table', 'json', 'yaml', 'ndjson']) {
      const { code, stdout, stderr } = await world.telctl(`export -o ${format}`);
      expect(code).toBe(0);
      expect(stdout + stderr).not.toMatch(/canary|987654|456789|4321/);
      expect(stdout).toContain(`\${env.VMBOXES_${mailbox}_PIN?}`);
      expect(stdout).toContain('${env.CALLFLOWS_MAIN_LINE_FLOW_3_PIN?}');
      expect(stdout).toContain('${env.WEBHOOKS_CRM_URI?}');
      expect(stdout).toMatch(/"?action"?: ?"?any/);
    }
  });

  it('writes secrets to a private file with --reveal', async () => {
    const world = await openWorld();
    await busyAccount(world);
    const run = await world.telctl('export --out all.yaml --reveal');
    expect(run.stderr).toContain('secrets in clear');
    expect(read(world, 'all.yaml')).toContain('canary-token');
    expect(statSync(join(world.folders.cwd, 'all.yaml')).mode & 0o777).toBe(0o600);
    expect((await world.telctl('plan --exit-code -f all.yaml')).code).toBe(0);
  });

  it('writes circular references that manifests support', async () => {
    const world = await openWorld();
    await busyAccount(world);
    const { stdout, stderr } = await world.telctl('export');
    expect(stdout).toContain('id: ${callflows.main-line}');
    expect(stdout).toMatch(/directories:\n +\S*directories.staff}\S*: \S*callflows.main-line}/);
    expect(stderr).not.toContain('in a circle');
  });

  it('breaks other circular references and reports them', async () => {
    const world = await openWorld();
    const day = await world.service('PUT', 'groups', { name: 'Day', endpoints: {} });
    const night = await world.service('PUT', 'groups', {
      name: 'Night',
      endpoints: { [String(day.id)]: { type: 'group' } },
    });
    await world.service('PATCH', `groups/${day.id}`, {
      endpoints: { [String(night.id)]: { type: 'group' } },
    });
    const { stdout, stderr } = await world.telctl('export');
    expect(stdout).toMatch(/# group (?:Day|Night); a reference would be circular/);
    expect(stderr).toContain('refers in a circle');
  });

  it('uses ids for objects with ambiguous names', async () => {
    const world = await openWorld();
    const { twins, nameless } = await busyAccount(world);
    const { stdout, stderr } = await world.telctl('export');
    for (const { id } of [...twins, nameless]) expect(stdout).toMatch(new RegExp(`^ {2}"?${id}"?:$`, 'm'));
    expect(stderr).toContain('3 objects have no unique name');
  });

  it('explains ids of objects outside the exported part', async () => {
    const world = await openWorld();
    const { alice } = await busyAccount(world);
    const run = await world.telctl('export --only callflows --out part.yaml');
    expect(run.stderr).toContain('refer to objects that are not exported');
    expect(read(world, 'part.yaml')).toContain(
      `"before ${alice.id}, after" # user alice, which is not exported`,
    );
    expect((await world.telctl('plan --exit-code -f part.yaml')).code).toBe(0);
  });

  it('can be applied to another account', async () => {
    const world = await openWorld();
    const { sandbox, seed } = world;
    await world.telctl('accounts create --name branch --realm branch.example');
    await world.addUser({ username: 'alice', first_name: 'Alice', last_name: 'Archer' });
    await world.service('PUT', 'menus', { name: 'Main', retries: 2 });
    await world.telctl('export --portable --out here.yaml');
    const env = { USERS_ADMIN_PASSWORD: 'first-sign-in', USERS_ALICE_PASSWORD: 'first-sign-in' };
    const applied = await world.telctl('apply --yes --account branch -f here.yaml', { env });
    expect(applied.code, applied.stderr).toBe(0);
    await world.telctl('export --portable --account branch --out there.yaml');
    const withoutHead = (text: string) => text.split('\n').slice(3).join('\n');
    expect(withoutHead(read(world, 'there.yaml'))).toBe(withoutHead(read(world, 'here.yaml')));
    expect(
      await sandbox.call('GET', `/v2/accounts/${seed.accountId}`, { token: await sandbox.adminToken() }),
    ).toMatchObject({ data: { name: 'acme' } });
  });

  it('includes the account name with --with-account', async () => {
    const world = await openWorld();
    const { stdout } = await world.telctl('export --only limits --with-account');
    expect(stdout).toContain('\naccount: acme\n');
    expect(
      JSON.parse((await world.telctl('export --only limits --with-account -o json')).stdout),
    ).toMatchObject({ account: 'acme', limits: { allow_prepay: true } });
  });

  it('does not overwrite files without --force or --merge', async () => {
    const world = await openWorld();
    await world.telctl('export --only limits --out a.yaml');
    const again = await world.telctl('export --out a.yaml');
    expect(again.code).toBe(9);
    expect(again.stderr).toContain('a.yaml exists. Nothing was read or written.');
    expect(again.requests).toEqual([]);
    expect((await world.telctl('export --out a.yaml --force')).code).toBe(0);
    expect(read(world, 'a.yaml')).toContain('users:');
    await world.telctl('export --out f/');
    expect((await world.telctl('export --out f')).code).toBe(9);
  });

  it('does not follow symbolic links in the folder', async () => {
    const world = await openWorld({});
    await world.telctl('export --only users --out f/ --split objects', {
      files: { 'f/.keep': '', 'elsewhere/x': '' },
    });
    symlinkSync(join(world.folders.cwd, 'elsewhere'), join(world.folders.cwd, 'f', 'menus'));
    await world.service('PUT', 'menus', { name: 'Main' });
    const run = await world.telctl('export --only menus --out f/ --split objects --force');
    expect(run.code).toBe(9);
    expect(run.stderr).toContain('is a symbolic link');
    expect(names(world, 'elsewhere')).toEqual(['x']);
  });

  it.each([
    ['--only usres', 2, 'Did you mean users?'],
    ['--only users --portable', 2, 'Give --only or --portable, not both.'],
    ['--only ,', 2, '--only must name sections'],
    ['--merge', 2, '--merge needs --out'],
    ['--out a.yaml --merge --force', 2, 'Give --merge or --force, not both.'],
    ['--out a.txt', 2, 'is not the name of a manifest'],
    ['--out a.yaml --remove-missing', 2, '--remove-missing needs --merge'],
  ])('refuses %s', async (options, code, message) => {
    const world = await openWorld();
    const run = await world.telctl(`export ${options}`);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(message);
  });

  it('reports unreadable records, and exits with code 8', async () => {
    const world = await openWorld();
    const body = JSON.stringify({ status: 'error', message: 'forbidden', data: {} });
    const faults = [{ fault: { kind: 'answer', status: 403, body }, path: /\/menus$/ }] as const;
    const run = await world.telctl('export', { faults });
    expect(run.code).toBe(8);
    expect(run.stderr).toContain('warning: The export is incomplete: menus: ');
    expect(run.stdout).toContain('# menus: not read whole; ');
    expect(run.stdout).toContain('users:');
    const gone = [{ fault: { kind: 'refuse' }, path: /\/menus$/ }] as const;
    expect((await world.telctl('export --retries 0', { faults: gone })).code).toBe(75);
  });
});

describe('telctl export of an account without selectors', () => {
  const failing = (path: RegExp) => [{ fault: { kind: 'answer', status: 503, body: '{}' }, path }] as const;

  it('treats a 404 for selectors as an empty list, and plans to set them', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const run = await world.telctl('export --out all.yaml');
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr).not.toContain('warning');
    expect(read(world, 'all.yaml')).not.toContain('selector_rules');
    const set = { 'rules.yaml': 'selector_rules: { rules: [{ get_resources: {} }] }\n' };
    const applied = await world.telctl('apply --yes -f rules.yaml', { files: set });
    expect(applied.code, applied.stderr).toBe(0);
    expect((await world.telctl('plan --exit-code -f rules.yaml')).code).toBe(0);
    expect((await world.telctl('export')).stdout).toContain('selector_rules:\n  rules:\n    - get_resources');
  });

  it('does not read lists that no record refers to', async () => {
    const world = await openWorld({ like: 'kazoo' });
    const items = JSON.parse((await world.telctl('selectors list -o json')).stdout);
    for (const { id } of items) await world.service('DELETE', `resource_selectors/${id}`);
    expect((await world.telctl('selectors list --retries 0')).code).toBe(75);
    for (const line of ['export', 'export --portable', 'export --only users']) {
      const run = await world.telctl(`${line} --retries 0`);
      expect(run.code, run.stderr).toBe(0);
      expect(run.requests.map(({ path }) => path)).not.toContainEqual(expect.stringMatching(/selectors$/));
    }
  });

  it('writes all other sections if a list fails, and reports it', async () => {
    const world = await openWorld();
    for (const line of ['export', 'export --portable', 'export --only users,menus']) {
      const run = await world.telctl(`${line} --retries 0`, { faults: failing(/menus$/) });
      expect(run.code).toBe(8);
      expect(run.stderr).toMatch(/warning: The export is incomplete: menus: .*503/);
      expect(run.stdout).toContain('users:');
    }
    const part = await world.telctl('export --only limits --retries 0', { faults: failing(/menus$/) });
    expect(part.code, part.stderr).toBe(0);
  });

  it('reads only lists that the exported part can refer to', async () => {
    const world = await openWorld();
    const { requests } = await world.telctl('export --only vmboxes');
    const read = requests.map(({ path }) => path.replace(/\?.*|.*accounts\/[^/]+\/?/g, ''));
    expect(read.filter((path) => /^(menus|callflows|webhooks|numbers|selectors)/.test(path))).toEqual([]);
  });

  it('stops reading a kind after a failure, and fails if no kind can be read', async () => {
    const world = await openWorld();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) await world.service('PUT', 'menus', { name });
    const run = await world.telctl('export --retries 0 --concurrency 1', { faults: failing(/menus\/.+$/) });
    expect(run.code).toBe(8);
    expect(run.stderr).toContain('menus: ');
    expect(run.requests.filter(({ path }) => /menus\/.+$/.test(path))).toHaveLength(3);
    expect((await world.telctl('export --retries 0', { faults: failing(/accounts/) })).code).toBe(75);
  });
});

it('rejects formats that manifests do not support, and writes nothing', async () => {
  const world = await openWorld();
  for (const format of ['csv', 'name']) {
    const run = await world.telctl(`export -o ${format}`);
    expect(run).toMatchObject({ code: 2, stdout: '', requests: [] });
    expect(run.stderr).toContain(`A manifest cannot be written as ${format}`);
    expect(run.stderr).toContain('export writes YAML');
  }
});

it('quotes keys that YAML would interpret', async () => {
  const world = await openWorld();
  const data = { '<<': { kept: 'yes' }, id: '0'.repeat(32) };
  const flow = { module: 'webhook', data, children: {} };
  await world.service('PUT', 'callflows', { name: 'Odd', numbers: ['4100'], flow });
  expect((await world.telctl('export --out odd.yaml')).code).toBe(0);
  expect(read(world, 'odd.yaml')).toContain('"<<":');
  const plan = await world.telctl('plan --exit-code -f odd.yaml');
  expect(plan.stdout).toMatch(noChange);
});

it('warns about a manifest that is too large to read, and suggests splitting it', async () => {
  const world = await openWorld();
  const note = 'long '.repeat(180_000);
  for (const index of Array.from({ length: 12 }).keys())
    await world.service('PUT', 'callflows', {
      name: `Long ${index}`,
      numbers: [`42${index}`],
      flow: { module: 'play', data: { id: 'tone', note }, children: {} },
    });
  const run = await world.telctl('export --only callflows --out long.yaml');
  expect(run.stderr).toContain(
    'long.yaml has 11 MB, and telctl reads files up to 10 MB; --out FOLDER/ makes smaller files',
  );
  const split = await world.telctl('export --only callflows --out long/ --split objects');
  expect(split.stderr).not.toContain('MB');
});

it('writes service plans in the format for assigning them', async () => {
  const world = await openWorld();
  const contract = { years: 1 };
  await world.service('POST', 'services', { plans: ['gold', { id: 'silver', contract }] });
  const { stdout, stderr } = await world.telctl('export --only services --out plans.yaml');
  expect(stdout + stderr).not.toContain('left out');
  expect(read(world, 'plans.yaml')).not.toMatch(/[0-9a-f]{32}/);
  await world.service('POST', 'services', { plans: [] });
  const { code } = await world.telctl('apply -f plans.yaml --yes');
  // In the field only the accounts above may write plans.
  const isAllowed = world.behaviour.services.setBy !== 'those-above';
  expect(code).toBe(isAllowed ? 0 : 4);
  if (!isAllowed) return;
  const { stdout: live } = await world.telctl('services get -o json');
  expect(JSON.parse(live).plans).toMatchObject({ gold: {}, silver: { contract } });
});
