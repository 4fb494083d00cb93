import { Failure, ignoreMissing, nextStep, withHint } from '../../../../base/failure.ts';
import {
  isObject,
  type JsonObject,
  objectsIn,
  omitUndefined,
  textOrUndefined,
} from '../../../../base/json.ts';
import { gregorianOffset } from '../../../../base/moment.ts';
import { formatCount } from '../../../../base/wording.ts';
import type { Api } from '../../../../client/api/api.ts';
import { deliveryAttempt as attemptSchema } from '../../../../contract/envelope.ts';
import { webhooks } from '../../../../contract/resources/webhooks.ts';
import { listSecrets, maskUrl, redact } from '../../../../contract/secrets.ts';
import type { Column } from '../../../../contract/types.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { ListResult } from '../../../command/result.ts';
import { readServiceRange, type TimeRange } from '../../records/account-time.ts';
import { findNamed, operationFor, pathTo } from '../../records/find-named.ts';
import type { attemptsArguments, attemptsOptions } from '../commands.ts';
import { listWebhooks } from '../findings.ts';
import { hookSecrets, maskSecretTexts } from '../target-client.ts';

/** Pause between requests for new attempts, and number of old attempts shown first. */
const pollIntervalMs = 2000;
const shownFirst = 10;

/** Identifies an attempt by its event and try, if the service includes them. */
const attemptKey = (each: JsonObject): string =>
  JSON.stringify([each.hook_id, each.event_id, each.try, each.timestamp, each.result, each.retries_left]);

/** Each request reads back to the last known attempt, because the service's clock may change. */
async function* followAttempts(
  context: Context,
  whose: AttemptsOf,
  fromMs: number | undefined,
): AsyncGenerator<JsonObject> {
  const { clock, interrupted } = context.host;
  const api = await context.api();
  let seen: ReadonlySet<string> = new Set();
  let latestMs = fromMs ?? 0;
  try {
    for (let isFirst = true; ; isFirst = false) {
      const found: JsonObject[] = [];
      for await (const each of readAttempts(api, whose, {})) {
        if (attemptMs(each) < latestMs) break;
        if (isFirst && fromMs === undefined && found.length >= shownFirst) break;
        found.push(each);
      }
      yield* found.toReversed().filter((each) => !seen.has(attemptKey(each)));
      // Requests attempts of the last second again, because more of the same second may follow.
      latestMs = found.reduce((latest, each) => Math.max(latest, attemptMs(each)), latestMs);
      if (found.length > 0) seen = new Set(found.map(attemptKey));
      await clock.sleep(pollIntervalMs, interrupted);
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
  }
}

type Input = InputOf<typeof attemptsOptions, typeof attemptsArguments>;

const columns: readonly Column[] = [
  { header: 'TIME', paths: ['timestamp'], show: 'time' },
  { header: 'EVENT', paths: ['hook_event'] },
  { header: 'RESULT', paths: ['result'] },
  { header: 'STATUS', paths: ['resp_status_code'] },
  { header: 'TRY', paths: ['try'] },
  { header: 'LEFT', paths: ['retries_left'], sparse: true },
  { header: 'REASON', paths: ['reason', 'client_error'], show: 'sentence' },
];
const widths = [20, 15, 7, 6, 3, 15];

const webhookColumn: Column = { header: 'WEBHOOK', paths: ['webhook_name'] };
const webhookWidth = 12;

/** Lists or follows deliveries of one webhook or of all in the account (Conventions, attempt record). */
export async function listAttempts(input: Input, context: Context): Promise<ListResult> {
  const { follow, since, until } = input;
  if (follow && until !== undefined) throw new Failure('usage', '--follow cannot be combined with --until.');
  const webhookId = input.id === undefined ? undefined : (await findNamed(context, webhooks, input.id)).id;
  const typed = { from: since, to: until, options: ['--since', '--until'] } as const;
  const range = await readServiceRange(context, typed);
  const names = webhookId === undefined ? await readWebhookNames(context) : undefined;
  const counts = { all: 0, delivered: 0, failed: new Map<string, number>() };
  const source = follow
    ? followAttempts(context, { webhookId }, range.fromMs)
    : readAttempts(await context.api(), { webhookId }, range);
  async function* shownAttempts(): AsyncGenerator<JsonObject> {
    for await (const each of source) {
      if (input.failed && !hasFailed(each)) continue;
      if (input.limit !== undefined && !follow && counts.all >= input.limit) return;
      counts.all += 1;
      if (hasFailed(each))
        counts.failed.set(failureReason(each), (counts.failed.get(failureReason(each)) ?? 0) + 1);
      else counts.delivered += 1;
      if (context.options.reveal) context.notices.disclose(secretsOfAttempt(each));
      const attempt = context.options.reveal ? each : maskAttempt(each);
      const id = String(each.hook_id);
      yield names === undefined ? attempt : { ...attempt, webhook_name: names.get(id) ?? id };
    }
  }
  return {
    kind: 'list',
    items: shownAttempts(),
    columns: names === undefined ? columns : [webhookColumn, ...columns],
    noun: 'attempts',
    ...(follow ? { live: names === undefined ? widths : [webhookWidth, ...widths] } : {}),
    summary() {
      const failed = [...counts.failed.values()].reduce((sum, count) => sum + count, 0);
      if (counts.all === 0) return 'No attempts';
      const parts = [
        ...(counts.delivered > 0 ? [`${counts.delivered} delivered`] : []),
        ...(failed > 0 ? [`${failed} failed (${describeReasons(counts.failed)})`] : []),
      ];
      return `${formatCount(counts.all, 'attempt')}: ${parts.join(', ')}`;
    },
  };
}

/** Returns names by id, or an empty map if the service does not list webhooks. */
async function readWebhookNames(context: Context): Promise<ReadonlyMap<string, string>> {
  const listed = await ignoreMissing(listWebhooks(await context.api()));
  return new Map((listed ?? []).map(({ id, name }) => [String(id), textOrUndefined(name) ?? String(id)]));
}

const toGregorian = (ms: number): string => String(Math.floor(ms / 1000) + gregorianOffset);

interface AttemptsOf {
  readonly webhookId?: string | undefined;
  readonly accountId?: string | undefined;
}

/** Deliveries, newest first (Conventions, attempt record), page by page. */
export async function* readAttempts(
  api: Api,
  { webhookId, accountId }: AttemptsOf,
  { fromMs, toMs }: TimeRange,
): AsyncGenerator<JsonObject> {
  const query = omitUndefined({
    created_from: fromMs === undefined ? undefined : toGregorian(fromMs),
    created_to: toMs === undefined ? undefined : toGregorian(toMs),
  });
  const account = omitUndefined({ account_id: accountId });
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
    throw webhookId === undefined ? withSingleWebhookHint(error) : error;
  }
}

