import { isObject, type Json, type JsonObject, textAt, valueAt } from '../../../base/json.ts';
import type { Behaviour } from '../behaviour.ts';
import { accountRecordName, isSuper } from '../identity/principal.ts';
import { forbidden } from '../refusal.ts';
import { accountOf, principalOf, type ServiceRequest } from '../requests/service-request.ts';

interface Price {
  readonly rate: number;
  /** Charged once for each added unit. */
  readonly activationCharge?: number;
  readonly minimum?: number;
  /** Deducted once. */
  readonly singleDiscount?: number;
  /** Deducted for each of the first `units`. */
  readonly cumulativeDiscount?: { readonly units: number; readonly rate: number };
  readonly plan?: JsonObject;
}

/** Prices by category and item. Other items are free. */
export type PriceList = Readonly<Record<string, Readonly<Record<string, Price>>>>;

export const defaultPrices: PriceList = {
  limits: {
    twoway_trunks: { rate: 25 },
    inbound_trunks: { rate: 10 },
    outbound_trunks: { rate: 10, singleDiscount: 5, cumulativeDiscount: { units: 2, rate: 1.5 } },
  },
};

/** Price of all other items of a category. */
const allItems = '_all';

function findPrice(prices: PriceList, category: string, item: string): Price | undefined {
  const items = Object.hasOwn(prices, category) ? prices[category] : undefined;
  if (items === undefined) return undefined;
  return Object.hasOwn(items, item) ? items[item] : items[allItems];
}

/** Returns the prices of an account, including those of its service plans and overrides. */
export function accountPrices(usual: PriceList, services: JsonObject | undefined): PriceList {
  if (services === undefined) return usual;
  const plans = isObject(services.plans) ? Object.values(services.plans) : [];
  const trees = [...plans.map((plan) => (isObject(plan) ? plan.overrides : undefined)), services.overrides];
  return trees.reduce<PriceList>(applyOverrides, usual);
}

function applyOverrides(prices: PriceList, tree: Json | undefined): PriceList {
  const changed = new Map(Object.entries(prices));
  for (const [category, items] of Object.entries(isObject(tree) ? tree : {}))
    if (isObject(items)) changed.set(category, { ...changed.get(category), ...parsePrices(items) });
  return Object.fromEntries(changed);
}

const parsePrices = (items: JsonObject): Readonly<Record<string, Price>> =>
  Object.fromEntries(
    Object.entries(items).flatMap(([item, price]) =>
      isObject(price) ? [[item, priceIn(price)] as const] : [],
    ),
  );

/** Parses an item of a plan (Conventions, Plan record and item). */
const priceIn = (item: JsonObject): Price => ({
  rate: amountAt(item, 'rate'),
  activationCharge: amountAt(item, 'activation_charge'),
  minimum: amountAt(item, 'minimum'),
  singleDiscount: amountAt(item, 'discounts.single.rate'),
  cumulativeDiscount: {
    units: amountAt(item, 'discounts.cumulative.maximum'),
    rate: amountAt(item, 'discounts.cumulative.rate'),
  },
  plan: item,
});

function amountAt(item: JsonObject, path: string): number {
  const value = valueAt(item, path);
  return typeof value === 'number' && value >= 0 ? value : 0;
}

/**
 * Returns true if the caller can change the services of the account: its reseller, the super administrator, and with
 * `countsTopLevel` everyone in a child of the topmost account.
 */
export async function administersServices(call: ServiceRequest, countsTopLevel = true): Promise<boolean> {
  const caller = principalOf(call);
  const account = accountOf(call);
  const parent = textAt(account.hidden, 'parent');
  const above = parent === undefined ? undefined : await call.services.store.get(accountRecordName(parent));
  const isReseller = textAt(account.hidden, 'reseller_id') === caller.account.id;
  return isSuper(caller) || isReseller || (countsTopLevel && above?.hidden.master === true);
}

/** Refuses (403) callers that cannot change the charges of an account (Conventions, Roles). */
export async function refuseUnlessReseller(call: ServiceRequest, what: 'limits' | 'services'): Promise<void> {
  const { setBy } = call.services.behaviour[what];
  if (setBy === 'anyone' || (await administersServices(call, setBy === 'resellers'))) return;
  throw forbidden(`Only the reseller of the account may change its ${what}.`);
}

/** An item of an account, with its total quantity and the quantity that a change adds. */
export interface PricedItem {
  readonly category: string;
  readonly item: string;
  readonly quantity: number;
  readonly added: number;
  readonly price: Price;
}

export type Quantities = ReadonlyMap<string, number>;

export function pricedItems(
  prices: PriceList,
  category: string,
  before: Quantities,
  after: Quantities,
): readonly PricedItem[] {
  const items = new Set([...Object.keys(prices[category] ?? {}), ...after.keys(), ...before.keys()]);
  items.delete('_all');
  return [...items].flatMap((item) => {
    const price = findPrice(prices, category, item);
    const quantity = after.get(item) ?? 0;
    return price === undefined
      ? []
      : [{ category, item, quantity, added: quantity - (before.get(item) ?? 0), price }];
  });
}

/** Returns the quantity to pay for, which is at least the minimum of the plan. */
const billedQuantity = (quantity: number, { minimum = 0 }: Price): number => Math.max(quantity, minimum);

const addedBilledQuantity = ({ quantity, added, price }: PricedItem): number =>
  billedQuantity(quantity, price) - billedQuantity(quantity - added, price);

