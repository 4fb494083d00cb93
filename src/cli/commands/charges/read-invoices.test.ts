import { expect, it, test } from 'vitest';
import type { Json, JsonObject } from '../../../base/json.ts';
import { formatAmount } from './charges.ts';
import { readCharges } from './read-charges.ts';

/** An item of an invoice as compatible services write it: `added` of `quantity`, none of them where it does not change. */
function item(name: string, rate: number, quantity: number, added = 0): JsonObject {
  const changes = { difference: { billable: added, quantity: added }, type: 'modified' };
  return {
    ...{ category: 'limits', item: name, name: `limits/${name}`, rate, total: quantity * rate },
    ...{ quantity, billable: quantity, prorate: { additions: true, removals: true } },
    ...(added === 0 ? {} : { changes }),
  };
}

const trunks = item('inbound_trunks', 10, 5, 3);
const due = {
  ...{ category: 'limits', item: 'inbound_trunks', name: 'limits/inbound_trunks' },
  ...{ billable: 3, rate: 1, total: 3 },
};
const plan = { limits: { inbound_trunks: { rate: 10, activation_charge: 1 } } };
const invoice = {
  ...{ items: [trunks, item('users', 5, 2)], activation_charges: [due], plan, taxes: [] },
  ...{ bookkeeper: { type: 'default' }, summary: { today: 3, recurring: 60 } },
};
/** An invoice whose first item and totals are others. */
const withItem = (changed: JsonObject): JsonObject => ({ ...invoice, items: [{ ...trunks, ...changed }] });
const difference = (named: JsonObject): JsonObject => ({ changes: { type: 'modified', difference: named } });

const estimateOf = (...invoices: readonly Json[]): string =>
  formatAmount(readCharges(invoices as Json)?.estimate);

test('reads an invoice of a KAZOO-compatible service', () => {
  expect(estimateOf(invoice)).toBe('33.00');
  expect(estimateOf({ ...invoice, taxes: undefined, summary: {} } as Json)).toBe('33.00');
  const { summary: _, ...unsummed } = invoice;
  expect(estimateOf({ ...unsummed, ...withItem(difference({ quantity: 3, total: 27 })), summary: {} })).toBe(
    '30.00',
  );
});

/** What an invoice may hold beside what the sandbox writes. No budget may cover any of it. */
const unknown: Readonly<Record<string, Json>> = {
  'a string instead of an object': 'free of charge',
  'an unrecognized field': { ...invoice, surcharge: 5 },
  'tiered rates of an item': withItem({ rates: { '5': 10, '10': 8 } }),
  'tiered rates of the plan': {
    ...invoice,
    plan: { limits: { inbound_trunks: { rate: 10, rates: { '5': 10 } } } },
  },
  'a flat rate of the plan': { ...invoice, plan: { limits: { inbound_trunks: { flat_rate: 10 } } } },
  'taxes of the invoice': { ...invoice, taxes: [{ rate: 8 }] },
  'taxes that are not a list': { ...invoice, taxes: 8 },
  'taxes of an item': withItem({ taxes: [{ rate: 8 }] }),
  'taxes of the plan': {
    ...invoice,
    plan: { limits: { inbound_trunks: { rate: 10, taxes: [{ rate: 8 }] } } },
  },
  'more due today': { ...invoice, summary: { today: 4, recurring: 60 } },
  'less due today': { ...invoice, summary: { today: 2, recurring: 60 } },
  'an amount due today that is a string': { ...invoice, summary: { today: '3', recurring: 60 } },
  'a total that does not match the lines': { ...invoice, summary: { today: 3, recurring: 61 } },
  'an unrecognized total in the summary': { ...invoice, summary: { today: 3, recurring: 60, fees: 9 } },
  'a summary that is not an object': { ...invoice, summary: 63 },
  'an activation charge for an unchanged item': {
    ...invoice,
    activation_charges: [due, { ...due, item: 'users' }],
    summary: { today: 6, recurring: 60 },
  },
  'an activation charge in another category': {
    ...invoice,
    activation_charges: [{ ...due, category: 'users' }],
  },
  'an activation charge that does not add up': {
    ...invoice,
    activation_charges: [{ ...due, total: 30 }],
    summary: { today: 30, recurring: 60 },
  },
  'an activation charge with an unrecognized field': {
    ...invoice,
    activation_charges: [{ ...due, setup: 9 }],
  },
  'activation charges that are a number instead of a list': { ...invoice, activation_charges: 3 },
  'an activation charge that is a number': { ...invoice, activation_charges: [due, 3] },
  'an activation charge of an item that is missing from the invoice': {
    ...withItem({ activation_charge: 1 }),
    activation_charges: [],
    summary: {},
  },
  'items that are not a list': { ...invoice, items: { trunks } },
  'an item that is a string': { ...invoice, items: [...invoice.items, 'x'] },
  'changes that are a string': { ...invoice, items: [trunks, { ...item('users', 5, 2), changes: 'added' }] },
  'a change without a difference': { ...withItem({ changes: { type: 'modified' } }), summary: { today: 3 } },
  'a fractional difference': {
    ...withItem(difference({ quantity: 1.5, billable: 1.5 })),
    summary: { today: 3 },
  },
  'a rate that is a string': { ...withItem({ rate: '10' }), summary: { today: 3 } },
  'a total that is not quantity times rate': {
    ...withItem({ total: 70 }),
    summary: { today: 3, recurring: 70 },
  },
  'a larger quantity at a lower total': {
    ...withItem(difference({ quantity: 3, total: -5 })),
    summary: { today: 3 },
  },
  'a smaller quantity at a higher total': {
    ...withItem(difference({ quantity: -3, total: 5 })),
    summary: { today: 3 },
  },
  'the same quantity at a higher total': {
    ...withItem(difference({ quantity: 0, total: 5 })),
    summary: { today: 3 },
  },
  'a larger quantity with fewer billable units': {
    ...withItem(difference({ quantity: 3, billable: -3 })),
    summary: { today: 3 },
  },
  'a difference other than the total of a new item': {
    ...withItem({ ...difference({ quantity: 5, total: 1 }) }),
    summary: { today: 3 },
  },
};

it.each(Object.entries(unknown))('has an unknown estimate for %s', (_, changed) => {
  expect(estimateOf(changed, invoice)).toBe('unknown');
  expect(estimateOf(invoice, changed)).toBe('unknown');
});