/** Some services have no list of all attempts of an account. */
function withSingleWebhookHint(error: unknown): unknown {
  if (!(error instanceof Failure) || error.kind !== 'not_found') return error;
  return withHint(
    error,
    `The service may not support this list for all webhooks. To list the attempts of one: ${nextStep`webhooks attempts NAME`}`,
  );
}

/** Returns Unix milliseconds, or 0 if the attempt has no time. */
export const attemptMs = ({ timestamp }: JsonObject): number =>
  Number.isFinite(Number(timestamp)) && timestamp !== null ? (Number(timestamp) - gregorianOffset) * 1000 : 0;

/** Returns the latest attempt of each webhook by id, from a response that lists the newest first. */
export function latestAttempts(data: unknown): ReadonlyMap<string, JsonObject> {
  const latest = new Map<string, JsonObject>();
  for (const each of objectsIn(data))
    if (!latest.has(String(each.hook_id))) latest.set(String(each.hook_id), each);
  return latest;
}

export const hasFailed = ({ result }: JsonObject): boolean => result !== 'success';

/** Describes briefly why an attempt failed: `500`, `econnrefused`, `timeout`. */
export function failureReason({ resp_status_code: status, client_error: error, reason }: JsonObject): string {
  const word = [status, error, reason].find((each) => each !== undefined && each !== null && each !== '');
  return word === undefined ? 'no reason given' : String(word);
}

/** Returns the target without secrets. */
export const attemptTarget = ({ uri }: JsonObject): string => (typeof uri === 'string' ? maskUrl(uri) : '');

const attemptedTarget = ({ uri, custom_data: customData }: JsonObject) => ({
  uri: typeof uri === 'string' ? uri : '',
  customData: isObject(customData) ? customData : {},
});

const secretsOfAttempt = (raw: JsonObject): readonly string[] => [
  ...listSecrets(attemptSchema, raw),
  ...hookSecrets(attemptedTarget(raw)),
];

function maskAttempt(raw: JsonObject): JsonObject {
  const { resp_body: body } = raw;
  const secrets = hookSecrets(attemptedTarget(raw));
  const safe = redact(attemptSchema, raw);
  if (!isObject(safe)) return {};
  return typeof body === 'string' ? { ...safe, resp_body: maskSecretTexts(body, secrets) } : safe;
}

/** Lists reasons by frequency: `8 × 500, 2 × econnrefused`. */
export function describeReasons(reasons: ReadonlyMap<string, number>): string {
  return [...reasons]
    .sort(([, one], [, other]) => other - one)
    .map(([reason, count]) => `${count} × ${reason}`)
    .join(', ');
}
