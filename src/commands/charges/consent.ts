import { decimal, format } from '../../base/decimal.ts';
import { type Failure, withFacts } from '../../base/failure.ts';
import type { AskedCharges, Consent, Context } from '../../command/context.ts';
import { type Charges, chargesText, estimateText, within } from './charges.ts';
import { chargesTable } from './charges-table.ts';

/** The word that was given by the two options about charges. `upTo` is an amount as a command line takes it. */
export function consentOf(acceptCharges: boolean | undefined, upTo: string | undefined): Consent {
  if (upTo === undefined) return acceptCharges ? { kind: 'all' } : { kind: 'ask' };
  const budget = decimal(upTo);
  if (!budget) throw new Error(`${upTo} is not an amount`);
  return { kind: 'up-to', budget };
}

/** The run that is asked about charges. */
export type Asking = Pick<Context, 'ask' | 'notices' | 'host' | 'settings'>;

/** The charges of one request, and who pays. */
export interface Question {
  readonly charges: Charges;
  /** Refusal from the service. */
  readonly refusal: Failure;
  /** Names the account that pays. */
  readonly account: () => Promise<string>;
  /** False where nobody can be asked, for one account among many. */
  readonly mayAsk: boolean;
}

/**
 * Gets the answer to charges: by what was said beforehand, else at the terminal, where the default is no. Returns
 * when they are accepted. Throws `Failure` of kind `charges` where they are not, with what the service's own said.
 */
export async function agreeToCharges(asking: Asking, consent: Consent, question: Question): Promise<void> {
  const { charges, refusal, account, mayAsk } = question;
  const refused = (message: string, hint: string): Failure => withFacts(refusal, { lines: message, hint });
  const estimate = estimateText(charges);
  const what = chargesText(charges);
  const exceeds = consent.kind === 'up-to' && !within(charges, consent.budget);
  const unanswered = consent.kind === 'ask' && !(mayAsk && asking.ask.available);
  const { value: output } = asking.settings.output;
  // Who reads JSON finds them in the error, which stands alone on stderr.
  const isInError = (exceeds || unanswered) && (output === 'json' || output === 'ndjson');
  if (!isInError && consent.kind !== 'decide') showCharges(asking, charges);
  if (exceeds) {
    const why = charges.estimate
      ? `more than ${format(consent.budget)}`
      : 'which no budget covers, since not every item is understood';
    throw refused(
      `The charges are ${what}, ${why}. Nothing changed.`,
      charges.estimate
        ? `Repeat with --accept-charges-up-to ${estimate.replace(/\.00$/, '')} to accept them.`
        : 'Look at error.details with -o json; --accept-charges accepts them as they are.',
    );
  }
  if (unanswered)
    throw refused(
      `Charges must be accepted: ${what}. Nothing changed.`,
      charges.estimate
        ? `Repeat with --accept-charges, or with --accept-charges-up-to ${estimate.replace(/\.00$/, '')}.`
        : 'Repeat with --accept-charges; no budget covers what is not understood.',
    );
  if (consent.kind === 'all' || consent.kind === 'up-to') return;
  const isAgreed =
    consent.kind === 'decide'
      ? await consent.decide(askedCharges(charges, await account()))
      : await asking.ask.confirmExplicitly(`Accept these charges for account ${await account()}?`);
  if (!isAgreed) throw refused('The charges were not accepted. Nothing changed.', 'Everything is as it was.');
}

/** The charges as a program decides on them. */
function askedCharges(charges: Charges, account: string): AskedCharges {
  const { lines, estimate } = charges;
  return {
    account,
    text: chargesText(charges),
    items: lines.map(({ category, item, added, inAll, rate, dueNow, recurring }) => ({
      category,
      item,
      inAll,
      rate,
      ...(added === undefined ? {} : { added: format(added) }),
      ...(dueNow === undefined ? {} : { dueNow: format(dueNow) }),
      ...(recurring === undefined ? {} : { recurring: format(recurring) }),
    })),
    ...(estimate === undefined ? {} : { estimate: format(estimate) }),
  };
}

/** The charges as a table, on stderr. */
function showCharges({ notices, host }: Asking, charges: Charges): void {
  const table = chargesTable(charges, host.stderr.columns || undefined);
  for (const line of ['This change adds charges:', '', ...table, '']) notices.say(line);
  notices.say('The service names no currency; the estimate is ours from the fields above.');
}
