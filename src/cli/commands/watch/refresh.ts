import { Failure, nextStep } from '../../../base/failure.ts';
import { formatDuration, requireDuration } from '../../../base/moment.ts';
import { isLoopback } from '../../../client/api/transport.ts';
import type { InputOf } from '../../command/command.ts';
import type { Context } from '../../command/context.ts';
import { confirmChange, dryRunResult } from '../change.ts';
import { eventFeed } from '../webhooks/listen/receiver.ts';
import {
  type ListenRequest,
  listenerPrefix,
  requireReachable,
  subscriptionCalls,
} from '../webhooks/listen/subscribe.ts';
import { newAddressSecret, targetUrl } from '../webhooks/target-client.ts';
import type { watchOptions } from './commands.ts';

export type WatchInput = InputOf<typeof watchOptions>;

export interface Refresh {
  readonly words: string;
  /** Resolves at the next refresh. Rejects on Ctrl-C. */
  next(): Promise<void>;
  close(): Promise<void>;
}

/** Hooks whose events change live calls. */
const hooks = ['channel_create', 'channel_answer', 'channel_destroy'];
const defaultPath = '/events';
/** Events within this time cause one refresh. */
const minPauseMs = 1000;

function pollRegularly({ host }: Context, ended: AbortSignal, pauseMs: number, why: string): Refresh {
  return {
    words: `Polled every ${formatDuration(pauseMs)}: ${why}.`,
    next: () => host.clock.sleep(pauseMs, ended),
    close: async () => undefined,
  };
}

const watchSubscription = ({ host }: Context, uri: string, secret: string): ListenRequest => ({
  hooks: hooks.map((id) => ({ id, choices: new Map() })),
  type: undefined,
  action: undefined,
  includeSubaccounts: false,
  verb: 'post',
  format: 'json',
  uri,
  secret,
  namePrefix: listenerPrefix(host),
});

/** Shows the webhooks that a watch would create (`--dry-run`). */
export async function plannedWebhooks(
  context: Context,
  { port = 0 }: WatchInput,
  publicUrl: URL | undefined,
) {
  const uri = publicUrl?.href ?? `http://127.0.0.1:${port}${defaultPath}`;
  const calls = subscriptionCalls(watchSubscription(context, uri, newAddressSecret(context)));
  return dryRunResult(
    context,
    calls.map((call) => ({ call })),
  );
}

/** Refreshes on each event, and after a pause without events. Throws `Failure` if the service creates no webhooks. */
async function refreshByWebhooks(
  context: Context,
  { port = 0 }: WatchInput,
  publicUrl: URL | undefined,
  pauseMs: number,
  ended: AbortSignal,
): Promise<Refresh> {
  const { host } = context;
  let isCalled = false;
  let wake = new AbortController();
  const secret = newAddressSecret(context);
  const feed = eventFeed(context, {
    port,
    path: publicUrl?.pathname ?? defaultPath,
    publicHost: publicUrl?.host,
    secret,
    wishFor: (free) =>
      watchSubscription(context, publicUrl?.href ?? `http://127.0.0.1:${free}${defaultPath}`, secret),
    accept() {
      isCalled = true;
      wake.abort();
    },
    refuse: () => undefined,
  });
  try {
    await feed.open();
  } catch (error) {
    await feed.close();
    throw error;
  }
  return {
    words: `Refreshed by webhooks, and every ${formatDuration(pauseMs)}.`,
    async next() {
      await host.clock.sleep(minPauseMs, ended);
      if (!isCalled) {
        wake = new AbortController();
        const ends = AbortSignal.any([ended, wake.signal]);
        await host.clock.sleep(pauseMs, ends).catch((error: unknown) => {
          if (ended.aborted || !wake.signal.aborted) throw error;
        });
      }
      isCalled = false;
    },
    async close() {
      await feed.close();
    },
  };
}

/** Returns the requested pause, at least a second. */
const pollPauseMs = ({ every }: WatchInput, usual: string): number =>
  Math.max(requireDuration(every ?? usual, '--every'), 1000);

async function reasonToPoll(
  { poll }: WatchInput,
  { session, options }: Context,
): Promise<string | undefined> {
  const { profile } = await session();
  if (poll) return '--poll was given';
  if (!isLoopback(new URL(profile.baseUrl).hostname))
    return `${new URL(profile.baseUrl).origin} cannot reach this machine (--public-url names an address)`;
  if (profile.protect !== undefined) return `profile "${profile.name}" is protected`;
  return options.dryRun ? 'a dry run creates no webhooks' : undefined;
}

/** Returns the address for requested webhooks. Throws `Failure` if the service cannot reach it. */
export async function requestedAddress(
  { port, publicUrl: given }: WatchInput,
  context: Context,
): Promise<{ readonly publicUrl: URL | undefined } | undefined> {
  if (port === undefined && given === undefined) return undefined;
  const publicUrl = given === undefined ? undefined : targetUrl(given, '--public-url');
  await requireReachable(context, publicUrl, nextStep`watch --port PORT --public-url URL`);
  return { publicUrl };
}

/**
 * Chooses how to refresh until `ended`. Uses webhooks if the service runs on this machine or an address was given,
 * otherwise polling. Polls if the profile is protected or the service refuses webhooks, unless webhooks were
 * requested. Throws `Failure` if requested webhooks cannot be created.
 */
export async function chooseRefresh(
  input: WatchInput,
  context: Context,
  ended: AbortSignal,
): Promise<Refresh> {
  const asked = await requestedAddress(input, context);
  const pollBecause = (why: string): Refresh => pollRegularly(context, ended, pollPauseMs(input, '5s'), why);
  const why = asked ? undefined : await reasonToPoll(input, context);
  if (why !== undefined) return pollBecause(why);
  try {
    return await refreshByWebhooks(context, input, asked?.publicUrl, pollPauseMs(input, '30s'), ended);
  } catch (error) {
    if (asked || !(error instanceof Failure) || error.kind === 'interrupted') throw error;
    return pollBecause(`webhooks could not be created (${error.message.replace(/\.$/, '')})`);
  }
}

/** Asks for consent to webhooks if the profile is protected. Throws `interrupted` if the answer is no. */
export async function agreeToWebhooks(context: Context): Promise<void> {
  const { profile } = await context.session();
  if (profile.protect !== 'confirm') return;
  const question = `Profile "${profile.name}" is protected. Create temporary webhooks at ${profile.baseUrl}?`;
  await confirmChange(context, question);
}
