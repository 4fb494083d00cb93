// A minimal script that creates many records: a connection pool that sends all bodies in order. Each line of the file
// is a path, a tab and a body.
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';

const url = new URL(process.env.BENCH_URL);
const lines = readFileSync(process.env.BENCH_BODIES, 'utf8').trimEnd().split('\n');
const connections = Number(process.env.BENCH_CONCURRENCY);
const pool = new Pool(url.origin, { connections, pipelining: 1 });
const headers = { 'content-type': 'application/json', 'x-auth-token': process.env.BENCH_TOKEN };
let next = 0;

async function work() {
  while (next < lines.length) {
    const [path, body] = lines[next++].split('\t');
    const reply = await pool.request({ path, method: 'PUT', headers, body });
    if (reply.statusCode >= 300) throw new Error(`${reply.statusCode} ${await reply.body.text()}`);
    await reply.body.json();
  }
}

await Promise.all(Array.from({ length: connections }, work));
await pool.close();
