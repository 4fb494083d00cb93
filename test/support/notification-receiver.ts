import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';

/** Starts a local receiver of notifications. */
export async function startNotificationReceiver() {
  const news: JsonObject[] = [];
  const server = createServer(async (request, response) => {
    news.push(JSON.parse(await text(request)));
    response.writeHead(204).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const address = server.address();
  return { news, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/secret-hook` };
}
