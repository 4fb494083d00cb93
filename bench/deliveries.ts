import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import {
  type BenchReceiver,
  type BenchSandbox,
  copyWithEvents,
  makeRecords,
  type Records,
  startReceiver,
  startSandbox,
  stopSandbox,
  subscribe,
} from './deliveries-world.ts';
import { type Measurement, median, pairs } from './measure.ts';
import { bin, makeWorld, removeWorld, timed, yardstick } from './processes.ts';

const webhooks = 10;
const events = 20_000;
const waitingEvents = 10_000;

const perSecond = (count: number, ms: number): number => (count / ms) * 1000;

/** Deliveries a second that the sandbox makes of what waits, at as many webhooks as the pool has connections. */
async function measureThroughput(records: Records, receiver: BenchReceiver): Promise<Measurement> {
  const scratch = makeWorld();
  const file = join(scratch.home, 'bodies');
  const ours = async (): Promise<number> => {
    await receiver.forget();
    const { world, folder } = await copyWithEvents(records, events);
    await timed([bin, 'sandbox', 'start', '--data', folder], world);
    const { ms } = await receiver.until(events);
    writeFileSync(file, JSON.stringify(await receiver.bodies()));
    await stopSandbox(world);
    return perSecond(events, ms);
  };
  const theirs = async (): Promise<number> => {
    await receiver.forget();
    const env = { BENCH_URL: receiver.url, BENCH_BODIES: file, BENCH_CONCURRENCY: String(webhooks) };
    await timed([yardstick('bare-post.mjs')], scratch, { env });
    const { ms } = await receiver.until(events);
    return perSecond(events, ms);
  };
  const pair = await pairs(5, ours, theirs);
  removeWorld(scratch);
  return {
    name: 'deliveries to 10 webhooks : bare undici pool',
    telctl: `${median(pair.ours).toFixed(0)} /s`,
    yardstick: `${median(pair.theirs).toFixed(0)} /s`,
    ratio: pair.ratio,
    target: { atLeast: 0.5 },
  };
}

/** Start of a sandbox in which many events wait against one in which none does. */
async function measureStart(records: Records, receiver: BenchReceiver): Promise<Measurement> {
  const start = (waiting: number) => async (): Promise<number> => {
    await receiver.forget();
    const { world, folder } = await copyWithEvents(records, waiting);
    const { ms } = await timed([bin, 'sandbox', 'start', '--data', folder], world);
    await stopSandbox(world);
    return ms;
  };
  const pair = await pairs(7, start(waitingEvents), start(0));
  return {
    name: 'sandbox start, 10,000 events wait : none',
    telctl: `${median(pair.ours).toFixed(0)} ms`,
    yardstick: `${median(pair.theirs).toFixed(0)} ms`,
    ratio: pair.ratio,
    target: { atMost: 1.5 },
  };
}

/** A voicemail box for each of the clients that change them at the same time. */
const makeBoxes = (sandbox: BenchSandbox, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, index) =>
      sandbox.ask('PUT', 'vmboxes', { name: `Box ${index}`, mailbox: String(1000 + index) }),
    ),
  );

