import { describe, expect, test } from 'vitest';
import { openWorld, type World } from '../../support/world.ts';

/** Returns a record as the service shows it, by its path below the account. */
const readStored = (world: World, path: string) => world.service('GET', path);

describe('the type of a callflow', () => {
  async function openWorldWithType() {
    const world = await openWorld();
    const made = await world.telctl(
      'callflows create --set name=Night --set type=mainUserCallflow --set-json numbers=["0100"] -o json',
    );
    expect(made.code, made.stderr).toBe(0);
    return { world, id: String(JSON.parse(made.stdout).id) };
  }

  test('is kept by create, update and copy', async () => {
    const { world, id } = await openWorldWithType();
    const shown = await world.telctl(`callflows get ${id} -o yaml`);
    expect(shown.stdout).toContain('type: mainUserCallflow');
    const run = await world.telctl(`callflows update ${id} -f night.yaml --yes`, {
      files: { 'night.yaml': shown.stdout },
    });
    expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('lost')]);
    expect(await readStored(world, `callflows/${id}`)).toMatchObject({ type: 'mainUserCallflow' });
    const copied = await world.telctl(`callflows copy ${id} --to-name Day --numbers 0101 -o json`);
    expect(JSON.parse(copied.stdout)).toMatchObject({ type: 'mainUserCallflow' });
  });

  test('is exported, applied and planned', async () => {
    const { world, id } = await openWorldWithType();
    const exported = await world.telctl('export --only callflows');
    expect(exported.stdout).toContain('type: mainUserCallflow');
    const changed = exported.stdout.replace('mainUserCallflow', 'main');
    const applied = await world.telctl('apply -f all.yaml --yes', { files: { 'all.yaml': changed } });
    expect(applied.code, applied.stderr).toBe(0);
    expect(await readStored(world, `callflows/${id}`)).toMatchObject({ type: 'main' });
    expect((await world.telctl('plan -f all.yaml --exit-code')).code).toBe(0);
  });
});

