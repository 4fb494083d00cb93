import { describe, expect, test } from 'vitest';
import { openWorld, type World } from '../support/world.ts';

/** A record as the service shows it, by its path below the account. */
const stored = (world: World, path: string) => world.service('GET', path);

describe('the type of a callflow', () => {
  async function withType() {
    const world = await openWorld();
    const made = await world.telctl(
      'callflows create --set name=Night --set type=mainUserCallflow --set-json numbers=["0100"] -o json',
    );
    expect(made.code, made.stderr).toBe(0);
    return { world, id: String(JSON.parse(made.stdout).id) };
  }

  test('is kept by create, update and copy', async () => {
    const { world, id } = await withType();
    const shown = await world.telctl(`callflows get ${id} -o yaml`);
    expect(shown.stdout).toContain('type: mainUserCallflow');
    const run = await world.telctl(`callflows update ${id} -f night.yaml --yes`, {
      files: { 'night.yaml': shown.stdout },
    });
    expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('lost')]);
    expect(await stored(world, `callflows/${id}`)).toMatchObject({ type: 'mainUserCallflow' });
    const copied = await world.telctl(`callflows copy ${id} --to-name Day --numbers 0101 -o json`);
    expect(JSON.parse(copied.stdout)).toMatchObject({ type: 'mainUserCallflow' });
  });

  test('is exported, applied and planned', async () => {
    const { world, id } = await withType();
    const exported = await world.telctl('export --only callflows');
    expect(exported.stdout).toContain('type: mainUserCallflow');
    const changed = exported.stdout.replace('mainUserCallflow', 'main');
    const applied = await world.telctl('apply -f all.yaml --yes', { files: { 'all.yaml': changed } });
    expect(applied.code, applied.stderr).toBe(0);
    expect(await stored(world, `callflows/${id}`)).toMatchObject({ type: 'main' });
    expect((await world.telctl('plan -f all.yaml --exit-code')).code).toBe(0);
  });
});

describe('fields of other programs', () => {
  const foreign = {
    ui_metadata: { version: '5.1', ui: 'monster', empty: null, mark: '******' },
    apps: [{ id: 'a', seen: true }],
  };

  async function withForeign() {
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

  test.each(['json', 'yaml'])('update takes what get gave (%s)', async (format) => {
    const { world, path } = await withForeign();
    const before = await stored(world, path);
    const { stdout } = await world.telctl(`users get ann -o ${format}`);
    const run = await world.telctl(`users update ann -f ann.${format} --yes`, {
      files: { [`ann.${format}`]: stdout.replace('Archer', 'Baker') },
    });
    expect([run.code, run.stderr]).toEqual([0, 'Replaced user ann.\n']);
    expect(await stored(world, path)).toEqual({ ...before, last_name: 'Baker' });
  });

  test('patch changes a field that the record has, at any level and in any item of a list', async () => {
    const { world, path } = await withForeign();
    const set = '--set ui_metadata.version=6 --set call_forward.ui_color=blue';
    const run = await world.telctl(`users patch ann ${set}`);
    expect(run.code, run.stderr).toBe(0);
    expect(await stored(world, path)).toMatchObject({
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
    expect(await stored(world, path)).toMatchObject({ profile: { addresses: JSON.parse(addresses) } });
  });

  test.each([
    ['update', 'frist_name', '"first_name"'],
    ['patch', 'call_forward.enabeld', '"enabled"'],
    ['patch', 'ui_metadat.version', undefined],
    ['patch', 'call_forward.ui_metadata', undefined],
    ['patch', 'pvt_type', undefined],
  ])('%s refuses %s, which the record has not', async (verb, field, meant) => {
    const { world } = await withForeign();
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
    const { world, path } = await withForeign();
    const run = await world.telctl('users patch --all --filter username=ann --set apps= --yes');
    expect(run.code, run.stderr).toBe(0);
    expect(await stored(world, path)).toMatchObject({ apps: '' });
    const none = await world.telctl('users patch --all --filter username=admin --set apps=x --yes');
    expect([none.code, none.stderr]).toEqual([10, expect.stringContaining('unknown field "apps"')]);
  });

  test('a step of a flow keeps them wherever it is moved', async () => {
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
    expect(await stored(world, `callflows/${id}`)).toMatchObject({ flow: step });
  });

  test('limits and account take back what they gave', async () => {
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
