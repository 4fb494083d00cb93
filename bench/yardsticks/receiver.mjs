// A receiver of deliveries that does as little as it can: counts, notes when the first and the last came, keeps bodies.
import { createServer } from 'node:http';

let bodies = [];
let first = 0;
let last = 0;

function tell(response) {
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ count: bodies.length, ms: last - first }));
}

const server = createServer((request, response) => {
  if (request.url === '/count') return tell(response);
  if (request.url === '/bodies') return response.end(JSON.stringify(bodies));
  if (request.url === '/forget') {
    bodies = [];
    return tell(response);
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    last = performance.now();
    if (bodies.length === 0) first = last;
    bodies.push(Buffer.concat(chunks).toString());
    response.end('noted');
  });
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
