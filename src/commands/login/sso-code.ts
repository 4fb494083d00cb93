import { Failure } from '../../base/failure.ts';
import type { Context } from '../../command/context.ts';
import { readSecret } from '../read-secret.ts';
import { type Authorization, codeIn, codeInPasted, hasState } from './authorization.ts';
import { openBrowser } from './browser.ts';
import { listenForRedirect } from './redirect-listener.ts';

/** The way in which the code is to come. */
export interface CodeWay {
  readonly provider: string;
  readonly redirectUri: string | undefined;
  /** The browser is elsewhere: the address is printed, and the code pasted. */
  readonly byHand: boolean;
  readonly codeStdin: boolean;
}

/** Time that somebody may take to sign in at the provider. */
const patienceMs = 300_000;
/** Address at which a browser on another machine ends; nothing listens there, and the address bar holds the code. */
const nowhere = 'http://127.0.0.1:8400/callback';

/** A sign-in with the code that came of it. */
export interface Answered {
  readonly authorization: Authorization;
  readonly code: string;
}

/** Sends somebody to the provider and comes back with the code. Throws `Failure`; `interrupted` after a Ctrl-C. */
export function fetchCode(
  context: Context,
  way: CodeWay,
  begin: (redirectUri: string) => Authorization,
): Promise<Answered> {
  return way.byHand ? byHand(context, way, begin) : byBrowser(context, way, begin);
}

async function byHand(
  context: Context,
  { redirectUri = nowhere, codeStdin }: CodeWay,
  begin: (redirectUri: string) => Authorization,
): Promise<Answered> {
  if (!codeStdin && !context.ask.available) {
    throw new Failure('usage', 'Nobody can be asked for the code here; give it with --code-stdin.');
  }
  const authorization = begin(redirectUri);
  context.notices.release();
  context.host.stderr.write(`Sign in at this address:\n${authorization.address}\n`);
  const pasted =
    (await readSecret(context, 'code', { stdin: codeStdin, file: undefined })) ??
    (await context.ask.secret('The code, or the whole address that the browser ended at:', {
      option: '--code-stdin',
    }));
  return { authorization, code: codeInPasted(authorization, pasted) };
}

async function byBrowser(
  context: Context,
  { provider, redirectUri }: CodeWay,
  begin: (redirectUri: string) => Authorization,
): Promise<Answered> {
  const { host, notices } = context;
  const listener = await listenForRedirect({ redirectUri, provider });
  const over = new AbortController();
  try {
    const authorization = begin(listener.redirectUri);
    const answer = listener.answer((params) => hasState(authorization, params));
    const opened = await openBrowser(host, authorization.address);
    notices.release();
    if (opened) notices.say(`Sign in at ${provider} in your browser. If none opens, go to:`);
    else
      notices.warn('No browser could be started. Go to this address on this machine, or use --no-browser:');
    host.stderr.write(`${authorization.address}\n`);
    const signal = AbortSignal.any([host.interrupted, over.signal]);
    const params = await Promise.race([answer, tooLate(context, provider, signal)]);
    return { authorization, code: codeIn(authorization, params) };
  } finally {
    over.abort();
    listener.close();
  }
}

async function tooLate({ host }: Context, provider: string, signal: AbortSignal): Promise<never> {
  try {
    await host.clock.sleep(patienceMs, signal);
  } catch (cause) {
    throw new Failure('interrupted', 'Interrupted.', { cause });
  }
  throw new Failure('auth', `Nobody came back from ${provider} within five minutes.`, {
    hint: 'Begin again; with the browser on another machine, use --no-browser.',
  });
}
