import type { JsonObject } from '../../../base/json.ts';
import type { Context } from '../../../command/context.ts';
import { type HookRequest, hookRequest } from '../../../contract/hook-request.ts';
import { secretKey, shownTarget } from '../subscription.ts';
import { answerInWords, isDelivered, sendToTarget, type TargetAnswer } from '../target-client.ts';
import type { ReceivedEvent } from './event-store.ts';

/** Number of times that one event is sent to a target that worked before, and the pause between. */
const tries = 3;
const pauseMs = 1000;

/** The request that an event came by, to another target; `secret` goes into it again. */
export const forwardedRequest = (
  event: ReceivedEvent,
  uri: string,
  secret: string | undefined,
): HookRequest =>
  hookRequest(
    { uri, verb: event.verb, format: event.format, hookId: event.webhook_id, accountId: event.account_id },
    { ...event.payload, ...(secret === undefined ? {} : ({ [secretKey]: secret } satisfies JsonObject)) },
  );

/** Sends events on, one after the other. */
export interface Forwarder {
  add(event: ReceivedEvent): void;
  /** Begins nothing more: the listener has ended, be it that nobody reads any more. */
  stop(): void;
  /** Events that were not sent on, because of trouble or because there was no time. */
  missed(): readonly string[];
}

/**
 * Sends events on to a target in the order in which they came. One that is down is tried a few times, said so, and
 * passed over; while it stays down, each further event is tried once. Nothing is sent after Ctrl-C.
 */
export function forwarderTo(context: Context, uri: string, secret: string | undefined): Forwarder {
  const { host, notices } = context;
  const shown = shownTarget(uri);
  const missed = new Set<string>();
  let isDown = false;
  let hasEnded = false;
  let last: Promise<void> = Promise.resolve();

  async function send(event: ReceivedEvent): Promise<TargetAnswer | undefined> {
    for (let tried = 1; ; tried += 1) {
      const answer = await sendToTarget(context, forwardedRequest(event, uri, secret));
      if (isDelivered(answer) || isDown || hasEnded || tried >= tries) return answer;
      await host.clock.sleep(pauseMs, host.interrupted);
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
      if (isDown) notices.say(`${shown} takes events again.`);
      isDown = false;
      missed.delete(event.id);
      return notices.say(`  ${event.id} → ${shown}  ${answerInWords(answer)}`);
    }
    const why = `${event.id} was not taken by ${shown}: ${answerInWords(answer)}.`;
    notices.warn(isDown ? why : `${why} It is kept; later: telctl webhooks replay ${event.id}`);
    isDown = true;
  }

  return {
    add(event) {
      missed.add(event.id);
      last = last.then(() => forward(event));
    },
    stop() {
      hasEnded = true;
    },
    missed: () => [...missed],
  };
}
