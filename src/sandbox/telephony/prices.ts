import { isObject, type Json, type JsonObject, valueAt } from '../../base/json.ts';
import { textAt } from '../fields.ts';
import { accountName, isSuper } from '../identity/principal.ts';
import { forbidden } from '../refusal.ts';
import { accountOf, type Call, principalOf } from '../requests/call.ts';

/** The cost of one unit of an item, in the units of the price list, and the discounts on it. */
export interface Price {
  readonly rate: number;
  /** Due once for each unit that is added. */
  readonly activationCharge?: number;
  /** Minimum number that is billed. */
  readonly minimum?: number;
  /** Taken off once. */
  readonly singleDiscount?: number;
  /** Taken off for each of the first `units`. */
  readonly cumulativeDiscount?: { readonly units: number; readonly rate: number };
  /** The item of the plan that says so. */
  readonly plan?: JsonObject;
}

/** Prices by category and item. What is not in it is free. */
export type PriceList = Readonly<Record<string, Readonly<Record<string, Price>>>>;

/** The price list of a sandbox that is told no other. */
export const usualPrices: PriceList = {
  limits: {
    twoway_trunks: { rate: 25 },
    inbound_trunks: { rate: 10 },
    outbound_trunks: { rate: 10, singleDiscount: 5, cumulativeDiscount: { units: 2, rate: 1.5 } },
  },
};

/** Item of a category that prices all others of it. */
const allItems = '_all';

/** The price of an item; `undefined` where it is free. */
export function priceOf(prices: PriceList, category: string, item: string): Price | undefined {
  const items = Object.hasOwn(prices, category) ? prices[category] : undefined;
  if (items === undefined) return undefined;
  return Object.hasOwn(items, item) ? items[item] : items[allItems];
}

/** The prices of an account: the usual ones, and what its service plans and overrides say instead. */
export function accountPrices(usual: PriceList, services: JsonObject | undefined): PriceList {
  if (services === undefined) return usual;
  const plans = isObject(services.plans) ? Object.values(services.plans) : [];
  const trees = [...plans.map((plan) => (isObject(plan) ? plan.overrides : undefined)), services.overrides];
  return trees.reduce<PriceList>(withTree, usual);
}

/** A price list with what a tree of categories and items says instead. */
function withTree(prices: PriceList, tree: Json | undefined): PriceList {
  const changed = new Map(Object.entries(prices));
  for (const [category, items] of Object.entries(isObject(tree) ? tree : {}))
    if (isObject(items)) changed.set(category, { ...changed.get(category), ...itemsIn(items) });
  return Object.fromEntries(changed);
}

const itemsIn = (items: JsonObject): Readonly<Record<string, Price>> =>
  Object.fromEntries(
    Object.entries(items).flatMap(([item, price]) =>
      isObject(price) ? [[item, priceIn(price)] as const] : [],
    ),
  );

/** An item of a plan (Conventions, Plan record and item). */
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

/** Refuses (403) all but those who may change what an account is charged for (Conventions, Roles). */
export async function refuseUnlessReseller(call: Call, what: 'limits' | 'services'): Promise<void> {
  const { setBy } = call.services.behaviour[what];
  if (setBy === 'anyone') return;
  const caller = principalOf(call);
  const account = accountOf(call);
  const parent = textAt(account.hidden, 'parent');
  const above = parent === undefined ? undefined : await call.services.store.get(accountName(parent));
  const isReseller = textAt(account.hidden, 'reseller_id') === caller.account.id;
  const isTopLevel = setBy === 'resellers' && above?.hidden.master === true;
  if (isSuper(caller) || isReseller || isTopLevel) return;
  throw forbidden(`Only the reseller of the account may change its ${what}.`);
}
