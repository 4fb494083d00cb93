import type { ServerResponse } from 'node:http';
import { Failure } from '../../../base/failure.ts';
import type { Host } from '../../../base/host/host.ts';
import { findForeignHeader, loopback, openServer } from '../../../base/host/loopback-server.ts';
import { programEnvironment } from '../../../base/program-environment.ts';
import type { Context } from '../../command/context.ts';
import { readSecret } from '../passwords/secrets.ts';
import { type Authorization, hasState, readCode, readPastedCode } from './authorization.ts';

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
} as const;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? '');

function sendPage(response: ServerResponse, status: number, title: string, text: string): void {
  const style = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}';
  response
    .writeHead(status, headers)
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escapeHtml(title)}</title>` +
        `<style>${style}</style><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></html>\n`,
    );
}

/** Listens for the browser. Throws `usage` for an address of another machine or a port in use. */
export async function listenForRedirect(redirectUri: string | undefined, provider: string) {
  const wanted = new URL(redirectUri ?? `http://${loopback}/callback`);
  if (wanted.protocol !== 'http:' || ![loopback, 'localhost'].includes(wanted.hostname)) {
    throw new Failure('usage', '--redirect-uri must be an address of http://127.0.0.1 or http://localhost.', {
      hint: 'For another --redirect-uri, add --no-browser, and paste the final address of the browser.',
    });
  }
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  let isOwnResponse: (params: URLSearchParams) => boolean = () => false;
  const hint = 'Pass another --redirect-uri, or omit it to use a free port.';
  const server = await openServer({ port: Number(wanted.port), hint }, (request, response) => {
    const url = URL.parse(request.url ?? '', `http://${loopback}`);
    const isHere = findForeignHeader(request) !== 'host' && url?.pathname === wanted.pathname;
    if (!isHere || request.method !== 'GET') {
      sendPage(response, 404, 'Nothing here', 'telctl waits for a sign-in at another address.');
    } else if (isOwnResponse(url.searchParams)) {
      const hasCode = url.searchParams.has('code');
      const title = hasCode ? `Back from ${provider}` : `${provider} did not sign you in`;
      sendPage(response, 200, title, 'You can close this page. telctl continues in the terminal.');
      // Not earlier, because the server ends all connections when the sign-in is over.
      response.once('close', () => resolve(url.searchParams));
    } else {
      sendPage(response, 400, 'Not this sign-in', 'The response belongs to another sign-in. Start again.');
    }
  });
  wanted.port = String(server.port);
  return {
    redirectUri: wanted.href,
    /** Returns the parameters of the first response that `ours` accepts. Other requests get an error page. */
    answer(ours: (params: URLSearchParams) => boolean): Promise<URLSearchParams> {
      isOwnResponse = ours;
      return promise;
    },
    close: server.close,
  };
}

interface CodeRequest {
  readonly provider: string;
  readonly redirectUri: string | undefined;
  /** The browser is on another machine, so telctl prints the address and asks for the code. */
  readonly byHand: boolean;
  readonly codeStdin: boolean;
}

const signInTimeoutMs = 300_000;
/** Final address of a browser on another machine. No program listens there, but the address bar shows the code. */
const remoteRedirect = 'http://127.0.0.1:8400/callback';

interface AuthorizedCode {
  readonly authorization: Authorization;
  readonly code: string;
}

/** Opens the sign-in at the provider and returns the code. Throws `interrupted` after Ctrl-C. */
export function fetchCode(
  context: Context,
  request: CodeRequest,
  begin: (redirectUri: string) => Authorization,
): Promise<AuthorizedCode> {
  return request.byHand ? askForCode(context, request, begin) : waitForBrowser(context, request, begin);
}

async function askForCode(
  context: Context,
  { redirectUri = remoteRedirect, codeStdin }: CodeRequest,
  begin: (redirectUri: string) => Authorization,
): Promise<AuthorizedCode> {
  if (!codeStdin && !context.ask.available) {
    throw new Failure('usage', 'There is no terminal to ask for the code. Pass it with --code-stdin.', {
      open: { question: 'Which code did the provider give?', flags: ['--code-stdin'] },
    });
  }
  const authorization = begin(redirectUri);
  context.notices.release();
  context.host.stderr.write(`Sign in at this address:\n${authorization.address}\n`);
  const pasted =
    (await readSecret(context, 'code', { stdin: codeStdin, file: undefined })) ??
    (await context.ask.secret('The code, or the final address of the browser:', {
      option: '--code-stdin',
    }));
  return { authorization, code: readPastedCode(authorization, pasted) };
}

async function waitForBrowser(
  context: Context,
  { provider, redirectUri }: CodeRequest,
  begin: (redirectUri: string) => Authorization,
): Promise<AuthorizedCode> {
  const { host, notices } = context;
  const listener = await listenForRedirect(redirectUri, provider);
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
    const params = await Promise.race([answer, signInTimeout(context, provider, signal)]);
    return { authorization, code: readCode(authorization, params) };
  } finally {
    over.abort();
    await listener.close();
  }
}

async function signInTimeout({ host }: Context, provider: string, signal: AbortSignal): Promise<never> {
  try {
    await host.clock.sleep(signInTimeoutMs, signal);
  } catch (cause) {
    throw new Failure('interrupted', 'Interrupted.', { cause });
  }
  throw new Failure('auth', `No sign-in at ${provider} within five minutes.`, {
    hint: 'Start again. If the browser is on another machine, use --no-browser.',
  });
}

function browserCommand({ env, platform }: Host): readonly [string, ...string[]] {
  if (env.TELCTL_BROWSER) return [env.TELCTL_BROWSER];
  if (platform === 'darwin') return ['open'];
  // `start` is a shell built-in, and a shell would interpret the address. This is the program that `start` runs.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return ['xdg-open'];
}

/** Opens an address in the browser, or in the program of `TELCTL_BROWSER`. Returns false if it cannot be started. */
export function openBrowser(host: Host, address: string): Promise<boolean> {
  const [program, ...args] = browserCommand(host);
  return host.processes.startDetached(program, [...args, address], programEnvironment(host));
}
