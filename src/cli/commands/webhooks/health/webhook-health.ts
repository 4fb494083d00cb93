import { Failure, nextStep, withHint } from '../../../../base/failure.ts';
import { isObject, type Json, type JsonObject, textOrEmpty } from '../../../../base/json.ts';
import { gregorianOffset } from '../../../../base/moment.ts';
import type { Api } from '../../../../client/api/api.ts';
import { attempt as attemptSchema } from '../../../../contract/envelope.ts';
import { accounts } from '../../../../contract/resources/accounts.ts';
import { webhooks } from '../../../../contract/resources/webhooks.ts';
import { maskedUrl, redact, secretsIn } from '../../../../contract/secrets.ts';
import { type WebhookState, webhookState } from '../../../../contract/webhook-findings.ts';
import type { Context } from '../../../command/context.ts';
import { operationFor, pathTo } from '../../generic/find-named.ts';
import { secretsOf, withoutSecrets } from '../target-client.ts';

export interface WebhookHealth {
  readonly [key: string]: Json | undefined;
  readonly id: string;
  readonly name: string;
  readonly hook: string;
  readonly uri: string;
  readonly state: WebhookState;
  readonly why: string;
  /** Attempts of the last 24 hours. */
  readonly sent: number;
  readonly failed: number;
  readonly last_success: string | null;
  readonly last_failure: string | null;
}

/** The newest of attempts; of those of one second the first, since they are listed newest first. */
const newestOf = (attempts: readonly JsonObject[]): JsonObject | undefined =>
  attempts.reduce<JsonObject | undefined>(
    (newest, each) => (newest && attemptMs(newest) >= attemptMs(each) ? newest : each),
    undefined,
  );

const momentOf = (attempt: JsonObject | undefined): number | undefined => attempt && attemptMs(attempt);

const iso = (ms: number | undefined): string | null => (ms === undefined ? null : new Date(ms).toISOString());

/** `12 min ago`, as people say it. */
function agoInWords(ms: number): string {
  const minutes = Math.max(0, Math.round(ms / 60_000));
  if (minutes < 1) return 'just now';
  return minutes < 120 ? `${minutes} min ago` : `${Math.round(minutes / 60)} h ago`;
}

/** Judges a webhook by its record and its attempts of the last 24 hours. */
export function healthOf(webhook: JsonObject, attempts: readonly JsonObject[], nowMs: number): WebhookHealth {
  const failures = attempts.filter(hasFailed);
  const newest = newestOf(failures);
  const lastFailure = momentOf(newest);
  const lastSuccess = momentOf(newestOf(attempts.filter((each) => !hasFailed(each))));
  const last = newestOf(attempts);
  const state = webhookState(webhook, last && { hasFailed: hasFailed(last), atMs: attemptMs(last) }, nowMs);
  const from = newest === undefined ? '' : attemptTarget(newest) || maskedUrl(textOrEmpty(webhook.uri));
  const trouble = newest === undefined ? '' : `${reasonOf(newest)} from ${from}`;
  return {
    id: textOrEmpty(webhook.id),
    name: textOrEmpty(webhook.name),
    hook: textOrEmpty(webhook.hook),
    uri: maskedUrl(textOrEmpty(webhook.uri)),
    state,
    why: whyOf(state),
    sent: attempts.length,
    failed: failures.length,
    last_success: iso(lastSuccess),
    last_failure: iso(lastFailure),
  };

  function whyOf(is: WebhookHealth['state']): string {
    if (is === 'disabled') {
      const reason = textOrEmpty(webhook.disable_reason);
      return [reason === '' ? 'turned off by hand' : reason, trouble]
        .filter((part) => part !== '')
        .join(': ');
    }
    const counts = countsOf(failures);
    if (is === 'failing' && counts.size > 1) return `${trouble} (${reasonsInWords(counts)})`;
    if (is === 'failing') return trouble;
    return lastFailure === undefined ? '' : `last failure ${agoInWords(nowMs - lastFailure)}: ${trouble}`;
  }
}

function countsOf(failures: readonly JsonObject[]): ReadonlyMap<string, number> {
  return new Map(
    [...Map.groupBy(failures, reasonOf)].map(([reason, those]) => [reason, those.length] as const),
  );
}

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
    `Name one webhook, in case the service keeps attempts only for single webhooks: ${nextStep`webhooks attempts NAME`}`,
  );
}

/** Returns the time of an attempt, in Unix milliseconds; 0 if it does not say. */
export const attemptMs = ({ timestamp }: JsonObject): number =>
  Number.isFinite(Number(timestamp)) && timestamp !== null ? (Number(timestamp) - gregorianOffset) * 1000 : 0;

export const hasFailed = ({ result }: JsonObject): boolean => result !== 'success';

/** Says why an attempt failed, in as few words as possible: `500`, `econnrefused`, `timeout`. */
export function reasonOf({ resp_status_code: status, client_error: error, reason }: JsonObject): string {
  const word = [status, error, reason].find((each) => each !== undefined && each !== null && each !== '');
  return word === undefined ? 'no reason given' : String(word);
}

/** Returns where an attempt went, without secrets. */
const attemptTarget = ({ uri }: JsonObject): string => (typeof uri === 'string' ? maskedUrl(uri) : '');

const attemptedTarget = ({ uri, custom_data: customData }: JsonObject) => ({
  uri: typeof uri === 'string' ? uri : '',
  customData: isObject(customData) ? customData : {},
});

export const secretsOfAttempt = (raw: JsonObject): readonly string[] => [
  ...secretsIn(attemptSchema, raw),
  ...secretsOf(attemptedTarget(raw)),
];

/**
 * An attempt as it may be shown: it repeats the webhook's address, headers and data, which may carry its secret, and the
 * target may have said it back.
 */
export function safeAttempt(raw: JsonObject): JsonObject {
  const { resp_body: body } = raw;
  const secrets = secretsOf(attemptedTarget(raw));
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

/** Now by the service's clock, in Unix milliseconds: by any reply of this run, else the account is read. */
export async function serviceNowMs(context: Pick<Context, 'api' | 'host'>): Promise<number> {
  const api = await context.api();
  if (api.serviceNowMs() === undefined) await api.call({ operation: operationFor(accounts, 'get') });
  return api.serviceNowMs() ?? context.host.clock.now();
}
