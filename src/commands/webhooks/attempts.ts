import type { InputOf } from '../../cli/command.ts';
import type { Context } from '../../cli/context.ts';
import { Failure } from '../../contract/failure.ts';
import type { JsonObject } from '../../contract/json.ts';
import { webhooks } from '../../contract/resources/webhooks.ts';
import type { Column } from '../../contract/types.ts';
import type { ListResult } from '../../terminal/result.ts';
import { findRecord } from '../generic/find-record.ts';
import { momentOf } from '../moment.ts';
import {
  type AttemptRange,
  attemptMs,
  attemptsOf,
  hasFailed,
  reasonOf,
  reasonsInWords,
  safeAttempt,
} from './attempt-reading.ts';
import type { attemptsOptions } from './attempts-command.ts';
import type { webhookArguments } from './webhook-arguments.ts';

type Input = InputOf<typeof attemptsOptions, typeof webhookArguments>;

const columns: readonly Column[] = [
  { header: 'TIME', paths: ['timestamp'], show: 'time' },
  { header: 'EVENT', paths: ['hook_event'] },
  { header: 'RESULT', paths: ['result'] },
  { header: 'STATUS', paths: ['resp_status_code'] },
  { header: 'TRY', paths: ['try'] },
  { header: 'LEFT', paths: ['retries_left'], sparse: true },
  { header: 'MS', paths: ['duration_ms'], sparse: true },
  { header: 'REASON', paths: ['reason', 'client_error'], show: 'sentence' },
];
const widths = [20, 15, 7, 6, 3, 15, 4];

/** How often new attempts are looked for, and how many old ones stand before them. */
const pauseMs = 2000;
const before = 10;

/** Lists the deliveries of one webhook (Conventions, attempt record), and goes on with new ones where that is asked for. */
export async function listAttempts(input: Input, context: Context): Promise<ListResult> {
  const { id } = await findRecord(context, webhooks, input.id);
  const { follow, since, until } = input;
  if (follow && until !== undefined) throw new Failure('usage', '--follow has no end; leave --until out.');
  const nowMs = context.host.clock.now();
  const range = {
    fromMs: since === undefined ? undefined : momentOf(since, nowMs, '--since'),
    toMs: until === undefined ? undefined : momentOf(until, nowMs, '--until'),
  };
  const counts = { all: 0, delivered: 0, failed: new Map<string, number>() };
  const source = follow ? followed(context, id, range) : once(context, id, range);
  async function* shown(): AsyncGenerator<JsonObject> {
    for await (const each of source) {
      if (input.failed && !hasFailed(each)) continue;
      if (input.limit !== undefined && !follow && counts.all >= input.limit) return;
      counts.all += 1;
      if (hasFailed(each)) counts.failed.set(reasonOf(each), (counts.failed.get(reasonOf(each)) ?? 0) + 1);
      else counts.delivered += 1;
      yield context.options.reveal ? each : safeAttempt(each);
    }
  }
  return {
    kind: 'list',
    items: shown(),
    columns,
    noun: 'attempts',
    ...(follow ? { live: widths } : {}),
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

async function* once(context: Context, id: string, range: AttemptRange): AsyncGenerator<JsonObject> {
  yield* attemptsOf(await context.api(), id, range);
}

/** What makes an attempt that one and no other: its event and its try, where a service tells them. */
const keyOf = (each: JsonObject): string =>
  JSON.stringify([each.event_id, each.try, each.timestamp, each.result, each.retries_left]);

/** Old attempts, oldest first, and then new ones as they come. Ctrl-C ends it well. */
async function* followed(context: Context, id: string, range: AttemptRange): AsyncGenerator<JsonObject> {
  const { clock, interrupted } = context.host;
  const api = await context.api();
  let fromMs = range.fromMs;
  let seen = new Set<string>();
  try {
    for (let isFirst = true; ; isFirst = false) {
      const found: JsonObject[] = [];
      for await (const each of attemptsOf(api, id, { fromMs })) {
        if (isFirst && range.fromMs === undefined && found.length >= before) break;
        found.push(each);
      }
      const fresh = found.reverse().filter((each) => !seen.has(keyOf(each)));
      yield* fresh;
      // Those of the last second come again with the next look: others of the same second may join them.
      fromMs = found.reduce<number | undefined>(
        (latest, each) => Math.max(latest ?? 0, attemptMs(each)),
        fromMs,
      );
      seen = new Set([...found, ...fresh].map(keyOf));
      if (fromMs === undefined) fromMs = clock.now() - pauseMs;
      await clock.sleep(pauseMs, interrupted);
    }
  } catch (error) {
    if (!interrupted.aborted) throw error;
  }
}
