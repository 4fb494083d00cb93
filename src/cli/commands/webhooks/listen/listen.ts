import { itemQueue } from '../../../../base/concurrency.ts';
import { isInterruption, nextStep } from '../../../../base/failure.ts';
import { formatCount } from '../../../../base/wording.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import { plainColumns, type Result } from '../../../command/result.ts';
import { dryRunResult } from '../../change.ts';
import { secretFromOptions } from '../../passwords/secrets.ts';
import type { listenOptions } from '../event-commands.ts';
import { newAddressSecret, targetUrl } from '../target-client.ts';
import { type EndedSubscription, watchSubscriptions } from './check-subscriptions.ts';
import {
  eventOf,
  eventWriter,
  openEventStore,
  openSaveTarget,
  type ReceivedEvent,
  summarizeEvent,
} from './event-store.ts';
import { type DeliveryRefusal, eventFeed, type FeedFacts } from './receiver.ts';
import { forwarderTo } from './replay.ts';
import {
  chosenHooks,
  type ListenRequest,
  listenerPrefix,
  requireReachable,
  subscriptionCalls,
} from './subscribe.ts';

type Input = InputOf<typeof listenOptions>;

interface ListenerOptions extends Pick<Input, 'forward' | 'save' | 'resubscribe'> {
  /** A secret that the user passed. Forwarded requests carry it. */
  readonly given: string | undefined;
}

const defaultPath = '/events';

