import { isDeepStrictEqual } from 'node:util';
import { Failure, type FailureKind, withFacts } from '../../base/failure.ts';
import { isObject, type Json, type JsonObject } from '../../base/json.ts';
import type { Operation } from '../../contract/types.ts';
import type { ApiParts, ApiRequest, Reply } from './api.ts';
import { type BodyAcceptance, carriesAcceptance, RequestBody } from './build-request.ts';
import { type Sending, sendOne } from './client.ts';
import { doubtHints, wasSent } from './transport.ts';
import type { Unwrapped } from './unwrap.ts';

export interface ChargedChange {
  readonly operation: Operation | undefined;
  readonly path: Readonly<Record<string, string>>;
  readonly data: Json | undefined;
  read(call: ApiRequest): Promise<Reply>;
}

export interface AgreedCharges {
  readonly text: string;
  /** Removes the charges from the budget, because the change was refused or not sent. */
  release(): void;
}

export interface Payer {
  account(): Promise<string>;
  /** False for one account among many, because no question is possible. */
  readonly mayAsk: boolean;
}

/** Consent to charges for one run, across all accounts. */
export interface Agreement {
  /** Runs one piece of work at a time, so that questions and budgets do not overlap. */
  exclusive<T>(work: () => Promise<T>): Promise<T>;
  readonly given: number;
  /** Asks for consent to the charges of a 402. Throws a `Failure` of kind `charges` if it is refused. */
  agree(payer: Payer, change: ChargedChange, refusal: Failure): Promise<AgreedCharges>;
}

export interface Charging {
  readonly agreement: () => Promise<Agreement>;
  readonly payer: Payer;
  /** Places where the service is known to accept consent. Empty before the first response. */
  readonly facts: {
    learned(): { readonly acceptsCharges?: BodyAcceptance };
    learn(facts: { readonly acceptsCharges: BodyAcceptance }): Promise<void>;
  };
}

/**
 * Sends a request without acceptance first. If the service responds with charges, asks for consent and sends the
 * request again with acceptance next to `data`, where services do not store it. Adds it inside `data`, as in the
 * specification, only if the service asks for the same charges again. A request with acceptance is sent once. After
 * any response other than a clear success or refusal, such as 401, 429 or a server error, the failure is in doubt and
 * names the charges. The caller then reads the state first.
 */
export async function sendCharged(
  parts: ApiParts,
  sending: Sending,
  change: ChargedChange,
): Promise<Unwrapped> {
  try {
    return await sendWithConsent(parts, sending, change);
  } catch (error) {
    throw isCharged(error) ? withFacts(error, { details: groupByCategory(error.details) }) : error;
  }
}

async function sendWithConsent(parts: ApiParts, sending: Sending, change: ChargedChange): Promise<Unwrapped> {
  const { charges } = parts;
  try {
    return await sendOne(parts, sending);
  } catch (error) {
    // A file has no place for acceptance.
    const asks = charges !== undefined && sending.effect !== 'read' && sending.file === undefined;
    if (!asks || !isCharged(error)) throw error;
    const agreement = await charges.agreement();
    const before = agreement.given;
    return agreement.exclusive(async () => {
      // Other requests may have been accepted meanwhile, so the totals have changed.
      const refusal = agreement.given === before ? error : await refreshCharges(parts, sending);
      if (!(refusal instanceof Failure)) return refusal;
      const agreed = await agreement.agree(charges.payer, change, refusal);
      return sendAccepting(parts, sending, { facts: charges.facts, agreed, refusal });
    });
  }
}

/** Returns the current charges, or the response if the request adds none. */
async function refreshCharges(parts: ApiParts, sending: Sending): Promise<Failure | Unwrapped> {
  try {
    return await sendOne(parts, sending);
  } catch (error) {
    if (isCharged(error)) return error;
    throw error;
  }
}

/**
 * Returns charges by category and item, as in the specification (Errors, rule 1). For invoices, returns the changed
 * items, and the complete invoices separately.
 */
function groupByCategory(details: unknown): unknown {
  if (!Array.isArray(details)) return details;
  const items = details
    .flatMap((invoice): readonly unknown[] => (Array.isArray(invoice?.items) ? invoice.items : []))
    .filter(isObject)
    .filter(({ changes }) => changes !== undefined);
  const categories = Map.groupBy(items, ({ category }) => String(category));
  const itemsByName = (some: readonly JsonObject[]) =>
    Object.fromEntries(some.map((item) => [String(item.item), item]));
  return {
    ...Object.fromEntries([...categories].map(([category, some]) => [category, itemsByName(some)])),
    invoices: details,
  };
}

const isCharged = (error: unknown): error is Failure => error instanceof Failure && error.kind === 'charges';

async function sendAccepting(
  parts: ApiParts,
  sending: Sending,
  given: { readonly facts: Charging['facts']; readonly agreed: AgreedCharges; readonly refusal: Failure },
): Promise<Unwrapped> {
  const { facts, agreed, refusal } = given;
  const isInData = facts.learned().acceptsCharges === 'in-data';
  const places = isInData ? (['in-data'] as const) : (['beside-data', 'in-data'] as const);
  const body = sending.body ?? RequestBody.fromEnvelope();
  for (const place of places) {
    try {
      const { reply, token } = await sendOne(parts, {
        ...sending,
        body: body.acceptCharges(place),
        repeat: 'never',
        accepts: true,
      });
      // A service that stores acceptance inside `data` also supports it next to `data`.
      await facts.learn({ acceptsCharges: carriesAcceptance(reply.data) ? 'beside-data' : place });
      return { reply: { ...reply, charges: agreed.text }, token };
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (wasSent(error) && !isRefusal(error)) throw markChargesInDoubt(error, agreed.text);
      if (error.kind === 'charges' && isDeepStrictEqual(error.details, refusal.details)) continue;
      agreed.release();
      throw error.kind === 'charges' ? changedChargesFailure(error) : error;
    }
  }
  agreed.release();
  throw withFacts(refusal, {
    lines: 'You accepted the charges, but the service asks again. Nothing changed.',
    hint: 'It may expect the acceptance in a field that is not in the specification. Ask its operator.',
  });
}

const refusalKinds: ReadonlySet<FailureKind> = new Set([
  'charges',
  'conflict',
  'invalid',
  'not_found',
  'refused',
]);

/** Returns true if a service refused the request. After any other failure, the request may have succeeded. */
function isRefusal({ kind, status = 0, inDoubt }: Failure): boolean {
  if (kind === 'interrupted') return !inDoubt;
  if (kind === 'failed') return status === 501 || (status >= 400 && status < 500);
  return refusalKinds.has(kind) || status === 403;
}

const changedChargesFailure = (refusal: Failure): Failure =>
  withFacts(refusal, {
    lines: 'The charges changed while they were being accepted. Nothing changed.',
    hint: 'Repeat the command to see the current charges.',
  });

const markChargesInDoubt = (lost: Failure, accepted: string): Failure =>
  withFacts(lost, {
    accepted,
    kind: lost.kind === 'interrupted' ? lost.kind : 'unavailable',
    status: undefined,
    inDoubt: true,
    lines: [
      ...lost.lines.slice(0, -1),
      `${lost.lines.at(-1)?.replace(/\.?$/, '.')} Its charges were accepted: ${accepted}.`,
    ],
    hint: doubtHints.never,
  });
