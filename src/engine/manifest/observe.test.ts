import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import {
  created,
  desiredOf,
  ledgerWith,
  openObserved,
  salt,
  set,
  userLine,
} from '../../../test/support/observing.ts';
import type { LedgerEntry } from '../state/ledger.ts';
import { kinds } from './kinds.ts';
import { entryFor } from './ledger-entries.ts';

const entryOf = (key: string, id: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...entryFor(salt, {
    set,
    key,
    kind: 'users',
    id,
    origin: 'created',
    protect: false,
    fields: {},
    record: {},
    atSeconds: undefined,
    nowMs: 0,
  }),
  ...more,
});

const user = (username: string) => ({ username, password: 'secret-1', first_name: username, last_name: 'X' });
const idOf = ({ id }: { readonly id?: unknown }): string => String(id);

describe('a manifest object', () => {
  test('matches its natural key in any case and is read completely', async () => {
    const world = await openObserved();
    const id = idOf(await world.change('PUT', 'users', { ...user('alice'), email: 'alice@acme.example' }));
    const { matches, listed } = await world.observe(
      await desiredOf('users:\n  a: { username: Alice }\n  b: { username: bob }'),
    );
    expect([...matches.keys()]).toEqual(['users.a']);
    expect(matches.get('users.a')).toMatchObject({
      id,
      record: { email: 'alice@acme.example', enabled: true },
    });
    expect(listed.get('users')?.map(({ username }) => username)).toEqual(['admin', 'alice']);
  });

  test('matches a callflow by name, or by number if it has no name', async () => {
    const world = await openObserved();
    const flow = { module: 'hangup', data: {}, children: {} };
    const main = idOf(
      await world.change('PUT', 'callflows', { name: 'Main', numbers: ['+15551230000'], flow }),
    );
    const other = idOf(await world.change('PUT', 'callflows', { numbers: ['100', '101'], flow }));
    const { matches } = await world.observe(
      await desiredOf(
        [
          'callflows:',
          '  main: { name: Main, numbers: ["100"] }',
          '  fresh: { name: Fresh, numbers: ["+15551230000"] }',
          '  other: { numbers: ["101"] }',
        ].join('\n'),
      ),
    );
    expect([...matches].map(([key, { id }]) => [key, id])).toEqual([
      ['callflows.main', main],
      ['callflows.other', other],
    ]);
  });

  test('matches a phone number in any notation and a port request in any state', async () => {
    const world = await openObserved();
    const path = '/v2/accounts/' + world.sandbox.seed.accountId;
    const token = await world.sandbox.superToken();
    const made = await world.sandbox.call('PUT', `${path}/phone_numbers/+15551230001`, { token, data: {} });
    expect(made.status, made.text).toBe(201);
    const port = await world.change('PUT', 'port_requests', {
      name: 'Move',
      numbers: { '+15551230009': {} },
    });
    await world.change('PATCH', `port_requests/${idOf(port)}/canceled`, {});
    const { matches } = await world.observe(
      await desiredOf(
        'numbers:\n  "(555) 123-0001": { carrier_name: X }\nports:\n  move: { name: Move, numbers: { "+15551230009": {} } }',
      ),
    );
    expect([...matches].map(([key, { id }]) => [key, id])).toEqual([
      ['numbers.(555) 123-0001', '+15551230001'],
      ['ports.move', idOf(port)],
    ]);
  });

  test('matches singletons, even empty ones', async () => {
    const world = await openObserved();
    const { matches, unreadable } = await world.observe(
      await desiredOf(
        'account_settings: { timezone: Europe/Zurich }\nlimits: { calls: 3 }\nmetaflows: { binding_digit: "*" }\nselector_rules: { rules: [] }\nservices: {}',
      ),
    );
    expect(matches.get('account_settings')?.record).toMatchObject({ name: 'acme' });
    expect(matches.get('metaflows')).toEqual({ id: 'metaflows', record: {} });
    expect([...matches.keys()].sort()).toEqual([
      'account_settings',
      'limits',
      'metaflows',
      'selector_rules',
      'services',
    ]);
    expect(unreadable.size).toBe(0);
  });

  test('matches its ledger entry under the current or former key, even after a rename', async () => {
    const world = await openObserved();
    const alice = idOf(await world.change('PUT', 'users', user('alice')));
    const bob = idOf(await world.change('PUT', 'users', user('bob')));
    const ledger = ledgerWith(world.service.accountId, [
      entryOf('users.a', alice),
      entryOf('users.robert', bob),
    ]);
    const { matches, abandoned, vanished } = await world.observe(
      await desiredOf(
        [
          'users:',
          '  a: { username: alicia }',
          '  next: { username: alice }',
          '  rob: { username: rob, renamed_from: robert }',
        ].join('\n'),
      ),
      ledger,
    );
    expect([...matches].map(([key, { id }]) => [key, id])).toEqual([
      ['users.a', alice],
      ['users.rob', bob],
    ]);
    expect([abandoned.size, vanished.size]).toEqual([0, 0]);
  });

  test('matches its former name if no object has the new name', async () => {
    const world = await openObserved();
    const alice = idOf(await world.change('PUT', 'users', user('alice')));
    const desired = await desiredOf('users:\n  a: { username: alicia, renamed_from: Alice }');
    expect((await world.observe(desired)).matches.get('users.a')?.id).toBe(alice);
    const alicia = idOf(await world.change('PUT', 'users', user('alicia')));
    expect((await world.observe(desired)).matches.get('users.a')?.id).toBe(alicia);
  });

  test('fails with a conflict if two objects have its name', async () => {
    const world = await openObserved();
    const ids = [
      idOf(await world.change('PUT', 'menus', { name: 'Main' })),
      idOf(await world.change('PUT', 'menus', { name: 'Main' })),
    ];
    const desired = await desiredOf('menus:\n  main: { name: Main }');
    const failure = await failureOf(world.observe(desired));
    expect(failure).toMatchObject({ kind: 'conflict', details: { object: 'menus.main' } });
    expect(failure.message).toMatch(/^office\.yaml:2:\d+: menus\.main could be 2 menus of the account/);
    for (const id of ids) expect(failure.message).toContain(id);
    const ledger = ledgerWith(world.service.accountId, [
      { ...entryOf('menus.main', ids[1] ?? ''), kind: 'menus' },
    ]);
    expect((await world.observe(desired, ledger)).matches.get('menus.main')?.id).toBe(ids[1]);
  });

  test('fails with a conflict if another manifest object matches the same object', async () => {
    const world = await openObserved();
    await world.change('PUT', 'vmboxes', { mailbox: '100', name: 'A' });
    const desired = await desiredOf('vmboxes:\n  a: { mailbox: "100", name: A }\n  b: { name: A }');
    const failure = await failureOf(world.observe(desired));
    expect(failure.kind).toBe('conflict');
    expect(failure.message).toContain('vmboxes.b and vmboxes.a');
  });
});

