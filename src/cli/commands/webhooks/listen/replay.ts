import { createHint, Failure, nextStep } from '../../../../base/failure.ts';
import type { JsonObject } from '../../../../base/json.ts';
import { findNearest } from '../../../../base/nearest.ts';
import { didYouMean } from '../../../../base/wording.ts';
import { type HookRequest, hookRequest } from '../../../../contract/hook-request.ts';
import { hooks } from '../../../../contract/hooks.ts';
import { maskUrl } from '../../../../contract/secrets.ts';
import type { Column } from '../../../../contract/types.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { plainColumns, type Result } from '../../../command/result.ts';
import { secretFromOptions } from '../../passwords/secrets.ts';
import { readLocalRange } from '../../records/account-time.ts';
import type { replayArguments, replayOptions } from '../event-commands.ts';
import {
  describeAnswer,
  isDelivered,
  secretKey,
  sendToTarget,
  type TargetAnswer,
  targetUrl,
} from '../target-client.ts';
import { type ReceivedEvent, storedEvents, summarizeEvent } from './event-store.ts';

type Input = InputOf<typeof replayOptions, typeof replayArguments>;

const columns: readonly Column[] = [
  ...plainColumns('id', 'time', 'hook'),
  { header: 'TO', paths: ['to'], sparse: true },
  { header: 'ANSWER', paths: ['answer'], sparse: true },
  ...plainColumns('what'),
];

const eventRow = (event: ReceivedEvent): JsonObject => ({
  id: event.id,
  time: `${event.received_at.slice(0, 19).replace('T', ' ')}Z`,
  hook: event.hook,
  what: summarizeEvent(event),
});

/** Sends stored events again, oldest first, or lists them. */
export async function replay(input: Input, context: Context): Promise<Result> {
  const events = await chosenEvents(input, context);
  const { dryRun } = context.options;
  if (input.list || dryRun) {
    if (dryRun) context.notices.say('Nothing was sent.');
    return {
      kind: 'list',
      items: events.map((event) => ({ ...event, ...eventRow(event) })),
      columns,
      noun: 'events',
    };
  }
  const secret = await secretFromOptions(context, input);
  const targets = events.map((event) => replayTarget(event, input.forward));
  const rows: JsonObject[] = [];
  for (const [index, event] of events.entries()) {
    const uri = targets[index] ?? '';
    const answer = await sendToTarget(context, forwardedRequest(event, uri, secret));
    const delivered = isDelivered(answer);
    rows.push({ ...eventRow(event), to: maskUrl(uri), delivered, answer: describeAnswer(answer) });
    context.notices.progress(index + 1, events.length, 'events');
  }
  const failed = rows.filter(({ delivered }) => delivered !== true);
  const sentence = `${failed.length} of ${rows.length} ${rows.length === 1 ? 'event was' : 'events were'} not accepted.`;
  return {
    kind: 'list',
    items: rows,
    columns,
    noun: 'events',
    ...(failed.length === 0
      ? {}
      : { failure: new Failure(failed.length < rows.length ? 'partial' : 'failed', sentence) }),
  };
}

/** Throws `not_found` if a selected event is not stored. */
async function chosenEvents(input: Input, context: Context): Promise<readonly ReceivedEvent[]> {
  const { ids, since, hook } = input;
  const kept = storedEvents(context.host);
  for (const id of ids) {
    if (kept.some((event) => event.id === id)) continue;
    const near = findNearest(
      id,
      kept.map((event) => event.id),
    );
    throw new Failure('not_found', `There is no stored event ${JSON.stringify(id)}.${didYouMean(near)}`, {
      hint: createHint`To list them: ${nextStep`webhooks replay --list`}`,
    });
  }
  refuseUnknownHook(hook, kept);
  const typed = { from: since, to: undefined, options: ['--since', '--until'] } as const;
  const { fromMs: from } = await readLocalRange(context, typed);
  return kept.filter(
    (event) =>
      (ids.length === 0 || ids.includes(event.id)) &&
      (from === undefined || Date.parse(event.received_at) >= from) &&
      (hook.length === 0 || hook.includes(event.hook)),
  );
}

/** Throws `usage` for a hook that neither the service nor any event has. */
function refuseUnknownHook(wanted: readonly string[], kept: readonly ReceivedEvent[]): void {
  const known = new Set([...hooks.map(({ id }) => id), ...kept.map((event) => event.hook)]);
  const stranger = wanted.find((id) => !known.has(id));
  if (stranger === undefined) return;
  const near = findNearest(stranger, [...known]);
  throw new Failure(
    'usage',
    `There are no stored events of a hook ${JSON.stringify(stranger)}.${didYouMean(near)}`,
    {
      hint: createHint`To list them: ${nextStep`webhooks replay --list`}`,
    },
  );
}

function replayTarget(event: ReceivedEvent, forward: string | undefined): string {
  const target = forward ?? event.forward;
  if (target !== undefined) return targetUrl(target, '--forward').href;
  throw new Failure('usage', `The listener did not forward event ${event.id}.`, {
    hint: 'Name an address with --forward URL.',
  });
}

const maxTries = 3;
const retryAfterMs = 1000;

/** Returns the original request for another target. Adds `secret` again. */
const forwardedRequest = (event: ReceivedEvent, uri: string, secret: string | undefined): HookRequest =>
  hookRequest(
    { uri, verb: event.verb, format: event.format, hookId: event.webhook_id, accountId: event.account_id },
    { ...event.payload, ...(secret === undefined ? {} : ({ [secretKey]: secret } satisfies JsonObject)) },
  );

/** Forwards events in order. If the target fails, retries a few times, then sends further events once. */
export function forwarderTo(context: Context, uri: string, secret: string | undefined) {
  const { host, notices } = context;
  const shown = maskUrl(uri);
  const missed = new Set<string>();
  let isDown = false;
  let hasEnded = false;
  let last: Promise<void> = Promise.resolve();

  async function send(event: ReceivedEvent): Promise<TargetAnswer | undefined> {
    for (let tried = 1; ; tried += 1) {
      const answer = await sendToTarget(context, forwardedRequest(event, uri, secret));
      if (isDelivered(answer) || isDown || hasEnded || tried >= maxTries) return answer;
      await host.clock.sleep(retryAfterMs, host.interrupted);
    }
  }

  async function forward(event: ReceivedEvent): Promise<void> {
    if (hasEnded || host.interrupted.aborted) return;
    const answer = await send(event).catch((error: unknown) => {
      if (host.interrupted.aborted) return undefined;
      throw error;
    });
    if (answer === undefined) return;
    if (isDelivered(answer)) {
      if (isDown) notices.say(`${shown} accepts events again.`);
      isDown = false;
      missed.delete(event.id);
      return notices.say(`  ${event.id} → ${shown}  ${describeAnswer(answer)}`);
    }
    const why = `${event.id} was not accepted by ${shown}: ${describeAnswer(answer)}.`;
    notices.warn(
      isDown ? why : `${why} It is stored. To send it again: ${nextStep`webhooks replay ${event.id}`}`,
    );
    isDown = true;
  }

  return {
    add(event: ReceivedEvent): void {
      missed.add(event.id);
      last = last.then(() => forward(event));
    },
    stop(): void {
      hasEnded = true;
    },
    /** Events that were not forwarded, because of errors or lack of time. */
    missed: (): readonly string[] => [...missed],
  };
}
