import { Failure, leadsOn, nextStep } from '../../../../base/failure.ts';
import { isLoopback } from '../../../../client/api/transport.ts';
import type { InputOf } from '../../../command/command.ts';
import type { Context } from '../../../command/context.ts';
import type { Result } from '../../../command/result.ts';
import { wouldSend } from '../../change.ts';
import { givenSecret } from '../../secrets.ts';
import type { listenOptions } from '../event-commands.ts';
import { newSecret } from '../subscription.ts';
import { targetUrl } from '../target-client.ts';
import { summaryOf } from './event-store.ts';
import { type Session, sessionOf } from './listening.ts';
import { chosenHooks, listenerPrefix, subscriptionCalls, type Wish } from './subscribe.ts';

type Input = InputOf<typeof listenOptions>;

/** Path at which the receiver takes events when nothing else is asked for. */
const ownPath = '/events';

/** Receives events and shows them while they come (Events). Ends well with Ctrl-C, and takes its subscriptions with it. */
export async function listen(input: Input, context: Context): Promise<Result> {
  const { host } = context;
  const publicUrl = input.publicUrl === undefined ? undefined : targetUrl(input.publicUrl, '--public-url');
  if (input.forward !== undefined) targetUrl(input.forward, '--forward');
  await refuseUnreachable(context, publicUrl);
  const given = await givenSecret(context, input);
  const secret = given ?? newSecret(context);
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
  const session: Session = sessionOf(context, {
    port: input.port ?? 0,
    path,
    publicHost: publicUrl?.host,
    secret,
    givenSecret: given,
    forward: input.forward,
    save: input.save,
    wishFor: (port) => wish(port, hooks),
  });
  return {
    kind: 'list',
    items: shownEvents(session, context),
    live: [9, 15, 8],
    columns: [
      { header: 'TIME', paths: ['time'] },
      { header: 'HOOK', paths: ['hook'] },
      { header: 'ID', paths: ['id'] },
      { header: 'WHAT', paths: ['what'] },
    ],
    summary: session.summary,
    get exit() {
      return session.isPartial() ? 'partial' : undefined;
    },
  };
}

/** For columns two are made of an event; other formats get the event itself. */
async function* shownEvents(session: Session, { settings, options }: Context) {
  const { value: format } = settings.output;
  const forPeople =
    (format === 'table' || format === 'csv') && options.query === undefined && options.fields === undefined;
  for await (const event of session.events())
    yield forPeople
      ? { ...event, time: `${event.received_at.slice(11, 19)}Z`, what: summaryOf(event) }
      : event;
}

/** A service elsewhere cannot reach an address that means itself there. */
async function refuseUnreachable(context: Context, publicUrl: URL | undefined): Promise<void> {
  const { profile } = await context.session();
  if (publicUrl !== undefined || isLoopback(new URL(profile.baseUrl).hostname)) return;
  throw new Failure('usage', `${new URL(profile.baseUrl).origin} cannot reach 127.0.0.1 of this machine.`, {
    hint: leadsOn`Open a tunnel to a port of this machine, then: ${nextStep`webhooks listen --port PORT --public-url URL`}`,
  });
}
