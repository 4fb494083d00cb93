import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chargesTable, estimateText, itemsText, readCharges, within } from './charges.ts';
import { compare, type Decimal, decimal, format, minus, plus, times, zero } from './decimal.ts';

const charge = {
  category: 'limits',
  item: 'twoway_trunks',
  quantity: 8,
  rate: 25,
  single_discount: false,
  single_discount_rate: 0,
  cumulative_discount: 0,
  cumulative_discount_rate: 0,
};
const estimate = (...items: readonly object[]) =>
  estimateText(readCharges({ limits: Object.fromEntries(items.map((item, index) => [`i${index}`, item])) }));
const of = (text: string): Decimal => {
  const read = decimal(text);
  if (!read) throw new Error(text);
  return read;
};

describe('the estimate', () => {
  it('is quantity times rate, less the discounts', () => {
    expect(estimate(charge)).toBe('200.00');
    expect(estimate({ ...charge, single_discount: true, single_discount_rate: 5.5 })).toBe('194.50');
    expect(estimate({ ...charge, single_discount: false, single_discount_rate: 5.5 })).toBe('200.00');
    expect(estimate({ ...charge, cumulative_discount: 3, cumulative_discount_rate: 0.1 })).toBe('199.70');
    expect(estimate({ ...charge, quantity: 3, rate: 0.1 }, { ...charge, quantity: 1, rate: 0.005 })).toBe(
      '0.305',
    );
  });

  it('is unknown where a field is missing, foreign, negative or no number', () => {
    for (const wrong of [
      { rate: '25' },
      { rate: null },
      { rate: -1 },
      { quantity: 1.5 },
      { quantity: 2 ** 60 },
      { single_discount: 1 },
      { cumulative_discount: 0.5 },
      { activation_charge: 10 },
      { single_discount: true, single_discount_rate: 1000 },
    ])
      expect(estimate({ ...charge, ...wrong })).toBe('unknown');
    for (const key of Object.keys(charge).filter((each) => each !== 'category' && each !== 'item'))
      expect(estimate({ ...charge, [key]: undefined })).toBe('unknown');
    expect(estimate(charge, { ...charge, rate: 'x' })).toBe('unknown');
  });

  it('is unknown where the charges have another form', () => {
    for (const data of [
      undefined,
      null,
      'x',
      [],
      {},
      { limits: {} },
      { limits: [charge] },
      { limits: { a: 1 } },
    ])
      expect(readCharges(data).estimate).toBeUndefined();
    expect(readCharges({ limits: { a: charge }, activation_charges: 3 }).estimate).toBeUndefined();
  });

  it('never fits a budget when it is unknown', () => {
    expect(within(readCharges({ limits: { a: charge } }), of('200'))).toBe(true);
    expect(within(readCharges({ limits: { a: charge } }), of('199.99'))).toBe(false);
    expect(within(readCharges({ limits: { a: { ...charge, rate: '1' } } }), of('1e99'))).toBe(false);
  });

  it('throws for no input, and is the sum of its lines where it is known', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4 }), (data) => {
        const charges = readCharges(data);
        chargesTable(charges);
        itemsText(charges);
      }),
    );
    const items = fc.array(
      fc.record({
        quantity: fc.nat(10_000),
        cents: fc.nat(1_000_000),
      }),
      { minLength: 1, maxLength: 8 },
    );
    fc.assert(
      fc.property(items, (each) => {
        const cents = each.reduce(
          (sum, { quantity, cents: rate }) => sum + BigInt(quantity) * BigInt(rate),
          0n,
        );
        const shown = estimate(
          ...each.map(({ quantity, cents: rate }) => ({ ...charge, quantity, rate: rate / 100 })),
        );
        expect(shown).toBe(`${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`);
      }),
    );
  });
});

describe('the table', () => {
  it('lines figures up under their heads, with the total last', () => {
    expect(chargesTable(readCharges({ limits: { twoway_trunks: charge } }))).toEqual([
      '  ITEM           CATEGORY  QUANTITY   RATE  DISCOUNT  LINE TOTAL',
      '  twoway_trunks  limits           8  25.00      0.00      200.00',
      '                                            Estimate      200.00',
    ]);
  });

  it('shortens its headings where the terminal is narrow, and nothing else', () => {
    expect(chargesTable(readCharges({ limits: { twoway_trunks: charge } }), 60)).toEqual([
      '  ITEM           CATEGORY  QTY   RATE      DISC   TOTAL',
      '  twoway_trunks  limits      8  25.00      0.00  200.00',
      '                                       Estimate  200.00',
    ]);
  });

  it('says which fields are not understood', () => {
    const lines = chargesTable(readCharges({ limits: { a: { ...charge, setup: 3 } } }));
    expect(lines.at(-1)).toBe('twoway_trunks has fields that telctl does not know: setup=3');
    expect(lines.join('\n')).toContain('unknown');
  });
});

describe('decimals', () => {
  const decimals = fc
    .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.nat(6))
    .map(([units, scale]): Decimal => ({ units, scale }));

  it('add, multiply and compare without rounding', () => {
    expect(format(plus(of('0.1'), of('0.2')))).toBe('0.30');
    expect(format(times(of('1.1'), of('1.1')))).toBe('1.21');
    expect(format(of('-0.5'))).toBe('-0.50');
    expect(format(of('1e3'))).toBe('1000.00');
    expect(format(of('2.5e-3'))).toBe('0.0025');
    fc.assert(
      fc.property(decimals, decimals, decimals, (a, b, c) => {
        expect(compare(minus(plus(a, b), b), a)).toBe(0);
        expect(compare(times(a, plus(b, c)), plus(times(a, b), times(a, c)))).toBe(0);
        expect(compare(of(format(a)), a)).toBe(0);
        expect(Math.sign(compare(a, b))).toBe(-Math.sign(compare(b, a)) + 0);
      }),
    );
    expect(compare(zero, of('0.00'))).toBe(0);
  });

  it('are nothing but what JSON writes', () => {
    for (const text of ['', '1.', '.5', '+1', '1e', '0x1', 'Infinity', 'NaN', '1,5', '1e9999'])
      expect(decimal(text)).toBeUndefined();
  });
});