describe('the ledger of a set', () => {
  test('identifies objects removed from the manifest and objects deleted by others', async () => {
    const world = await openObserved();
    const desired = await desiredOf(['users:', ...['alice', 'bob', 'carl'].map(userLine)].join('\n'));
    const ledger = await created(world, desired);
    const [, bob, carl] = ledger.entries;
    await world.change('DELETE', `users/${carl?.id}`);
    const left = { ...desired, objects: desired.objects.filter(({ name }) => name === 'alice') };
    const other = { ...entryOf('users.z', 'f'.repeat(32)), set: 'other' };
    const observed = await world.observe(left, { ...ledger, entries: [...ledger.entries, other] });
    expect([...observed.matches.keys()]).toEqual(['users.alice']);
    expect([...observed.abandoned.keys()]).toEqual(['users.bob']);
    expect(observed.abandoned.get('users.bob')).toMatchObject({ id: bob?.id, record: { username: 'bob' } });
    expect([...observed.vanished]).toEqual(['users.carl']);
  });

  test('treats an object with a new local name as known, not as abandoned', async () => {
    const world = await openObserved();
    const ledger = await created(
      world,
      await desiredOf(`users:\n${userLine('alice').replace('alice:', 'a:')}`),
    );
    const renamed = await desiredOf('users:\n  alice: { username: alice }');
    const { matches, abandoned, vanished } = await world.observe(renamed, ledger);
    expect([...matches.keys(), ...abandoned.keys(), ...vanished]).toEqual(['users.alice']);
  });
});

describe('a service with only documented endpoints', () => {
  test('reports unsearchable kinds as unreadable and reads ledger objects by id if possible', async () => {
    const world = await openObserved({ strict: true });
    const id = '1'.repeat(32);
    const ledger = ledgerWith(world.service.accountId, [
      entryOf('users.a', id),
      { ...entryOf('groups.all', id), kind: 'groups' },
    ]);
    const observed = await world.observe(
      await desiredOf(
        'limits: { calls: 3 }\nservices: {}\nusers:\n  a: { username: alice }\n  b: { username: bob }\ngroups:\n  all: { name: All }\nwebhooks:\n  crm: { name: CRM, uri: "https://crm.example/hook", hook: channel_create }',
      ),
      ledger,
    );
    expect([...observed.unreadable].sort()).toEqual(['groups', 'services', 'users', 'webhooks']);
    expect(observed.matches.get('users.a')).toEqual({ id, record: undefined, known: 'unreadable' });
    expect(observed.matches.get('services')).toMatchObject({ known: 'unreadable' });
    expect(observed.matches.get('limits')?.record).toBeDefined();
    expect([...observed.vanished]).toEqual(['groups.all']);
    expect(observed.matches.has('users.b')).toBe(false);
  });

  test('receives an unsupported request only once', async () => {
    const world = await openObserved({ strict: true });
    const desired = await desiredOf('users:\n  a: { username: alice }');
    await world.observe(desired);
    await world.observe(desired);
    expect(world.requests.filter(({ path }) => path.endsWith('/users'))).toHaveLength(1);
  });
});

test('lists only kinds in the manifest or the ledger, each once', async () => {
  const world = await openObserved();
  await world.observe(await desiredOf('menus:\n  main: { name: Main }\n  more: { name: More }'));
  expect(world.requests.map(({ method, path }) => `${method} ${path.split('/').at(-1)}`)).toEqual([
    'GET menus',
  ]);
});

test.each(kinds.map((kind) => [kind.name, kind] as const))('reads %s', async (name, kind) => {
  const { service } = await openObserved();
  if (kind.shape === 'one') {
    expect(await service.get(kind, name)).toMatchObject({ found: 'record', atSeconds: expect.any(Number) });
    return;
  }
  const listing = await service.list(kind);
  expect(listing).toMatchObject({ items: expect.any(Array), atSeconds: expect.any(Number) });
  for (const item of listing?.items ?? []) {
    expect(item).toHaveProperty('id');
    expect(await service.get(kind, String(item.id))).toMatchObject({
      found: 'record',
      record: { id: item.id },
    });
  }
  expect(await service.get(kind, name === 'numbers' ? '+15559990000' : 'f'.repeat(32))).toEqual({
    found: 'none',
  });
});
