import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Failure } from '../../base/failure.ts';
import { ledgerInLines, parseAnyLedger } from './files/read-ledger.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import { mergeLedgerTexts } from './merge-ledgers.ts';

const names = { base: 'base', ours: 'ours', theirs: 'theirs' };
const keys = ['menus.a', 'menus.b', 'menus.c'];
const idOf = (key: string): string => key.replace(/\W/g, '').padEnd(32, '0');

/** An entry, or none, of one key: few values, so that sides often agree. */
const entryOf = (key: string) =>
  fc
    .option(
      fc.record({
        protect: fc.boolean(),
        origin: fc.constantFrom('created', 'adopted', 'found'),
        name: fc.constantFrom('h1', 'h2'),
        retries: fc.constantFrom('h1', 'h2', undefined),
        appliedMs: fc.constantFrom(1, 2),
      }),
      { nil: undefined, freq: 4 },
    )
    .map((made): readonly LedgerEntry[] => {
      if (made === undefined) return [];
      const { name, retries, ...rest } = made;
      return [
        {
          ...{ ...rest, set: 'office', key, kind: 'menus', id: idOf(key) },
          fields: { name, ...(retries === undefined ? {} : { retries }) },
          ...{ natural: { name: key }, given: {}, seen: 0 },
        },
      ];
    });

const read = (made: Ledger): Ledger => parseAnyLedger(ledgerInLines(made), 'made');

/** A ledger as its file has it: the order of fields is that of the format. */
const ledger = (entries: readonly LedgerEntry[]): Ledger =>
  read({
    ...{ version: 1, origin: 'https://api.acme.example', accountId: 'a'.repeat(32), salt: 'b'.repeat(32) },
    entries,
  });
const ledgers = fc.tuple(...keys.map(entryOf)).map((each) => ledger(each.flat()));
const three = fc.record({ base: ledgers, ours: ledgers, theirs: ledgers });

type Sides = { readonly base: Ledger; readonly ours: Ledger; readonly theirs: Ledger };

const at = ({ entries }: Ledger, key: string): LedgerEntry | undefined =>
  entries.find((entry) => entry.key === key);
const said = (entry: LedgerEntry | undefined): string =>
  JSON.stringify(entry && { ...entry, appliedMs: 0, seen: 0 });

/** The merged ledger, and the keys that are in conflict. */
function merge({ base, ours, theirs }: Sides) {
  const texts = { base: ledgerInLines(base), ours: ledgerInLines(ours), theirs: ledgerInLines(theirs) };
  const { text, conflicts } = mergeLedgerTexts(texts, names);
  const [clear = ''] = text.split('<<<<<<<');
  return { merged: parseAnyLedger(clear, 'merged'), inConflict: new Set(conflicts.map(({ key }) => key)) };
}

/** Holds a law for each key of ledgers that are merged. */
const everyKey = (
  holds: (
    facts: Readonly<Record<'was' | 'our' | 'their' | 'now', LedgerEntry | undefined>> & {
      readonly isInConflict: boolean;
    },
  ) => void,
): void =>
  fc.assert(
    fc.property(three, (sides) => {
      const { merged, inConflict } = merge(sides);
      for (const key of keys)
        holds({
          ...{ was: at(sides.base, key), our: at(sides.ours, key), their: at(sides.theirs, key) },
          ...{ now: at(merged, key), isInConflict: inConflict.has(key) },
        });
    }),
  );

