import { itemQueue } from '../../../../base/concurrency.ts';
import { createHint, Failure, isInterruption, nextStep } from '../../../../base/failure.ts';
import { formatCount } from '../../../../base/wording.ts';
import { isLoopback } from '../../../../client/api/transport.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { plainColumns, type Result } from '../../../command/result.ts';
import { wouldSend } from '../../change.ts';
import { secretFromOptions } from '../../passwords/secrets.ts';
import type { listenOptions } from '../event-commands.ts';
import { newAddressSecret, targetUrl } from '../target-client.ts';
import { type EndedSubscription, watchSubscriptions } from './check-subscriptions.ts';
import {
  eventOf,
  keepingBy,
  openEventStore,
  openSaved,
  type ReceivedEvent,
  summaryOf,
} from './event-store.ts';
import { type DeliveryRefusal, eventFeed, type FeedFacts } from './receiver.ts';
import { forwarderTo } from './replay.ts';
import { chosenHooks, listenerPrefix, subscriptionCalls, type Wish } from './subscribe.ts';

type Input = InputOf<typeof listenOptions>;

/** Default path of the receiver. */
const ownPath = '/events';

/** Receives events and shows them (Events). Ctrl-C removes the subscriptions and ends it with success. */
export async function listen(input: Input, context: Context): Promise<Result> {
  const { host } = context;
  const publicUrl = input.publicUrl === undefined ? undefined : targetUrl(input.publicUrl, '--public-url');
  if (input.forward !== undefined) targetUrl(input.forward, '--forward');
  await refuseUnreachable(context, publicUrl);
  const given = await secretFromOptions(context, input);
  const secret = given ?? newAddressSecret(context);
  const api = await context.api();
  const path = publicUrl?.pathname ?? ownPath;
  const wish = (port: number, hooks: Wish['hooks']): Wish => ({
    hooks,
    type: input.type,
    action: input.action,
    uri: publicUrl?.href ?? `http://127.0.0.1:${port}${path}`,
    secret,
    verb: input.verb ?? 'post',
    format: input.format ?? 'json',
    includeSubaccounts: input.includeSubaccounts === true,
    namePrefix: listenerPrefix(host),
  });
  const hooks = await chosenHooks(api, input.hook, { type: input.type, action: input.action });
  if (context.options.dryRun)
    return wouldSend(
      context,
      subscriptionCalls(wish(input.port ?? 0, hooks)).map((call) => ({ call })),
    );
  const session = sessionOf(
    context,
    { ...input, given },
    {
      port: input.port ?? 0,
      path,
      publicHost: publicUrl?.host,
      secret,
      wishFor: (port) => wish(port, hooks),
    },
  );
  return {
    kind: 'list',
    items: shownEvents(session, context),
    live: [9, 15, 8],
    columns: plainColumns('time', 'hook', 'id', 'what'),
    summary: session.summary,
    get exit() {
      return session.isPartial() ? 'partial' : undefined;
    },
  };
}

/** Builds the two columns of an event for tables. Other formats print the event itself. */
async function* shownEvents(session: ReturnType<typeof sessionOf>, { settings, options }: Context) {
  const { value: format } = settings.output;
  const forPeople =
    (format === 'table' || format === 'csv') && options.query === undefined && options.fields === undefined;
  for await (const event of session.events())
    yield forPeople
      ? { ...event, time: `${event.received_at.slice(11, 19)}Z`, what: summaryOf(event) }
      : event;
}

/** A remote service cannot reach a loopback address of this machine. */
async function refuseUnreachable(context: Context, publicUrl: URL | undefined): Promise<void> {
  const { profile } = await context.session();
  if (publicUrl !== undefined || isLoopback(new URL(profile.baseUrl).hostname)) return;
  throw new Failure('usage', `${new URL(profile.baseUrl).origin} cannot reach 127.0.0.1 of this machine.`, {
    hint: createHint`Open a tunnel to a port of this machine, then: ${nextStep`webhooks listen --port PORT --public-url URL`}`,
  });
}

