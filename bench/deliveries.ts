import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { type Measurement, median } from './measure.ts';
import type { World } from './processes.ts';
import type { Service } from './service.ts';

const webhooks = 10;
/** The median of these rounds is reported, because other programs also use the machine. */
const rounds = 5;

const percentile = (values: readonly number[], hundredth: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * hundredth) / 100) - 1] ?? Number.NaN;

/** Starts a server that records the arrival time of each event, by the id of its object. */
async function startReceiver() {
  const arrivals = new Map<string, number[]>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id } = JSON.parse(body);
      arrivals.set(id, [...(arrivals.get(id) ?? []), performance.now()]);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    arrivals,
    url: `http://127.0.0.1:${address.port}`,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

/**
 * Measures the time from the response of a change to its event at ten webhooks, and checks that each event arrives
 * once.
 */
export async function measureDeliveries(_: World, service: Service): Promise<readonly Measurement[]> {
  const { arrivals, url, close } = await startReceiver();
  const pool = new Pool(service.baseUrl, { connections: webhooks });
  const put = async (path: string, data: object): Promise<string> => {
    const reply = await pool.request({
      path: `/v2/accounts/${service.accountId}/${path}`,
      method: 'PUT',
      headers: { 'content-type': 'application/json', 'x-auth-token': service.token },
      body: JSON.stringify({ data }),
    });
    const { data: made } = (await reply.body.json()) as { readonly data: { readonly id: string } };
    return made.id;
  };
  const custom = { type: 'vmbox', action: 'all' };
  const hook = { uri: url, hook: 'object', format: 'json', custom_data: custom };
  let mailbox = 0;
  /** Creates voicemail boxes at a steady rate. Returns the delays of their events, in milliseconds. */
  const load = async (perSecond: number, seconds: number): Promise<readonly number[]> => {
    arrivals.clear();
    const replied = new Map<string, number>();
    const start = performance.now();
    const sent = Array.from({ length: perSecond * seconds }, async (_each, index) => {
      await sleep(Math.max(0, start + (index * 1000) / perSecond - performance.now()));
      mailbox += 1;
      replied.set(
        await put('vmboxes', { name: `Box ${mailbox}`, mailbox: String(1000 + mailbox) }),
        performance.now(),
      );
    });
    await Promise.all(sent);
    const isThere = (id: string): boolean => (arrivals.get(id)?.length ?? 0) >= webhooks;
    while (![...replied.keys()].every(isThere)) await sleep(20);
    const many = [...arrivals].filter(([, times]) => times.length > webhooks).length;
    if (many > 0) throw new Error(`${many} events arrived more than once`);
    return [...replied].flatMap(([id, at]) => (arrivals.get(id) ?? []).map((time) => Math.max(0, time - at)));
  };
  try {
    for (let index = 0; index < webhooks; index += 1)
      await put('webhooks', { name: `hook ${index}`, ...hook });
    await load(50, 2);
    const delays: number[] = [];
    for (let turn = 0; turn < rounds; turn += 1) delays.push(percentile(await load(10, 3), 99));
    const start = performance.now();
    await load(100, 60);
    const ms = performance.now() - start;
    return [
      {
        name: 'reply to arrival at 10 webhooks, 99 of 100 : 5 ms',
        telctl: `${median(delays).toFixed(2)} ms`,
        yardstick: '5 ms',
        ratio: median(delays) / 5,
        target: { atMost: 1 },
      },
      {
        name: '1,000 deliveries a second for a minute, each once : a minute',
        telctl: `${(ms / 1000).toFixed(1)} s`,
        yardstick: '60 s',
        ratio: ms / 60_000,
        target: { atMost: 1.05 },
      },
    ];
  } finally {
    await pool.close();
    close();
  }
}
