import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { freePort } from '../test/support/free-port.ts';
import { type Measurement, median, pairs } from './measure.ts';
import { bin, makeWorld, removeWorld, timed, type World, yardstick } from './processes.ts';
import { type Service, stopService, usersUrl } from './service.ts';

const connections = 10;
const requests = 4000;

/** Milliseconds until something at this address gives any answer over HTTP. */
async function untilAnswer(url: string): Promise<number> {
  const start = performance.now();
  for (;;) {
    try {
      await (await fetch(url)).arrayBuffer();
      return performance.now() - start;
    } catch {
      await sleep(2);
    }
  }
}

/** From the start of the command to the first answer at the sandbox's address. */
export async function measureFirstAnswer(world: World): Promise<Measurement> {
  const start = async (): Promise<number> => {
    const fresh = makeWorld();
    const port = await freePort();
    try {
      const command = timed([bin, 'sandbox', 'start', '--memory', '--port', String(port)], fresh);
      const [ms] = await Promise.all([untilAnswer(`http://127.0.0.1:${port}/v2/webhooks`), command]);
      return ms;
    } finally {
      await stopService(fresh);
      removeWorld(fresh);
    }
  };
  const pair = await pairs(15, start, async () => (await timed(['-e', '0'], world)).ms);
  return {
    name: 'sandbox start, first answer : node -e 0',
    telctl: `${median(pair.ours).toFixed(0)} ms`,
    yardstick: `${median(pair.theirs).toFixed(1)} ms`,
    ratio: pair.ratio,
    target: { atMost: 14 },
  };
}

/** Answers a second of one route, asked over a few connections that stay open. */
async function throughput(pool: Pool, path: string, token: string): Promise<number> {
  let left = requests;
  const ask = async (): Promise<void> => {
    while (left-- > 0) {
      const reply = await pool.request({ path, method: 'GET', headers: { 'x-auth-token': token } });
      if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${await reply.body.text()}`);
      await reply.body.dump();
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: connections }, ask));
  return (requests / (performance.now() - start)) * 1000;
}

/** Reading one user against a bare route of the same framework that returns the same bytes. */
export async function measureThroughput(world: World, service: Service): Promise<Measurement> {
  const url = new URL(`${usersUrl(service)}/${service.aliceId}`);
  const headers = { 'X-Auth-Token': service.token };
  const bytes = Buffer.from(await (await fetch(url, { headers })).arrayBuffer());
  const bare = spawn(process.execPath, [yardstick('bare-fastify.mjs')], {
    env: { ...world.env, BENCH_BYTES: bytes.toString('base64') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [address]: Buffer[] = await once(bare.stdout, 'data');
  const ours = new Pool(url.origin, { connections });
  const theirs = new Pool(String(address).trim(), { connections });
  try {
    const pair = await pairs(
      7,
      () => throughput(ours, url.pathname, service.token),
      () => throughput(theirs, url.pathname, service.token),
    );
    return {
      name: 'sandbox, GET one user : bare Fastify route',
      telctl: `${median(pair.ours).toFixed(0)} /s`,
      yardstick: `${median(pair.theirs).toFixed(0)} /s`,
      ratio: pair.ratio,
      target: { atLeast: 0.4 },
    };
  } finally {
    await Promise.all([ours.close(), theirs.close()]);
    bare.kill();
  }
}
