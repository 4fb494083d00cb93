import type { Api } from '../../../api/api.ts';
import { Failure, withHint } from '../../../base/failure.ts';
import { isObject, type JsonObject } from '../../../base/json.ts';
import { gregorianOffset } from '../../../base/moment.ts';
import { attempt as attemptSchema } from '../../../contract/envelope.ts';
import { webhooks } from '../../../contract/resources/webhooks.ts';
import { maskedUrl, redact } from '../../../contract/secrets.ts';
import { operationFor, pathTo } from '../../generic/find-record.ts';
import { secretsOf, withoutSecrets } from '../subscription.ts';

/** The range of attempts that are wanted, in Unix milliseconds. */
export interface AttemptRange {
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

const gregorian = (ms: number): string => String(Math.floor(ms / 1000) + gregorianOffset);

/**
 * The owner of the attempts that are read: one webhook, or all in an account; the account acted on if none is named.
 */
export interface AttemptsOf {
  readonly webhookId?: string | undefined;
  readonly accountId?: string | undefined;
}

/** Deliveries, newest first (Conventions, attempt record), page by page. */
export async function* attemptsOf(
  api: Api,
  { webhookId, accountId }: AttemptsOf,
  { fromMs, toMs }: AttemptRange,
): AsyncGenerator<JsonObject> {
  const query = {
    ...(fromMs === undefined ? {} : { created_from: gregorian(fromMs) }),
    ...(toMs === undefined ? {} : { created_to: gregorian(toMs) }),
  };
  const account = accountId === undefined ? {} : { account_id: accountId };
  const call =
    webhookId === undefined
      ? { operation: operationFor(webhooks, 'attempts-all'), path: account }
      : {
          operation: operationFor(webhooks, 'attempts'),
          path: { ...pathTo(webhooks, webhookId), ...account },
        };
  try {
    for await (const page of api.pages({ ...call, query })) yield* page;
  } catch (error) {
    throw webhookId === undefined ? withOtherWay(error) : error;
  }
}

/** Not every service has the attempts of an account in one list. */
function withOtherWay(error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind !== 'not_found') return error;
  return withHint(
    error,
    'Name one webhook, should the service keep attempts of single ones alone: telctl webhooks attempts NAME',
  );
}

/** Returns the time of an attempt, in Unix milliseconds; 0 if it does not say. */
export const attemptMs = ({ timestamp }: JsonObject): number =>
  Number.isFinite(Number(timestamp)) && timestamp !== null ? (Number(timestamp) - gregorianOffset) * 1000 : 0;

/** True when an attempt failed. */
export const hasFailed = ({ result }: JsonObject): boolean => result !== 'success';

/** Says why an attempt failed, in as few words as possible: `500`, `econnrefused`, `timeout`. */
export function reasonOf({ resp_status_code: status, client_error: error, reason }: JsonObject): string {
  const word = [status, error, reason].find((each) => each !== undefined && each !== null && each !== '');
  return word === undefined ? 'no reason given' : String(word);
}

/** Returns where an attempt went, without secrets. */
export const attemptTarget = ({ uri }: JsonObject): string => (typeof uri === 'string' ? maskedUrl(uri) : '');

/**
 * An attempt as it may be shown: it repeats the webhook's address, headers and data, which may carry its secret, and the
 * target may have said it back.
 */
export function safeAttempt(raw: JsonObject): JsonObject {
  const { uri, custom_data: customData, resp_body: body } = raw;
  const secrets = secretsOf({
    uri: typeof uri === 'string' ? uri : '',
    customData: isObject(customData) ? customData : {},
  });
  const safe = redact(attemptSchema, raw);
  if (!isObject(safe)) return {};
  return typeof body === 'string' ? { ...safe, resp_body: withoutSecrets(body, secrets) } : safe;
}

/** Reasons by how often there were, most first: `8 × 500, 2 × econnrefused`. */
export function reasonsInWords(reasons: ReadonlyMap<string, number>): string {
  return [...reasons]
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${count} × ${reason}`)
    .join(', ');
}
