import type { StoredRecord } from '../store/store.ts';

/**
 * Numbers that the sandbox's own carrier sells: of each area code of North America a hundred of the 555 exchange, which
 * leads nowhere.
 */
const inStock = /^\+1[2-9]\d\d55501\d\d$/;
const hundred = Array.from({ length: 100 }, (_, index) => `55501${String(index).padStart(2, '0')}`);

/** Numbers of the stock that begin so: an area code, with the country before it or not, and digits after it. */
export function stockFrom(prefix: string): readonly string[] {
  const [, area, begin = ''] = /^(?:\+?1)?([2-9]\d\d)(\d{0,7})$/.exec(prefix) ?? [];
  return area === undefined
    ? []
    : hundred.filter((rest) => rest.startsWith(begin)).map((rest) => `+1${area}${rest}`);
}

/** The record of a number of the stock before somebody has it; `undefined` for any other number. */
export const fromStock = (id: string): StoredRecord | undefined =>
  inStock.test(id)
    ? {
        ...{ kind: 'numbers', scope: '', id, body: { state: 'discovery' }, hidden: {} },
        ...{ createdAt: 0, modifiedAt: 0, revision: 0 },
      }
    : undefined;
