import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { Failure } from '../../base/failure.ts';
import {
  foreignHeader,
  isLoopbackAddress,
  openServer,
  parseAddress,
  readBody,
  turnAway,
} from '../../base/host/loopback-server.ts';
import { shellWord } from '../../base/wording.ts';
import type { Context } from '../../cli/command/context.ts';

/** Largest accepted message, in bytes. */
const largest = 4_194_304;

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

/** Returns the status and the text with which a request is refused before its body is read. */
function refusalOf(request: IncomingMessage, token: string): readonly [number, string] | undefined {
  const foreign = foreignHeader(request);
  if (foreign === 'host') return [403, 'This server is called by another name.'];
  if (foreign === 'origin') return [403, 'Pages of other origins are not answered.'];
  const [sent, wanted] = [request.headers.authorization ?? '', `Bearer ${token}`].map((text) =>
    Buffer.from(text),
  );
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
  const wanted = parseAddress(address);
  if (wanted?.host === undefined || !isLoopbackAddress(wanted.host))
    throw new Failure(
      'usage',
      `--http takes an address of this machine alone, not ${JSON.stringify(address)}.`,
      { hint: 'Give --http 127.0.0.1:8700, or port 0 for a free one.' },
    );
  const path =
    tokenFile === undefined ? join(host.folders.config, 'mcp-token') : resolve(host.cwd, tokenFile);
  const token = tokenIn(host, path);
  const handler = createMcpHandler(server);
  const hint = 'Give another port to --http, or 0 for a free one.';
  const served = await openServer({ port: wanted.port, address: wanted.host, hint }, (request, response) => {
    const refusal = refusalOf(request, token);
    if (refusal) return turnAway(response, ...refusal);
    return answer(request, response, handler.fetch);
  });
  notices.say(`Assistants are served at ${served.url}/mcp`);
  notices.say(`They send "Authorization: Bearer" with the token in ${path}. Ctrl-C ends it.`);
  await interrupted;
  return async () => {
    await handler.close();
    await served.close();
  };
}

/** Gives a request to the protocol, and its reply, as it comes, to the client. */
async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = await readBody(request, largest);
  if (body === 'broken off') return;
  if (body === 'too large') return turnAway(response, 413, 'The message is too large.');
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
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
      ...(hasBody ? { body: new Uint8Array(body) } : {}),
    }),
  );
  response.writeHead(reply.status, Object.fromEntries(reply.headers));
  for await (const chunk of reply.body ?? []) response.write(chunk);
  response.end();
}
