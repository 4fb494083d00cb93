import { Failure } from '../../../base/failure.ts';
import type { JsonObject } from '../../../base/json.ts';
import { momentOf } from '../../../base/moment.ts';
import { nearest } from '../../../base/nearest.ts';
import { didYouMean } from '../../../base/wording.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { hooks } from '../../../contract/hooks.ts';
import type { Column } from '../../../contract/types.ts';
import { readSecret } from '../../secrets.ts';
import type { replayArguments, replayOptions } from '../event-commands.ts';
import { shownTarget } from '../subscription.ts';
import { answerInWords, isDelivered, sendToTarget, targetUrl } from '../target-client.ts';
import { keptEvents, type ReceivedEvent, summaryOf } from './event-store.ts';
import { forwardedRequest } from './forwarding.ts';

type Input = InputOf<typeof replayOptions, typeof replayArguments>;

const columns: readonly Column[] = [
  { header: 'ID', paths: ['id'] },
  { header: 'TIME', paths: ['time'] },
  { header: 'HOOK', paths: ['hook'] },
  { header: 'TO', paths: ['to'], sparse: true },
  { header: 'ANSWER', paths: ['answer'], sparse: true },
  { header: 'WHAT', paths: ['what'] },
];

const shown = (event: ReceivedEvent): JsonObject => ({
  id: event.id,
  time: `${event.received_at.slice(0, 19).replace('T', ' ')}Z`,
  hook: event.hook,
  what: summaryOf(event),
});

/** Sends kept events once more, oldest first, or lists them. */
export async function replay(input: Input, context: Context): Promise<Result> {
  const events = chosenEvents(input, context);
  const { dryRun } = context.options;
  if (input.list || dryRun) {
    if (dryRun) context.notices.say('Nothing was sent.');
    return {
      kind: 'list',
      items: events.map((event) => ({ ...event, ...shown(event) })),
      columns,
      noun: 'events',
    };
  }
  const secret = await readSecret(context, 'secret', {
    stdin: input.secretStdin === true,
    file: input.secretFile,
  });
  const targets = events.map((event) => targetOf(event, input.forward));
  const rows: JsonObject[] = [];
  for (const [index, event] of events.entries()) {
    const uri = targets[index] ?? '';
    const answer = await sendToTarget(context, forwardedRequest(event, uri, secret));
    const delivered = isDelivered(answer);
    rows.push({ ...shown(event), to: shownTarget(uri), delivered, answer: answerInWords(answer) });
    context.notices.progress(index + 1, events.length, 'events');
  }
  const failed = rows.filter(({ delivered }) => delivered !== true);
  const sentence = `${failed.length} of ${rows.length} ${rows.length === 1 ? 'event was' : 'events were'} not taken.`;
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

/** The events that are meant. Throws `Failure`: `usage` where none is named, `not_found` where one is not kept. */
function chosenEvents(input: Input, { host }: Context): readonly ReceivedEvent[] {
  const { ids, since, hook } = input;
  if (ids.length === 0 && since === undefined && !input.list)
    throw new Failure('usage', 'No events were given.', {
      hint: 'Name them by their ids, or give --since 10m. To list them: telctl webhooks replay --list',
    });
  const kept = keptEvents(host);
  for (const id of ids) {
    if (kept.some((event) => event.id === id)) continue;
    const near = nearest(
      id,
      kept.map((event) => event.id),
    );
    throw new Failure('not_found', `No event ${JSON.stringify(id)} is kept.${didYouMean(near)}`, {
      hint: 'To list them: telctl webhooks replay --list',
    });
  }
  refuseUnknownHook(hook, kept);
  const from = since === undefined ? undefined : momentOf(since, host.clock.now(), '--since');
  return kept.filter(
    (event) =>
      (ids.length === 0 || ids.includes(event.id)) &&
      (from === undefined || Date.parse(event.received_at) >= from) &&
      (hook.length === 0 || hook.includes(event.hook)),
  );
}

/** Throws `Failure` of kind `usage` for a hook that no service has and no event is of: it is a slip. */
function refuseUnknownHook(wanted: readonly string[], kept: readonly ReceivedEvent[]): void {
  const known = new Set([...hooks.map(({ id }) => id), ...kept.map((event) => event.hook)]);
  const stranger = wanted.find((id) => !known.has(id));
  if (stranger === undefined) return;
  const near = nearest(stranger, [...known]);
  throw new Failure('usage', `No event of a hook ${JSON.stringify(stranger)} is kept.${didYouMean(near)}`, {
    hint: 'To list them: telctl webhooks replay --list',
  });
}

function targetOf(event: ReceivedEvent, forward: string | undefined): string {
  const target = forward ?? event.forward;
  if (target !== undefined) return targetUrl(target, '--forward').href;
  throw new Failure('usage', `The listener did not send event ${event.id} on.`, {
    hint: 'Say where to send it: --forward URL',
  });
}