/** Receives events and shows them (Events). Ctrl-C removes the subscriptions and ends it with success. */
export async function listen(input: Input, context: Context): Promise<Result> {
  const { host } = context;
  const publicUrl = input.publicUrl === undefined ? undefined : targetUrl(input.publicUrl, '--public-url');
  if (input.forward !== undefined) targetUrl(input.forward, '--forward');
  await requireReachable(context, publicUrl, nextStep`webhooks listen --port PORT --public-url URL`);
  const given = await secretFromOptions(context, input);
  const secret = given ?? newAddressSecret(context);
  const api = await context.api();
  const path = publicUrl?.pathname ?? defaultPath;
  const wish = (port: number, hooks: ListenRequest['hooks']): ListenRequest => ({
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
    return dryRunResult(
      context,
      subscriptionCalls(wish(input.port ?? 0, hooks)).map((call) => ({ call })),
    );
  const session = new ListenSession(
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
    summary: () => session.summary(),
    get exit() {
      return session.isPartial ? 'partial' : undefined;
    },
  };
}

/** Builds the two columns of an event for tables. Other formats print the event itself. */
async function* shownEvents(session: ListenSession, { settings, options }: Context) {
  const { value: format } = settings.output;
  const forPeople =
    (format === 'table' || format === 'csv') && options.query === undefined && options.fields === undefined;
  for await (const event of session.events())
    yield forPeople
      ? { ...event, time: `${event.received_at.slice(11, 19)}Z`, what: summarizeEvent(event) }
      : event;
}

/** One run of the listener. It starts when its events are read, and its result is known at the end. */
class ListenSession {
  readonly #context: Context;
  readonly #options: ListenerOptions;
  readonly #facts: Omit<FeedFacts, 'accept' | 'refuse'>;
  readonly #queue = itemQueue<ReceivedEvent>();
  readonly #refused = new Map<DeliveryRefusal, number>();
  #events = 0;
  /** Subscriptions that could not be removed, and those that the service ended. */
  #remaining = 0;
  #ended = 0;
  #forwarder: ReturnType<typeof forwarderTo> | undefined;
  #writers: readonly ReturnType<typeof eventWriter>[] = [];

  constructor(context: Context, options: ListenerOptions, facts: Omit<FeedFacts, 'accept' | 'refuse'>) {
    this.#context = context;
    this.#options = options;
    this.#facts = facts;
  }

  get isPartial(): boolean {
    return this.#lost > 0 || this.#remaining > 0 || this.#ended > 0;
  }

  /** Yields events until Ctrl-C. Ending the iteration also ends the listener. */
  async *events(): AsyncGenerator<ReceivedEvent> {
    const { host, notices } = this.#context;
    const { forward, given } = this.#options;
    const closeFiles = this.#openFiles();
    if (forward !== undefined) this.#forwarder = forwarderTo(this.#context, forward, given);
    const feed = eventFeed(this.#context, {
      ...this.#facts,
      accept: (delivery, hook) => this.#accept(eventOf(this.#context, delivery, hook, forward)),
      refuse: (why) => this.#refuse(why),
    });
    const end = (): void => this.#queue.end();
    let stopWatching = (): void => undefined;
    host.interrupted.addEventListener('abort', end, { once: true });
    try {
      const { wish, port } = await feed.open();
      notices.say(listeningLine(wish, port));
      stopWatching = watchSubscriptions(this.#context, feed.ended, (ended) => this.#renew(feed, ended));
      if (host.interrupted.aborted) end();
      yield* this.#queue.read();
    } catch (error) {
      // Ctrl-C during the start is a normal end.
      if (!isInterruption(host, error)) throw error;
    } finally {
      host.interrupted.removeEventListener('abort', end);
      stopWatching();
      this.#forwarder?.stop();
      this.#remaining = await feed.close();
      closeFiles();
    }
  }

  summary(): string {
    const missed = this.#forwarder?.missed().length ?? 0;
    const parts = [
      formatCount(this.#events, 'event'),
      ...[...this.#refused].map(([why, count]) => `${count} refused (${why})`),
      ...(missed > 0 ? [`${missed} not forwarded (${nextStep`webhooks replay --list`})`] : []),
      ...(this.#lost > 0 ? [`${this.#lost} not saved`] : []),
      ...(this.#ended > 0 ? [`${formatCount(this.#ended, 'subscription')} ended by the service`] : []),
    ];
    const end =
      this.#remaining === 0
        ? 'Unsubscribed'
        : `${formatCount(this.#remaining, 'subscription')} could not be removed`;
    return `${parts.join(', ')}. ${end}.`;
  }

  get #lost(): number {
    return Math.max(0, ...this.#writers.map((each) => each.lost()));
  }

  #openFiles(): () => void {
    const { save } = this.#options;
    const saved = save === undefined ? undefined : openSaveTarget(this.#context.host, save);
    const store = openEventStore(this.#context.host);
    this.#writers = [
      eventWriter(this.#context, store.keep, 'An event could not be stored for telctl webhooks replay'),
      ...(saved ? [eventWriter(this.#context, saved.save, `An event could not be written to ${save}`)] : []),
    ];
    return () => {
      store.close();
      saved?.close();
    };
  }

  #accept(event: ReceivedEvent): void {
    this.#events += 1;
    for (const writer of this.#writers) writer.add(event);
    this.#queue.add(event);
    this.#forwarder?.add(event);
  }

  #refuse(why: DeliveryRefusal): void {
    const before = this.#refused.get(why) ?? 0;
    this.#refused.set(why, before + 1);
    if (before === 0) this.#context.notices.warn(`A request was refused: ${why}. More of them are counted.`);
  }

  /** Subscribes again, or ends the listener. Returns true if it continues. */
  async #renew(feed: ReturnType<typeof eventFeed>, ended: readonly EndedSubscription[]): Promise<boolean> {
    const { notices } = this.#context;
    for (const { name, why } of ended) notices.warn(`The subscription ${name} ${why}.`);
    if (this.#options.resubscribe !== true) {
      this.#ended += ended.length;
      this.#queue.end();
      return false;
    }
    await feed.renew(ended);
    notices.say(`Subscribed again to ${ended.map(({ hook }) => hook).join(', ')}.`);
    return true;
  }
}

function listeningLine({ hooks, uri }: ListenRequest, port: number): string {
  const here = `http://127.0.0.1:${port}`;
  const from = uri.startsWith(here) ? here : `${here}, reached by ${new URL(uri).origin}`;
  return `Listening at ${from} for ${hooks.map(({ id }) => id).join(', ')}. End with Ctrl-C.`;
}
