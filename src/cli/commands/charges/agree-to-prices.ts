import {
  addDecimals,
  compareDecimals,
  type Decimal,
  multiplyDecimals,
  parseDecimal,
  subtractDecimals,
  zeroDecimal,
} from '../../../base/decimal.ts';
import { Failure } from '../../../base/failure.ts';
import { formatCount, quoteName } from '../../../base/wording.ts';
import type { Plan } from '../../../engine/manifest/plan.ts';
import type { ShownPrice } from '../../../engine/manifest/shown-plan.ts';
import type { AskedCharges, Consent, Context } from '../../command/context.ts';
import {
  type Charge,
  categoryOf,
  chargeNotes,
  chargesQuestion,
  chargesTable,
  sumCharges,
} from './charges.ts';

interface Priced {
  readonly plan: Pick<Plan, 'account'>;
  readonly prices?: readonly ShownPrice[];
  readonly unpriced?: number;
}

/**
 * Asks once, before the first change, for all charges that plans add by the prices of the service. The consent covers
 * the shown lines. Returns `undefined` if no change has a price, there is no terminal, or an option already decides.
 * Throws `charges` if the answer is no.
 */
export async function agreeToPrices(
  { ask, notices, options }: Pick<Context, 'ask' | 'notices' | 'options'>,
  accounts: readonly Priced[],
): Promise<Consent | undefined> {
  const priced = accounts.filter(({ prices = [] }) => prices.length > 0);
  if (options.consent.kind !== 'ask' || !ask.available || priced.length === 0) return undefined;
  const shown = priced.map(({ plan, prices = [] }) => ({
    account: quoteName(plan.account.name),
    lines: prices.map(chargeFromPrice),
  }));
  for (const { account, lines } of shown) {
    notices.say([`By the prices of the service the changes add charges in ${account}:`, '']);
    notices.table(chargesTable(sumCharges(lines)));
    notices.say('');
  }
  const all = sumCharges(shown.flatMap(({ lines }) => lines));
  for (const note of chargeNotes(all)) notices.say(note);
  const unpriced = accounts.reduce((sum, each) => sum + (each.unpriced ?? 0), 0);
  if (unpriced > 0) notices.say(unpricedText(unpriced));
  if (!(await ask.confirmExplicitly(chargesQuestion(all, shown.map(({ account }) => account).join(', ')))))
    throw new Failure('charges', 'The charges were not accepted. Nothing changed.', {
      hint: 'No changes were made.',
    });
  return consentToLines(shown.flatMap(({ account, lines }) => lines.map((line) => ({ ...line, account }))));
}

/** Formats `2 changes may cost; their price is known only when they are sent.` */
export const unpricedText = (count: number): string =>
  `${formatCount(count, 'change')} may cost; ${count === 1 ? 'its' : 'their'} price is known only when ${count === 1 ? 'it is' : 'they are'} sent.`;

function chargeFromPrice({
  key,
  path,
  added,
  in_all: inAll,
  rate,
  recurring,
  once = '0',
}: ShownPrice): Charge {
  const [count, each, more] = [
    parseDecimal(String(added)) ?? zeroDecimal,
    parseDecimal(rate) ?? zeroDecimal,
    parseDecimal(recurring),
  ];
  const off = more && subtractDecimals(multiplyDecimals(count, each), more);
  return {
    item: path,
    category: categoryOf(key),
    added: count,
    inAll: String(inAll ?? added),
    rate,
    discount: off && compareDecimals(off, zeroDecimal) > 0 ? off : zeroDecimal,
    dueNow: parseDecimal(once),
    recurring: more,
    strange: [],
  };
}

interface RemainingAmount {
  readonly added: Decimal;
  readonly sum: Decimal;
}

const chargeKey = (account: string, { category, item }: Pick<Charge, 'category' | 'item'>): string =>
  JSON.stringify([account, category, item]);

/** Returns a consent to the shown lines. It covers only their items, up to the remaining quantity and sum. */
export function consentToLines(lines: readonly (Charge & { readonly account: string })[]): Consent {
  let left: ReadonlyMap<string, RemainingAmount> = new Map(
    lines.flatMap((line) => {
      const { account, added, dueNow, recurring } = line;
      return added && dueNow && recurring
        ? [[chargeKey(account, line), { added, sum: addDecimals(dueNow, recurring) }] as const]
        : [];
    }),
  );
  return {
    kind: 'shown',
    covers(charges) {
      const taken = amountsUsed(charges);
      const after = taken && subtractAmounts(left, taken);
      if (after === undefined || taken === undefined) return undefined;
      left = after;
      return () => {
        const back = [...taken].map(
          ([key, { added, sum }]) =>
            [
              key,
              { added: subtractDecimals(zeroDecimal, added), sum: subtractDecimals(zeroDecimal, sum) },
            ] as const,
        );
        left = subtractAmounts(left, new Map(back)) ?? left;
      };
    },
  };
}

const atLeastZero = (amount: Decimal): Decimal =>
  compareDecimals(amount, zeroDecimal) > 0 ? amount : zeroDecimal;

/** Returns the amounts that charges use of each line, or `undefined` if telctl does not understand all charges. */
function amountsUsed({
  account,
  items,
  estimate,
}: AskedCharges): ReadonlyMap<string, RemainingAmount> | undefined {
  const taken = new Map<string, RemainingAmount>();
  if (estimate === undefined) return undefined;
  for (const item of items) {
    const [added, due, more] = [item.added, item.dueNow, item.recurring].map((text) =>
      parseDecimal(text ?? ''),
    );
    if (!added || !due || !more) return undefined;
    const sum = addDecimals(due, more);
    const key = chargeKey(account, item);
    const before = taken.get(key) ?? { added: zeroDecimal, sum: zeroDecimal };
    // Removed amounts are not subtracted from added amounts.
    taken.set(key, {
      added: addDecimals(before.added, atLeastZero(added)),
      sum: addDecimals(before.sum, atLeastZero(sum)),
    });
  }
  return taken;
}

function subtractAmounts(
  left: ReadonlyMap<string, RemainingAmount>,
  taken: ReadonlyMap<string, RemainingAmount>,
): ReadonlyMap<string, RemainingAmount> | undefined {
  const after = new Map(left);
  for (const [key, { added, sum }] of taken) {
    const there = after.get(key) ?? { added: zeroDecimal, sum: zeroDecimal };
    const rest = { added: subtractDecimals(there.added, added), sum: subtractDecimals(there.sum, sum) };
    if (compareDecimals(rest.added, zeroDecimal) < 0 || compareDecimals(rest.sum, zeroDecimal) < 0)
      return undefined;
    after.set(key, rest);
  }
  return after;
}
