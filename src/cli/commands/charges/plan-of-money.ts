import { compare, type Decimal, decimal, minus, plus, times, zero } from '../../../base/decimal.ts';
import { Failure } from '../../../base/failure.ts';
import { counted, quoted } from '../../../base/wording.ts';
import type { Plan } from '../../../engine/manifest/plan.ts';
import type { ShownPrice } from '../../../engine/manifest/shown-plan.ts';
import type { AskedCharges, Consent, Context } from '../../command/context.ts';
import { type Charge, categoryOf, chargesOf, chargesQuestion, chargesTable, notesOn } from './charges.ts';

/** A plan, and what the service's prices make of it. */
interface Priced {
  readonly plan: Pick<Plan, 'account'>;
  readonly prices?: readonly ShownPrice[];
  /** Number of changes that may cost, and of which the service tells no price. */
  readonly unpriced?: number;
}

/**
 * Asks once for everything that plans add by the prices of the service, before anything is sent. The answer
 * holds for the lines shown. `undefined` where nothing has a price, nobody can be asked, or the command line
 * says it already. Throws `Failure` of kind `charges` if the answer is no.
 */
export async function agreeToPrices(
  { ask, notices, options }: Pick<Context, 'ask' | 'notices' | 'options'>,
  accounts: readonly Priced[],
): Promise<Consent | undefined> {
  const priced = accounts.filter(({ prices = [] }) => prices.length > 0);
  if (options.consent.kind !== 'ask' || !ask.available || priced.length === 0) return undefined;
  const shown = priced.map(({ plan, prices = [] }) => ({
    account: quoted(plan.account.name),
    lines: prices.map(chargeOf),
  }));
  for (const { account, lines } of shown) {
    notices.say([`By the prices of the service the changes add charges in ${account}:`, '']);
    notices.table(chargesTable(chargesOf(lines)));
    notices.say('');
  }
  const all = chargesOf(shown.flatMap(({ lines }) => lines));
  for (const note of notesOn(all)) notices.say(note);
  const unpriced = accounts.reduce((sum, each) => sum + (each.unpriced ?? 0), 0);
  if (unpriced > 0) notices.say(unpricedText(unpriced));
  if (!(await ask.confirmExplicitly(chargesQuestion(all, shown.map(({ account }) => account).join(', ')))))
    throw new Failure('charges', 'The charges were not accepted. Nothing changed.', {
      hint: 'Everything is as it was.',
    });
  return consentTo(shown.flatMap(({ account, lines }) => lines.map((line) => ({ ...line, account }))));
}

/** `2 changes may cost; their price is known only when they are sent.` */
export const unpricedText = (count: number): string =>
  `${counted(count, 'change')} may cost; ${count === 1 ? 'its' : 'their'} price is known only when ${count === 1 ? 'it is' : 'they are'} sent.`;

function chargeOf({ key, path, added, in_all: inAll, rate, recurring, once = '0' }: ShownPrice): Charge {
  const [count, each, more] = [decimal(String(added)) ?? zero, decimal(rate) ?? zero, decimal(recurring)];
  const off = more && minus(times(count, each), more);
  return {
    item: path,
    category: categoryOf(key),
    added: count,
    inAll: String(inAll ?? added),
    rate,
    discount: off && compare(off, zero) > 0 ? off : zero,
    dueNow: decimal(once),
    recurring: more,
    strange: [],
  };
}

/** What is left of a line that was accepted. */
interface Left {
  readonly added: Decimal;
  readonly sum: Decimal;
}

const chargeKey = (account: string, { category, item }: Pick<Charge, 'category' | 'item'>): string =>
  JSON.stringify([account, category, item]);

/** A consent to lines that were shown: to no other item, no more of one, and no higher sum than is left. */
export function consentTo(lines: readonly (Charge & { readonly account: string })[]): Consent {
  let left: ReadonlyMap<string, Left> = new Map(
    lines.flatMap((line) => {
      const { account, added, dueNow, recurring } = line;
      return added && dueNow && recurring
        ? [[chargeKey(account, line), { added, sum: plus(dueNow, recurring) }] as const]
        : [];
    }),
  );
  return {
    kind: 'shown',
    covers(charges) {
      const taken = takenBy(charges);
      const after = taken && without(left, taken);
      if (after === undefined || taken === undefined) return undefined;
      left = after;
      return () => {
        const back = [...taken].map(
          ([key, { added, sum }]) => [key, { added: minus(zero, added), sum: minus(zero, sum) }] as const,
        );
        left = without(left, new Map(back)) ?? left;
      };
    },
  };
}

const atLeastZero = (amount: Decimal): Decimal => (compare(amount, zero) > 0 ? amount : zero);

/** Returns what charges take of each line; `undefined` where anything in them is not understood. */
function takenBy({ account, items, estimate }: AskedCharges): ReadonlyMap<string, Left> | undefined {
  const taken = new Map<string, Left>();
  if (estimate === undefined) return undefined;
  for (const item of items) {
    const [added, due, more] = [item.added, item.dueNow, item.recurring].map((text) => decimal(text ?? ''));
    if (!added || !due || !more) return undefined;
    const sum = plus(due, more);
    const key = chargeKey(account, item);
    const before = taken.get(key) ?? { added: zero, sum: zero };
    // What is taken away is not set against what is added.
    taken.set(key, {
      added: plus(before.added, atLeastZero(added)),
      sum: plus(before.sum, atLeastZero(sum)),
    });
  }
  return taken;
}

/** Returns what is left after so much is taken; `undefined` where it is more than there is. */
function without(
  left: ReadonlyMap<string, Left>,
  taken: ReadonlyMap<string, Left>,
): ReadonlyMap<string, Left> | undefined {
  const after = new Map(left);
  for (const [key, { added, sum }] of taken) {
    const there = after.get(key) ?? { added: zero, sum: zero };
    const rest = { added: minus(there.added, added), sum: minus(there.sum, sum) };
    if (compare(rest.added, zero) < 0 || compare(rest.sum, zero) < 0) return undefined;
    after.set(key, rest);
  }
  return after;
}