const isCharged = (priced: PricedItem): boolean =>
  (addedBilledQuantity(priced) > 0 && priced.price.rate > 0) ||
  (priced.added > 0 && (priced.price.activationCharge ?? 0) > 0);

/** Returns the `data` of a 402. Returns `undefined` if there are no charges (Conventions, How a charge is computed). */
export function chargesToAccept(
  items: readonly PricedItem[],
  shape: Behaviour['charges']['shape'],
  vendorId: string,
): Json | undefined {
  if (!items.some(isCharged)) return undefined;
  return shape === 'invoices' ? [invoiceOf(items, vendorId)] : itemsOf(items.filter(isCharged));
}

/** Returns the discounts of an item. `units` is the number of units with the cumulative discount. */
function discountsOf(quantity: number, price: Price) {
  const { singleDiscount = 0, cumulativeDiscount = { units: 0, rate: 0 } } = price;
  const units = Math.min(quantity, cumulativeDiscount.units);
  const single = quantity > 0 && price.rate > 0 ? singleDiscount : 0;
  return { single, units, each: units > 0 ? cumulativeDiscount.rate : 0 };
}

/** Formats charges as in the specification: items by category, with activation charges. */
function itemsOf(items: readonly PricedItem[]): JsonObject {
  const categories = Map.groupBy(items, ({ category }) => category);
  const activationCharges = (some: readonly PricedItem[]): JsonObject => {
    const sum = some.reduce((total, { added, price }) => total + added * (price.activationCharge ?? 0), 0);
    return sum > 0 ? { activation_charges: sum } : {};
  };
  return {
    ...Object.fromEntries(
      [...categories].map(([category, some]) => [
        category,
        {
          ...Object.fromEntries(some.map((each) => [each.item, chargeOf(each)])),
          ...activationCharges(some),
        },
      ]),
    ),
    ...activationCharges(items),
  };
}

function chargeOf(priced: PricedItem): JsonObject {
  const { single, units, each } = discountsOf(priced.quantity, priced.price);
  return {
    category: priced.category,
    item: priced.item,
    quantity: priced.quantity,
    rate: priced.price.rate,
    single_discount: single > 0,
    single_discount_rate: single,
    cumulative_discount: units,
    cumulative_discount_rate: each,
  };
}

export function invoiceOf(items: readonly PricedItem[], vendorId: string): JsonObject {
  const activated = items.filter(({ added, price }) => added > 0 && (price.activationCharge ?? 0) > 0);
  const activations = activated.map(({ category, item, added, price: { activationCharge = 0 } }) => ({
    category,
    item,
    name: `${category}/${item}`,
    billable: added,
    rate: activationCharge,
    total: added * activationCharge,
  }));
  const lines = items.map(invoiceLine);
  const sum = (totals: readonly { readonly total: number }[]): number =>
    totals.reduce((all, { total }) => all + total, 0);
  return {
    activation_charges: activations,
    bookkeeper: { id: 'default_bookkeeper', type: 'default', vendor_id: vendorId },
    items: lines,
    plan: planOf(items),
    summary: { recurring: sum(lines), today: sum(activations) },
    taxes: [],
  };
}

function invoiceLine(priced: PricedItem) {
  const { category, item, quantity, added, price } = priced;
  const { single, units, each } = discountsOf(quantity, price);
  const moreUnits = units - discountsOf(quantity - added, price).units;
  const billable = billedQuantity(quantity, price);
  const off = single + units * each;
  const discounts = {
    ...(single > 0 ? { single: { rate: single } } : {}),
    ...(units > 0 ? { cumulative: { quantity: units, rate: each } } : {}),
    total: off,
  };
  return {
    billable,
    category,
    ...(added === 0
      ? {}
      : {
          changes: {
            difference: {
              billable: addedBilledQuantity(priced),
              quantity: added,
              ...(moreUnits === 0 ? {} : { discounts: { cumulative: { quantity: moreUnits } } }),
            },
            type: 'modified',
          },
        }),
    ...(off > 0 ? { discounts } : {}),
    item,
    ...(quantity > 0 ? { maximum: quantity } : {}),
    ...(price.minimum ? { minimum: price.minimum } : {}),
    name: `${category}/${item}`,
    prorate: { additions: true, removals: true },
    quantity,
    rate: price.rate,
    total: billable * price.rate - off,
  };
}

function planItem(price: Price): JsonObject {
  const { rate, activationCharge, minimum, singleDiscount, cumulativeDiscount: each } = price;
  const discounts = {
    ...(singleDiscount ? { single: { rate: singleDiscount } } : {}),
    ...(each ? { cumulative: { maximum: each.units, rate: each.rate } } : {}),
  };
  return {
    rate,
    ...(activationCharge ? { activation_charge: activationCharge } : {}),
    ...(minimum ? { minimum } : {}),
    ...(Object.keys(discounts).length > 0 ? { discounts } : {}),
  };
}

function planOf(items: readonly PricedItem[]): JsonObject {
  const categories = Map.groupBy(items, ({ category }) => category);
  return Object.fromEntries(
    [...categories].map(([category, some]) => [
      category,
      Object.fromEntries(some.map(({ item, price }) => [item, price.plan ?? planItem(price)])),
    ]),
  );
}

export const quantitiesIn = (limits: JsonObject): Quantities =>
  new Map(
    Object.keys(limits).flatMap((item) => {
      const value = valueAt(limits, item);
      return typeof value === 'number' ? [[item, value] as const] : [];
    }),
  );
