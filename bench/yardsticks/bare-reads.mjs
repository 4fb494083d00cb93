// A minimal script that reads whole collections: all pages, then each record, several at a time.
import { Pool } from 'undici';

const url = new URL(process.env.BENCH_URL);
const connections = Number(process.env.BENCH_CONCURRENCY);
const pool = new Pool(url.origin, { connections, pipelining: 1 });
const headers = { 'x-auth-token': process.env.BENCH_TOKEN };

async function read(path) {
  const reply = await pool.request({ path, method: 'GET', headers });
  if (reply.statusCode !== 200) throw new Error(`${reply.statusCode} ${await reply.body.text()}`);
  return reply.body.json();
}

const paths = [];
for (const section of process.env.BENCH_SECTIONS.split(' ')) {
  let next = '';
  do {
    const query = new URLSearchParams({ page_size: '1000', ...(next ? { start_key: next } : {}) });
    const page = await read(`${url.pathname}/${section}?${query}`);
    for (const { id } of page.data) paths.push(`${url.pathname}/${section}/${id}`);
    next = page.next_start_key;
  } while (next);
}

const records = [];
let at = 0;
async function work() {
  while (at < paths.length) records.push((await read(paths[at++])).data);
}
await Promise.all(Array.from({ length: connections }, work));
await pool.close();
console.log(JSON.stringify(records));
