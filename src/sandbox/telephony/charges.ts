import { type Json, type JsonObject, valueAt } from '../../contract/json.ts';

/** What one unit of an item costs, in the units of the price list, and what is taken off. */
export interface Price {
  readonly rate: number;
  /** Taken off once. */
  readonly singleDiscount?: number;
  /** Taken off for each of the first `units`. */
  readonly cumulativeDiscount?: { readonly units: number; readonly rate: number };
}

/** Prices by field of the limits record. What is not in it is free. */
export type PriceList = Readonly<Record<string, Price>>;

/** The price list of a sandbox that is told no other. */
export const usualPrices: PriceList = {
  twoway_trunks: { rate: 25 },
  inbound_trunks: { rate: 10 },
  outbound_trunks: { rate: 10, singleDiscount: 5, cumulativeDiscount: { units: 2, rate: 1.5 } },
};

const quantityOf = (limits: JsonObject, item: string): number => {
  const value: Json | undefined = valueAt(limits, item);
  return typeof value === 'number' ? value : 0;
};

/** The charges that a change of limits adds: items that grow and have a price (Errors, rule 1). */
export function addedCharges(before: JsonObject, after: JsonObject, prices: PriceList): JsonObject {
  const charged = Object.entries(prices).flatMap(([item, price]) => {
    const quantity = quantityOf(after, item);
    if (price.rate <= 0 || quantity <= quantityOf(before, item)) return [];
    const { singleDiscount = 0, cumulativeDiscount = { units: 0, rate: 0 } } = price;
    const discounted = Math.min(quantity, cumulativeDiscount.units);
    return [
      [
        item,
        {
          category: 'limits',
          item,
          quantity,
          rate: price.rate,
          single_discount: singleDiscount > 0,
          single_discount_rate: singleDiscount,
          cumulative_discount: discounted,
          cumulative_discount_rate: discounted > 0 ? cumulativeDiscount.rate : 0,
        },
      ] as const,
    ];
  });
  return Object.fromEntries(charged);
}
