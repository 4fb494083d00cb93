import { timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { Failure } from '../../../base/failure.ts';
import { shellWord } from '../../../base/wording.ts';
import type { Context } from '../../command/context.ts';

/** Names of this machine that a server may listen on, and be called by. */
const loopbackNames = ['127.0.0.1', 'localhost', '[::1]'];

/** Largest message that is taken, in bytes. */
const largest = 4_194_304;

/** Reads `127.0.0.1:8700`. Throws `usage` for what is no address of this machine. */
function addressIn(text: string): { readonly host: string; readonly port: number } {
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (!loopbackNames.includes(host) || Number(port) > 65_535)
    throw new Failure(
      'usage',
      `--http takes an address of this machine alone, not ${JSON.stringify(text)}.`,
      { hint: 'Give --http 127.0.0.1:8700, or port 0 for a free one.' },
    );
  return { host: host === '[::1]' ? '::1' : host, port: Number(port) };
}

/** The token of clients, from a file that its owner alone may read (else `refused`); made where there is none. */
function tokenIn({ files, platform, random }: Context['host'], path: string): string {
  if (files.kindOf(path) === undefined) {
    const token = Buffer.from(random.bytes(32)).toString('base64url');
    files.writePrivate(path, `${token}\n`);
    return token;
  }
  const mode = files.modeOf(path) ?? 0;
  if (platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Failure('refused', `Others may read the token in ${path}.`, {
      hint: `Run: chmod 600 ${shellWord(path)}`,
    });
  const file = files.readText(path);
  if (file?.isForeign)
    throw new Failure('refused', `The token in ${path} belongs to another user of this machine.`);
  const token = file?.text.trim() ?? '';
  if (token.length < 16)
    throw new Failure('refused', `The token in ${path} is shorter than 16 characters.`, {
      hint: 'Remove the file: a new one is made.',
    });
  return token;
}

/** Why a request is turned away before anything of it is read: its status, and what it is told. */
function whyRefused(
  { headers }: IncomingMessage,
  token: string,
  port: number,
): readonly [number, string] | undefined {
  const names = loopbackNames.map((name) => `${name}:${port}`);
  // A page elsewhere can point its own name at this machine, and a page anywhere can send requests to it.
  if (!names.includes(headers.host ?? '')) return [403, 'This server is called by another name.'];
  const { origin } = headers;
  if (origin !== undefined && !names.some((name) => origin === `http://${name}`))
    return [403, 'Pages of other origins are not answered.'];
  const [sent, wanted] = [headers.authorization ?? '', `Bearer ${token}`].map((text) => Buffer.from(text));
  const isRight = sent?.length === wanted?.length && sent && wanted && timingSafeEqual(sent, wanted);
  return isRight ? undefined : [401, 'The token is missing or wrong.'];
}

/** Serves assistants over HTTP on this machine until it is interrupted; returns what closes the server. */
export async function overHttp(
  address: string,
  tokenFile: string | undefined,
  { host, notices }: Context,
  server: () => McpServer,
  interrupted: Promise<void>,
): Promise<() => Promise<void>> {
  const wanted = addressIn(address);
  const path =
    tokenFile === undefined ? join(host.folders.config, 'mcp-token') : resolve(host.cwd, tokenFile);
  const token = tokenIn(host, path);
  const handler = createMcpHandler(server);
  const portOf = (): number => {
    const at = listener.address();
    return at !== null && typeof at === 'object' ? at.port : wanted.port;
  };
  const listener = createServer((request, response) => {
    const port = portOf();
    const refused = whyRefused(request, token, port);
    if (refused) {
      turnAway(request, response, refused);
      return;
    }
    answer(request, response, `http://127.0.0.1:${port}`, handler.fetch).catch(() => response.destroy());
  });
  listener.listen(wanted.port, wanted.host);
  try {
    await once(listener, 'listening');
  } catch (cause) {
    throw new Failure('usage', `Port ${wanted.port} of this machine cannot be listened on.`, {
      hint: 'Give another port to --http, or 0 for a free one.',
      cause,
    });
  }
  const name = wanted.host === '::1' ? '[::1]' : wanted.host;
  notices.say(`Assistants are served at http://${name}:${portOf()}/mcp`);
  notices.say(`They send "Authorization: Bearer" with the token in ${path}. Ctrl-C ends it.`);
  await interrupted;
  return async () => {
    await handler.close();
    const closed = once(listener, 'close');
    listener.close();
    listener.closeAllConnections();
    await closed;
  };
}

/** Answers a request of which nothing more is read, and ends its connection. */
function turnAway(
  request: IncomingMessage,
  response: ServerResponse,
  [status, why]: readonly [number, string],
): void {
  // A request that was given up has no socket any more.
  const { socket } = request;
  response.on('error', () => undefined);
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' });
  response.end(why, () => socket?.destroySoon());
}

/** The body of a request; `undefined` if it is too large, with the rest unread and the connection open. */
async function boundedBody(request: IncomingMessage): Promise<readonly Buffer[] | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > largest) return undefined;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += chunk.length;
    if (size > largest) return undefined;
    chunks.push(Buffer.from(chunk));
  }
  return chunks;
}

/** Gives a request to the protocol, and its reply, as it comes, to the client. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  base: string,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = await boundedBody(request);
  if (body === undefined) {
    turnAway(request, response, [413, 'The message is too large.']);
    return;
  }
  const url = new URL(request.url ?? '/', base);
  if (url.pathname !== '/mcp') {
    response.writeHead(404).end();
    return;
  }
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, [value].flat().join(', ')] as [string, string]],
  );
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD';
  const reply = await fetch(
    new Request(url, {
      method: request.method ?? 'GET',
      headers,
      signal: gone.signal,
      ...(hasBody ? { body: Buffer.concat(body) } : {}),
    }),
  );
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  for await (const chunk of reply.body ?? []) response.write(chunk);
  response.end();
}
