// The least that a script has to do to export a list: page after page, of the size that telctl asks for, each record as a
// line of JSON or of some fields.
import { once } from 'node:events';
import { Pool } from 'undici';

const url = new URL(process.env.BENCH_URL);
const fields = process.env.BENCH_FIELDS?.split(' ');
const pageSize = '500';
const pool = new Pool(url.origin, { connections: 1 });
const headers = { 'x-auth-token': process.env.BENCH_TOKEN };
const cell = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
const lineOf = fields
  ? (record) => `${fields.map((field) => cell(String(record[field] ?? ''))).join(',')}\n`
  : (record) => `${JSON.stringify(record)}\n`;

let next = '';
do {
  const query = new URLSearchParams({ page_size: pageSize, ...(next ? { start_key: next } : {}) });
  const reply = await pool.request({ path: `${url.pathname}?${query}`, method: 'GET', headers });
  const page = await reply.body.json();
  for (const record of page.data)
    if (!process.stdout.write(lineOf(record))) await once(process.stdout, 'drain');
  next = page.next_start_key;
} while (next);
await pool.close();
