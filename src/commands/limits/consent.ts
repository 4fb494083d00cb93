import type { ParsedInput } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import { accountName } from '../labels.ts';
import { type Charges, chargesTable, estimateText, itemsText, within } from './charges.ts';
import { type Decimal, decimal, format } from './decimal.ts';

/** The word given about charges before they are known. */
export type Consent =
  | { readonly kind: 'all' }
  | { readonly kind: 'up-to'; readonly budget: Decimal }
  | { readonly kind: 'ask' };

/** Reads the two options about charges. Throws `Failure` of kind `usage` where they contradict each other. */
export function consentOf({ acceptCharges, acceptChargesUpTo }: ParsedInput): Consent {
  if (acceptChargesUpTo === undefined) return acceptCharges === true ? { kind: 'all' } : { kind: 'ask' };
  if (acceptCharges === true)
    throw new Failure('usage', 'Give --accept-charges or --accept-charges-up-to, not both.');
  const text = String(acceptChargesUpTo);
  const budget = /^\d+(?:\.\d+)?$/.test(text) ? decimal(text) : undefined;
  if (!budget)
    throw new Failure(
      'usage',
      `--accept-charges-up-to must be an amount such as 25 or 12.50, not ${JSON.stringify(text)}.`,
    );
  return { kind: 'up-to', budget };
}

/** `estimated 200.00 for 8 twoway_trunks` */
export const chargesText = (charges: Charges): string =>
  `estimated ${estimateText(charges)} for ${itemsText(charges)}`;

/**
 * Gets the answer to charges: by what was said beforehand, else at the terminal, where the default is no. Returns
 * when they are accepted. `account` names it where it is not the one acted on. Throws `Failure` of kind `charges`
 * where they are not, with what the service's own said.
 */
export async function agreeToCharges(
  context: Context,
  charges: Charges,
  consent: Consent,
  { status, code, requestId, details }: Failure,
  account?: string,
): Promise<void> {
  const refused = (why: string, hint: string): Failure =>
    new Failure('charges', why, { status, code, requestId, hint, details });
  const estimate = estimateText(charges);
  const what = chargesText(charges);
  const exceeds = consent.kind === 'up-to' && !within(charges, consent.budget);
  const unanswered = consent.kind === 'ask' && !context.ask.available;
  const { value: output } = context.settings.output;
  // Who reads JSON finds them in the error, which stands alone on stderr.
  const isInError = (exceeds || unanswered) && (output === 'json' || output === 'ndjson');
  if (!isInError) showCharges(context, charges);
  if (exceeds) {
    const why = charges.estimate
      ? `more than ${format(consent.budget)}`
      : 'which no budget covers, since not every item is understood';
    throw refused(
      `The charges are ${what}, ${why}. Nothing changed.`,
      charges.estimate
        ? `Repeat with --accept-charges-up-to ${estimate.replace(/\.00$/, '')} to accept them.`
        : 'Look at details.limits with -o json; --accept-charges accepts them as they are.',
    );
  }
  if (unanswered)
    throw refused(
      `Charges must be accepted: ${what}. Nothing changed.`,
      charges.estimate
        ? `Repeat with --accept-charges, or with --accept-charges-up-to ${estimate.replace(/\.00$/, '')}.`
        : 'Repeat with --accept-charges; no budget covers what is not understood.',
    );
  if (consent.kind !== 'ask') return;
  const name = account ?? (await accountName(context));
  if (!(await context.ask.confirmExplicitly(`Accept these charges for account ${name}?`)))
    throw refused('The charges were not accepted. Nothing changed.', 'The limits are as they were.');
}

/** The charges as a table, on stderr. */
function showCharges({ notices, host }: Context, charges: Charges): void {
  const table = chargesTable(charges, host.stderr.columns);
  for (const line of ['This change adds charges:', '', ...table, '']) notices.say(line);
  notices.say('The service names no currency; the estimate is ours from the fields above.');
}
