import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { processorMs } from '../../../../test/support/clock.ts';
import { openStore } from './sqlite-store.ts';
import { type Put, type Store, StoreConflict, type StoredRecord } from './store.ts';

const record = (id: string, revision = 0): StoredRecord => ({
  kind: 'users',
  scope: 'a',
  id,
  body: { name: id },
  hidden: {},
  createdAt: 1,
  modifiedAt: 1,
  revision,
});

const put = (id: string, { revision = 0, claim = id, order = id } = {}): Put => ({
  change: 'put',
  record: record(id, revision),
  order,
  keys: [{ field: 'group', value: 'one' }],
  claims: [{ kind: 'users', scope: 'a', field: 'username', value: claim }],
});

const all = { kind: 'users', scope: 'a', ascending: true, limit: 10 };
const ids = (records: readonly StoredRecord[]): readonly string[] => records.map(({ id }) => id);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'telctl-store-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe.each([
  ['memory', () => ':memory:'],
  ['a file', () => join(folder, 'db')],
])('a store in %s', (_, path) => {
  let store: Store;
  beforeEach(() => {
    store = openStore(path());
  });
  afterEach(() => store.close());

  test('returns committed records', async () => {
    await store.commit([put('x'), { change: 'setting', name: 's', value: 'v' }]);
    expect(await store.get({ kind: 'users', scope: 'a', id: 'x' })).toMatchObject({
      body: { name: 'x' },
      revision: 1,
    });
    expect(await store.get({ kind: 'users', scope: 'b', id: 'x' })).toBeUndefined();
    expect(await store.setting('s')).toBe('v');
  });

  test('writes all changes of a commit or none', async () => {
    await store.commit([put('x')]);
    await expect(store.commit([put('y'), put('z', { claim: 'x' })])).rejects.toThrow(StoreConflict);
    expect(ids(await store.list(all))).toEqual(['x']);
  });

  test('refuses a write with an outdated revision', async () => {
    await store.commit([put('x')]);
    await store.commit([put('x', { revision: 1 })]);
    await expect(store.commit([put('x', { revision: 1 })])).rejects.toThrow(StoreConflict);
    expect(await store.get(record('x'))).toMatchObject({ revision: 2 });
  });

  test('lists records in both directions from a position', async () => {
    await store.commit(['a', 'b', 'c', 'd'].map((id) => put(id)));
    expect(ids(await store.list({ ...all, limit: 2 }))).toEqual(['a', 'b']);
    expect(ids(await store.list({ ...all, from: { order: 'c', id: 'c' } }))).toEqual(['c', 'd']);
    const key = { field: 'group', value: 'one' };
    const back = { ...all, key, ascending: false, from: { order: 'c' } };
    expect(ids(await store.list(back))).toEqual(['c', 'b', 'a']);
  });

  test('filters a list by an inclusive range of modification times', async () => {
    const changed = (id: string, modifiedAt: number): Put => ({
      ...put(id),
      record: { ...record(id), modifiedAt },
    });
    await store.commit([changed('a', 10), changed('b', 11), changed('c', 12), changed('d', 13)]);
    const between = async (from: number | undefined, to: number | undefined, more = {}) =>
      ids(await store.list({ ...all, modified: { from, to }, ...more }));
    expect(await between(11, 12)).toEqual(['b', 'c']);
    expect(await between(undefined, 11)).toEqual(['a', 'b']);
    expect(await between(12.5, undefined)).toEqual(['d']);
    expect(await between(11, undefined, { limit: 1, from: { order: 'c', id: 'c' } })).toEqual(['c']);
    expect(await between(11, 13, { key: { field: 'group', value: 'one' }, ascending: false })).toEqual([
      'd',
      'c',
      'b',
    ]);
  });

  test('a removed record has no reads, list entries or claims', async () => {
    await store.commit([put('x')]);
    await store.commit([{ change: 'remove', record: record('x'), erase: false }]);
    expect(await store.get(record('x'))).toBeUndefined();
    expect(await store.list(all)).toEqual([]);
    await store.commit([put('y', { claim: 'x' })]);
    expect(
      await store.findHolder({ kind: 'users', scope: 'a', field: 'username', value: 'x' }),
    ).toMatchObject({
      id: 'y',
    });
  });

  test('a new record can reuse the name of a removed one without its content', async () => {
    await store.commit([put('x', { order: 'old' })]);
    await store.commit([put('x', { revision: 1 })]);
    await expect(store.commit([put('x')])).rejects.toThrow(StoreConflict);
    await store.commit([{ change: 'remove', record: record('x'), erase: false }]);
    await store.commit([put('x', { order: 'new' })]);
    expect(await store.get(record('x'))).toMatchObject({ revision: 1 });
    expect(await store.list(all)).toMatchObject([{ id: 'x', order: 'new' }]);
  });
});

test('a database file can be opened once at a time, and keeps its records', async () => {
  const path = join(folder, 'db');
  const first = openStore(path);
  await first.commit([put('x')]);
  expect(() => openStore(path)).toThrow(/locked/);
  await first.close();
  const second = openStore(path);
  expect(ids(await second.list(all))).toEqual(['x']);
  await second.close();
});

test('reading a late page of a large collection costs as much as the first', async () => {
  const store = openStore(':memory:');
  const total = 20_000;
  const name = (index: number): string => String(index).padStart(6, '0');
  await store.commit(Array.from({ length: total }, (_, index) => put(name(index))));
  const time = async (from: number): Promise<number> => {
    const start = processorMs();
    for (let round = 0; round < 200; round += 1) {
      await store.list({ ...all, from: { order: name(from), id: name(from) }, limit: 20 });
    }
    return processorMs() - start;
  };
  await time(0);
  const [near, far] = [await time(0), await time(total - 50)];
  expect(far).toBeLessThan(near * 5 + 20);
  await store.close();
});

test('a file of a newer telctl is refused and unchanged', async () => {
  const path = join(folder, 'db');
  const copy = join(folder, 'copy');
  const store = openStore(path);
  await store.commit([put('x')]);
  await store.copyTo(copy, {});
  await store.close();
  for (const file of [path, copy]) {
    const database = new DatabaseSync(file);
    database.exec('PRAGMA user_version = 99');
    database.close();
  }
  expect(() => openStore(path)).toThrow('it was written by a newer telctl');
  const other = openStore(':memory:');
  await expect(other.replaceWith(copy)).rejects.toThrow('it was written by a newer telctl');
  await other.close();
});
