import { describe, expect, test } from 'vitest';
import { resourceByName } from '../../../src/contract/catalogue.ts';
import type { ResourceName } from '../../../src/contract/types.ts';
import { allCommands, createLines } from '../../support/command-lines.ts';
import { openWorld } from '../../support/world.ts';

/** Returns false for maps with free keys, such as allotments. */
const hasNamedFields = (name: ResourceName): boolean => resourceByName(name).schema.properties !== undefined;
const shown = allCommands.filter(({ shows }) => shows !== undefined && hasNamedFields(shows));

describe('field names', () => {
  for (const command of shown) {
    const name = command.path.join(' ');
    const takesFilter = Object.values(command.options).some(({ flag }) => flag === 'filter');
    test(`telctl ${name} refuses unknown fields before any request`, async () => {
      const world = await openWorld();
      const [line] = await createLines(command, world);
      if (!line) throw new Error(`${name} has no working line.`);
      const { argv, answered, run } = line;
      const all = [...argv, ...answered];
      const wrong = await world.telctl([...all, '--fields', 'id,nope_nope'], run);
      expect([wrong.code, wrong.requests.length], wrong.stderr).toEqual([2, 0]);
      expect(wrong.stderr).toContain('have no field "nope_nope"');
      const words =
        takesFilter && name.endsWith('patch') ? [...command.path, '--all', '--set', 'name=x'] : all;
      const filtered = await world.telctl([...words, '--filter', 'nope_nope=1'], run);
      expect([filtered.code, filtered.requests.filter(({ method }) => method !== 'GET')]).toEqual([2, []]);
      if (takesFilter) expect(filtered.stderr).toContain('have no field "nope_nope"');
      const allowed = await world.telctl([...all, '--fields', 'id,nope_nope', '--allow-unknown-fields'], run);
      expect(allowed.code, allowed.stderr).toBe(0);
    });
  }

  test('table headings work as field names, and values are checked', async () => {
    const world = await openWorld();
    await world.addUser({ username: 'ann', first_name: 'Ann', last_name: 'Archer', priv_level: 'admin' });
    const names = async (filter: string) =>
      (await world.telctl(`users list -o name --filter ${filter}`)).stdout;
    expect(await names('role=admin')).toBe('admin\nann\n');
    expect(await names('ROLE=user')).toBe('');
    expect(await names('not_username=ann')).toBe('admin\n');
    for (const [filter, said] of [
      ['role=admn', 'users have no role "admn". Did you mean "admin"?'],
      ['enabled=treu', 'users have no enabled "treu". Did you mean "true"?'],
      ['caller_id.externl.number=1', 'Did you mean "caller_id.external"?'],
      ['usrname=ann', 'Did you mean "username"?'],
      ['name=Ann', 'Filter by one of them: first_name, last_name'],
    ] as const) {
      const run = await world.telctl(`users list --filter ${filter}`);
      expect([run.code, run.requests.length]).toEqual([2, 0]);
      expect(run.stderr).toContain(said);
    }
    expect((await world.telctl('users list --filter role=owner --allow-unknown-fields')).code).toBe(0);
  });

  test('patch --all selects by headings, by inequality, and by lists', async () => {
    const world = await openWorld();
    await world.addUser({ username: 'ann', first_name: 'Ann', last_name: 'Archer', priv_level: 'user' });
    for (const filter of ['role=user', 'not_username=admin', 'username=["ann","bob"]']) {
      const run = await world.telctl([
        ...'users patch --all --dry-run -o json --set presence_id=7'.split(' '),
        '--filter',
        filter,
      ]);
      expect(run.code, run.stderr).toBe(0);
      expect(JSON.parse(run.stdout).requests, filter).toHaveLength(1);
    }
    const wrong = await world.telctl('users patch --all --yes --set presence_id=7 --filter priv_levl=user');
    expect([wrong.code, wrong.requests.length]).toEqual([2, 0]);
  });
});

describe('time zones and languages', () => {
  const file = (text: string) => ({ files: { 'a.yaml': text } });
  test('are checked against those of the runtime, for every kind of input', async () => {
    const world = await openWorld();
    const id = String((await world.addUser({ username: 'ann', first_name: 'Ann', last_name: 'Archer' })).id);
    const near =
      /"timezone" is not a time zone that telctl knows: "Europe\/Zurichh"; did you mean "Europe\/Zurich"\?/;
    const user =
      'username: bob\nfirst_name: B\nlast_name: B\npassword: first-sign-in\ntimezone: Europe/Zurichh\n';
    const manifest = `users:\n  bob:\n    ${user.trim().replaceAll('\n', '\n    ')}\n`;
    for (const [words, run] of [
      [`users patch ${id} --timezone Europe/Zurichh`, {}],
      [`users patch ${id} --set timezone=Europe/Zurichh`, {}],
      ['users create -f a.yaml', file(user)],
      ['validate -f a.yaml', file(manifest)],
      ['apply -f a.yaml --yes', file(manifest)],
      [
        'users import a.csv --yes',
        {
          files: {
            'a.csv':
              'username,first_name,last_name,password,timezone\nbob,B,B,first-sign-in,Europe/Zurichh\n',
          },
        },
      ],
      ['accounts patch acme --timezone Europe/Zurichh', {}],
    ] as const) {
      const done = await world.telctl(words, run);
      expect([done.code, done.requests.filter(({ method }) => method !== 'GET')], words).toEqual([10, []]);
      expect(done.stderr).toMatch(near);
    }
    const allowed = await world.telctl(`users patch ${id} --timezone Europe/Neustadt --allow-unknown-fields`);
    expect([allowed.code, allowed.stderr]).toEqual([0, expect.stringContaining('warning: ')]);
    const language = await world.telctl(`users patch ${id} --language en_US`);
    expect([language.code, language.stderr]).toEqual([10, expect.stringContaining('did you mean "en-US"?')]);
  });
});
