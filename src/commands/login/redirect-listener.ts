import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { Failure } from '../../base/failure.ts';

/** A listener on this machine to which a provider sends the browser back, for one answer. */
export interface RedirectListener {
  /** The address that answers come to. */
  readonly redirectUri: string;
  /** The parameters of the first answer that `isOurs`; others are told so and passed over. */
  answer(isOurs: (params: URLSearchParams) => boolean): Promise<URLSearchParams>;
  close(): void;
}

/** Options for opening a listener. */
export interface Listening {
  /** Address on this machine that the provider knows; one with a free port where left out. */
  readonly redirectUri?: string | undefined;
  /** Named on the page. */
  readonly provider: string;
}

const loopback = '127.0.0.1';
const headers = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  connection: 'close',
} as const;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (sign) => escapes[sign] ?? '');

function show(response: ServerResponse, status: number, title: string, text: string): void {
  const style = 'body{font:1rem/1.5 system-ui,sans-serif;max-width:32rem;margin:15vh auto;padding:0 1rem}';
  response
    .writeHead(status, headers)
    .end(
      `<!doctype html><html lang="en"><meta charset="utf-8"><title>${escaped(title)}</title>` +
        `<style>${style}</style><h1>${escaped(title)}</h1><p>${escaped(text)}</p></html>\n`,
    );
}

/**
 * Listens on this machine for the browser to come back. Throws `Failure` of kind `usage` where the address that was
 * asked for is none of this machine, or its port is taken.
 */
export async function listenForRedirect({ redirectUri, provider }: Listening): Promise<RedirectListener> {
  const wanted = new URL(redirectUri ?? `http://${loopback}/callback`);
  if (wanted.protocol !== 'http:' || ![loopback, 'localhost'].includes(wanted.hostname)) {
    throw new Failure('usage', 'The browser can only come back to http://127.0.0.1 or http://localhost.', {
      hint: 'With another --redirect-uri, give --no-browser too and paste the address that you end at.',
    });
  }
  const { promise, resolve } = Promise.withResolvers<URLSearchParams>();
  let isOurs: (params: URLSearchParams) => boolean = () => false;
  const server = createServer((request, response) => {
    const url = URL.parse(request.url ?? '', `http://${request.headers.host ?? ''}`);
    // The name in Host must be the one that was handed out: a page elsewhere can point its own name here.
    const isHere = url?.host === new URL(handedOut()).host && url.pathname === wanted.pathname;
    if (!isHere || request.method !== 'GET') {
      show(response, 404, 'Nothing here', 'telctl waits for a sign-in at another address.');
    } else if (isOurs(url.searchParams)) {
      const hasCode = url.searchParams.has('code');
      const title = hasCode ? `Back from ${provider}` : `${provider} did not sign you in`;
      show(response, 200, title, 'You can close this page. telctl goes on in the terminal.');
      resolve(url.searchParams);
    } else {
      show(response, 400, 'Not this sign-in', 'The answer belongs to another sign-in. Begin it again.');
    }
  });
  server.listen(wanted.port === '' ? 0 : Number(wanted.port), loopback);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Failure('usage', `Port ${wanted.port} of this machine cannot be listened on.`, {
      hint: 'Give another --redirect-uri, or none to take a free port.',
      cause,
    });
  }
  const handedOut = (): string => {
    const address = server.address();
    if (address !== null && typeof address === 'object') wanted.port = String(address.port);
    return wanted.href;
  };
  return {
    redirectUri: handedOut(),
    answer(ours) {
      isOurs = ours;
      return promise;
    },
    close() {
      server.close();
      server.closeIdleConnections();
    },
  };
}
