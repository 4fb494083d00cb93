// The least that a script has to do to post many bodies: a pool with so many connections, from a file that lists the bodies.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const bodies = JSON.parse(readFileSync(process.env.BENCH_BODIES, 'utf8'));
const connections = Number(process.env.BENCH_CONCURRENCY);
const pool = new Pool(process.env.BENCH_URL, { connections, pipelining: 1 });
const headers = { 'content-type': 'application/json' };
let next = 0;

async function work() {
  while (next < bodies.length) {
    const reply = await pool.request({ path: '/', method: 'POST', headers, body: bodies[next++] });
    if (reply.statusCode >= 300) throw new Error(`${reply.statusCode} ${await reply.body.text()}`);
    await reply.body.text();
  }
}

await Promise.all(Array.from({ length: connections }, work));
await pool.close();
