import { compare, type Decimal, decimal, format, minus, plus, times, zero } from '../../../base/decimal.ts';
import { Failure } from '../../../base/failure.ts';
import { isObject, type Json, type JsonObject, valueAt } from '../../../base/json.ts';
import { counted } from '../../../base/wording.ts';
import type { Context } from '../../../command/context.ts';
import { operationById } from '../../../contract/catalogue.ts';
import type { Change, Plan } from '../../../manifest/plan.ts';
import type { ShownCharges, ShownPrice } from '../../../manifest/shown-plan.ts';
import { amount, countText, whole } from '../../charges/charges.ts';

/**
 * Returns what more trunks of a plan would cost by the prices that the service tells the account (Conventions, service
 * plans). Nothing where no step adds some, where the service does not tell, and for an item whose price is made in a
 * way that is not understood: a price is never guessed.
 */
export async function listedPrices(
  context: Context,
  { account, steps }: Plan,
): Promise<readonly ShownPrice[]> {
  const raised = steps.flatMap(({ key, mayCost, by, changes }) =>
    mayCost && by !== undefined ? changes.flatMap((change) => raisedBy(key, change)) : [],
  );
  if (raised.length === 0 || account.id === undefined) return [];
  const invoices = await invoicesOf(context, account.id);
  return raised.flatMap((each) => priceIn(invoices, each));
}

/** A field that a plan raises, and by how many. */
interface Raised {
  readonly key: string;
  readonly path: string;
  readonly before: Decimal;
  readonly added: Decimal;
}

function raisedBy(key: string, { path, before, after }: Change): readonly Raised[] {
  const [old, now] = [whole(before ?? 0), whole(after)];
  const added = old && now && minus(now, old);
  return added && compare(added, zero) > 0 ? [{ key, path, before: old, added }] : [];
}

/** Bills as the service would make them now; none where it does not offer that, or not to everybody. */
async function invoicesOf(context: Context, accountId: string): Promise<readonly JsonObject[]> {
  try {
    const api = await context.api();
    const { data } = await api.call({
      operation: operationById('services.summary'),
      path: { account_id: accountId },
    });
    const { invoices } = isObject(data) ? data : {};
    return Array.isArray(invoices) ? invoices.filter(isObject) : [];
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted') return [];
    throw error;
  }
}

/** Keys of a plan's item with which a price is understood; any other can change it. */
const understood = new Set([
  ...['rate', 'activation_charge', 'minimum', 'discounts', 'prorate', 'taxes', 'name'],
]);
const discounts = new Set(['single.rate', 'cumulative.rate', 'cumulative.maximum']);

/** The price of what is added, where exactly one bill names one that is understood. */
function priceIn(
  invoices: readonly JsonObject[],
  { key, path, before, added }: Raised,
): readonly ShownPrice[] {
  const named = invoices.flatMap((invoice) => {
    const item = valueAt(invoice, `plan.limits.${path}`);
    return isObject(item) ? [{ item, quantity: quantityIn(invoice, path) ?? before }] : [];
  });
  const [found] = named;
  if (found === undefined || named.length > 1) return [];
  const { item, quantity } = found;
  const rate = amount(item.rate);
  const [old, now] = [billOf(item, quantity), billOf(item, plus(quantity, added))];
  const once = times(added, amount(item.activation_charge) ?? zero);
  if (rate === undefined || old === undefined || now === undefined) return [];
  return [
    {
      ...{ key, path, added: Number(countText(added)), rate: format(rate) },
      recurring: format(minus(now, old)),
      ...(compare(once, zero) > 0 ? { once: format(once) } : {}),
    },
  ];
}

/** The number of an item that is billed now. */
function quantityIn({ items }: JsonObject, path: string): Decimal | undefined {
  const found = (Array.isArray(items) ? items.filter(isObject) : []).find(
    ({ category, item }) => category === 'limits' && item === path,
  );
  return whole(found?.quantity);
}

