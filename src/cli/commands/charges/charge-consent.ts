import { type Decimal, formatDecimal, subtractDecimals, zeroDecimal } from '../../../base/decimal.ts';
import { type Failure, type FailureFacts, ignoreFailure, withFacts } from '../../../base/failure.ts';
import { isObject, type Json, omitUndefined, valueAt } from '../../../base/json.ts';
import type { AgreedCharges, Agreement, ChargedChange, Payer } from '../../../client/api/accept-charges.ts';
import { resourceByName } from '../../../contract/catalogue.ts';
import { operationIn } from '../../../contract/resource.ts';
import type { Operation } from '../../../contract/types.ts';
import type { AskedCharges, Consent, Context } from '../../command/context.ts';
import {
  type Charges,
  chargeNotes,
  chargesQuestion,
  chargesTable,
  chargesText,
  estimateText,
  isWithinBudget,
} from './charges.ts';
import { type ReplacedCounts, readCharges, unlistedCharges } from './read-charges.ts';

/** Consent to charges for one run, across all accounts. Accepted charges reduce the budget. */
export class RunAgreement implements Agreement {
  given = 0;
  readonly #asking: ChargesPrompter;
  #consent: Consent;
  #before: Promise<unknown> = Promise.resolve();

  constructor(asking: ChargesPrompter, consent: Consent) {
    this.#asking = asking;
    this.#consent = consent;
  }

  exclusive<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#before.then(work);
    this.#before = turn.catch(() => undefined);
    return turn;
  }

  async agree(payer: Payer, change: ChargedChange, refusal: Failure): Promise<AgreedCharges> {
    const charges =
      readCharges(refusal.details, await readReplacedCounts(change, refusal)) ??
      unlistedCharges(refusal.code);
    if (charges === undefined) throw refusal;
    const text = chargesText(charges);
    const consent = this.#consent;
    if (consent.kind === 'shown') {
      const release = consent.covers(askedCharges(charges, await payer.account()));
      if (release) {
        this.given += 1;
        return { text, release };
      }
      this.#asking.notices.say('The accepted charges do not cover these charges.');
    }
    await agreeToCharges(this.#asking, consent, charges, refusal, payer);
    this.given += 1;
    const { estimate } = charges;
    if (estimate) this.#spend(estimate);
    return { text, release: () => estimate && this.#spend(subtractDecimals(zeroDecimal, estimate)) };
  }

  #spend(amount: Decimal): void {
    if (this.#consent.kind === 'up-to')
      this.#consent = { kind: 'up-to', budget: subtractDecimals(this.#consent.budget, amount) };
  }
}

/** Reads the counts before a change of limits or a purchase, because the added quantity is the difference. */
async function readReplacedCounts(
  change: ChargedChange,
  { details }: Failure,
): Promise<ReplacedCounts | undefined> {
  const { operation, path, data, read } = change;
  if (operation === undefined || !isObject(data)) return undefined;
  const { name, kind, operations } = resourceByName(operation.resource);
  const get = operations.find(({ verb, path: where }) => verb === 'get' && where === operation.path);
  const readOrUndefined = async (what: Operation): Promise<Json | undefined> =>
    (await ignoreFailure(read({ operation: what, path })))?.data;
  if (kind === 'singleton' && get !== undefined) {
    const before = await readOrUndefined(get);
    return isObject(before) ? { resource: name, asked: data, before } : undefined;
  }
  const [category] = isObject(details) ? Object.keys(details) : [];
  if (category === undefined || !operation.does?.includes('costs')) return undefined;
  const summary = await readOrUndefined(operationIn(resourceByName('services'), 'summary'));
  const counts = isObject(summary) ? valueAt(summary, 'quantities.account') : undefined;
  const before = isObject(counts) ? (counts[category] ?? {}) : undefined;
  return isObject(before) ? { resource: category, before } : undefined;
}

interface ChargesPrompter extends Pick<Context, 'ask' | 'notices'> {
  readonly settings: { readonly output: Pick<Context['settings']['output'], 'value'> };
}

/** Asks for consent to charges, unless an option already decides. Throws `charges` without consent. */
async function agreeToCharges(
  asking: ChargesPrompter,
  consent: Consent,
  charges: Charges,
  refusal: Failure,
  payer: Payer,
): Promise<void> {
  const estimate = estimateText(charges);
  const what = chargesText(charges);
  const upTo = `--accept-charges-up-to ${estimate.replace(/\.00$/, '')}`;
  const flags = [...(charges.estimate ? [upTo] : []), '--accept-charges'];
  const open = { question: `Accept ${what}? The owner of the account must decide.`, flags };
  const refusalFailure = (message: string, hint: string, more: FailureFacts = {}): Failure =>
    withFacts(refusal, { lines: message, hint, ...more });
  const exceeds = consent.kind === 'up-to' && !isWithinBudget(charges, consent.budget);
  const isAsked = consent.kind === 'ask' || consent.kind === 'shown';
  const unanswered = isAsked && !(payer.mayAsk && asking.ask.available);
  const { value: output } = asking.settings.output;
  // With JSON output, the error on stderr includes the charges.
  const isInError = (exceeds || unanswered) && (output === 'json' || output === 'ndjson');
  if (!isInError && consent.kind !== 'decide') showCharges(asking, charges, refusal);
  if (exceeds) {
    const why = charges.estimate
      ? `more than ${formatDecimal(consent.budget)}`
      : charges.lines.length === 0
        ? 'which no budget covers'
        : 'which no budget covers, because telctl does not understand every item';
    throw refusalFailure(
      `The charges are ${what}, ${why}. Nothing changed.`,
      charges.estimate
        ? `Repeat with ${upTo} to accept them.`
        : 'See error.details with -o json. To accept the charges, pass --accept-charges.',
      { open },
    );
  }
  if (unanswered)
    throw refusalFailure(
      `Charges must be accepted: ${what}. Nothing changed.`,
      charges.estimate
        ? `Repeat with --accept-charges, or with ${upTo}.`
        : 'Repeat with --accept-charges. A budget cannot cover unknown charges.',
      { open },
    );
  if (consent.kind === 'all' || consent.kind === 'up-to') return;
  const isAgreed =
    consent.kind === 'decide'
      ? await consent.decide(askedCharges(charges, await payer.account()))
      : await asking.ask.confirmExplicitly(chargesQuestion(charges, await payer.account()));
  if (isAgreed !== true)
    throw refusalFailure('The charges were not accepted. Nothing changed.', 'No changes were made.');
}

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
      ...omitUndefined({
        added: added && formatDecimal(added),
        dueNow: dueNow && formatDecimal(dueNow),
        recurring: recurring && formatDecimal(recurring),
      }),
    })),
    ...omitUndefined({ estimate: estimate && formatDecimal(estimate) }),
  };
}

function showCharges({ notices }: ChargesPrompter, charges: Charges, { message }: Failure): void {
  if (charges.lines.length === 0) {
    notices.warn(`${message.replace(/\.?$/, '.')} The response lists no items, so the amount is unknown.`);
    return;
  }
  notices.say(['This change adds charges:', '']);
  notices.table(chargesTable(charges));
  notices.say('');
  for (const note of chargeNotes(charges)) notices.say(note);
}
