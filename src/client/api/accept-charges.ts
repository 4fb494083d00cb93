import { isDeepStrictEqual } from 'node:util';
import { Failure, type FailureKind, withFacts } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Operation } from '../../contract/types.ts';
import type { ApiParts, Call, Reply } from './api.ts';
import { type AcceptancePlace, carriesAcceptance, RequestBody } from './build-request.ts';
import { type Sending, sendOne } from './client.ts';
import { perhapsDoneHints, wasSent } from './transport.ts';
import type { Unwrapped } from './unwrap.ts';

export interface ChargedChange {
  /** Left out for requests by path. */
  readonly operation: Operation | undefined;
  /** Path parameters of the operation, as the call gave them. */
  readonly path: Readonly<Record<string, string>>;
  readonly data: Json | undefined;
  read(call: Call): Promise<Reply>;
}

export interface Agreed {
  readonly text: string;
  /** Gives the charges back to the budget, since the change was refused or never sent. */
  release(): void;
}

/** The account that pays for a request. */
export interface Payer {
  /** Names it, for the question. */
  account(): Promise<string>;
  /** False where nobody can be asked, for one account among many. */
  readonly mayAsk: boolean;
}

/** The word about charges that holds for a whole run, whoever pays. */
export interface Agreement {
  /** Does one piece of work at a time, so that questions and budgets do not overlap. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /** How often charges were agreed to in the run. */
  readonly given: number;
  /** Asks for consent to the charges of a 402. Throws `Failure` of kind `charges` if it is refused. */
  agree(payer: Payer, change: ChargedChange, refusal: Failure): Promise<Agreed>;
}

export interface Charging {
  /** Loaded when the service first asks for charges to be accepted. */
  readonly agreement: () => Promise<Agreement>;
  readonly payer: Payer;
  /** Where the service is known to take acceptance; nothing before that was seen. */
  readonly facts: {
    learned(): { readonly acceptsCharges?: AcceptancePlace };
    learn(facts: { readonly acceptsCharges: AcceptancePlace }): Promise<void>;
  };
}

/**
 * Sends a request without acceptance first. If it is answered with charges, asks for consent to them and sends
 * it again with acceptance: beside `data`, where services that know that place do not store it, and inside
 * `data` (the specification's place) only if the same charges come back. A request that accepts charges is sent once: after
 * any reply but a clear success or refusal, such as 401, 429 or a server error, the failure is in doubt and names the
 * charges, so that the state is read before anything is sent.
 */
export async function sendCharged(
  parts: ApiParts,
  sending: Sending,
  change: ChargedChange,
): Promise<Unwrapped> {
  try {
    return await sendAsking(parts, sending, change);
  } catch (error) {
    throw isCharged(error) ? withFacts(error, { details: byCategory(error.details) }) : error;
  }
}

async function sendAsking(parts: ApiParts, sending: Sending, change: ChargedChange): Promise<Unwrapped> {
  const { charges } = parts;
  try {
    return await sendOne(parts, sending);
  } catch (error) {
    // A file has no place for a word beside it.
    const asks = charges !== undefined && sending.effect !== 'read' && sending.file === undefined;
    if (!asks || !isCharged(error)) throw error;
    const agreement = await charges.agreement();
    const before = agreement.given;
    return agreement.inTurn(async () => {
      // What was accepted while this one waited is in the totals now: it is asked for once more.
      const refusal = agreement.given === before ? error : await refusalNow(parts, sending);
      if (!(refusal instanceof Failure)) return refusal;
      const agreed = await agreement.agree(charges.payer, change, refusal);
      return sendAccepting(parts, sending, { facts: charges.facts, agreed, refusal });
    });
  }
}

/** Sends a request without acceptance once more; returns the charges, or the reply where there are none any more. */
async function refusalNow(parts: ApiParts, sending: Sending): Promise<Failure | Unwrapped> {
  try {
    return await sendOne(parts, sending);
  } catch (error) {
    if (isCharged(error)) return error;
    throw error;
  }
}

/**
 * Returns charges as scripts find them in the details of an error, by category and item, as the specification writes
 * them (Errors, rule 1). Of invoices those are the items that change, and the invoices stand beside them whole.
 */
function byCategory(details: unknown): unknown {
  if (!Array.isArray(details)) return details;
  const items = details
    .flatMap((invoice): readonly unknown[] => (Array.isArray(invoice?.items) ? invoice.items : []))
    .filter(isObject)
    .filter(({ changes }) => changes !== undefined);
  const categories = Map.groupBy(items, ({ category }) => String(category));
  const named = (some: readonly JsonObject[]) =>
    Object.fromEntries(some.map((item) => [String(item.item), item]));
  return {
    ...Object.fromEntries([...categories].map(([category, some]) => [category, named(some)])),
    invoices: details,
  };
}

const isCharged = (error: unknown): error is Failure => error instanceof Failure && error.kind === 'charges';

/** Sends a request again with the acceptance that was agreed to, in the places where services take it. */
async function sendAccepting(
  parts: ApiParts,
  sending: Sending,
  given: { readonly facts: Charging['facts']; readonly agreed: Agreed; readonly refusal: Failure },
): Promise<Unwrapped> {
  const { facts, agreed, refusal } = given;
  const isInData = facts.learned().acceptsCharges === 'in-data';
  const places = isInData ? (['in-data'] as const) : (['beside-data', 'in-data'] as const);
  const body = sending.body ?? RequestBody.of();
  for (const place of places) {
    try {
      const { reply, token } = await sendOne(parts, {
        ...sending,
        body: body.accepting(place),
        repeat: 'never',
        accepts: true,
      });
      // A service that stores what stands in `data` is one that takes it beside `data`, too.
      await facts.learn({ acceptsCharges: carriesAcceptance(reply.data) ? 'beside-data' : place });
      return { reply: { ...reply, charges: agreed.text }, token };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (wasSent(error) && !isRefusal(error)) throw perhapsCharged(error, agreed.text);
      if (error.kind === 'charges' && isDeepStrictEqual(error.details, refusal.details)) continue;
      agreed.release();
      throw error.kind === 'charges' ? otherCharges(error) : error;
    }
  }
  agreed.release();
  throw withFacts(refusal, {
    lines: 'The charges were accepted, and the service still asks for it. Nothing changed.',
    hint: 'It may expect the acceptance in another field than the specification says; ask its operator.',
  });
}

const refusing: ReadonlySet<FailureKind> = new Set([
  'charges',
  'conflict',
  'invalid',
  'not_found',
  'refused',
]);

/** True if a service refused a request that accepts charges. After any other reply the change may have been made. */
function isRefusal({ kind, status = 0, inDoubt }: Failure): boolean {
  if (kind === 'interrupted') return !inDoubt;
  if (kind === 'failed') return status === 501 || (status >= 400 && status < 500);
  return refusing.has(kind) || status === 403;
}

const otherCharges = (refusal: Failure): Failure =>
  withFacts(refusal, {
    lines: 'The charges changed while they were being accepted. Nothing changed.',
    hint: 'Repeat the command to see them as they are now.',
  });

const perhapsCharged = (lost: Failure, accepted: string): Failure =>
  withFacts(lost, {
    accepted,
    kind: lost.kind === 'interrupted' ? lost.kind : 'unavailable',
    status: undefined,
    inDoubt: true,
    lines: [
      ...lost.lines.slice(0, -1),
      `${lost.lines.at(-1)?.replace(/\.?$/, '.')} Its charges were accepted: ${accepted}.`,
    ],
    hint: perhapsDoneHints.never,
  });
