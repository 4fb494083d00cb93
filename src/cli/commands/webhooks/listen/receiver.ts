import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure, ignoreMissing, nextStep } from '../../../../base/failure.ts';
import {
  findForeignHeader,
  type LoopbackServer,
  loopback,
  openServer,
  readBody,
  rejectRequest,
} from '../../../../base/host/loopback-server.ts';
import { formatCount } from '../../../../base/wording.ts';
import { type Delivered, deliveredPayload } from '../../../../contract/hook-request.ts';
import type { Context } from '../../../command/context.ts';
import { carriesSecret } from '../target-client.ts';
import { type EndedSubscription, endedSubscriptions } from './check-subscriptions.ts';
import {
  findLeftovers,
  type Listening,
  type ListenRequest,
  type ListenSubscription,
  listenerPrefix,
  ownSubscriptions,
  type RemainingWebhook,
  subscribe,
  unsubscribe,
} from './subscribe.ts';

export interface ReceivedDelivery extends Delivered {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly webhookId: string | undefined;
  readonly accountId: string | undefined;
}

export type DeliveryRefusal = 'wrong secret' | 'too large' | 'not readable' | 'wrong method';

interface Receiving {
  /** 0 chooses a free port. */
  readonly port: number;
  readonly path: string;
  /** Host and port of a tunnel or proxy in front of the receiver, which may be in the Host header. */
  readonly publicHost?: string | undefined;
  readonly isOurs: (payload: Delivered['payload']) => boolean;
  readonly accept: (delivery: ReceivedDelivery) => void;
  readonly refuse: (why: DeliveryRefusal) => void;
}

/** In bytes. */
const maxBodySize = 1_048_576;

const statusOf: Readonly<Record<DeliveryRefusal, number>> = {
  'wrong secret': 403,
  'too large': 413,
  'not readable': 400,
  'wrong method': 405,
};

/** Receives events on this machine. Responds with 200 before processing. Throws `usage` if the port is in use. */
export const openReceiver = (receiving: Receiving): Promise<LoopbackServer> =>
  openServer(
    { port: receiving.port, hint: 'Pass another --port, or omit it to use a free one.' },
    (request, response) => handleDelivery(request, response, receiving),
  );

async function handleDelivery(
  request: IncomingMessage,
  response: ServerResponse,
  receiving: Receiving,
): Promise<void> {
  const refuse = (why: DeliveryRefusal): void => {
    receiving.refuse(why);
    rejectRequest(response, statusOf[why], why);
  };
  const { method } = request;
  const url = URL.parse(request.url ?? '', `http://${loopback}`);
  const others = receiving.publicHost === undefined ? [] : [receiving.publicHost.toLowerCase()];
  if (findForeignHeader(request, { others }) === 'host')
    return rejectRequest(response, 403, 'telctl listens under another name');
  if (url?.pathname !== receiving.path)
    return rejectRequest(response, 404, 'telctl listens for events at another path');
  if (method !== 'GET' && method !== 'POST' && method !== 'PUT') return refuse('wrong method');
  const body = await readBody(request, maxBodySize);
  if (body === 'broken off') return;
  if (body === 'too large') return refuse(body);
  const read = deliveredPayload(method, url, request.headers['content-type'], body.toString('utf8'));
  if (read === undefined) return refuse('not readable');
  if (!receiving.isOurs(read.payload)) return refuse('wrong secret');
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end('taken\n');
  receiving.accept({
    method,
    ...read,
    webhookId: readHeader(request, 'x-hook-id'),
    accountId: readHeader(request, 'x-account-id'),
  });
}

const readHeader = ({ headers }: IncomingMessage, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' ? value : undefined;
};

export type FeedFacts = Omit<Receiving, 'isOurs' | 'accept'> & {
  readonly secret: string;
  readonly wishFor: (port: number) => ListenRequest;
  readonly accept: (delivery: ReceivedDelivery, hook: string | undefined) => void;
};

/** A receiver on this machine, and its temporary webhooks at the service. */
export function eventFeed(context: Context, facts: FeedFacts) {
  const { host } = context;
  const subscriptions = new Map<string, ListenSubscription>();
  let wished: ListenRequest | undefined;
  let receiver: LoopbackServer | undefined;
  let subscribed: 'not' | 'in part' | 'whole' = 'not';
  let restoreSignals = (): void => undefined;
  // Registered immediately, because a second Ctrl-C may follow at any time.
  const holdSignals = (): void => {
    restoreSignals = host.processes.ignoreSignals();
  };
  return {
    /** Opens the receiver and subscribes it. Throws `Failure`. `close` then removes what was created. */
    async open(): Promise<{ readonly wish: ListenRequest; readonly port: number }> {
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
    /** Returns subscriptions that were deleted or disabled. Throws `Failure` if the service does not list them. */
    async ended(): Promise<readonly EndedSubscription[]> {
      return endedSubscriptions(await context.api(), [...subscriptions.values()]);
    },
    /** Replaces subscriptions that ended. Throws `Failure`. */
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
    async close(): Promise<number> {
      host.interrupted.removeEventListener('abort', holdSignals);
      const left =
        subscribed === 'not'
          ? 0
          : await removeSubscriptions(context, [...subscriptions.values()], subscribed === 'whole');
      await receiver?.close();
      restoreSignals();
      return left;
    },
  };
}

/** Also removes those with this process's id, because processes in containers often have the same id. */
async function removeLeftovers(context: Context): Promise<void> {
  const api = await context.api();
  const left = await ignoreMissing(findLeftovers(api, context.host, listenerPrefix(context.host)));
  if (!left?.length) return;
  const still = await unsubscribe(api, left);
  const count = left.length - still.length;
  if (count === 0) return;
  context.notices.say(`Removed ${formatCount(count, 'subscription')} of a listener that was killed.`);
}

/** Returns the number of remaining subscriptions. Works after Ctrl-C, and after a failed start. */
async function removeSubscriptions(
  context: Context,
  known: readonly Listening[],
  isWhole: boolean,
): Promise<number> {
  try {
    const api = await context.cleanupApi();
    const all = isWhole ? known : await ownSubscriptions(api, context.host).catch(() => known);
    const still = await unsubscribe(api, all);
    for (const [why, those] of Map.groupBy(still, (each) => each.why)) warnRemaining(context, those, why);
    return still.length;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (known.length > 0) warnRemaining(context, known, error.message);
    return known.length;
  }
}

function warnRemaining(
  { notices, host }: Context,
  left: readonly (Pick<Listening, 'name'> & Partial<RemainingWebhook>)[],
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
      `: ${why.replace(/\.$/, '')}. The next telctl webhooks listen removes ${isOne ? 'it' : 'them'}. To do so now: `,
      String(nextStep`webhooks delete ${isOne && first !== undefined ? first : 'NAME'}`),
    ].join(''),
  );
}