/** Requests of the service a second, with ten webhooks that are told of each and with none. */
async function measureRequests(receiver: BenchReceiver): Promise<Measurement> {
  const requests = 600;
  const clients = 10;
  const open = async (hooks: number) => {
    const sandbox = await startSandbox(makeWorld(), '--memory');
    const boxes = await makeBoxes(sandbox, clients);
    for (let index = 0; index < hooks; index += 1) await subscribe(sandbox, receiver.url, `hook ${index}`);
    const pool = new Pool(sandbox.baseUrl, { connections: clients });
    const run = async (): Promise<number> => {
      await receiver.forget();
      let left = requests;
      const change = async ({ id }: { readonly id: string }): Promise<void> => {
        while (left-- > 0) {
          const reply = await pool.request({
            path: `/v2/accounts/${sandbox.accountId}/vmboxes/${id}`,
            method: 'PATCH',
            headers: { 'content-type': 'application/json', 'x-auth-token': sandbox.token },
            body: JSON.stringify({ data: { name: `Box ${left}` } }),
          });
          if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${await reply.body.text()}`);
          await reply.body.dump();
        }
      };
      const start = performance.now();
      await Promise.all(boxes.map(change));
      const ms = performance.now() - start;
      // What is still on its way would slow the next turn.
      await receiver.until(requests * hooks);
      return perSecond(requests, ms);
    };
    return {
      run,
      async close() {
        await pool.close();
        await stopSandbox(sandbox.world);
      },
    };
  };
  const [told, quiet] = [await open(webhooks), await open(0)];
  try {
    const pair = await pairs(7, told.run, quiet.run);
    return {
      name: 'sandbox, changes with 10 webhooks : with none',
      telctl: `${median(pair.ours).toFixed(0)} /s`,
      yardstick: `${median(pair.theirs).toFixed(0)} /s`,
      ratio: pair.ratio,
      target: { atLeast: 0.6 },
    };
  } finally {
    await Promise.all([told.close(), quiet.close()]);
  }
}

const rate = 100;
const seconds = 2;
/** The middle of so many turns counts, since others use the machine, too. */
const delayTurns = 5;

/** The value that so many of a hundred do not exceed. */
const percentile = (values: readonly number[], hundredth: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * hundredth) / 100) - 1] ?? Number.NaN;

/** From the reply of a change to the arrival of its event, at a steady rate. */
async function measureDelay(): Promise<Measurement> {
  const arrivals = new Map<string, number>();
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const at = performance.now();
      if (body !== '') arrivals.set(JSON.parse(body).id, at);
      response.end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const url = `http://127.0.0.1:${address.port}`;
  const sandbox = await startSandbox(makeWorld(), '--memory');
  const pool = new Pool(sandbox.baseUrl, { connections: 10 });
  const bare = new Pool(url, { connections: 1 });
  try {
    await subscribe(sandbox, url, 'delays');
    const replied = new Map<string, number>();
    let mailbox = 0;
    const create = async (): Promise<void> => {
      mailbox += 1;
      const reply = await pool.request({
        path: `/v2/accounts/${sandbox.accountId}/vmboxes`,
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-auth-token': sandbox.token },
        body: JSON.stringify({ data: { name: `Box ${mailbox}`, mailbox: String(1000 + mailbox) } }),
      });
      const { data } = (await reply.body.json()) as { readonly data: { readonly id: string } };
      replied.set(data.id, performance.now());
    };
    const load = async (count: number): Promise<void> => {
      const start = performance.now();
      const sent = Array.from({ length: count }, async (_, index) => {
        await sleep(Math.max(0, start + (index * 1000) / rate - performance.now()));
        await create();
      });
      await Promise.all(sent);
      while (arrivals.size < replied.size) await sleep(5);
    };
    await load(rate);
    // In between, at the same pace: a round trip of a process that is kept warm says nothing of one that waited.
    const trips: number[] = [];
    const roundTrip = async (): Promise<void> => {
      const before = performance.now();
      const reply = await bare.request({ path: '/', method: 'POST', body: '' });
      await reply.body.dump();
      trips.push(performance.now() - before);
    };
    const beside = setInterval(() => void roundTrip(), 1000 / rate);
    const found: number[] = [];
    for (let turn = 0; turn < delayTurns; turn += 1) {
      replied.clear();
      arrivals.clear();
      await load(rate * seconds);
      const delays = [...replied].map(([id, at]) => Math.max(0, (arrivals.get(id) ?? Number.NaN) - at));
      found.push(percentile(delays, 99));
    }
    clearInterval(beside);
    const [p99, trip] = [median(found), median(trips)];
    return {
      name: 'reply to arrival, 99 of 100 at 100 a second : a round trip',
      telctl: `${p99.toFixed(2)} ms`,
      yardstick: `${trip.toFixed(2)} ms`,
      ratio: p99 / trip,
      target: { atMost: 50 },
    };
  } finally {
    await Promise.all([pool.close(), bare.close()]);
    await stopSandbox(sandbox.world);
    server.close();
    server.closeAllConnections();
  }
}

/** What deliveries cost: their rate, their delay, and what they take from requests and from the start. */
export async function measureDeliveries(): Promise<readonly Measurement[]> {
  const receiver = await startReceiver();
  const world = makeWorld();
  try {
    const records = await makeRecords(world, receiver.url, webhooks);
    const throughput = await measureThroughput(records, receiver);
    const start = await measureStart(records, receiver);
    const requests = await measureRequests(receiver);
    return [throughput, await measureDelay(), requests, start];
  } finally {
    receiver.close();
    await stopSandbox(world);
  }
}
