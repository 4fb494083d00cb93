import type { ParsedInput } from '../../../cli/command.ts';
import type { Context } from '../../../cli/context.ts';
import type { Failure } from '../../../contract/failure.ts';
import { readCharges } from '../../limits/charges.ts';
import { agreeToCharges, type Consent, chargesText, consentOf } from '../../limits/consent.ts';
import { minus } from '../../limits/decimal.ts';

/** Gets the answer to the charges of an account and gives them as text. Throws `Failure` of kind `charges`. */
export type Agreement = (account: string, charges: Failure) => Promise<string>;

/**
 * The word about charges for a whole run, one question at a time: what was accepted for one account is no longer in
 * the budget of the next.
 */
export function agreementOf(context: Context, input: ParsedInput): Agreement {
  let consent: Consent = consentOf(input);
  let before: Promise<unknown> = Promise.resolve();
  const agree: Agreement = async (account, failure) => {
    const charges = readCharges(failure.details);
    await agreeToCharges(context, charges, consent, failure, account);
    if (consent.kind === 'up-to' && charges.estimate)
      consent = { kind: 'up-to', budget: minus(consent.budget, charges.estimate) };
    return chargesText(charges);
  };
  return (account, failure) => {
    const answer = before.then(() => agree(account, failure));
    before = answer.catch(() => undefined);
    return answer;
  };
}