describe('ledgers of two branches', () => {
  test('keep a protection that one side added, or that both sides changed differently', () => {
    everyKey(({ was, our, their, now, isInConflict }) => {
      if (isInConflict || now === undefined) return;
      for (const [one, other] of [
        [our, their],
        [their, our],
      ])
        if (one?.protect && (said(one) !== said(was) || said(other) === said(was)))
          expect(now.protect).toBe(true);
      if (our?.protect && their?.protect) expect(now.protect).toBe(true);
    });
  });

  test('conflict if one side removed an entry that the other changed, and neither is kept', () => {
    everyKey(({ was, our, their, now, isInConflict }) => {
      const [left, right] = [our, their];
      const isRemoved = was !== undefined && (left === undefined) !== (right === undefined);
      if (!isRemoved) return;
      const isChanged = said(left ?? right) !== said(was);
      expect([isInConflict, now]).toEqual([isChanged, undefined]);
    });
  });

  test('take a change of one side and identical changes of both', () => {
    everyKey(({ was, our, their, now, isInConflict }) => {
      if (said(our) === said(was)) expect([isInConflict, said(now)]).toEqual([false, said(their)]);
      if (said(their) === said(was)) expect([isInConflict, said(now)]).toEqual([false, said(our)]);
      if (said(our) === said(their)) expect([isInConflict, said(now)]).toEqual([false, said(our)]);
    });
  });

  test('keep the created origin of one side, and never claim an object that neither side created', () => {
    everyKey(({ our, their, now }) => {
      if (!now || !our || !their || said(our) === said(now) || said(their) === said(now)) return;
      expect([our.origin, their.origin]).toContain(now.origin);
      if (our.origin !== 'found' || their.origin !== 'found') expect(now.origin).not.toBe('found');
    });
  });

  test('merge to the same result in either order', () => {
    fc.assert(
      fc.property(three, ({ base, ours, theirs }) => {
        const [one, other] = [merge({ base, ours, theirs }), merge({ base, ours: theirs, theirs: ours })];
        expect(other.inConflict).toEqual(one.inConflict);
        const facts = ({ entries }: Ledger) =>
          entries.map(({ key, id, protect, fields }) => [key, id, protect, Object.entries(fields).sort()]);
        expect(facts(other.merged).sort()).toEqual(facts(one.merged).sort());
      }),
    );
  });

  test.each([
    ['origin', 'https://api.other.example'],
    ['accountId', 'c'.repeat(32)],
  ])('are not merged if they differ in %s', (field, value) => {
    const ours = ledger([]);
    try {
      merge({ base: ours, ours, theirs: { ...ours, [field]: value } });
    } catch (error) {
      expect(error).toBeInstanceOf(Failure);
      expect(error).toMatchObject({ kind: 'conflict', message: expect.stringContaining(value) });
      return;
    }
    expect.unreachable();
  });
});

describe('one object, created or named by both sides', () => {
  const entry = (key: string, more: Partial<LedgerEntry> = {}): LedgerEntry => ({
    ...{ set: 'office', key, kind: 'menus', id: idOf(key), origin: 'created', protect: false, appliedMs: 1 },
    ...{ fields: { name: 'h1' }, natural: { name: key }, given: {}, seen: 0, ...more },
  });
  test.each([
    [
      'a key with two ids',
      entry('menus.a'),
      entry('menus.a', { id: 'f'.repeat(32) }),
      /both sides created it/,
    ],
    ['a key with two kinds', entry('menus.a'), entry('menus.a', { kind: 'groups' }), /both sides created it/],
    [
      'an object with two names',
      entry('menus.a', { id: 'f'.repeat(32) }),
      entry('menus.b', { id: 'f'.repeat(32) }),
      /one object/,
    ],
    [
      'an object in two sets',
      entry('menus.a', { id: 'f'.repeat(32) }),
      entry('menus.a', { set: 'shop', id: 'f'.repeat(32) }),
      /one object/,
    ],
  ])('%s is a conflict, and neither entry is merged', (_, ours, theirs, why) => {
    const sides = { base: ledger([]), ours: ledger([ours]), theirs: ledger([theirs]) };
    const { merged } = merge(sides);
    expect(merged.entries).toEqual([]);
    const texts = {
      base: undefined,
      ours: ledgerInLines(sides.ours),
      theirs: ledgerInLines(sides.theirs),
    };
    const { conflicts } = mergeLedgerTexts(texts, names);
    expect(conflicts.map((each) => each.why)).toEqual([expect.stringMatching(why)]);
  });

  test('two objects with different names do not conflict', () => {
    const sides = { base: ledger([]), ours: ledger([entry('menus.a')]), theirs: ledger([entry('menus.b')]) };
    expect(merge(sides).merged.entries.map(({ key }) => key)).toEqual(['menus.a', 'menus.b']);
  });

  test('fails if neither side has a ledger, and keeps the ledger of the only side that has one', () => {
    const text = ledgerInLines(ledger([entry('menus.a')]));
    const none = { base: text, ours: undefined, theirs: undefined };
    expect(() => mergeLedgerTexts(none, names)).toThrow('Neither ours nor theirs is a ledger.');
    expect(mergeLedgerTexts({ ...none, base: undefined, theirs: text }, names).entries).toBe(1);
  });

  test('rejects a ledger with a duplicate key', () => {
    const twice = ledgerInLines(ledger([entry('menus.a')]));
    const [head, line] = twice.split('\n');
    expect(() => parseAnyLedger(`${head}\n${line}\n${line}\n`, 'own.json')).toThrow(
      'menus.a of "office" is duplicate (lines 2 and 3)',
    );
  });
});
