// A minimal service with very many small accounts. It lists, reads and creates records, and responds after
// BENCH_DELAY milliseconds. With BENCH_OBJECTS, every account has this many menus and groups with an old modification
// time. Without it, accounts are empty. /count returns the number of requests and the times of the first and last.
import { createServer } from 'node:http';

const there = Number(process.env.BENCH_OBJECTS ?? 0);
const delayMs = Number(process.env.BENCH_DELAY ?? 0);
const changed = 63_900_000_000;
const made = new Map();
let count = 0;
let firstMs = 0;
let lastMs = 0;
let ids = 0;

const idOf = (kind, at) => (kind === 'menus' ? 'a' : 'b') + at.toString(16).padStart(31, '0');
const recordOf = (kind, at) =>
  kind === 'menus'
    ? { id: idOf(kind, at), name: `Menu ${at}`, retries: 3 }
    : { id: idOf(kind, at), name: `Group ${at}`, endpoints: {} };
const texts = (value) => JSON.stringify(value);
const whole = Object.fromEntries(
  ['menus', 'groups'].map((kind) => [
    kind,
    texts(Array.from({ length: there }, (_, at) => recordOf(kind, at))),
  ]),
);

/** Returns the body of a response. */
function answer(method, account, kind, id, query, body) {
  if (account === undefined) return '{}';
  if (kind === undefined)
    return texts({ id: account, name: `branch-${account.slice(0, 8)}`, realm: `${account}.example` });
  if (there > 0 && whole[kind] !== undefined) {
    if (id !== undefined) return texts(recordOf(kind, Number.parseInt(id.slice(1), 16)));
    const from = Number(query.get('modified_from') ?? 0);
    const to = Number(query.get('modified_to') ?? Number.POSITIVE_INFINITY);
    return from <= changed && changed <= to ? whole[kind] : '[]';
  }
  const key = `${account}/${kind}`;
  const records = made.get(key) ?? new Map();
  if (method === 'PUT') {
    ids += 1;
    const record = { ...JSON.parse(body).data, id: ids.toString(16).padStart(32, '0') };
    records.set(record.id, record);
    made.set(key, records);
    return texts(record);
  }
  return texts(id === undefined ? [...records.values()] : (records.get(id) ?? {}));
}

createServer(async (request, response) => {
  response.setHeader('content-type', 'application/json');
  if (request.url === '/count') {
    response.end(texts({ count, ms: lastMs - firstMs }));
    count = 0;
    return;
  }
  if (!request.url.startsWith('/v2/')) {
    response.statusCode = 404;
    return response.end('{"data":{},"status":"error","error":"404","message":"not_found"}');
  }
  const nowMs = performance.now();
  if (count === 0) firstMs = nowMs;
  lastMs = nowMs + delayMs;
  count += 1;
  let body = '';
  for await (const chunk of request) body += chunk;
  const { pathname, searchParams } = new URL(request.url, 'http://x');
  const [, , , account, kind, id] = pathname.split('/');
  const data = answer(request.method, account, kind, id, searchParams, body);
  const time = new Date().toISOString().replace(/\.\d+/, '');
  const send = () => response.end(`{"data":${data},"status":"success","timestamp":"${time}"}`);
  if (delayMs > 0) setTimeout(send, delayMs);
  else send();
}).listen(0, '127.0.0.1', function listening() {
  console.log(`http://127.0.0.1:${this.address().port}`);
});
