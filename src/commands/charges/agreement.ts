import type { ChargedChange, ChargesPolicy } from '../../api/accept-charges.ts';
import { type Decimal, minus, zero } from '../../base/decimal.ts';
import { Failure } from '../../base/failure.ts';
import { isObject } from '../../base/json.ts';
import type { Consent } from '../../command/context.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import type { FactKeeper } from '../../session/learned-facts.ts';
import { chargesText } from './charges.ts';
import { type Asking, agreeToCharges } from './consent.ts';
import { type Replaced, readCharges } from './read-charges.ts';

/** The account that pays, and what is known of the service that charges. */
export interface Payer {
  /** Names the account that pays, for the question. */
  account(): Promise<string>;
  /** False where nobody can be asked, for one account among many. */
  readonly mayAsk: boolean;
  readonly facts: FactKeeper;
}

/**
 * Makes the agreement of a run, for every account and every request of it: one question at a time, and what was
 * accepted for one request is no longer in the budget of the next.
 */
export function agreementOf(asking: Asking, word: Consent): (payer: Payer) => ChargesPolicy {
  let consent = word;
  let before: Promise<unknown> = Promise.resolve();
  const spend = (amount: Decimal): void => {
    if (consent.kind === 'up-to') consent = { kind: 'up-to', budget: minus(consent.budget, amount) };
  };
  return (payer) => ({
    place: () => payer.facts.learned().acceptsCharges,
    learned: (acceptsCharges) => payer.facts.learn({ acceptsCharges }),
    inTurn(work) {
      const turn = before.then(work);
      before = turn.catch(() => undefined);
      return turn;
    },
    async agree(change, refusal) {
      const charges = readCharges(refusal.details, await replacedBy(change));
      if (charges === undefined) throw refusal;
      const { account, mayAsk } = payer;
      await agreeToCharges(asking, consent, { charges, refusal, account, mayAsk });
      const { estimate } = charges;
      if (estimate) spend(estimate);
      return { text: chargesText(charges), release: () => estimate && spend(minus(zero, estimate)) };
    },
  });
}

/**
 * Reads what a change of a singleton (limits) replaces: its old counts say what is added. `undefined` where it is
 * another change, or cannot be read.
 */
async function replacedBy({ operation, path, data, read }: ChargedChange): Promise<Replaced | undefined> {
  if (operation === undefined || !isObject(data)) return undefined;
  const { name, kind, operations } = resourceByName(operation.resource);
  const get = operations.find(({ verb, path: where }) => verb === 'get' && where === operation.path);
  if (kind !== 'singleton' || get === undefined) return undefined;
  try {
    const { data: before } = await read({ operation: get, path });
    return isObject(before) ? { resource: name, asked: data, before } : undefined;
  } catch (error) {
    if (error instanceof Failure && error.kind !== 'interrupted') return undefined;
    throw error;
  }
}
