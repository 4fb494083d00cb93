import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  parseDecimal,
  zeroDecimal,
} from '../../../base/decimal.ts';
import type { AskedCharges } from '../../command/context.ts';
import { consentToLines } from './agree-to-prices.ts';

const of = (count: number): Decimal => parseDecimal(String(count)) ?? zeroDecimal;
const money = fc.nat(2000).map((cents) => of(cents / 100));
const account = fc.constantFrom('acme', 'north');
const item = fc.constantFrom('user', 'admin');
const amounts = fc.record({
  account,
  item,
  added: fc.integer({ min: -2, max: 6 }),
  dueNow: money,
  recurring: money,
});

interface Amounts {
  readonly account: string;
  readonly item: string;
  readonly added: number;
  readonly dueNow: Decimal;
  readonly recurring: Decimal;
}
const sumOf = (all: readonly Amounts[]): Decimal =>
  all.reduce((sum, { dueNow, recurring }) => addDecimals(sum, addDecimals(dueNow, recurring)), zeroDecimal);
const countOf = (all: readonly Amounts[]): number =>
  all.reduce((sum, { added }) => sum + Math.max(added, 0), 0);

/** The lines of a table, each item of an account once. */
const lines = fc.uniqueArray(amounts, { selector: (each) => `${each.account} ${each.item}`, maxLength: 4 });
/** Charges that a service asks for: a few of one account, understood or not. */
const asked = fc.record({ account, items: fc.array(amounts, { maxLength: 3 }), isUnknown: fc.boolean() });

function charges(of_: { account: string; items: readonly Amounts[]; isUnknown: boolean }): AskedCharges {
  const items = of_.items.map(({ item: name, added, dueNow, recurring }) => ({
    ...{ category: 'users', item: name, inAll: '9', rate: '1' },
    ...{
      added: formatDecimal(of(added)),
      dueNow: formatDecimal(dueNow),
      recurring: formatDecimal(recurring),
    },
  }));
  const estimate = of_.isUnknown ? {} : { estimate: formatDecimal(sumOf(of_.items)) };
  return { account: of_.account, text: '', items, ...estimate };
}

test('accepts at most the quantity and amount of each shown item', () => {
  fc.assert(
    fc.property(lines, fc.array(fc.tuple(asked, fc.boolean()), { maxLength: 12 }), (shown, all) => {
      const consent = consentToLines(
        shown.map(({ item: name, added, ...line }) => ({
          ...{ ...line, item: name, category: 'users', added: of(Math.max(added, 0)) },
          ...{ inAll: '', rate: '', discount: zeroDecimal, strange: [] },
        })),
      );
      if (consent.kind !== 'shown') throw new Error(consent.kind);
      const accepted: Amounts[] = [];
      for (const [each, isReleased] of all) {
        const giveBack = consent.covers(charges(each));
        if (giveBack === undefined) continue;
        expect(each.isUnknown).toBe(false);
        if (isReleased) giveBack();
        else accepted.push(...each.items.map((one) => ({ ...one, account: each.account })));
      }
      for (const one of accepted) {
        const isSame = (other: Amounts) => other.account === one.account && other.item === one.item;
        const [taken, there] = [accepted.filter(isSame), shown.filter(isSame)];
        expect(compareDecimals(sumOf(taken), sumOf(there))).toBeLessThanOrEqual(0);
        expect(countOf(taken)).toBeLessThanOrEqual(countOf(there));
      }
    }),
  );
});

test('a removed item does not offset an added one', () => {
  const line = {
    added: zeroDecimal,
    dueNow: zeroDecimal,
    recurring: of(1),
    inAll: '',
    rate: '',
    discount: zeroDecimal,
    strange: [],
  };
  const consent = consentToLines([{ ...line, account: 'acme', category: 'users', item: 'user' }]);
  if (consent.kind !== 'shown') throw new Error(consent.kind);
  const item = { account: 'acme', item: 'user', dueNow: zeroDecimal };
  const items = [
    { ...item, added: -1, recurring: of(1) },
    { ...item, added: 1, recurring: zeroDecimal },
  ];
  expect(consent.covers(charges({ account: 'acme', items, isUnknown: false }))).toBeUndefined();
});

test('a released amount can be accepted exactly once more', () => {
  const line = {
    added: of(1),
    dueNow: of(2),
    recurring: of(10),
    inAll: '',
    rate: '',
    discount: zeroDecimal,
    strange: [],
  };
  const consent = consentToLines([{ ...line, account: 'acme', category: 'users', item: 'user' }]);
  if (consent.kind !== 'shown') throw new Error(consent.kind);
  const one = { account: 'acme', item: 'user', added: 1, dueNow: of(2), recurring: of(10) };
  const ask = () => consent.covers(charges({ account: 'acme', items: [one], isUnknown: false }));
  const giveBack = ask();
  expect(giveBack).toBeDefined();
  expect(ask()).toBeUndefined();
  giveBack?.();
  expect(ask()).toBeDefined();
  expect(ask()).toBeUndefined();
});
