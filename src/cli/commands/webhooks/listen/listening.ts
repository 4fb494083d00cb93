import { nextStep } from '../../../../base/failure.ts';
import { itemQueue } from '../../../../base/item-queue.ts';
import { counted } from '../../../../base/wording.ts';
import type { Context } from '../../../command/context.ts';
import { isStop } from '../../is-stop.ts';
import { eventFeed, type FeedFacts } from './event-feed.ts';
import {
  eventOf,
  type Keeping,
  keepingBy,
  openEventStore,
  openSaved,
  type ReceivedEvent,
} from './event-store.ts';
import type { Refusal } from './receiver.ts';
import { type Forwarder, forwarderTo } from './replay.ts';
import type { Wish } from './subscribe.ts';

export interface SessionFacts extends Omit<FeedFacts, 'accept' | 'refuse'> {
  /** The secret where the user gave it: what events are forwarded with. */
  readonly givenSecret: string | undefined;
  readonly forward: string | undefined;
  readonly save: string | undefined;
}

/** A listener from its first subscription to the end of its last. */
export interface Session {
  /** Events as they come, until Ctrl-C. Whoever stops reading ends the listener, too. */
  events(): AsyncGenerator<ReceivedEvent>;
  /** Returns the summary of all, in a sentence; known at the end. */
  readonly summary: () => string;
  /** Tells whether events were not saved, or subscriptions are still there; known at the end. */
  readonly isPartial: () => boolean;
}

/** Makes a listener; nothing is opened and nothing is sent before its events are read. */
export function sessionOf(context: Context, facts: SessionFacts): Session {
  const { host, notices } = context;
  const counts = { events: 0, left: 0 };
  const refused = new Map<Refusal, number>();
  let forwarder: Forwarder | undefined;
  let keepings: readonly Keeping[] = [];
  const lost = (): number => Math.max(0, ...keepings.map((each) => each.lost()));

  async function* events(): AsyncGenerator<ReceivedEvent> {
    const queue = itemQueue<ReceivedEvent>();
    const saved = facts.save === undefined ? undefined : openSaved(host, facts.save);
    const store = openEventStore(host);
    const kept = keepingBy(context, store.keep, 'An event could not be kept for telctl webhooks replay');
    const copied = saved && keepingBy(context, saved.save, `An event could not be written to ${facts.save}`);
    keepings = copied ? [kept, copied] : [kept];
    if (facts.forward !== undefined) forwarder = forwarderTo(context, facts.forward, facts.givenSecret);
    const feed = eventFeed(context, {
      ...facts,
      accept(delivery, hook) {
        const event = eventOf(context, delivery, hook, facts.forward);
        counts.events += 1;
        for (const keeping of keepings) keeping.add(event);
        queue.add(event);
        forwarder?.add(event);
      },
      refuse(why) {
        const before = refused.get(why) ?? 0;
        refused.set(why, before + 1);
        if (before === 0) notices.warn(`A request was refused: ${why}. More of them are counted.`);
      },
    });
    const end = (): void => queue.end();
    host.interrupted.addEventListener('abort', end, { once: true });
    try {
      const { wish, port } = await feed.open();
      notices.say(listeningLine(wish, port));
      if (host.interrupted.aborted) queue.end();
      yield* queue.read();
    } catch (error) {
      // Ctrl-C while it was still beginning is an end like any other.
      if (!isStop(host, error)) throw error;
    } finally {
      host.interrupted.removeEventListener('abort', end);
      forwarder?.stop();
      counts.left = await feed.close();
      store.close();
      saved?.close();
    }
  }

  return {
    events,
    summary() {
      const parts = [counted(counts.events, 'event')];
      for (const [why, count] of refused) parts.push(`${count} refused (${why})`);
      const missed = forwarder?.missed().length ?? 0;
      if (missed > 0) parts.push(`${missed} not sent on (${nextStep`webhooks replay --list`})`);
      if (lost() > 0) parts.push(`${lost()} not saved`);
      const end = counts.left === 0 ? 'Unsubscribed' : `${counted(counts.left, 'subscription')} left behind`;
      return `${parts.join(', ')}. ${end}.`;
    },
    isPartial: () => lost() > 0 || counts.left > 0,
  };
}

function listeningLine({ hooks, uri }: Wish, port: number): string {
  const here = `http://127.0.0.1:${port}`;
  const from = uri.startsWith(here) ? here : `${here}, reached by ${new URL(uri).origin}`;
  return `Listening at ${from} for ${hooks.map(({ id }) => id).join(', ')}. End with Ctrl-C.`;
}
