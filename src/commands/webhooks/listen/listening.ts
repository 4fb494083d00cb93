import { Failure } from '../../../base/failure.ts';
import { itemQueue } from '../../../base/item-queue.ts';
import { counted } from '../../../base/wording.ts';
import type { Context } from '../../../command/context.ts';
import { carriesSecret } from '../subscription.ts';
import {
  eventOf,
  type Keeping,
  keepingBy,
  openEventStore,
  openSaved,
  type ReceivedEvent,
} from './event-store.ts';
import { openReceiver, type Refusal } from './receiver.ts';
import { type Forwarder, forwarderTo } from './replay.ts';
import {
  type LeftWebhook,
  type Listening,
  leftovers,
  listenerPrefix,
  ownSubscriptions,
  subscribe,
  unsubscribe,
  type Wish,
} from './subscribe.ts';

/** Options for running a listener. */
export interface SessionFacts {
  readonly port: number;
  readonly path: string;
  /** Host by which a tunnel or proxy in front of the listener is called; `undefined` without one. */
  readonly publicHost: string | undefined;
  readonly secret: string;
  /** The secret where the user gave it: what events are forwarded with. */
  readonly givenSecret: string | undefined;
  readonly forward: string | undefined;
  readonly save: string | undefined;
  readonly wishFor: (port: number) => Wish;
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
    const subscriptions = new Map<string, Listening & { readonly hook: string }>();
    const saved = facts.save === undefined ? undefined : openSaved(host, facts.save);
    const store = openEventStore(host);
    const kept = keepingBy(context, store.keep, 'An event could not be kept for telctl webhooks replay');
    const copied = saved && keepingBy(context, saved.save, `An event could not be written to ${facts.save}`);
    keepings = copied ? [kept, copied] : [kept];
    if (facts.forward !== undefined) forwarder = forwarderTo(context, facts.forward, facts.givenSecret);
    const receiver = await openReceiver({
      port: facts.port,
      path: facts.path,
      publicHost: facts.publicHost,
      isOurs: (payload) => carriesSecret(payload, facts.secret),
      accept(delivery) {
        const hook = subscriptions.get(delivery.webhookId ?? '')?.hook;
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
    let restoreSignals = (): void => undefined;
    // At once: a second Ctrl-C may come before anything else happens.
    const end = (): void => {
      restoreSignals = host.processes.passSignals();
      queue.end();
    };
    host.interrupted.addEventListener('abort', end, { once: true });
    let isWhole = false;
    try {
      const api = await context.api();
      await removeLeftovers(context);
      const wish = facts.wishFor(receiver.port);
      await subscribe(api, wish, (one) => subscriptions.set(one.id, one));
      isWhole = true;
      notices.say(listeningLine(wish, receiver.port));
      if (host.interrupted.aborted) queue.end();
      yield* queue.read();
    } catch (error) {
      // Ctrl-C while it was still beginning is an end like any other.
      if (!(error instanceof Failure && error.kind === 'interrupted')) throw error;
    } finally {
      host.interrupted.removeEventListener('abort', end);
      forwarder?.stop();
      counts.left = await putAway(context, [...subscriptions.values()], isWhole);
      await receiver.close();
      restoreSignals();
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
      if (missed > 0) parts.push(`${missed} not sent on (telctl webhooks replay --list)`);
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

/** Removes what killed listeners of this machine left; a service that has no list of webhooks cannot tell. */
async function removeLeftovers(context: Context): Promise<void> {
  const api = await context.api();
  const left = await leftovers(api, context.host).catch((error: unknown) => {
    if (error instanceof Failure && error.kind === 'not_found') return [];
    throw error;
  });
  if (left.length === 0) return;
  const still = await unsubscribe(api, left);
  const count = left.length - still.length;
  if (count === 0) return;
  context.notices.say(`Removed ${counted(count, 'subscription')} of a listener that was killed.`);
}

/**
 * Ends the subscriptions, also after Ctrl-C, and gives the number of those that are still there. Where subscribing broke
 * off, the service is asked which ones there are: a reply may have been lost.
 */
async function putAway(context: Context, known: readonly Listening[], isWhole: boolean): Promise<number> {
  try {
    const api = await context.cleanupApi();
    const all = isWhole ? known : await ownSubscriptions(api, context.host).catch(() => known);
    const still = await unsubscribe(api, all);
    for (const [why, those] of Map.groupBy(still, (each) => each.why)) sayLeft(context, those, why);
    return still.length;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (known.length > 0) sayLeft(context, known, error.message);
    return known.length;
  }
}

/** Says what stays at the service, why, and how it goes away. */
function sayLeft(
  { notices, host }: Context,
  left: readonly (Pick<Listening, 'name'> & Partial<LeftWebhook>)[],
  why: string,
): void {
  const [first, ...others] = left.map(({ name }) => name);
  const isOne = others.length === 0;
  const are = left.some(({ inDoubt }) => inDoubt) ? 'may still be' : isOne ? 'is still' : 'are still';
  notices.warn(
    [
      isOne
        ? `The webhook ${first} ${are} there`
        : `${left.length} webhooks ${listenerPrefix(host)}… ${are} there`,
      `: ${why.replace(/\.$/, '')}. The next telctl webhooks listen removes ${isOne ? 'it' : 'them'}, or: `,
      `telctl webhooks delete ${isOne ? first : 'NAME'}`,
    ].join(''),
  );
}
