import { Failure, nextStep, unlessMissing } from '../../../../base/failure.ts';
import { counted } from '../../../../base/wording.ts';
import type { Context } from '../../../command/context.ts';
import { carriesSecret } from '../target-client.ts';
import { type Delivery, openReceiver, type Refusal } from './receiver.ts';
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

export interface FeedFacts {
  /** Port on this machine; 0 takes a free one. */
  readonly port: number;
  readonly path: string;
  /** Host by which a tunnel or proxy in front of the receiver is called; `undefined` without one. */
  readonly publicHost: string | undefined;
  readonly secret: string;
  readonly wishFor: (port: number) => Wish;
  /** Takes an event, and the hook of the webhook that it came by. */
  readonly accept: (delivery: Delivery, hook: string | undefined) => void;
  readonly refuse: (why: Refusal) => void;
}

/**
 * Events of the service: a receiver on this machine, and the webhooks that are there for as long as it is used.
 * Nothing is opened and nothing is sent before `open`.
 */
export function eventFeed(context: Context, facts: FeedFacts) {
  const { host } = context;
  const subscriptions = new Map<string, Listening & { readonly hook: string }>();
  let receiver: Awaited<ReturnType<typeof openReceiver>> | undefined;
  let subscribed: 'not' | 'in part' | 'whole' = 'not';
  let restoreSignals = (): void => undefined;
  // At once: a second Ctrl-C may come before anything else happens.
  const holdSignals = (): void => {
    restoreSignals = host.processes.passSignals();
  };
  return {
    /** Opens the receiver and subscribes it. Throws `Failure`; what was made until then is put away by `close`. */
    async open() {
      host.interrupted.addEventListener('abort', holdSignals, { once: true });
      receiver = await openReceiver({
        port: facts.port,
        path: facts.path,
        publicHost: facts.publicHost,
        isOurs: (payload) => carriesSecret(payload, facts.secret),
        accept: (delivery) => facts.accept(delivery, subscriptions.get(delivery.webhookId ?? '')?.hook),
        refuse: facts.refuse,
      });
      const api = await context.api();
      const wish = facts.wishFor(receiver.port);
      subscribed = 'in part';
      await removeLeftovers(context);
      await subscribe(api, wish, (one) => subscriptions.set(one.id, one));
      subscribed = 'whole';
      return { wish, port: receiver.port };
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
