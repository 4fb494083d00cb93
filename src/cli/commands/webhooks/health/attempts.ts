import { Failure } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { momentOf } from '../../../../base/moment.ts';
import { webhooks } from '../../../../contract/resources/webhooks.ts';
import type { Column } from '../../../../contract/types.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { ListResult } from '../../../command/result.ts';
import { findNamed, operationFor } from '../../generic/find-named.ts';
import type { attemptsArguments, attemptsOptions } from '../commands.ts';
import {
  type AttemptRange,
  type AttemptsOf,
  attemptMs,
  attemptsOf,
  hasFailed,
  reasonOf,
  reasonsInWords,
  safeAttempt,
  secretsOfAttempt,
  serviceNowMs,
} from './webhook-health.ts';

/** Pause between looks for new attempts, and number of old ones that stand before them. */
const pauseMs = 2000;
const before = 10;

/** Returns the key that tells an attempt from all others: its event and its try, if a service tells them. */
const attemptKey = (each: JsonObject): string =>
  JSON.stringify([each.hook_id, each.event_id, each.try, each.timestamp, each.result, each.retries_left]);

/**
 * Old attempts, oldest first, and then new ones as they come. Ctrl-C ends it well. Each look reads down to what was
 * seen before and asks for no range of time, since the service's clock may be turned meanwhile.
 */
async function* followed(
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
      for await (const each of attemptsOf(api, whose, {})) {
        if (attemptMs(each) < latestMs) break;
        if (isFirst && fromMs === undefined && found.length >= before) break;
        found.push(each);
      }
      yield* found.toReversed().filter((each) => !seen.has(attemptKey(each)));
      // Those of the last second come again with the next look: others of the same second may join them.
      latestMs = found.reduce((latest, each) => Math.max(latest, attemptMs(each)), latestMs);
      if (found.length > 0) seen = new Set(found.map(attemptKey));
      await clock.sleep(pauseMs, interrupted);
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

/**
 * Lists the deliveries of one webhook, or of all in the account (Conventions, attempt record), and goes on with new ones
 * where that is asked for.
 */
export async function listAttempts(input: Input, context: Context): Promise<ListResult> {
  const { follow, since, until } = input;
  if (follow && until !== undefined) throw new Failure('usage', '--follow has no end; leave --until out.');
  const webhookId = input.id === undefined ? undefined : (await findNamed(context, webhooks, input.id)).id;
  const range = await rangeOf(context, { since, until });
  const names = webhookId === undefined ? await namesOf(context) : undefined;
  const counts = { all: 0, delivered: 0, failed: new Map<string, number>() };
  const source = follow
    ? followed(context, { webhookId }, range.fromMs)
    : attemptsOf(await context.api(), { webhookId }, range);
  async function* shownAttempts(): AsyncGenerator<JsonObject> {
    for await (const each of source) {
      if (input.failed && !hasFailed(each)) continue;
      if (input.limit !== undefined && !follow && counts.all >= input.limit) return;
      counts.all += 1;
      if (hasFailed(each)) counts.failed.set(reasonOf(each), (counts.failed.get(reasonOf(each)) ?? 0) + 1);
      else counts.delivered += 1;
      if (context.options.reveal) context.notices.disclose(secretsOfAttempt(each));
      const attempt = context.options.reveal ? each : safeAttempt(each);
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
        ...(failed > 0 ? [`${failed} failed (${reasonsInWords(counts.failed)})`] : []),
      ];
      return `${counts.all} ${counts.all === 1 ? 'attempt' : 'attempts'}: ${parts.join(', ')}`;
    },
  };
}

/** The time that is meant, by the service's clock. */
async function rangeOf(
  context: Context,
  { since, until }: Pick<Input, 'since' | 'until'>,
): Promise<AttemptRange> {
  if (since === undefined && until === undefined) return {};
  const nowMs = await serviceNowMs(context);
  return {
    fromMs: since === undefined ? undefined : momentOf(since, nowMs, '--since'),
    toMs: until === undefined ? undefined : momentOf(until, nowMs, '--until'),
  };
}

/** Names of the account's webhooks, by id. None where the service lists none. */
async function namesOf(context: Context): Promise<ReadonlyMap<string, string>> {
  const names = new Map<string, string>();
  const api = await context.api();
  try {
    for await (const page of api.pages({ operation: operationFor(webhooks, 'list') }))
      for (const { id, name } of page)
        if (typeof id === 'string' && typeof name === 'string') names.set(id, name);
  } catch (error) {
    if (!(error instanceof Failure) || error.kind !== 'not_found') throw error;
  }
  return names;
}
