import { describe, expect, test } from 'vitest';
import { failureOf } from '../../../test/support/failure-of.ts';
import { desiredObject } from '../../../test/support/model-account.ts';
import { salt, set } from '../../../test/support/observing.ts';
import type { JsonObject } from '../../base/json.ts';
import type { DesiredObject } from './desired.ts';
import { type KindName, kindByName } from './kinds.ts';
import { entryFor } from './ledger-entries.ts';
import { matchObjects } from './match-objects.ts';
import { isAsListed } from './observe.ts';

const alice = (name: string, fields: JsonObject = { username: 'alice' }) =>
  desiredObject('users', name, fields);

/** Meanings of the objects of one kind, where the ledger knows one id by each of some keys. */
const meant = async (
  kind: KindName,
  objects: readonly DesiredObject[],
  listed: readonly JsonObject[],
  known: Readonly<Record<string, string>> = {},
) => {
  const common = { set, kind, origin: 'created', protect: false, fields: {}, record: {}, nowMs: 0 } as const;
  const entries = new Map(
    Object.entries(known).map(([key, id]) => [
      key,
      entryFor(salt, { ...common, key, id, atSeconds: undefined }),
    ]),
  );
  return Object.fromEntries(
    matchObjects(kindByName(kind), objects, listed, { entries, anywhere: new Map() }),
  );
};

describe('matching manifest objects', () => {
  test('prefers the object in the ledger over one with the same name', async () => {
    const objects = [alice('a', { username: 'alicia' }), alice('next')];
    const listed = [{ id: '1', username: 'alice' }];
    expect(await meant('users', objects, listed, { 'users.a': '1' })).toEqual({ 'users.a': '1' });
  });

  test('ignores a ledger entry whose object is gone', async () => {
    expect(await meant('users', [alice('a')], [], { 'users.a': '1' })).toEqual({});
    const made = [{ id: '2', username: 'alice' }];
    expect(await meant('users', [alice('a')], made, { 'users.a': '1' })).toEqual({ 'users.a': '2' });
  });

  test('matches an object whose id is the local name', async () => {
    const menu = desiredObject('menus', '2', { retries: 3 });
    expect(await meant('menus', [menu], [{ id: '1' }, { id: '2' }])).toEqual({ 'menus.2': '2' });
  });

  test('ignores case in names if the service does', async () => {
    const branch = desiredObject('accounts', 'branch', { name: 'BRANCH' });
    expect(await meant('accounts', [branch], [{ id: '1', name: 'Branch' }])).toEqual({
      'accounts.branch': '1',
    });
    const menu = desiredObject('menus', 'main', { name: 'MAIN' });
    expect(await meant('menus', [menu], [{ id: '1', name: 'Main' }])).toEqual({});
  });

  test('fails with a conflict on ambiguous names', async () => {
    const menu = desiredObject('menus', 'main', { name: 'Main' });
    const two = ['1', '2'].map((id) => ({ id, name: 'Main' }));
    expect((await failureOf(meant('menus', [menu], two))).kind).toBe('conflict');
    const other = desiredObject('menus', 'other', { name: 'Main' });
    expect((await failureOf(meant('menus', [menu, other], two.slice(1)))).kind).toBe('conflict');
  });
});

test('compares listed values in the form that the service stores', () => {
  const users = kindByName('users');
  expect(isAsListed(users, { username: 'Alice' }, { username: 'alice', last_name: 'X' })).toBe(true);
  expect(isAsListed(users, { first_name: 'Alice' }, { first_name: 'Alicia' })).toBe(false);
});
