import { type Decimal, format, minus, zero } from '../../base/decimal.ts';
import { Failure, type FailureFacts, withFacts } from '../../base/failure.ts';
import { isObject, type Json, valueAt } from '../../base/json.ts';
import type { ChargedChange, ChargesPolicy } from '../../client/api/accept-charges.ts';
import type { FactKeeper } from '../../client/session/learned-facts.ts';
import { resourceByName } from '../../contract/catalogue.ts';
import { operationIn } from '../../contract/resource.ts';
import type { Operation } from '../../contract/types.ts';
import type { AskedCharges, Consent, Context } from '../command/context.ts';
import { type Charges, chargesText, estimateText, questionText, within } from './charges/charges.ts';
import { chargesTable, notesOn } from './charges/charges-table.ts';
import { type Replaced, readCharges } from './charges/read-charges.ts';

/** The account that pays, and what is known of the service that charges. */
export interface Payer {
  /** Names the account that pays, for the question. */
  account(): Promise<string>;
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
  let given = 0;
  const spend = (amount: Decimal): void => {
    if (consent.kind === 'up-to') consent = { kind: 'up-to', budget: minus(consent.budget, amount) };
  };
  return (payer) => ({
    place: () => payer.facts.learned().acceptsCharges,
    given: () => given,
    learned: (acceptsCharges) => payer.facts.learn({ acceptsCharges }),
    inTurn(work) {
      const turn = before.then(work);
      before = turn.catch(() => undefined);
      return turn;
    },
    async agree(change, refusal) {
      const charges = readCharges(refusal.details, await replacedBy(change, refusal));
      if (charges === undefined) throw refusal;
      const { account, mayAsk } = payer;
      const giveBack =
        consent.kind === 'shown' ? consent.covers(askedCharges(charges, await account())) : undefined;
      if (giveBack) {
        given += 1;
        return { text: chargesText(charges), release: giveBack };
      }
      if (consent.kind === 'shown') asking.notices.say('These charges are not covered by what was accepted.');
      await agreeToCharges(asking, consent, { charges, refusal, account, mayAsk });
      given += 1;
      const { estimate } = charges;
      if (estimate) spend(estimate);
      return { text: chargesText(charges), release: () => estimate && spend(minus(zero, estimate)) };
    },
  });
}

/**
 * Reads what a change of a singleton (limits) replaces: its old counts say what is added. Of a purchase the summary of
 * services says how many there were. `undefined` where it is another change, or cannot be read.
 */
async function replacedBy(change: ChargedChange, { details }: Failure): Promise<Replaced | undefined> {
  const { operation, path, data, read } = change;
  if (operation === undefined || !isObject(data)) return undefined;
  const { name, kind, operations } = resourceByName(operation.resource);
  const get = operations.find(({ verb, path: where }) => verb === 'get' && where === operation.path);
  const readIfThere = async (what: Operation): Promise<Json | undefined> => {
    try {
      return (await read({ operation: what, path })).data;
    } catch (error) {
      if (error instanceof Failure && error.kind !== 'interrupted') return undefined;
      throw error;
    }
  };
  if (kind === 'singleton' && get !== undefined) {
    const before = await readIfThere(get);
    return isObject(before) ? { resource: name, asked: data, before } : undefined;
  }
  const [category] = isObject(details) ? Object.keys(details) : [];
  if (category === undefined || !operation.does?.includes('costs')) return undefined;
  const summary = await readIfThere(operationIn(resourceByName('services'), 'summary'));
  const counts = isObject(summary) ? valueAt(summary, 'quantities.account') : undefined;
  const before = isObject(counts) ? (counts[category] ?? {}) : undefined;
  return isObject(before) ? { resource: category, before } : undefined;
}

/** The run that is asked about charges. */
interface Asking extends Pick<Context, 'ask' | 'notices'> {
  readonly settings: { readonly output: Pick<Context['settings']['output'], 'value'> };
}

/** The charges of one request, and who pays. */
interface Question {
  readonly charges: Charges;
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
async function agreeToCharges(asking: Asking, consent: Consent, question: Question): Promise<void> {
  const { charges, refusal, account, mayAsk } = question;
  const estimate = estimateText(charges);
  const what = chargesText(charges);
  const upTo = `--accept-charges-up-to ${estimate.replace(/\.00$/, '')}`;
  const flags = [...(charges.estimate ? [upTo] : []), '--accept-charges'];
  const open = { question: `Accept ${what}? Only whoever pays can say.`, flags };
  const refused = (message: string, hint: string, more: FailureFacts = {}): Failure =>
    withFacts(refusal, { lines: message, hint, ...more });
  const exceeds = consent.kind === 'up-to' && !within(charges, consent.budget);
  const isAsked = consent.kind === 'ask' || consent.kind === 'shown';
  const unanswered = isAsked && !(mayAsk && asking.ask.available);
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
        ? `Repeat with ${upTo} to accept them.`
        : 'Look at error.details with -o json; --accept-charges accepts them as they are.',
      { open },
    );
  }
  if (unanswered)
    throw refused(
      `Charges must be accepted: ${what}. Nothing changed.`,
      charges.estimate
        ? `Repeat with --accept-charges, or with ${upTo}.`
        : 'Repeat with --accept-charges; no budget covers what is not understood.',
      { open },
    );
  if (consent.kind === 'all' || consent.kind === 'up-to') return;
  const isAgreed =
    consent.kind === 'decide'
      ? await consent.decide(askedCharges(charges, await account()))
      : await asking.ask.confirmExplicitly(questionText(charges, await account()));
  if (isAgreed !== true)
    throw refused('The charges were not accepted. Nothing changed.', 'Everything is as it was.');
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
function showCharges({ notices }: Asking, charges: Charges): void {
  notices.say(['This change adds charges:', '']);
  notices.table(chargesTable(charges));
  notices.say('');
  for (const note of notesOn(charges)) notices.say(note);
}