describe('fields of other programs', () => {
  const foreign = {
    ui_metadata: { version: '5.1', ui: 'monster', empty: null, mark: '******' },
    apps: [{ id: 'a', seen: true }],
  };

  async function openWorldWithForeignFields() {
    const world = await openWorld();
    await world.addUser({
      username: 'ann',
      first_name: 'Ann',
      last_name: 'Archer',
      ...foreign,
      call_forward: { enabled: true, ui_color: 'red' },
      profile: { addresses: [{ address: 'Home 1', ui_map: { x: 1 } }] },
    });
    const { id } = JSON.parse((await world.telctl('users get ann -o json')).stdout);
    return { world, path: `users/${id}` };
  }

  test.each(['json', 'yaml'])('update accepts the output of get (%s)', async (format) => {
    const { world, path } = await openWorldWithForeignFields();
    const before = await readStored(world, path);
    const { stdout } = await world.telctl(`users get ann -o ${format}`);
    const run = await world.telctl(`users update ann -f ann.${format} --yes`, {
      files: { [`ann.${format}`]: stdout.replace('Archer', 'Baker') },
    });
    expect([run.code, run.stderr]).toEqual([0, 'Replaced user ann.\n']);
    expect(await readStored(world, path)).toEqual({ ...before, last_name: 'Baker' });
  });

  test('patch changes an existing unknown field at any level and in any list item', async () => {
    const { world, path } = await openWorldWithForeignFields();
    const set = '--set ui_metadata.version=6 --set call_forward.ui_color=blue';
    const run = await world.telctl(`users patch ann ${set}`);
    expect(run.code, run.stderr).toBe(0);
    expect(await readStored(world, path)).toMatchObject({
      ui_metadata: { version: '6', ui: 'monster' },
      call_forward: { enabled: true, ui_color: 'blue' },
    });
    const addresses = '[{"address":"Home 2"},{"address":"Home 1","ui_map":{"x":2}}]';
    const list = await world.telctl([
      'users',
      'patch',
      'ann',
      '--set-json',
      `profile.addresses=${addresses}`,
    ]);
    expect(list.code, list.stderr).toBe(0);
    expect(await readStored(world, path)).toMatchObject({ profile: { addresses: JSON.parse(addresses) } });
  });

  test('update reads the record once, even with unknown keys', async () => {
    const { world, path } = await openWorldWithForeignFields();
    const shown = (await world.telctl('users get ann -o json')).stdout;
    const run = await world.telctl('users update ann -f - --yes', { stdin: shown.replace('5.1', '5.2') });
    expect(run.code, run.stderr).toBe(0);
    const reads = run.requests.filter((each) => each.method === 'GET' && each.path.endsWith(path));
    expect(reads).toHaveLength(1);
    expect(await readStored(world, path)).toMatchObject({ ui_metadata: { version: '5.2' } });
  });

  test('create --existing update accepts unknown fields of the records and reads each once', async () => {
    const { world, path } = await openWorldWithForeignFields();
    const records = (ann: object) =>
      JSON.stringify([
        { username: 'ann', ...ann },
        { username: 'bob', first_name: 'Bob', last_name: 'Baker', password: 'first-sign-in' },
      ]);
    const line = 'users create -f - --existing update';
    const run = await world.telctl(line, { stdin: records({ ui_metadata: { version: '7' } }) });
    expect(run.code, run.stderr).toBe(0);
    expect(run.stderr + run.stdout).toContain('Created 1 user, changed 1');
    expect(run.requests.filter(({ method, path: at }) => method === 'GET' && at.endsWith(path))).toHaveLength(
      1,
    );
    expect(await readStored(world, path)).toMatchObject({ ui_metadata: { version: '7', ui: 'monster' } });
    const wrong = await world.telctl(line, { stdin: records({ ui_metadatum: 1 }) });
    expect(wrong.code).toBe(10);
    expect(wrong.stderr).toContain('unknown field "ui_metadatum"');
    expect(wrong.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  test.each([
    ['update', 'frist_name', '"first_name"'],
    ['patch', 'call_forward.enabeld', '"enabled"'],
    ['patch', 'ui_metadat.version', undefined],
    ['patch', 'call_forward.ui_metadata', undefined],
    ['patch', 'pvt_type', undefined],
  ])('%s refuses %s, which the record does not have', async (verb, field, meant) => {
    const { world } = await openWorldWithForeignFields();
    const names = '--first-name Ann --last-name Archer --yes';
    const run = await world.telctl(`users ${verb} ann ${names} --set ${field}=x`);
    expect([run.code, run.requests.filter(({ method }) => method !== 'GET')]).toEqual([10, []]);
    expect(run.stderr).toContain(`unknown field "${field.split('.').at(field.startsWith('ui') ? 0 : -1)}"`);
    if (meant) expect(run.stderr).toContain(`did you mean ${meant}?`);
    expect(run.stderr).toContain('--allow-unknown-fields');
    const forced = await world.telctl(`users ${verb} ann ${names} --set ${field}=x --allow-unknown-fields`);
    expect(forced.code, forced.stderr).toBe(0);
  });

  test('patch --all changes a field that one of the records has', async () => {
    const { world, path } = await openWorldWithForeignFields();
    const run = await world.telctl('users patch --all --filter username=ann --set apps= --yes');
    expect(run.code, run.stderr).toBe(0);
    expect(await readStored(world, path)).toMatchObject({ apps: '' });
    const none = await world.telctl('users patch --all --filter username=admin --set apps=x --yes');
    expect([none.code, none.stderr]).toEqual([10, expect.stringContaining('unknown field "apps"')]);
  });

  test('a moved callflow step keeps them', async () => {
    const world = await openWorld();
    const step = { module: 'hangup', data: {}, children: {}, ui_note: 'mine' };
    const { id } = await world.service('PUT', 'callflows', {
      numbers: ['0100'],
      flow: { module: 'sleep', data: { duration: 1 }, children: { _: step } },
    });
    const run = await world.telctl(`callflows update ${id} -f - --yes`, {
      stdin: JSON.stringify({ numbers: ['0100'], patterns: [], flow: step }),
    });
    expect(run.code, run.stderr).toBe(0);
    expect(await readStored(world, `callflows/${id}`)).toMatchObject({ flow: step });
  });

  test('limits and account accept their own output', async () => {
    const world = await openWorld();
    await world.service('PATCH', '', { ui_metadata: { origin: 'port' } });
    await world.service('POST', 'limits', { inbound_trunks: 0, ui_limits: 1 });
    for (const noun of ['accounts', 'limits']) {
      const { stdout } = await world.telctl(`${noun} get -o json`);
      expect(stdout).toContain('"ui_');
      const line = noun === 'limits' ? 'limits set' : 'accounts update';
      const run = await world.telctl(`${line} -f - --yes`, { stdin: stdout });
      expect(run.code, run.stderr).toBe(0);
      expect((await world.telctl(`${noun} get -o json`)).stdout).toBe(stdout);
    }
  });
});

describe('extra: in manifests', () => {
  const foreign = { version: '5.1', at: [1, null, { by: '$\u007bx} ••••••' }], empty: {} };

  async function openOffice() {
    const world = await openWorld();
    await world.addUser({
      username: 'ann',
      first_name: 'Ann',
      last_name: 'Archer',
      ui_metadata: foreign,
      call_forward: { enabled: true, ui_color: 'red' },
      profile: { title: 'Dr', addresses: [{ address: 'Home', ui_map: 1 }] },
    });
    const { id: ann } = JSON.parse((await world.telctl('users get ann -o json')).stdout);
    await world.service('PUT', 'callflows', {
      name: 'Main',
      numbers: ['0100'],
      ui_owner: ann,
      flow: { module: 'user', data: { id: ann }, children: { _: { module: 'hangup', data: {}, ui_x: 1 } } },
    });
    await world.service('POST', 'limits', { inbound_trunks: 0, ui_limits: true });
    return { world, ann };
  }

  test('export counts left-out fields, and keeps them with --all-fields', async () => {
    const { world } = await openOffice();
    const plain = await world.telctl('export');
    expect(plain.stderr).toContain(
      '3 objects have fields that telctl does not know: 6 left out; comments name them, and --all-fields keeps them (limits, users.ann, callflows.main).',
    );
    expect(plain.stdout).toContain('# left out: ui_metadata: unknown field');
    const whole = await world.telctl('export --all-fields');
    expect([whole.code, whole.stderr]).toEqual([0, expect.not.stringContaining('left out; comments')]);
    for (const part of [
      'extra:',
      'ui_owner: $\u007busers.ann}',
      'ui_color: red',
      'ui_limits: true',
      'ui_x: 1',
    ])
      expect(whole.stdout).toContain(part);
  });

  test.each(['yaml', 'json'])('an export with --all-fields plans no changes (%s)', async (format) => {
    const { world } = await openOffice();
    expect((await world.telctl(`export --all-fields --out all.${format}`)).code).toBe(0);
    const valid = await world.telctl(`validate -f all.${format} --strict-input`);
    expect(valid.code, valid.stderr + valid.stdout).toBe(0);
    const plan = await world.telctl(`plan -f all.${format} --exit-code`);
    expect(plan.code, plan.stderr + plan.stdout).toBe(0);
    const merged = await world.telctl(`export --merge --out all.${format}`);
    if (format === 'yaml') expect(merged.stderr).toContain('Nothing to change');
  });

  test('another account receives all of them, with references to its own records', async () => {
    const { world, ann } = await openOffice();
    await world.telctl('export --all-fields --only users,callflows --out all.yaml');
    await world.telctl('accounts create --name branch --set realm=branch.example');
    const line = 'apply -f all.yaml --account branch --yes';
    const run = await world.telctl(line, {
      env: { USERS_ANN_PASSWORD: 'a-secret-1', USERS_ADMIN_PASSWORD: 'a-secret-2' },
    });
    expect(run.code, run.stderr).toBe(0);
    const readJson = async (noun: string) =>
      JSON.parse((await world.telctl(`${noun} --account branch -o json`)).stdout);
    const user = await readJson('users get ann');
    expect(user).toMatchObject({
      ui_metadata: foreign,
      call_forward: { ui_color: 'red' },
      profile: { addresses: [{ address: 'Home', ui_map: 1 }] },
    });
    const flow = await readJson('callflows get Main');
    expect(flow).toMatchObject({ ui_owner: user.id, flow: { children: { _: { ui_x: 1 } } } });
    expect(user.id).not.toBe(ann);
    const again = await world.telctl(line);
    expect(again.stderr).toContain('Nothing to do');
  });

  test('a value under extra is set, changed, removed, undone and checked for drift', async () => {
    const { world, ann } = await openOffice();
    const file = (version: string) => ({
      'ann.yaml': `users: { ann: { username: ann, extra: { ui_metadata: { version: ${version} }, ui_new: [1] } } }`,
    });
    const apply = async (version: string) =>
      world.telctl('apply -f ann.yaml --yes --overwrite', { files: file(version) });
    expect((await apply('"6"')).code).toBe(0);
    const before = await readStored(world, `users/${ann}`);
    expect(before).toMatchObject({ ui_metadata: { ...foreign, version: '6' }, ui_new: [1] });
    await world.service('PATCH', `users/${ann}`, { ui_new: [2] });
    const drift = await world.telctl('plan -f ann.yaml');
    expect(drift.stdout).toContain('ui_new');
    expect(drift.stdout).toMatch(/changed by others|drift|since the last apply/);
    expect((await apply('null')).code).toBe(0);
    const { version: _, ...rest } = foreign;
    expect(await readStored(world, `users/${ann}`)).toMatchObject({ ui_metadata: rest, ui_new: [1] });
    const undone = await world.telctl('undo --yes');
    expect(undone.code, undone.stderr).toBe(0);
    expect(await readStored(world, `users/${ann}`)).toEqual({ ...before, ui_new: [2] });
  });

  test.each([
    ['extra: [1]', '"extra" must be a map of fields'],
    ['extra: { id: x }', '"id" is written by the service'],
    ['extra: { pvt_type: x }', '"pvt_type" is written by the service'],
    ['first_name: Ann, extra: { first_name: Bea }', '"first_name" is both under "extra" and next to it'],
  ])('%s is refused', async (text, said) => {
    const world = await openWorld({ signIn: 'none' });
    const run = await world.telctl('validate -f bad.yaml', {
      files: { 'bad.yaml': `users: { ann: { username: ann, ${text} } }` },
    });
    expect([run.code, run.stderr]).toEqual([10, expect.stringContaining(said)]);
  });

  test('records of create, update and patch have no extra fields', async () => {
    const { world } = await openOffice();
    const run = await world.telctl('users patch ann -f - --yes', { stdin: '{"extra":{"ui_x":1}}' });
    expect([run.code, run.stderr]).toEqual([10, expect.stringContaining('unknown field "extra"')]);
  });
});