/** Returns the price of so many of an item with each bill (Conventions, How a charge is computed); `undefined`: not understood. */
function billOf(item: JsonObject, quantity: Decimal): Decimal | undefined {
  const off = leavesOf(item.discounts);
  const isKnown =
    Object.keys(item).every((key) => understood.has(key)) &&
    [...off.keys()].every((key) => discounts.has(key));
  const numbers = [item.rate, item.minimum, item.activation_charge, ...off.values()];
  if (!isKnown || numbers.some((value) => value !== undefined && amount(value) === undefined))
    return undefined;
  const of = (value: Json | undefined): Decimal => amount(value) ?? zero;
  const [rate, minimum] = [of(item.rate), of(item.minimum)];
  const billable = compare(quantity, minimum) < 0 ? minimum : quantity;
  const most = of(off.get('cumulative.maximum'));
  const units = compare(billable, most) < 0 ? billable : most;
  const isPriced = compare(rate, zero) > 0 && compare(billable, zero) > 0;
  const single = isPriced ? of(off.get('single.rate')) : zero;
  return minus(minus(times(billable, rate), single), times(units, of(off.get('cumulative.rate'))));
}

/** Values of objects in an object, by `key.key`. */
const leavesOf = (value: Json | undefined): ReadonlyMap<string, Json> =>
  new Map(
    Object.entries(isObject(value) ? value : {}).flatMap(([key, inner]): readonly [string, Json][] =>
      isObject(inner)
        ? Object.entries(inner).map(([leaf, each]) => [`${key}.${leaf}`, each ?? null])
        : [[key, inner ?? null]],
    ),
  );

/** `twoway_trunks: 4 more at 20.00 each, 78.00 with each bill and 4.00 once (an estimate by the service's prices)` */
function priceText({ path, added, rate, recurring, once }: ShownPrice): string {
  const due = once === undefined ? '' : ` and ${once} once`;
  return `${path}: ${added} more at ${rate} each, ${recurring} with each bill${due} (an estimate by the service's prices, before taxes).`;
}

/** Adds up prices, of one account or of many. */
export function priceSum() {
  let accounts = 0;
  let recurring = zero;
  let once = zero;
  return {
    /** Adds the prices of one account. */
    add(prices: readonly ShownPrice[]): void {
      if (prices.length > 0) accounts += 1;
      for (const price of prices) {
        recurring = plus(recurring, decimal(price.recurring) ?? zero);
        once = plus(once, decimal(price.once ?? '0') ?? zero);
      }
    },
    /** The sums; `undefined` where nothing has a price. */
    get charges(): ShownCharges | undefined {
      if (accounts === 0) return undefined;
      const due = compare(once, zero) > 0 ? { once: format(once) } : {};
      return { accounts, recurring: format(recurring), ...due };
    },
  };
}

/** The sums of one account. */
export function chargesOf(prices: readonly ShownPrice[]): ShownCharges | undefined {
  const sum = priceSum();
  sum.add(prices);
  if (sum.charges === undefined) return undefined;
  const { accounts: _, ...charges } = sum.charges;
  return charges;
}

/** Prices of one account in words, with their sum where there are several. */
export function pricesTexts(prices: readonly ShownPrice[]): readonly string[] {
  const charges = prices.length > 1 ? chargesOf(prices) : undefined;
  return [...prices.map(priceText), ...(charges ? [chargesText(charges)] : [])];
}

/** `In 7 accounts together: 78.00 with each bill and 4.00 once (an estimate …).` */
export function chargesText({ accounts, recurring, once }: ShownCharges): string {
  const where = accounts === undefined ? 'Together' : `In ${counted(accounts, 'account')} together`;
  const due = once === undefined ? '' : ` and ${once} once`;
  return `${where}: ${recurring} with each bill${due} (an estimate by the service's prices, before taxes).`;
}
