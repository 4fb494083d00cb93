import { expect, test } from 'vitest';
import { keepLedger } from './keep-ledger.ts';
import { changedLedger, isProtected, type Ledger, type LedgerChange, type LedgerEntry } from './ledger.ts';

const entry = (key: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
  ...{ set: 'office', key, kind: 'menus', id: key, origin: 'created', protect: false, appliedMs: 1 },
  ...{ fields: { name: 'hash' }, natural: { name: key }, given: { note: 'hash' }, seen: 3, ...more },
});
const ledger = (entries: readonly LedgerEntry[], more: Partial<Ledger> = {}): Ledger => ({
  ...{ version: 1, origin: 'https://api.example', accountId: 'a'.repeat(32), salt: 'own', entries, ...more },
});

/** A store of one ledger, with each change that was written. */
function storeOf(now: Ledger) {
  const written: LedgerChange[] = [];
  let stored = now;
  return {
    written,
    keys: () => stored.entries.map(({ key }) => key),
    async update(change: (now: Ledger) => LedgerChange) {
      const changes = change(stored);
      written.push(changes);
      stored = changedLedger(stored, changes);
      return stored;
    },
    unfiltered: new Set<string>(),
  };
}

test('writes a changed ledger at most twice a minute and completely at the end', async () => {
  const now = ledger([entry('a'), entry('b')]);
  const store = storeOf(now);
  const keeper = keepLedger(now, 1_000, store);
  await keeper.save();
  expect(store.written).toEqual([]);
  keeper.put(entry('c'));
  keeper.remove('office', 'a');
  expect([keeper.entry('office', 'c')?.id, keeper.entry('office', 'a'), keeper.entry('shop', 'b')]).toEqual([
    ...['c', undefined, undefined],
  ]);
  await keeper.saveIfDue(30_999);
  expect(store.keys()).toEqual(['a', 'b']);
  await keeper.saveIfDue(31_000);
  expect(store.keys()).toEqual(['b', 'c']);
  keeper.remove('office', 'c');
  keeper.put(entry('a'));
  await keeper.saveIfDue(60_999);
  expect(store.keys()).toEqual(['b', 'c']);
  await keeper.save();
  expect(store.keys()).toEqual(['a', 'b']);
  expect(store.written).toHaveLength(2);
  expect(store.written.at(-1)).toMatchObject({ put: [{ key: 'a' }], removed: [{ key: 'c' }] });
});

test('does not write its hashes into a ledger that was recreated', async () => {
  const store = storeOf(ledger([], { salt: 'another' }));
  const keeper = keepLedger(ledger([]), 0, store);
  keeper.put(entry('a'));
  await keeper.save();
  expect(store.written[0]?.put).toMatchObject([{ key: 'a', fields: {}, given: {}, seen: 0 }]);
  const own = storeOf(ledger([]));
  const same = keepLedger(ledger([]), 0, own);
  same.put(entry('a'));
  await same.save();
  expect(own.written[0]?.put).toEqual([entry('a')]);
});

test('writes the kinds whose lists ignore filters once', async () => {
  const known = ledger([], { unfiltered: ['menus'] });
  const store = storeOf(known);
  await keepLedger(known, 0, { ...store, unfiltered: new Set(['menus']) }).save();
  expect(store.written).toEqual([]);
  await keepLedger(known, 0, { ...store, unfiltered: new Set(['menus', 'users']) }).save();
  expect(store.written).toHaveLength(1);
});

test('an object has one name per set and is protected if any set protects it', () => {
  const before = ledger([entry('a', { id: '1' }), entry('a', { set: 'shop', id: '1', protect: true })]);
  const renamed = changedLedger(before, { put: [entry('b', { id: '1' })] });
  expect(renamed.entries.map(({ set, key }) => `${set} ${key}`)).toEqual(['office b', 'shop a']);
  expect(isProtected(before, { kind: 'menus', id: '1' })).toBe(true);
  expect(isProtected(before, { kind: 'users', id: '1' })).toBe(false);
  expect(isProtected(before, { kind: 'menus', id: '2' })).toBe(false);
  expect(isProtected(undefined, { kind: 'menus', id: '1' })).toBe(false);
});
