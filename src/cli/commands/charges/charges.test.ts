import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom, turnedClock } from '../../../../test/support/clock.ts';
import { fakeHost } from '../../../../test/support/fake-host.ts';
import { openWorld, testFolders } from '../../../../test/support/world.ts';
import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals,
  zeroDecimal,
} from '../../../base/decimal.ts';
import type { Json, JsonObject } from '../../../base/json.ts';
import { parseLine } from '../../shell/parse-line.ts';
import { formatNoticeTable } from '../../terminal/notice-text.ts';
import { RunAgreement } from './charge-consent.ts';
import {
  type Charges,
  chargeNotes,
  chargesText,
  estimateText,
  isWithinBudget,
  sumCharges as sumUp,
  chargesTable as tableOf,
} from './charges.ts';
import { readCharges } from './read-charges.ts';

const chargesTable = (charges: Charges, columns?: number): readonly string[] =>
  formatNoticeTable(tableOf(charges), { columns });

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
/** The charges of a change of limits that had none of the items before. */
function chargesOf(data: JsonObject, before: JsonObject = {}): Charges {
  const limits = Object(data.limits) as JsonObject;
  const asked = Object.fromEntries(
    Object.entries(limits).map(([key, item]) => [nameIn(item, key), Object(item).quantity as Json]),
  );
  const charges = readCharges(data, { resource: 'limits', asked, before });
  if (!charges) throw new Error(JSON.stringify(data));
  return charges;
}
const nameIn = (item: Json | undefined, key: string): string => Object(item).item ?? key;
const estimate = (...items: readonly JsonObject[]) =>
  estimateText(
    chargesOf({
      limits: Object.fromEntries(items.map((item, index) => [`i${index}`, { ...item, item: `i${index}` }])),
    }),
  );
const of = (text: string): Decimal => {
  const read = parseDecimal(text);
  if (!read) throw new Error(text);
  return read;
};

