import {
  addDecimals,
  compareDecimals,
  type Decimal,
  formatDecimal,
  multiplyDecimals,
  subtractDecimals,
  zeroDecimal,
} from '../../../base/decimal.ts';
import { isObject, type Json, type JsonObject } from '../../../base/json.ts';
import {
  type Charge,
  type Charges,
  oneLineText,
  readAmount,
  sumAmounts,
  sumCharges,
  unknownFields,
  wholeAmount,
} from './charges.ts';
import { readInvoices } from './read-invoices.ts';

/** The requested and old counts of a change, which distinguish a total from an added quantity. */
export interface ReplacedCounts {
  readonly resource: string;
  /** `undefined` if the change adds records instead of counts. */
  readonly asked?: JsonObject;
  readonly before: JsonObject;
}

/**
 * Reads the `data` of a 402 in both formats: items by category (Errors, rule 1), or a list of invoices. Returns
 * `undefined` if acceptance does not help, such as when credit or a payment method is missing.
 */
export function readCharges(data: unknown, replaced?: ReplacedCounts): Charges | undefined {
  const charges = Array.isArray(data)
    ? readInvoices(data)
    : isObject(data)
      ? readItems(data, replaced)
      : undefined;
  return charges && charges.lines.length > 0 ? charges : undefined;
}

/** Refusals (402) that consent cannot resolve, such as missing credit (Conventions, Catalogue of errors). */
const unpayable: ReadonlySet<unknown> = new Set([
  'no_credit',
  'not_enough_credit',
  'no_payment_token',
  'billing_issue',
  'service_restriction',
]);

/** Returns the charges of a 402 without items, or `undefined` if it reports a missing payment. */
export const unlistedCharges = (code: string | undefined): Charges | undefined =>
  unpayable.has(code) ? undefined : sumCharges([], ['no items']);

const known = new Set([
  'category',
  'item',
  'quantity',
  'rate',
  'single_discount',
  'single_discount_rate',
  'cumulative_discount',
  'cumulative_discount_rate',
]);

/** Key of one-time amounts, both among the items of a category and among the categories. */
const activation = 'activation_charges';

function readItems(data: JsonObject, replaced: ReplacedCounts | undefined): Charges {
  const categories = Object.entries(data).filter(([key]) => key !== activation);
  const items = categories.flatMap(([category, named]) =>
    isObject(named)
      ? readCategory(category, named, replaced?.resource === category ? replaced : undefined)
      : [],
  );
  const strange = categories.flatMap(([key, value]) =>
    isObject(value) ? [] : [oneLineText(`${key}=${JSON.stringify(value)}`)],
  );
  const { [activation]: all } = data;
  const inItems = sumAmounts(items.map(({ dueNow }) => dueNow));
  if (all === undefined) return sumCharges(items, strange);
  const total = readAmount(all);
  if (total && inItems && compareDecimals(inItems, zeroDecimal) === 0)
    return sumCharges([...items, activationCharge('', all)], strange);
  const isSame = total && inItems && compareDecimals(total, inItems) === 0;
  return sumCharges(
    items,
    isSame ? strange : [...strange, oneLineText(`${activation}=${JSON.stringify(all)}`)],
  );
}

const readCategory = (
  category: string,
  named: JsonObject,
  replaced: ReplacedCounts | undefined,
): readonly Charge[] =>
  Object.entries(named).map(([key, value]) =>
    key === activation
      ? activationCharge(category, value)
      : readCategoryItem(key, isObject(value) ? value : {}, category, replaced),
  );

const activationCharge = (category: string, value: Json | undefined): Charge => ({
  item: 'activation',
  category: oneLineText(category),
  added: undefined,
  inAll: '',
  rate: '',
  discount: zeroDecimal,
  dueNow: readAmount(value),
  recurring: zeroDecimal,
  strange: [],
});

/**
 * Reads one item. The recurring amount is quantity × rate minus discounts, for the new total minus the old count. The
 * single discount applies if the old count is 0, and the cumulative discount to items that did not have it yet.
 */
function readCategoryItem(
  key: string,
  charge: JsonObject,
  category: string,
  replaced: ReplacedCounts | undefined,
): Charge {
  const item = typeof charge.item === 'string' ? charge.item : key;
  const quantity = wholeAmount(charge.quantity);
  const rate = readAmount(charge.rate);
  const old = quantity && replaced && oldCount(item, quantity, replaced);
  const added = quantity && old && subtractDecimals(quantity, old);
  const discount = old && discountOf(charge, old);
  const recurring =
    added && rate && discount ? subtractDecimals(multiplyDecimals(added, rate), discount) : undefined;
  const isPlausible =
    recurring &&
    added &&
    compareDecimals(recurring, zeroDecimal) >= 0 &&
    compareDecimals(added, zeroDecimal) > 0;
  return {
    item: oneLineText(item),
    category: oneLineText(charge.category ?? category),
    added,
    inAll: oneLineText(charge.quantity),
    rate: rate ? formatDecimal(rate) : oneLineText(charge.rate),
    discount,
    dueNow: zeroDecimal,
    recurring: isPlausible ? recurring : undefined,
    strange: unknownFields(charge, known),
  };
}

function oldCount(item: string, quantity: Decimal, { asked, before }: ReplacedCounts): Decimal | undefined {
  const total =
    asked === undefined ? quantity : Object.hasOwn(asked, item) ? wholeAmount(asked[item]) : undefined;
  const old = (Object.hasOwn(before, item) ? before[item] : undefined) ?? 0;
  return total && compareDecimals(total, quantity) === 0 ? wholeAmount(old) : undefined;
}

function discountOf(charge: JsonObject, old: Decimal): Decimal | undefined {
  const { single_discount: hasSingle } = charge;
  const single = readAmount(charge.single_discount_rate);
  const units = wholeAmount(charge.cumulative_discount);
  const each = readAmount(charge.cumulative_discount_rate);
  if (typeof hasSingle !== 'boolean' || !single || !units || units.units < 0n || !each) return undefined;
  const hadSome = compareDecimals(old, zeroDecimal) > 0;
  const more = subtractDecimals(units, compareDecimals(old, units) < 0 ? old : units);
  return addDecimals(hasSingle && !hadSome ? single : zeroDecimal, multiplyDecimals(more, each));
}
