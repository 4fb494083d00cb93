import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer, text } from 'node:stream/consumers';
import type { HttpReply } from '../../src/client/api/transport.ts';
import { faultTable } from '../support/faults.ts';
import { type Injectable, injectTransport } from '../support/inject-transport.ts';
import { faultRule, type InjectedFault } from './injected-faults.ts';

/** A proxy on loopback between real processes and a sandbox. It injects the faults of one run at a time. */
export interface FaultProxy {
  readonly url: string;
  /** Resets the request count. Following requests get the fault of `injected`, if one is given. */
  begin(injected: InjectedFault | undefined): void;
  /** Number of requests since the last `begin`. */
  requests(): number;
  close(): Promise<void>;
}

const forwardedHeaders = ({ headers }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      typeof value === 'string' && name !== 'content-length' ? [[name, value]] : [],
    ),
  );

/** Sends a reply with its content length, but only the first `upTo` bytes of its body. */
async function relay(response: ServerResponse, { status, headers, body }: HttpReply, upTo?: number) {
  const whole = await buffer(body);
  const { 'transfer-encoding': _, ...rest } = headers;
  response.writeHead(status, { ...rest, 'content-length': whole.length });
  if (upTo === undefined) return void response.end(whole);
  response.write(whole.subarray(0, upTo), () => response.destroy());
}

/** Starts a proxy for `app`. */
export async function startFaultProxy(app: Injectable): Promise<FaultProxy> {
  const upstream = injectTransport(app);
  let faultFor = faultTable([]);
  let requests = 0;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', socket } = request;
    const body = await text(request);
    const target = new URL(url, `http://${request.headers.host}`);
    const fault = faultFor(method, target.pathname);
    requests += 1;
    const deliver = (): Promise<HttpReply> =>
      upstream.send({
        method,
        url: target,
        headers: forwardedHeaders(request),
        timeoutMs: 10_000,
        ...(body === '' ? {} : { body }),
      });
    switch (fault?.kind) {
      case undefined:
      case 'pass':
        return relay(response, await deliver());
      case 'refuse':
      case 'cut':
        if (fault.kind === 'cut' && fault.by === 'reset') socket.resetAndDestroy();
        else socket.destroy();
        return;
      case 'lose-reply':
        await deliver();
        socket.destroy();
        return;
      case 'late':
        await deliver();
        return;
      case 'hang':
        return;
      case 'duplicate':
        await deliver();
        return relay(response, await deliver());
      case 'answer':
        response.writeHead(fault.status, fault.headers).end(fault.body);
        return;
      case 'truncate':
        return relay(response, await deliver(), fault.afterBytes);
      case 'rewrite': {
        const reply = await deliver();
        const changed = fault.change(await text(reply.body));
        response.writeHead(reply.status, { 'content-type': 'application/json' }).end(changed);
      }
    }
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) =>
      response.destroy(error instanceof Error ? error : undefined),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The proxy has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    begin(injected) {
      requests = 0;
      faultFor = faultTable(injected === undefined ? [] : [faultRule(injected)]);
    },
    requests: () => requests,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
