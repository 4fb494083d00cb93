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
import { Failure } from '../../../base/failure.ts';
import {
  isObject,
  type Json,
  type JsonObject,
  objectsIn,
  textOrUndefined,
  valueAt,
} from '../../../base/json.ts';
import { formatCount } from '../../../base/wording.ts';
import { operationById } from '../../../contract/catalogue.ts';
import type { Change, Plan, Step } from '../../../engine/manifest/plan.ts';
import type { ShownCharges, ShownPrice } from '../../../engine/manifest/shown-plan.ts';
import type { Context } from '../../command/context.ts';
import { categoryOf, countText, pricedAs, readAmount, wholeAmount } from './charges.ts';

/**
 * Returns the added costs of a plan by the service's prices (Conventions, service plans), over all steps. Counts
 * items that may cost but have no price that telctl understands. Never guesses a price.
 */
export async function listedPrices(
  context: Context,
  plan: Plan,
): Promise<{ readonly prices: readonly ShownPrice[]; readonly unpriced: number }> {
  const added = addedItems(plan);
  const { id } = plan.account;
  const invoices = added.length === 0 || id === undefined ? [] : await readCurrentBills(context, id);
  if (invoices.length === 0) {
    const may = plan.steps.filter(({ mayCost, by }) => mayCost && by !== undefined);
    return { prices: [], unpriced: may.length };
  }
  const prices = added.map((each) => priceIn(invoices, each));
  return {
    prices: prices.filter((price) => typeof price === 'object'),
    unpriced: prices.filter((price) => price === 'unknown').length,
  };
}

/** Returns no bills if the service does not offer them to the user. */
async function readCurrentBills(context: Context, accountId: string): Promise<readonly JsonObject[]> {
  try {
    const api = await context.api();
    const { data } = await api.call({
      operation: operationById('services.summary'),
      path: { account_id: accountId },
    });
    const { invoices } = isObject(data) ? data : {};
    return objectsIn(invoices);
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted') return [];
    throw error;
  }
}

/** Keys of a plan's item that telctl understands. Any other key could change the price. */
const knownPriceKeys = new Set([
  'rate',
  'activation_charge',
  'minimum',
  'discounts',
  'prorate',
  'taxes',
  'name',
]);
const discounts = new Set(['single.rate', 'cumulative.rate', 'cumulative.maximum']);

/** Returns the price of an addition if exactly one bill has a price that telctl understands. */
function priceIn(
  invoices: readonly JsonObject[],
  { kind, category, item: name, added, before }: AddedItem,
): ShownPrice | 'unknown' | undefined {
  const named = invoices.flatMap((invoice) => {
    const items = valueAt(invoice, `plan.${category}`);
    const item = isObject(items) ? (items[name] ?? items._all) : undefined;
    return isObject(item) ? [{ item, quantity: quantityIn(invoice, category, name) ?? before }] : [];
  });
  const [found] = named;
  if (found === undefined) return undefined;
  if (named.length > 1 || found.quantity === undefined) return 'unknown';
  const { item, quantity } = found;
  const rate = readAmount(item.rate);
  const then = addDecimals(quantity, added);
  const [old, now] = [billedAmount(item, quantity), billedAmount(item, then)];
  const once = multiplyDecimals(added, readAmount(item.activation_charge) ?? zeroDecimal);
  if (rate === undefined || old === undefined || now === undefined) return 'unknown';
  const recurring = subtractDecimals(now, old);
  if (
    category !== 'limits' &&
    compareDecimals(recurring, zeroDecimal) === 0 &&
    compareDecimals(once, zeroDecimal) === 0
  )
    return undefined;
  return {
    key: kind,
    path: name,
    added: Number(countText(added)),
    in_all: Number(countText(then)),
    rate: formatDecimal(rate),
    recurring: formatDecimal(recurring),
    ...(compareDecimals(once, zeroDecimal) > 0 ? { once: formatDecimal(once) } : {}),
  };
}

function quantityIn({ items }: JsonObject, category: string, name: string): Decimal | undefined {
  const found = objectsIn(items).find((each) => each.category === category && each.item === name);
  return wholeAmount(found?.quantity);
}

/** Returns the price with each bill (Conventions, How a charge is computed), or `undefined` if it is unknown. */
function billedAmount(item: JsonObject, quantity: Decimal): Decimal | undefined {
  const off = leafValues(item.discounts);
  const isKnown =
    Object.keys(item).every((key) => knownPriceKeys.has(key)) &&
    [...off.keys()].every((key) => discounts.has(key));
  const numbers = [item.rate, item.minimum, item.activation_charge, ...off.values()];
  if (!isKnown || numbers.some((value) => value !== undefined && readAmount(value) === undefined))
    return undefined;
  const amountOrZero = (value: Json | undefined): Decimal => readAmount(value) ?? zeroDecimal;
  const [rate, minimum] = [amountOrZero(item.rate), amountOrZero(item.minimum)];
  const billable = compareDecimals(quantity, minimum) < 0 ? minimum : quantity;
  const most = amountOrZero(off.get('cumulative.maximum'));
  const units = compareDecimals(billable, most) < 0 ? billable : most;
  const isPriced = compareDecimals(rate, zeroDecimal) > 0 && compareDecimals(billable, zeroDecimal) > 0;
  const single = isPriced ? amountOrZero(off.get('single.rate')) : zeroDecimal;
  return subtractDecimals(
    subtractDecimals(multiplyDecimals(billable, rate), single),
    multiplyDecimals(units, amountOrZero(off.get('cumulative.rate'))),
  );
}