/** A listener that starts when its events are read. Its result is known at the end. */
function sessionOf(
  context: Context,
  {
    given,
    forward,
    save,
    resubscribe,
  }: Pick<Input, 'forward' | 'save' | 'resubscribe'> & { readonly given: string | undefined },
  facts: Omit<FeedFacts, 'accept' | 'refuse'>,
) {
  const { host, notices } = context;
  const counts = { events: 0, left: 0, ended: 0 };
  const refused = new Map<DeliveryRefusal, number>();
  let forwarder: ReturnType<typeof forwarderTo> | undefined;
  let keepings: readonly ReturnType<typeof keepingBy>[] = [];
  const lost = (): number => Math.max(0, ...keepings.map((each) => each.lost()));

  /** Events until Ctrl-C. Ending the iteration also ends the listener. */
  async function* events(): AsyncGenerator<ReceivedEvent> {
    const queue = itemQueue<ReceivedEvent>();
    const saved = save === undefined ? undefined : openSaved(host, save);
    const store = openEventStore(host);
    const kept = keepingBy(context, store.keep, 'An event could not be stored for telctl webhooks replay');
    const copied = saved && keepingBy(context, saved.save, `An event could not be written to ${save}`);
    keepings = copied ? [kept, copied] : [kept];
    if (forward !== undefined) forwarder = forwarderTo(context, forward, given);
    const feed = eventFeed(context, {
      ...facts,
      accept(delivery, hook) {
        const event = eventOf(context, delivery, hook, forward);
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
    /** Subscribes again, or ends the listener. */
    const onEnded = async (ended: readonly EndedSubscription[]): Promise<boolean> => {
      for (const { name, why } of ended) notices.warn(`The subscription ${name} ${why}.`);
      if (resubscribe !== true) {
        counts.ended += ended.length;
        end();
        return false;
      }
      await feed.renew(ended);
      notices.say(`Subscribed again to ${ended.map(({ hook }) => hook).join(', ')}.`);
      return true;
    };
    let stopWatching = (): void => undefined;
    host.interrupted.addEventListener('abort', end, { once: true });
    try {
      const { wish, port } = await feed.open();
      notices.say(listeningLine(wish, port));
      stopWatching = watchSubscriptions(context, feed.ended, onEnded);
      if (host.interrupted.aborted) queue.end();
      yield* queue.read();
    } catch (error) {
      // Ctrl-C during the start is a normal end.
      if (!isInterruption(host, error)) throw error;
    } finally {
      host.interrupted.removeEventListener('abort', end);
      stopWatching();
      forwarder?.stop();
      counts.left = await feed.close();
      store.close();
      saved?.close();
    }
  }

  return {
    events,
    summary() {
      const parts = [formatCount(counts.events, 'event')];
      for (const [why, count] of refused) parts.push(`${count} refused (${why})`);
      const missed = forwarder?.missed().length ?? 0;
      if (missed > 0) parts.push(`${missed} not forwarded (${nextStep`webhooks replay --list`})`);
      if (lost() > 0) parts.push(`${lost()} not saved`);
      if (counts.ended > 0) parts.push(`${formatCount(counts.ended, 'subscription')} ended by the service`);
      const end =
        counts.left === 0 ? 'Unsubscribed' : `${formatCount(counts.left, 'subscription')} left behind`;
      return `${parts.join(', ')}. ${end}.`;
    },
    isPartial: () => lost() > 0 || counts.left > 0 || counts.ended > 0,
  };
}

function listeningLine({ hooks, uri }: Wish, port: number): string {
  const here = `http://127.0.0.1:${port}`;
  const from = uri.startsWith(here) ? here : `${here}, reached by ${new URL(uri).origin}`;
  return `Listening at ${from} for ${hooks.map(({ id }) => id).join(', ')}. End with Ctrl-C.`;
}