describe('a charge estimate', () => {
  it('is the added quantity times the rate, minus discounts', () => {
    expect(estimate(charge)).toBe('200.00');
    expect(estimate({ ...charge, single_discount: true, single_discount_rate: 5.5 })).toBe('194.50');
    expect(estimate({ ...charge, single_discount: false, single_discount_rate: 5.5 })).toBe('200.00');
    expect(estimate({ ...charge, cumulative_discount: 3, cumulative_discount_rate: 0.1 })).toBe('199.70');
    expect(estimate({ ...charge, quantity: 3, rate: 0.1 }, { ...charge, quantity: 1, rate: 0.005 })).toBe(
      '0.305',
    );
  });

  it('is unknown if a field is missing, unrecognized, negative or not a number', () => {
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

  it('counts only the added quantity, with updated discounts', () => {
    const discounted = {
      ...charge,
      ...{
        single_discount: true,
        single_discount_rate: 5,
        cumulative_discount: 3,
        cumulative_discount_rate: 2,
      },
    };
    const more = (old: number) =>
      estimateText(chargesOf({ limits: { twoway_trunks: discounted } }, { twoway_trunks: old }));
    expect(more(0)).toBe('189.00');
    expect(more(2)).toBe('148.00');
    expect(more(7)).toBe('25.00');
    expect(more(8)).toBe('unknown');
  });

  it('is unknown if the previous quantity is unknown, or the item is not the requested one', () => {
    const data = { limits: { twoway_trunks: charge } };
    expect(estimateText(readCharges(data) as Charges)).toBe('unknown');
    const asked = { twoway_trunks: 9 };
    expect(estimateText(readCharges(data, { resource: 'limits', asked, before: {} }) as Charges)).toBe(
      'unknown',
    );
    const other = { users: { user: charge } };
    expect(estimateText(readCharges(other, { resource: 'limits', asked, before: {} }) as Charges)).toBe(
      'unknown',
    );
  });

  it('includes one-time amounts of a category or the total, each once', () => {
    expect(estimateText(chargesOf({ limits: { twoway_trunks: charge }, activation_charges: 3 }))).toBe(
      '203.00',
    );
    const inBoth = { limits: { twoway_trunks: charge, activation_charges: 3 }, activation_charges: 3 };
    expect(estimateText(chargesOf(inBoth))).toBe('203.00');
    expect(estimateText(chargesOf({ ...inBoth, activation_charges: 4 }))).toBe('unknown');
    expect(chargesText(chargesOf(inBoth))).toContain('(3.00 now, 200.00 with each bill)');
  });

  it('is unknown if a category has fields besides its items', () => {
    expect(estimateText(chargesOf({ limits: { twoway_trunks: charge }, surcharge: 3 }))).toBe('unknown');
  });

  it('is undefined if there are no charges', () => {
    for (const data of [
      undefined,
      null,
      'x',
      [],
      {},
      { limits: {} },
      { limits: [charge] },
      { message: 'no credit' },
    ])
      expect(readCharges(data)).toBeUndefined();
  });

  it('exceeds every budget if unknown', () => {
    const { twoway_trunks: _, ...none } = { twoway_trunks: 0 };
    expect(isWithinBudget(chargesOf({ limits: { a: charge } }, none), of('200'))).toBe(true);
    expect(isWithinBudget(chargesOf({ limits: { a: charge } }), of('199.99'))).toBe(false);
    expect(isWithinBudget(chargesOf({ limits: { a: { ...charge, rate: '1' } } }), of('1e99'))).toBe(false);
  });

  it('never throws, and equals the sum of its lines if known', () => {
    fc.assert(
      fc.property(fc.anything({ maxDepth: 4 }), (data) => {
        const charges = readCharges(data);
        if (charges) chargesTable(charges);
      }),
    );
    const items = fc.array(
      fc.record({
        quantity: fc.integer({ min: 1, max: 10_000 }),
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

describe('a charges table', () => {
  it('aligns numbers below their headings, with totals last', () => {
    expect(chargesTable(chargesOf({ limits: { twoway_trunks: charge } }, { twoway_trunks: 6 }))).toEqual([
      '  ITEM           CATEGORY  QUANTITY  ADDED   RATE  DISCOUNT  LINE TOTAL',
      '  twoway_trunks  limits           8      2  25.00      0.00       50.00',
      '                                                   Estimate       50.00',
    ]);
  });

  it('shortens only headings in a narrow terminal', () => {
    expect(chargesTable(chargesOf({ limits: { twoway_trunks: charge } }), 60)[0]).toBe(
      '│ ITEM           CATEGORY  QTY  ADD   RATE      DISC   TOTAL',
    );
  });

  it('lists unrecognized fields', () => {
    const charges = chargesOf({ limits: { a: { ...charge, setup: 3 } } });
    expect(chargeNotes(charges)).toContain('Fields of "twoway_trunks" that telctl does not know: setup=3');
    expect(chargesTable(charges).join('\n')).toContain('unknown');
  });

  it('keeps service text on one line', () => {
    const hostile = { ...charge, category: 'x\n\nEstimate 0.00\nThis change is free of charge' };
    expect(chargesTable(chargesOf({ limits: { twoway_trunks: hostile } }))).toHaveLength(3);
  });
});

describe('decimal arithmetic', () => {
  const decimals = fc
    .tuple(fc.bigInt({ min: -(10n ** 12n), max: 10n ** 12n }), fc.nat(6))
    .map(([units, scale]): Decimal => ({ units, scale }));

  it('adds, multiplies and compares without rounding', () => {
    expect(formatDecimal(addDecimals(of('0.1'), of('0.2')))).toBe('0.30');
    expect(formatDecimal(multiplyDecimals(of('1.1'), of('1.1')))).toBe('1.21');
    expect(formatDecimal(of('-0.5'))).toBe('-0.50');
    expect(formatDecimal(of('1e3'))).toBe('1000.00');
    expect(formatDecimal(of('2.5e-3'))).toBe('0.0025');
    fc.assert(
      fc.property(decimals, decimals, decimals, (a, b, c) => {
        expect(compareDecimals(subtractDecimals(addDecimals(a, b), b), a)).toBe(0);
        expect(
          compareDecimals(
            multiplyDecimals(a, addDecimals(b, c)),
            addDecimals(multiplyDecimals(a, b), multiplyDecimals(a, c)),
          ),
        ).toBe(0);
        expect(compareDecimals(of(formatDecimal(a)), a)).toBe(0);
        expect(Math.sign(compareDecimals(a, b))).toBe(-Math.sign(compareDecimals(b, a)) + 0);
      }),
    );
    expect(compareDecimals(zeroDecimal, of('0.00'))).toBe(0);
  });

  it('accepts only JSON numbers', () => {
    for (const text of ['', '1.', '.5', '+1', '1e', '0x1', 'Infinity', 'NaN', '1,5', '1e9999'])
      expect(parseDecimal(text)).toBeUndefined();
  });
});

describe('consent to charges', () => {
  it('is parsed from either of two mutually exclusive options', async () => {
    const line = ['limits', 'set', '--inbound-trunks', '2'];
    for (const [words, consent] of [
      [[], { kind: 'ask' }],
      [['--accept-charges'], { kind: 'all' }],
      [['--accept-charges-up-to=12.50'], { kind: 'up-to', budget: of('12.50') }],
    ] as const)
      expect(await parseLine([...line, ...words], {})).toMatchObject({ consent });
    const both = [...line, '--accept-charges', '--accept-charges-up-to=25'];
    await expect(parseLine(both, {})).rejects.toThrow('not both');
    for (const odd of ['-1', '', 'all', '1e3', '1,5', '.5', '5.', ' 5'])
      await expect(parseLine([...line, `--accept-charges-up-to=${odd}`], {}), odd).rejects.toThrow(
        'must be an amount',
      );
  });

  it('is not requested for a list of accounts, even with one entry', async () => {
    const world = await openWorld();
    const line = 'limits set --inbound-trunks 2 --accounts accounts.txt --yes';
    const run = await world.telctl(line, {
      tty: true,
      files: { 'accounts.txt': `${world.seed.accountId}\n` },
    });
    expect(run.stderr).not.toContain('Accept [0-9c]');
    expect(run.code, run.stderr).toBe(7);
    expect(await world.service('GET', 'limits')).not.toHaveProperty('inbound_trunks');
  });
});

it('does not subtract removed amounts from added ones', () => {
  const line = {
    item: 'a',
    category: 'limits',
    added: of('1'),
    inAll: '1',
    rate: '10.00',
    discount: zeroDecimal,
    dueNow: zeroDecimal,
    recurring: of('10'),
    strange: [],
  };
  const less = { ...line, item: 'b', added: of('-1'), recurring: of('-10') };
  expect(estimateText(sumUp([line, less]))).toBe('10.00');
  expect(estimateText(sumUp([line, line]))).toBe('20.00');
  expect(estimateText(sumUp([line, { ...line, recurring: undefined }]))).toBe('unknown');
});

it('treats a negative discount as unknown', () => {
  expect(estimate({ ...charge, cumulative_discount: -1, cumulative_discount_rate: 5 })).toBe('unknown');
  expect(estimate({ ...charge, cumulative_discount: 1, cumulative_discount_rate: 5 })).toBe('195.00');
});

it('runs exclusive work one at a time, so that requests cannot share a budget', async () => {
  const { host } = fakeHost({ folders: testFolders(), clock: turnedClock(), random: seededRandom() });
  const asking = { host } as unknown as ConstructorParameters<typeof RunAgreement>[0];
  const agreement = new RunAgreement(asking, { kind: 'all' });
  const steps: string[] = [];
  const work = (name: string, fails: boolean) => async () => {
    steps.push(`${name} begins`);
    await new Promise<void>((resolve) => setImmediate(resolve));
    steps.push(`${name} ends`);
    if (fails) throw new Error(name);
  };
  await Promise.allSettled([
    agreement.exclusive(work('one', false)),
    agreement.exclusive(work('two', true)),
    agreement.exclusive(work('three', false)),
  ]);
  const names = ['one', 'two', 'three'];
  expect(steps).toEqual(names.flatMap((name) => [`${name} begins`, `${name} ends`]));
});
