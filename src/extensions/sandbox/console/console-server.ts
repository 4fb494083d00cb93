import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Failure, nextStep } from '../../../base/failure.ts';
import type { Random } from '../../../base/host/host.ts';
import {
  findForeignHeader,
  loopback,
  openServer,
  rejectRequest,
} from '../../../base/host/loopback-server.ts';
import type { Page } from '../page/page.ts';

const headers = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
  connection: 'close',
} as const;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
const isSameSecret = (given: string | null | undefined, known: string): boolean =>
  typeof given === 'string' && timingSafeEqual(digest(given), digest(known));

const refuse = (response: ServerResponse, status: number, text: string): void =>
  rejectRequest(response, status, text, headers);

const cookieIn = ({ headers: { cookie = '' } }: IncomingMessage, name: string): string | undefined =>
  cookie
    .split(';')
    .map((each) => each.trim().split('='))
    .find(([key]) => key === name)?.[1];

/**
 * Serves pages to one browser on this machine. The key in the address works once and sets a cookie. The cookie's path
 * is limited to these pages, so that other servers on this machine do not receive it. Refuses requests for other host
 * names (DNS rebinding), from other origins, without the cookie, or with a method other than GET. Throws `Failure`
 * (`usage`) if the port is in use.
 */
export async function serveConsole(
  port: number,
  random: Random,
  answer: (query: URLSearchParams) => Promise<Page>,
) {
  const randomText = (bytes: number): string => Buffer.from(random.bytes(bytes)).toString('base64url');
  const [folder, session] = [`/${randomText(12)}/`, randomText(32)];
  let key: string | undefined = randomText(32);
  const cookie = 'telctl_console';
  const opened = Promise.withResolvers<void>();

  const isCrossSite = ({ headers: { 'sec-fetch-site': site } }: IncomingMessage): boolean =>
    site !== undefined && site !== 'same-origin' && site !== 'none';
  const isNavigation = ({ headers: { 'sec-fetch-mode': mode, 'sec-fetch-dest': what } }: IncomingMessage) =>
    mode === 'navigate' && what === 'document';

  async function reply(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', `http://${loopback}`);
    const isKeyed =
      url.pathname === folder && key !== undefined && isSameSecret(url.searchParams.get('key'), key);
    // The file that telctl opens has no origin. Its link is the only cross-site request that is allowed.
    const isFromFile = isCrossSite(request) && isKeyed && isNavigation(request);
    if (findForeignHeader(request) !== undefined || (isCrossSite(request) && !isFromFile))
      return refuse(response, 403, 'Only the browser that opened this page can use it.');
    if (request.method !== 'GET')
      return refuse(response.setHeader('allow', 'GET'), 405, 'This page is read-only.');
    if (isKeyed) {
      key = undefined;
      opened.resolve();
      const kept = `${cookie}=${session}; Path=${folder}; HttpOnly; SameSite=Strict`;
      // After a redirect from the file, the browser would not send a SameSite=Strict cookie.
      const next = isFromFile ? { refresh: `0; url=${folder}` } : { location: folder };
      response.writeHead(isFromFile ? 200 : 303, { ...headers, ...next, 'set-cookie': kept }).end();
      return;
    }
    if (url.pathname !== folder || !isSameSecret(cookieIn(request, cookie), session)) {
      const words = `The address of telctl console works once, in one browser. For another one: ${nextStep`console`}`;
      return refuse(response, 403, words);
    }
    const page = await answer(url.searchParams);
    response.writeHead(page.status, page.headers).end(page.body);
  }

  const hint = 'Pass another --port, or omit it to use a free port.';
  const server = await openServer({ port, hint }, (request, response) =>
    reply(request, response).catch((error: unknown) => {
      const words = error instanceof Failure ? error.message : 'telctl could not make this page.';
      if (response.headersSent) response.destroy();
      else refuse(response, 502, words);
    }),
  );
  return {
    /** The address to open. It works once. */
    address: `${server.url}${folder}?key=${key}`,
    opened: opened.promise,
    close: server.close,
  };
}
