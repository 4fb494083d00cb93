import { compare, decimal, format, plus, zero } from '../../../base/decimal.ts';
import { Failure } from '../../../base/failure.ts';
import { counted } from '../../../base/wording.ts';
import type { Rollout } from '../../../engine/state/rollouts.ts';
import type { Consent, Context } from '../../command/context.ts';

/** Counts deletions for a whole rollout before they are sent. Throws `Failure` of kind `refused` beyond its limit. */
export async function countDeletes(
  context: Context,
  { id, maxDeletesTotal }: Rollout,
  more: number,
): Promise<void> {
  const { rollouts } = await context.state();
  const added = await rollouts.change(id, ({ deletes }) =>
    deletes + more > maxDeletesTotal ? undefined : { deletes: deletes + more },
  );
  if (added !== undefined) return;
  throw new Failure(
    'refused',
    `The rollout would delete more than ${counted(maxDeletesTotal, 'object')} in all accounts. Nothing was sent to this one.`,
    { hint: 'If that is meant, start it with a higher --max-deletes-total.' },
  );
}

/**
 * The context whose charges are those of a whole rollout: what one account accepts, no other one has left, on whatever
 * machine it is.
 */
export function charging(context: Context, own: Context, { id, charges }: Rollout): Context {
  const budget = typeof charges === 'string' ? undefined : decimal(charges.upTo);
  const consent: Consent =
    charges === 'none'
      ? { kind: 'ask' }
      : {
          kind: 'decide',
          async decide({ estimate }) {
            const amount = estimate === undefined ? undefined : decimal(estimate);
            if (amount === undefined) return budget === undefined;
            const { rollouts } = await context.state();
            const taken = await rollouts.change(id, ({ charged }) => {
              const sum = plus(decimal(charged) ?? zero, amount);
              return budget !== undefined && compare(sum, budget) > 0 ? undefined : { charged: format(sum) };
            });
            return taken !== undefined;
          },
        };
  return { ...own, bulkApi: (name) => own.bulkApi(name, { recorded: false, consent }) };
}
