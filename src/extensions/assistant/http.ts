import { timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join, resolve } from 'node:path';
import { createMcpHandler, type McpServer } from '@modelcontextprotocol/server';
import { Failure } from '../../base/failure.ts';
import {
  findForeignHeader,
  isLoopbackAddress,
  openServer,
  parseAddress,
  readBody,
  rejectRequest,
} from '../../base/host/loopback-server.ts';
import { shellWord } from '../../base/wording.ts';
import type { Context } from '../../cli/command/context.ts';

/** Maximum size of a message, in bytes. */
const largest = 4_194_304;

/** Reads or creates the token of clients. Throws `refused` if others can read the file. */
function tokenIn({ files, platform, random }: Context['host'], path: string): string {
  if (files.kindOf(path) === undefined) {
    const token = Buffer.from(random.bytes(32)).toString('base64url');
    files.writePrivate(path, `${token}\n`);
    return token;
  }
  const mode = files.modeOf(path) ?? 0;
  if (platform !== 'win32' && (mode & 0o077) !== 0)
    throw new Failure('refused', `Other users can read the token in ${path}.`, {
      hint: `Run: chmod 600 ${shellWord(path)}`,
    });
  const file = files.readText(path);
  if (file?.isForeign)
    throw new Failure('refused', `The token in ${path} belongs to another user of this machine.`);
  const token = file?.text.trim() ?? '';
  if (token.length < 16)
    throw new Failure('refused', `The token in ${path} is shorter than 16 characters.`, {
      hint: 'Delete the file to create a new token.',
    });
  return token;
}

/**
 * Returns the status and text of a refusal that needs no request body. Returns `undefined` if the request is
 * accepted.
 */
function findRequestRefusal(request: IncomingMessage, token: string): readonly [number, string] | undefined {
  const foreign = findForeignHeader(request);
  if (foreign === 'host') return [403, 'The host name is not the name of this server.'];
  if (foreign === 'origin') return [403, 'Requests from pages of other origins are refused.'];
  const [sent, wanted] = [request.headers.authorization ?? '', `Bearer ${token}`].map((text) =>
    Buffer.from(text),
  );
  const isRight = sent?.length === wanted?.length && sent && wanted && timingSafeEqual(sent, wanted);
  return isRight ? undefined : [401, 'The token is missing or wrong.'];
}

/** Serves assistants over HTTP on this machine. Returns a function that closes the server. */
export async function serveOverHttp(
  address: string,
  tokenFile: string | undefined,
  { host, notices }: Context,
  server: () => McpServer,
  interrupted: Promise<void>,
): Promise<() => Promise<void>> {
  const wanted = parseAddress(address);
  if (wanted?.host === undefined || !isLoopbackAddress(wanted.host))
    throw new Failure('usage', `--http must be a local address, not ${JSON.stringify(address)}.`, {
      hint: 'Use --http 127.0.0.1:8700, or port 0 for a free port.',
    });
  const path =
    tokenFile === undefined ? join(host.folders.config, 'mcp-token') : resolve(host.cwd, tokenFile);
  const token = tokenIn(host, path);
  const handler = createMcpHandler(server);
  const hint = 'Pass another port to --http, or 0 for a free port.';
  const served = await openServer({ port: wanted.port, address: wanted.host, hint }, (request, response) => {
    const refusal = findRequestRefusal(request, token);
    if (refusal) return rejectRequest(response, ...refusal);
    return streamResponse(request, response, handler.fetch);
  });
  notices.say(`Serving assistants at ${served.url}/mcp`);
  notices.say(
    `Clients must send "Authorization: Bearer" with the token in ${path}. Ctrl-C stops the server.`,
  );
  await interrupted;
  return async () => {
    await handler.close();
    await served.close();
  };
}

/** Passes a request to the protocol, and streams the response to the client. */
async function streamResponse(
  request: IncomingMessage,
  response: ServerResponse,
  fetch: (request: Request) => Promise<Response>,
): Promise<void> {
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  const body = await readBody(request, largest);
  if (body === 'broken off') return;
  if (body === 'too large') return rejectRequest(response, 413, 'The message is too large.');
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
