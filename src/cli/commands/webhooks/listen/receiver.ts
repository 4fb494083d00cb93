import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure, nextStep, unlessMissing } from '../../../../base/failure.ts';
import {
  foreignHeader,
  type LoopbackServer,
  loopback,
  openServer,
  readBody,
  turnAway,
} from '../../../../base/host/loopback-server.ts';
import { counted } from '../../../../base/wording.ts';
import { type Delivered, deliveredPayload } from '../../../../contract/hook-request.ts';
import type { Context } from '../../../command/context.ts';
import { carriesSecret } from '../target-client.ts';
import { type EndedSubscription, endedSubscriptions } from './check-subscriptions.ts';
import {
  type LeftWebhook,
  type Listening,
  leftovers,
  listenerPrefix,
  ownSubscriptions,
  type Subscription,
  subscribe,
  unsubscribe,
  type Wish,
} from './subscribe.ts';

/** A delivery that came in, whole. */
export interface Delivery extends Delivered {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Webhook that it is of, as it says itself. */
  readonly webhookId: string | undefined;
  readonly accountId: string | undefined;
}

export type Refusal = 'wrong secret' | 'too large' | 'not readable' | 'wrong method';

interface Receiving {
  /** 0 takes a free one. */
  readonly port: number;
  readonly path: string;
  /** Host, with its port, by which a tunnel or proxy in front of it is called; it may come in as it was sent there. */
  readonly publicHost?: string | undefined;
  readonly isOurs: (payload: Delivered['payload']) => boolean;
  readonly accept: (delivery: Delivery) => void;
  readonly refuse: (why: Refusal) => void;
}

/** Largest accepted body, in bytes. */
const largestBody = 1_048_576;

const statusOf: Readonly<Record<Refusal, number>> = {
  'wrong secret': 403,
  'too large': 413,
  'not readable': 400,
  'wrong method': 405,
};

/**
 * Listens on this machine alone for events, by form, JSON or query, and answers 200 before anything is done with them.
 * Throws `Failure` of kind `usage` where the port is taken.
 */
export const openReceiver = (receiving: Receiving): Promise<LoopbackServer> =>
  openServer(
    { port: receiving.port, hint: 'Give another --port, or none to take a free one.' },
    (request, response) => answer(request, response, receiving),
  );

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  receiving: Receiving,
): Promise<void> {
  const refuse = (why: Refusal): void => {
    receiving.refuse(why);
    turnAway(response, statusOf[why], why);
  };
  const { method } = request;
  const url = URL.parse(request.url ?? '', `http://${loopback}`);
  const others = receiving.publicHost === undefined ? [] : [receiving.publicHost.toLowerCase()];
  if (foreignHeader(request, { others }) === 'host')
    return turnAway(response, 403, 'telctl listens under another name');
  if (url?.pathname !== receiving.path)
    return turnAway(response, 404, 'telctl listens for events at another path');
  if (method !== 'GET' && method !== 'POST' && method !== 'PUT') return refuse('wrong method');
  const body = await readBody(request, largestBody);
  if (body === 'broken off') return;
  if (body === 'too large') return refuse(body);
  const read = deliveredPayload(method, url, request.headers['content-type'], body.toString('utf8'));
  if (read === undefined) return refuse('not readable');
  if (!receiving.isOurs(read.payload)) return refuse('wrong secret');
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('taken\n');
  receiving.accept({
    method,
    ...read,
    webhookId: headerOf(request, 'x-hook-id'),
    accountId: headerOf(request, 'x-account-id'),
  });
}

const headerOf = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

export type FeedFacts = Omit<Receiving, 'isOurs' | 'accept'> & {
  readonly secret: string;
  readonly wishFor: (port: number) => Wish;
  /** Takes an event, and the hook of the webhook that it came by. */
  readonly accept: (delivery: Delivery, hook: string | undefined) => void;
};

/** Events of the service: a receiver on this machine, and the webhooks that are there for as long as it is used. */
export function eventFeed(context: Context, facts: FeedFacts) {
  const { host } = context;
  const subscriptions = new Map<string, Subscription>();
  let wished: Wish | undefined;
  let receiver: LoopbackServer | undefined;
  let subscribed: 'not' | 'in part' | 'whole' = 'not';
  let restoreSignals = (): void => undefined;
  // At once: a second Ctrl-C may come before anything else happens.
  const holdSignals = (): void => {
    restoreSignals = host.processes.passSignals();
  };
  return {
    /** Opens the receiver and subscribes it. Throws `Failure`; what was made until then is put away by `close`. */
    async open(): Promise<{ readonly wish: Wish; readonly port: number }> {
      host.interrupted.addEventListener('abort', holdSignals, { once: true });
      receiver = await openReceiver({
        ...facts,
        isOurs: (payload) => carriesSecret(payload, facts.secret),
        accept: (delivery) => facts.accept(delivery, subscriptions.get(delivery.webhookId ?? '')?.hook),
      });
      const api = await context.api();
      const wish = facts.wishFor(receiver.port);
      wished = wish;
      subscribed = 'in part';
      await removeLeftovers(context);
      await subscribe(api, wish, (one) => subscriptions.set(one.id, one));
      subscribed = 'whole';
      return { wish, port: receiver.port };
    },
    /** Subscriptions that were deleted or disabled meanwhile. Throws `Failure` if the service does not say. */
    async ended(): Promise<readonly EndedSubscription[]> {
      return endedSubscriptions(await context.api(), [...subscriptions.values()]);
    },
    /** Subscribes again in place of subscriptions that ended. Throws `Failure`. */
    async renew(ended: readonly EndedSubscription[]): Promise<void> {
      if (wished === undefined) return;
      const api = await context.api();
      const names = new Set(ended.map(({ hook }) => hook));
      await unsubscribe(
        api,
        ended.filter(({ isThere }) => isThere),
      );
      const again = { ...wished, hooks: wished.hooks.filter(({ id }) => names.has(id)) };
      await subscribe(api, again, (one) => subscriptions.set(one.id, one));
      for (const { id } of ended) subscriptions.delete(id);
    },
    /** Ends the subscriptions, also after Ctrl-C. Returns the number of those that are still there. */
    async close(): Promise<number> {
      host.interrupted.removeEventListener('abort', holdSignals);
      const left =
        subscribed === 'not'
          ? 0
          : await putAway(context, [...subscriptions.values()], subscribed === 'whole');
      await receiver?.close();
      restoreSignals();
      return left;
    },
  };
}

/**
 * Removes what killed listeners of this machine left; a service that has no list of webhooks cannot tell. What has this
 * process's own number is left over, too: in a container each process may have the same.
 */
async function removeLeftovers(context: Context): Promise<void> {
  const api = await context.api();
  const left = await unlessMissing(leftovers(api, context.host, listenerPrefix(context.host)));
  if (!left?.length) return;
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
      String(nextStep`webhooks delete ${isOne && first !== undefined ? first : 'NAME'}`),
    ].join(''),
  );
}