const leafValues = (value: Json | undefined): ReadonlyMap<string, Json> =>
  new Map(
    Object.entries(isObject(value) ? value : {}).flatMap(([key, inner]): readonly [string, Json][] =>
      isObject(inner)
        ? Object.entries(inner).map(([leaf, each]) => [`${key}.${leaf}`, each ?? null])
        : [[key, inner ?? null]],
    ),
  );

/** `78.00 with each bill and 4.00 once (an estimate by the service's prices, before taxes).` */
const amountsText = ({ recurring, once }: Pick<ShownCharges, 'recurring' | 'once'>): string =>
  `${recurring} with each bill${once === undefined ? '' : ` and ${once} once`} (an estimate by the service's prices, before taxes).`;

export function priceSum() {
  let accounts = 0;
  let recurring = zeroDecimal;
  let once = zeroDecimal;
  return {
    add(prices: readonly ShownPrice[]): void {
      if (prices.length > 0) accounts += 1;
      for (const price of prices) {
        recurring = addDecimals(recurring, parseDecimal(price.recurring) ?? zeroDecimal);
        once = addDecimals(once, parseDecimal(price.once ?? '0') ?? zeroDecimal);
      }
    },
    get charges(): ShownCharges | undefined {
      if (accounts === 0) return undefined;
      const due = compareDecimals(once, zeroDecimal) > 0 ? { once: formatDecimal(once) } : {};
      return { accounts, recurring: formatDecimal(recurring), ...due };
    },
  };
}

export function sumPrices(prices: readonly ShownPrice[]): ShownCharges | undefined {
  const sum = priceSum();
  sum.add(prices);
  if (sum.charges === undefined) return undefined;
  const { accounts: _, ...charges } = sum.charges;
  return charges;
}

/** Formats the prices of one account, with a sum if there are several. */
export function pricesTexts(prices: readonly ShownPrice[]): readonly string[] {
  const charges = prices.length > 1 ? sumPrices(prices) : undefined;
  const texts = prices.map(
    (price) => `${price.path}: ${price.added} more at ${price.rate} each, ${amountsText(price)}`,
  );
  return [...texts, ...(charges ? [priceSumText(charges)] : [])];
}

/** `In 7 accounts together: 78.00 with each bill and 4.00 once (an estimate …).` */
export function priceSumText(charges: ShownCharges): string {
  const { accounts } = charges;
  const where = accounts === undefined ? 'Together' : `In ${formatCount(accounts, 'account')} together`;
  return `${where}: ${amountsText(charges)}`;
}

interface AddedItem {
  readonly kind: string;
  readonly category: string;
  readonly item: string;
  readonly added: Decimal;
  /** The count before the step. Omitted if the item counts records. */
  readonly before?: Decimal;
}

function addedItems({ steps }: Pick<Plan, 'steps'>): readonly AddedItem[] {
  const items = new Map<string, AddedItem>();
  for (const item of steps.flatMap(stepItems)) {
    const key = JSON.stringify([item.category, item.item]);
    const known = items.get(key);
    items.set(key, known ? { ...known, added: addDecimals(known.added, item.added) } : item);
  }
  return [...items.values()];
}

function stepItems(step: Step): readonly AddedItem[] {
  const { kind, by, mayCost, changes } = step;
  if (by === undefined) return [];
  if (mayCost) return changes.flatMap((change) => raisedField(kind, change));
  const item = recordItem(step);
  return item === undefined ? [] : [{ kind, category: categoryOf(kind), item, added: one }];
}

const one = parseDecimal('1') ?? zeroDecimal;

function raisedField(kind: string, { path, before, after }: Change): readonly AddedItem[] {
  const [old, now] = [wholeAmount(before ?? 0), wholeAmount(after)];
  const added = old && now && subtractDecimals(now, old);
  return added && compareDecimals(added, zeroDecimal) > 0
    ? [{ kind, category: categoryOf(kind), item: path, before: old, added }]
    : [];
}

function recordItem({ kind, by, send, changes, completes, releases }: Step): string | undefined {
  const { field, item } = pricedAs(kind) ?? {};
  if (item === undefined || completes !== undefined || releases !== undefined || by === 'delete')
    return undefined;
  if (by === 'create') return (field === undefined ? undefined : textOrUndefined(send?.[field])) ?? item;
  const change = changes.find(({ path }) => path === field);
  return change && (textOrUndefined(change.after) ?? item);
}
